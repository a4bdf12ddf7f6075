from torch.utils.data import DataLoader, DistributedSampler


def make_loaders(datasets, shuffles):
    samplers = []
    for dataset, shuffle in zip(datasets, shuffles):
        samplers.append(DistributedSampler(dataset, shuffle=shuffle))
    return [DataLoader(dataset, sampler=sampler) for dataset, sampler in zip(datasets, samplers)]
