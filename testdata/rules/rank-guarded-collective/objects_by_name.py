"""Objects that nobody is seen to make: the configuration does. Their variable says the class that alone has such a method."""
import torch.distributed as dist


class Checkpointer:
    def make_folder(self, name):
        return name

    def save_and_clean(self, name):
        folder = [None]
        if dist.get_rank() == 0:
            folder = [self.make_folder(name)]
        dist.broadcast_object_list(folder, src=0)
        return folder[0]


class MetricLogger:
    def log_all(self, value):
        dist.all_reduce(value)

    def log(self, value):
        dist.all_reduce(value)


class Gatherer:
    def gather_all(self, value):
        dist.all_reduce(value)


class Collector:
    def gather_all(self, value):
        return value


class Trainer:
    def __init__(self, checkpointer, metric_logger, gatherer, writer):
        self.checkpointer = checkpointer
        self._metric_logger = metric_logger
        self.gatherer = gatherer
        self.writer = writer

    def end_of_epoch_bad(self, name):
        if dist.get_rank() == 0:
            self.checkpointer.save_and_clean(name)  # expect: [rank-guarded-collective] "`broadcast_object_list`"

    def report_bad(self, value):
        if dist.get_rank() == 0:
            self._metric_logger.log_all(value)  # expect: [rank-guarded-collective] "`all_reduce`"

    def end_of_epoch_ok(self, name):
        self.checkpointer.save_and_clean(name)

    # One word is anybody's.
    def one_word_ok(self, value):
        if dist.get_rank() == 0:
            self._metric_logger.log(value)

    # Two classes have it.
    def of_two_ok(self, value):
        if dist.get_rank() == 0:
            self.gatherer.gather_all(value)

    # Another name.
    def of_another_ok(self, name):
        if dist.get_rank() == 0:
            self.writer.save_and_clean(name)
