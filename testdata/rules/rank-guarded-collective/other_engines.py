"""`engine.step()`: one that trains gives nothing, one that serves gives what it has finished."""
import torch.distributed as dist
from deepspeed.runtime.zero import stage3_enabled


class Service:
    def __init__(self, make_engine):
        self.engine = make_engine()

    def answer_all(self, requests):
        answers = {}
        for request in requests:
            self.engine.add(request)
        while self.engine.busy():
            for answer in self.engine.step():
                answers[answer.id] = answer
        return answers

    def answer_next(self, request):
        self.engine.add(request)
        finished = self.engine.step()
        return finished[0] if finished else None

    def serve_ok(self, requests):
        if dist.get_rank() == 0:
            answers = self.answer_all(requests)
        else:
            answers = [None] * len(requests)
        dist.broadcast_object_list(answers, src=0)

    def serve_one_ok(self, request):
        answer = [self.answer_next(request) if dist.get_rank() == 0 else None]
        dist.broadcast_object_list(answer, src=0)


class Training:
    def __init__(self, make_engine):
        self.engine = make_engine()

    def step(self):
        return self.engine.step()

    def train_bad(self, loss):
        if dist.get_rank() == 0:
            self.engine.step()  # expect: [rank-guarded-collective] "`optimizer_step` on `world`"
        dist.all_reduce(loss)

    def train_by_a_wrapper_bad(self, loss):
        if dist.get_rank() == 0:
            self.step()  # expect: [rank-guarded-collective] "`optimizer_step` on `world`"
        dist.all_reduce(loss)
