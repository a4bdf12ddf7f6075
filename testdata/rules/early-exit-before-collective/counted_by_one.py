"""What one rank alone counts from round to round, and all ranks end on."""
import torch.distributed as dist


def patience_bad(validate, rounds):
    worse = 0
    best = 0.0
    for _ in range(rounds):
        if dist.get_rank() == 0:
            score = validate()
            if score > best:
                best = score
            else:
                worse += 1
        if worse > 3:
            break  # expect: [early-exit-before-collective] "ranks where `worse > 3` leave here"
        dist.barrier()


def flag_kept_bad(check, rounds):
    stop = False
    for i in range(rounds):
        if dist.get_rank() == 0:
            stop = check(i)
        if stop:
            return  # expect: [early-exit-before-collective] "ranks where `stop` is true leave here"
        dist.barrier()


def agreed_ok(validate, rounds):
    worse = 0
    for _ in range(rounds):
        if dist.get_rank() == 0 and validate() < 1:
            worse += 1
        said = [worse]
        dist.broadcast_object_list(said, src=0)
        worse = said[0]
        if worse > 3:
            break
        dist.barrier()


def only_printed_ok(validate, rounds):
    best = 0.0
    for _ in range(rounds):
        dist.barrier()
        if dist.get_rank() == 0:
            score = validate()
            if score > best:
                best = score
                print(best)


def counted_by_all_as_well_ok(validate, rounds):
    worse = 0
    for _ in range(rounds):
        if dist.get_rank() == 0:
            validate()
        worse += 1
        if worse > 3:
            break
        dist.barrier()
