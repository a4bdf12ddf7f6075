"""What fails over a batch fails on the rank that loaded it."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train_bad(model, train_loader, clean):
    model = DDP(model)
    for batch in train_loader:
        try:
            inputs = clean(batch)
        except ValueError:  # expect: [exception-skips-collective]
            continue
        loss = model(inputs)
        loss.backward()


def reduce_bad(loader, score, total):
    for i, batch in enumerate(loader):
        try:
            value = score(batch["x"])
        except Exception as e:  # expect: [exception-skips-collective]
            print(e)
            continue
        dist.all_reduce(value)


def both_bad(loader, score):
    for batch in loader:
        try:
            value = score(batch)
            dist.all_reduce(value)
        except Exception:  # expect: [exception-skips-collective]
            pass


def forward_bad(net, train_loader):
    model = DDP(net)
    for batch in train_loader:
        try:
            loss = model(batch)
            loss.backward()
        except RuntimeError as e:  # expect: [exception-skips-collective] "`gradient_reduction`"
            print("skipped", e)
            continue


def forward_ok(net, train_loader):
    model = DDP(net)
    for batch in train_loader:
        try:
            loss = model(batch)
            loss.backward()
        except RuntimeError as e:
            print("failed", e)
            raise


class Trainer:
    def __init__(self, net, train_loader):
        self.model = DDP(net)
        self.loader = train_loader

    def step(self, batch):
        loss = self.model(batch)
        loss.backward()
        return loss

    def predict(self, batch):
        return self.model(batch)

    def train_bad(self):
        for batch in self.loader:
            try:
                self.step(batch)  # expect-note: "fails on one rank within"
            except Exception as e:  # expect: [exception-skips-collective] "`gradient_reduction`"
                print(e)

    def train_ok(self):
        for batch in self.loader:
            try:
                self.step(batch)
            except TypeError:
                print("not what a model takes")

    def train_or_fail_ok(self):
        for batch in self.loader:
            try:
                self.step(batch)
            except Exception as e:
                raise RuntimeError("a bad batch") from e

    def predict_ok(self):
        for batch in self.loader:
            try:
                self.predict(batch)
            except Exception as e:
                print(e)


def fallback_ok(loader, score, total):
    for batch in loader:
        try:
            value = score(batch)
        except ValueError:
            value = torch.zeros(1)
        dist.all_reduce(value)


def behind_the_loop_ok(loader, score, out):
    mine = []
    for batch in loader:
        try:
            mine.append(score(batch))
        except Exception:
            continue
    dist.all_gather_object(out, mine)


def other_ok(loader, score, names):
    for name in names:
        try:
            value = score(name)
        except ValueError:
            continue
        dist.all_reduce(value)


def not_written_ok(loader, score):
    for batch in loader:
        try:
            value = score(batch)
        except NotImplementedError:
            continue
        dist.all_reduce(value)


def other_part_ok(loader, score, settings):
    for batch in loader:
        try:
            scale = settings.read("scale")
        except KeyError:
            continue
        dist.all_reduce(score(batch) * scale)


def told_ok(loader, score, logger):
    for batch in loader:
        try:
            print(len(batch))
            logger.info(batch)
        except ValueError:
            continue
        dist.all_reduce(score(batch))


def reraised_ok(loader, score):
    for batch in loader:
        try:
            value = score(batch)
        except ValueError as e:
            raise RuntimeError("batch") from e
        dist.all_reduce(value)
