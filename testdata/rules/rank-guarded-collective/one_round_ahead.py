"""A collective of one rank meets the others' in their next round: the rank is behind from then on."""
import torch
import torch.distributed as dist


def gathered(x):
    out = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(out, x)
    return out


def report_bad(x, step):
    if step % 100 == 0:
        times = gathered(x)
        sections = gathered(x)
        if dist.get_rank() == 0:
            if max(times) > 2 * min(times):
                gathered(x)  # expect: [rank-guarded-collective] "rank 0"
            print(sections)


def report_ok(x, step):
    if step % 100 == 0:
        times = gathered(x)
        names = gathered(x)
        if dist.get_rank() == 0:
            print(times, names)


def main(x, loader, most):
    dist.init_process_group("gloo")
    step = 0
    while True:
        for batch in loader:
            if step >= most:
                return
            step += 1
            report_bad(x, step)
            report_ok(x, step)


main(torch.ones(3), [1], 5)
