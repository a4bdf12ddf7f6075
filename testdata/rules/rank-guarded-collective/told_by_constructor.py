"""What an object's constructor is given, asked for by its methods."""
import torch.distributed as dist


class Reporter:
    def __init__(self, chatty):
        self.chatty = chatty

    def report(self, loss):
        if self.chatty:
            dist.all_reduce(loss)
            print(loss)


class Printer:
    def __init__(self, chatty):
        self.chatty = chatty

    def report(self, loss):
        dist.all_reduce(loss)
        if self.chatty:
            print(loss)


def told_the_rank_bad(losses):
    reporter = Reporter(dist.get_rank() == 0)
    for loss in losses:
        reporter.report(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def told_by_keyword_bad(loss):
    Reporter(chatty=dist.get_rank() == 0).report(loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def handed_on_bad(loss):
    report(Reporter(dist.get_rank() == 0), loss)  # expect: [rank-guarded-collective] "`all_reduce`"


def report(reporter: Reporter, loss):
    reporter.report(loss)


def told_an_option_ok(args, loss):
    Reporter(args.chatty).report(loss)


def reduced_by_all_ok(losses):
    printer = Printer(dist.get_rank() == 0)
    for loss in losses:
        printer.report(loss)
