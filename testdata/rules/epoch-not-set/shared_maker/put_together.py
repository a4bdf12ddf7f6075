from torch.utils.data import DataLoader, DistributedSampler


def in_one_list_bad(model, datasets, epochs):
    samplers = []
    samplers.extend([DistributedSampler(datasets[0]), None])
    loader = DataLoader(datasets[0], sampler=samplers[0])
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()


def in_a_sum_bad(model, datasets, epochs):
    samplers = [None] + [DistributedSampler(datasets[0])]
    loader = DataLoader(datasets[0], sampler=samplers[1])
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()


def with_numbers_bad(model, datasets, epochs):
    loaders = {}
    for i, sampler in enumerate([DistributedSampler(datasets[0])]):
        loaders[i] = DataLoader(datasets[i], sampler=sampler)
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loaders[0]:
            model(batch).backward()


def make(dataset, distributed):
    return DistributedSampler(dataset) if distributed else None


def make_anyway(dataset, distributed):
    distributed = True
    return make(dataset, distributed)


def made_anyway_bad(model, dataset, epochs):
    loader = DataLoader(dataset, sampler=make_anyway(dataset, False))
    for epoch in range(epochs):  # expect: [epoch-not-set] "in the same order"
        for batch in loader:
            model(batch).backward()
