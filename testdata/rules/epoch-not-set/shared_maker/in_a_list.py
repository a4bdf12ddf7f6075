from torch.utils.data import DataLoader, DistributedSampler


class Loaders:
    def __init__(self, datasets):
        self.all = []
        for dataset in datasets:
            self.all.append(DataLoader(dataset, sampler=DistributedSampler(dataset)))

    def run_bad(self, model, epochs):
        for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
            for batch in self.all[0]:
                model(batch).backward()
