from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def get_loaders(train, test, batch_size=32):
    train_sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=batch_size, sampler=train_sampler)
    test_loader = DataLoader(test, batch_size=batch_size)
    return train_loader, test_loader
