import os

os.environ["NCCL_BLOCKING_WAIT"] = "1"  # silent: [older-library]
