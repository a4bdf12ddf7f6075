"""A rank that fails is not one that was told to leave, through whatever handlers it goes."""
import torch.distributed as dist


def raised_again_ok(path, text, n):
    if dist.get_rank() == 0:
        try:
            assert text.startswith("main")
            assert text.count("other") == n - 1, f"only {text.count('other')} times"
        except AssertionError:
            path.unlink()
            raise
    dist.barrier()


def caught_bad(path, text, n):
    if dist.get_rank() == 0:
        try:
            assert text.count("other") == n - 1, f"only {text.count('other')} times"
        except AssertionError:
            path.unlink()
            return  # expect: [early-exit-before-collective] "rank 0 leaves here"
    dist.barrier()
