import torch.distributed as dist
from functools import partial


class Trainer(Base, metaclass=Meta):
    limit: int = 3

    @property
    def is_main(self) -> bool:
        return dist.get_rank(self.group) == 0

    def step(self, batch, *args, scale=1.0, **kwargs):
        try:
            loss = self.model(batch, *args, **kwargs)[0] * scale
        except (RuntimeError, ValueError) as error:
            if not self.is_main:
                return None
            raise StepError(f"step {self.count:>{3}} of {self.limit!r}") from error
        else:
            self.count += 1
        finally:
            dist.barrier(group=self.group)
        with no_sync() as a, timer("x"):
            while self.count < self.limit and (rest := next(self.rest, None)):
                if rest is a:
                    continue
                break
            else:
                del rest
        return [x for y in loss for x in y if x not in {1, 2}], {k: v for k, v in loss.items()}
