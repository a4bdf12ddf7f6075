"""One rank alone leaves the inner loop, and on the same question the outer one: that is one bug."""
import torch.distributed as dist


class Trainer:
    def __init__(self, stats):
        self.stats = stats
        self.rank = dist.get_rank()

    def train_bad(self, epochs, loader, model):
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                dist.all_reduce(model(batch))
                if (self.stats.is_done or self.stats.is_over) and self.rank == 0:
                    break
            if (self.stats.is_done or self.stats.is_over) and self.rank == 0:
                break  # expect: [early-exit-before-collective] "rank 0 leaves here"
        dist.barrier()

    def train_in_another_order_bad(self, epochs, loader, model):
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                dist.all_reduce(model(batch))
                if (self.stats.is_done or self.stats.is_over) and self.rank == 0:
                    break
            if self.rank == 0 and (self.stats.is_over or self.stats.is_done):
                break  # expect: [early-exit-before-collective] "rank 0 leaves here"
        dist.barrier()

    def train_until_found_bad(self, epochs, loader, model):
        stop = False
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                loss = model(batch)
                dist.all_reduce(loss)
                stop = loss.item() < 0.1
                if stop and self.rank == 0:
                    break
            if stop and self.rank == 0:
                break  # expect: [early-exit-before-collective] "rank 0 leaves here"
        dist.barrier()

    def train_on_other_questions_bad(self, epochs, loader, model):
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                dist.all_reduce(model(batch))
                if (self.stats.is_over or self.stats.is_late) and self.rank == 0:
                    break
            if (self.stats.is_done or self.stats.is_late) and self.rank == 0:
                break  # expect: [early-exit-before-collective] "rank 0 leaves here"
        dist.barrier()  # expect: [rank-guarded-collective] "is issued by"

    def train_by_rank_bad(self, epochs, loader, model):
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                dist.all_reduce(model(batch))
                if self.rank == 0:
                    break
            if self.rank == 0:
                break  # expect: [early-exit-before-collective] "rank 0 leaves here"
        dist.barrier()  # expect: [rank-guarded-collective] "is issued by"

    def train_ok(self, epochs, loader, model):
        for epoch in range(epochs):
            dist.barrier()
            for batch in loader:
                dist.all_reduce(model(batch))
                if self.stats.is_done or self.stats.is_over:
                    break
            if self.stats.is_done or self.stats.is_over:
                break
        dist.barrier()
