"""What was made for a key is made anew for another one: that a rank's own key is the last one may hold on all ranks alike."""
import torch.distributed as dist


class Partition:
    def built_once_for_a_key_ok(self, sizes):
        key = dist.get_rank() % 2
        if self.built is not None and self.built_for == key:
            return self.built
        self.built = self.exchange(sizes)
        self.built_for = key
        return self.built

    def of_another_key_bad(self, sizes, limit):
        key = dist.get_rank() % 2
        if self.limit == key:
            return self.built  # expect: [early-exit-before-collective] "`all_gather_object`"
        self.limit = limit
        self.built = self.exchange(sizes)
        return self.built

    def exchange(self, sizes):
        everyone = [None] * dist.get_world_size()
        dist.all_gather_object(everyone, sizes)
        return everyone
