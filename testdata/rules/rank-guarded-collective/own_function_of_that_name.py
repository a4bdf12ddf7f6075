"""A function of the project that is called as one of a library is, and calls nothing that could communicate."""
import torch.distributed as dist


class Verbalizer:
    def gather_outputs(self, outputs):
        return outputs.logits, outputs.hidden_states[-1]

    def test_ok(self, outputs):
        if dist.get_rank() == 0:
            return self.gather_outputs(outputs)
        return None


class Sharded:
    def __init__(self, backend):
        self.backend = backend

    def gather_outputs(self, x):
        return self.backend.all_gather(x)

    def evaluate_bad(self, x):
        if dist.get_rank() == 0:
            return self.gather_outputs(x)  # expect: [rank-guarded-collective] "`all_gather`"
        return None
