"""What is raised is caught by its name, whatever is written between."""
import torch.distributed as dist
from megatron.core import parallel_state as mpu


def raised_behind_its_call_bad(x):
    try:
        if mpu.get_tensor_model_parallel_rank() == 1:
            dist.barrier()
            raise ValueError
        else:
            dist.all_reduce(x, group=mpu.get_data_parallel_group())
    except ValueError:
        pass
    dist.barrier()  # expect: [divergent-collective-order] "`barrier`"
