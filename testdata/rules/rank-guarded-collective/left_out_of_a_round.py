import torch.distributed as dist


def evaluate_all_bad(args, infer, evaluate):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    for name in args.data:
        infer(name)
        if rank == 0:
            if args.mode == "infer":
                continue
            evaluate(name)
        if world_size > 1:
            dist.barrier()  # expect: [rank-guarded-collective] "`barrier` on `world` is issued by every rank but 0 and not by rank 0"
    if world_size > 1:
        dist.destroy_process_group()


def evaluate_all_ok(args, infer, evaluate):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    for name in args.data:
        infer(name)
        if rank == 0 and args.mode != "infer":
            evaluate(name)
        if world_size > 1:
            dist.barrier()
    if world_size > 1:
        dist.destroy_process_group()


def ended_by_all_ok(args, evaluate):
    if args.mode == "infer":
        dist.destroy_process_group()
        return
    if dist.get_rank() == 0:
        evaluate(args.data)
    dist.barrier()
    dist.destroy_process_group()


def ended_by_each_ok(args, evaluate):
    if dist.get_rank() != 0:
        dist.barrier()
        dist.destroy_process_group()
        return
    evaluate(args.data)
    dist.barrier()
    dist.destroy_process_group()


def rank_zero_compares_ok(model, plain_model, sharded_state):
    state = sharded_state(model)
    if dist.get_rank() == 0:
        golden = {name: p.detach() for name, p in plain_model.named_parameters()}
        assert state.keys() == golden.keys()
    dist.barrier()
    dist.destroy_process_group()
