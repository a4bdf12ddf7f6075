# A context that tells the rank and the group along each way of parallelism.
import torch.distributed as dist


class ParallelContext:
    def get_local_rank(self, parallel_mode):
        return self.local_ranks.get(parallel_mode, 0)

    def get_group(self, parallel_mode):
        return self.groups[parallel_mode]

    def is_first_rank(self, parallel_mode):
        return self.get_local_rank(parallel_mode) == 0

    def is_rank_for_log(self):
        return self.is_first_rank("tensor") and self.is_first_rank("data") and self.is_last_rank("pipeline")

    def is_last_rank(self, parallel_mode):
        return self.get_local_rank(parallel_mode) == self.sizes[parallel_mode] - 1


class ParallelMode:
    PIPELINE = "pipeline"
    TENSOR = "tensor"


context = ParallelContext()


def gather_in_a_stage_ok(x, parts):
    if not context.is_last_rank(ParallelMode.PIPELINE):
        dist.all_gather(parts, x, group=context.get_group(ParallelMode.TENSOR))


def gather_in_one_column_bad(x, parts):
    if not context.is_last_rank(ParallelMode.TENSOR):
        dist.all_gather(parts, x, group=context.get_group(ParallelMode.TENSOR))  # expect: [rank-guarded-collective] "`all_gather`"


def told_by_one_bad(loaders, metrics):
    for loader in loaders:
        if len(loader) == 0 and context.is_rank_for_log():
            continue  # expect: [early-exit-before-collective]
        dist.all_reduce(metrics)
