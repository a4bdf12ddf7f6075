"""A call that another thread makes while this one waits for it is a call."""
import asyncio

import torch.distributed as dist


async def decided_by_one_ok(decide, x):
    decision = [decide() if dist.get_rank() == 0 else None]
    await asyncio.to_thread(dist.broadcast_object_list, decision, src=0)
    if decision[0]:
        dist.all_reduce(x)


async def asked_by_one_bad(decide, x):
    decision = [decide() if dist.get_rank() == 0 else None]
    if dist.get_rank() == 0:
        await asyncio.to_thread(dist.broadcast_object_list, decision, src=0)  # expect: [rank-guarded-collective] "`broadcast"
    if decision[0]:
        print(x)
