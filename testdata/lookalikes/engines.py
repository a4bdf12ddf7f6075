# An `engine` or a `trainer` is that library's only where the library is spoken of: another one's methods may be local.
import torch.distributed as dist


def pipeline_round(engine, tensors, loss):
    if dist.get_rank() == 0:
        engine.backward(loss)
    for tensor in tensors:
        dist.all_reduce(tensor)


def save(trainer, path):
    if dist.get_rank() == 0:
        trainer.save_checkpoint(path)
    dist.barrier()
