"""What is asked as a truth value is the same question as without."""
import torch.distributed as dist


def save(options):
    all_save = bool(options.sharded or options.offloaded)
    if all_save:
        dist.barrier()


def only_where_all_come_ok(options):
    if dist.get_rank() == 0 or options.sharded or options.offloaded:
        save(options)


def not_the_same_question_bad(options):
    if dist.get_rank() == 0 or options.sharded:
        save(options)  # expect: [rank-guarded-collective] "`barrier`"


def denied_ok(options, x):
    quiet = not bool(options.verbose)
    if dist.get_rank() == 0 and not options.verbose:
        if not quiet:
            dist.all_reduce(x)
