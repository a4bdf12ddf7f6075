import os
from os import environ

NAME = "NCCL_DESYNC_DEBUG"

os.environ["NCCL_BLOCKING_WAIT"] = "1"  # expect: [renamed-nccl-env] "`TORCH_NCCL_BLOCKING_WAIT`"


def configure_bad(debug):
    environ["NCCL_ENABLE_TIMING"] = "1"  # expect: [renamed-nccl-env]
    os.environ.setdefault("NCCL_ASYNC_ERROR_HANDLING", "1")  # expect: [renamed-nccl-env]
    os.putenv(NAME, "1")  # expect: [renamed-nccl-env] "`NCCL_DESYNC_DEBUG`"


def configure_ok(settings, name):
    os.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"
    os.environ["NCCL_DEBUG"] = "INFO"
    os.environ[name] = "1"
    settings["NCCL_BLOCKING_WAIT"] = "1"
    os.environ.pop("NCCL_BLOCKING_WAIT", None)
    if os.environ.get("NCCL_BLOCKING_WAIT"):
        print("still set")


def launch_bad(command, patched):
    with patched(RANK="0", NCCL_ASYNC_ERROR_HANDLING="1"):  # expect: [renamed-nccl-env] "`TORCH_NCCL_ASYNC_ERROR_HANDLING`"
        command()


def launch_ok(command, patched):
    with patched(RANK="0", TORCH_NCCL_ASYNC_ERROR_HANDLING="1"):
        command({"NCCL_DEBUG": "INFO"})
