import os
import subprocess

os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "0"  # expect: [watchdog-off]


def launch_bad(command):
    env = {"HCCL_EXEC_TIMEOUT": "0", "OMP_NUM_THREADS": "1"}  # expect: [watchdog-off] "`HCCL_EXEC_TIMEOUT=0`"
    subprocess.run(command, env=dict(os.environ, TORCH_NCCL_ENABLE_MONITORING="0"))  # expect: [watchdog-off]
    return env


def launch_ok(command, monitoring):
    os.environ["TORCH_NCCL_ASYNC_ERROR_HANDLING"] = "1"
    os.environ["TORCH_NCCL_ENABLE_MONITORING"] = monitoring
    os.environ["TORCH_NCCL_HEARTBEAT_TIMEOUT_SEC"] = "1800"
    os.environ["OMP_NUM_THREADS"] = "0"
    subprocess.run(command, env={"HCCL_EXEC_TIMEOUT": "3600"})
