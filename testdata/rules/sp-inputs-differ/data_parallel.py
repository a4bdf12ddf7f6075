from torch.utils.data.distributed import DistributedSampler


def loader_ok(dataset):
    return DistributedSampler(dataset)
