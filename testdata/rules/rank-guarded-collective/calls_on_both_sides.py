"""Both sides of a rank's branch make the same call, or one of them leaves it to a library."""

import torch.distributed as dist


def generate(model, prompts=None):
    for position in range(model.length(prompts)):
        dist.all_reduce(model(position))


def refuses_some_prompts_ok(model, rows):
    if dist.get_rank() == 0:
        prompts = []
        for row in rows:
            if row is None:
                raise ValueError("no prompt")
            prompts.append(row)
        generate(model, prompts)
    else:
        generate(model)


def generates_twice(model, rows):
    if dist.get_rank() == 0:
        for row in rows:
            if row is None:
                raise ValueError("no prompt")
        generate(model, rows)
        dist.barrier()  # expect: [divergent-collective-order] "`barrier`"
    else:
        generate(model)


def library_on_one_side_ok(model, optimizer, scheduler, path):
    """What the library does on the first ranks, the others write out."""
    if dist.get_rank() == 0:
        from megatron.checkpointing import save_checkpoint

        save_checkpoint(3, model, optimizer, scheduler)  # silent: [written-out]
        return
    model.save(path)
    dist.barrier()
    dist.barrier()


def leaves_what_it_writes_out_ok(model, optimizer, scheduler, path):
    """Where there is nothing to load, the library leaves as well."""
    if dist.get_rank() == 0:
        from megatron.checkpointing import load_checkpoint

        return load_checkpoint(model, optimizer, scheduler)  # silent: [written-out]
    if not model.knows(path):
        return 0
    model.load(path)
    dist.barrier()
    return 1


def writes_nothing_out_bad(model, optimizer, scheduler, path):
    if dist.get_rank() == 0:
        from megatron.checkpointing import load_checkpoint

        return load_checkpoint(model, optimizer, scheduler)  # expect: [rank-guarded-collective] "`load_checkpoint`"
    model.load(path)
    return 1


def library_before_all_meet(model, optimizer, scheduler):
    if dist.get_rank() == 0:
        from megatron.checkpointing import save_checkpoint

        save_checkpoint(3, model, optimizer, scheduler)  # expect: [rank-guarded-collective] "`save_checkpoint`"
    dist.barrier()


def search_ok(trainer, library, trials):
    """The library calls the objective as often as the others go round."""
    if dist.get_rank() == 0:

        def objective(trial):
            dist.broadcast_object_list([trial], src=0)
            return trainer.run(trial)

        library.optimize(objective, trials)
    else:
        for _ in range(trials):
            told = [None]
            dist.broadcast_object_list(told, src=0)
            trainer.run(told[0])


def search_without_objective(trainer, library, trials):
    if dist.get_rank() == 0:
        library.optimize(trainer.run, trials)
    else:
        for _ in range(trials):
            told = [None]
            dist.broadcast_object_list(told, src=0)  # expect: [rank-guarded-collective] "`broadcast_object_list`"
            trainer.run(told[0])


class Sweep:
    def __init__(self, agent):
        self.agent = agent
        self.best = None

    def train_once(self):
        dist.barrier()


def agent_calls_method_ok(library, sweep):
    """Whoever is handed the method calls it."""
    if dist.get_rank() == 0:
        library.agent("sweep", function=sweep.train_once)
    else:
        sweep.train_once()


def agent_is_told_a_number(library, sweep):
    if dist.get_rank() == 0:
        library.agent("sweep", best=sweep.best)
    else:
        Sweep(library).train_once()  # expect: [rank-guarded-collective] "`barrier`"
