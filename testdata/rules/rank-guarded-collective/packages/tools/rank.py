import os


def global_rank():
    return int(os.environ.get("RANK", "0"))


def is_primary():
    return global_rank() == 0
