# A trainer that holds the loader, and one that holds the sampler and makes the loader of it.
import torch.multiprocessing as mp
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Base:
    def run(self):
        while True:  # expect: [epoch-not-set] "in the same order"
            self.train_epoch()
            if self.steps > self.last_step:
                break


class Trainer(Base):
    def __init__(self, data_loader, model, last_step):
        self.data_loader = data_loader
        self.model = model
        self.steps = 0
        self.last_step = last_step

    def train_epoch(self):
        for step, batch in enumerate(self.data_loader["train"], 1):
            self.train_step(batch)
        self.evaluate()

    def train_step(self, batch):
        self.model(batch).backward()
        self.steps += 1

    def evaluate(self):
        for batch in self.data_loader["dev"]:
            self.model(batch)


def main(model, train, dev, args):
    train_sampler, dev_sampler = None, None
    if args.distributed:
        from torch.utils.data.distributed import DistributedSampler as Shares

        train_sampler = Shares(dataset=train, num_replicas=args.world_size, rank=args.rank, shuffle=True)
        dev_sampler = Shares(dataset=dev, num_replicas=args.world_size, rank=args.rank, shuffle=False)
    data_loader = {
        "train": DataLoader(train, shuffle=not args.distributed, sampler=train_sampler),
        "dev": DataLoader(dev, sampler=dev_sampler),
    }
    trainer = Trainer(data_loader=data_loader, model=model, last_step=args.steps)
    try:
        trainer.run()
    except KeyboardInterrupt:
        pass


class Learner:
    def __init__(self, dataset, sampler, model):
        self.loader = DataLoader(dataset, sampler=sampler)
        self.model = model

    def learn_epoch(self):
        for batch in self.loader:
            self.model(batch).backward()


def learn_bad(model, dataset, epochs):
    learner = Learner(dataset, DistributedSampler(dataset), model)
    for _ in range(epochs):  # expect: [epoch-not-set] "in the same order"
        learner.learn_epoch()


class Lazy:
    def __init__(self, dataset, model):
        self.dataset = dataset
        self.sampler = DistributedSampler(dataset)
        self.model = model

    @property
    def loader(self):
        return DataLoader(self.dataset, sampler=self.sampler)

    def fit_bad(self, epochs):
        for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
            for batch in self.loader:
                self.model(batch).backward()


class Spawned:
    def __init__(self, model, epochs):
        self.model = model
        self.epochs = epochs

    def start(self, dataset):
        mp.spawn(self.run_bad, nprocs=2, args=(self, dataset))

    @staticmethod
    def run_bad(rank, self, dataset):
        sampler = DistributedSampler(dataset, num_replicas=2, rank=rank)
        loader = DataLoader(dataset, sampler=sampler)
        for epoch in range(self.epochs):  # expect: [epoch-not-set] "in the same order"
            self.learn_epoch(loader)

    def learn_epoch(self, loader):
        for batch in loader:
            self.model(batch).backward()


class Evaluating(Trainer):
    def __init__(self, model, dataset):
        self.validation = DataLoader(dataset, sampler=DistributedSampler(dataset))
        self.model = model

    def scores_ok(self, rounds):
        for _ in range(rounds):
            for batch in self.validation:
                self.model(batch)
