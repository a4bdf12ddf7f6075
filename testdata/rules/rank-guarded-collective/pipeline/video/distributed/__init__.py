from .coordinator import GroupCoordinator, get_sp_group, get_world_group, init_groups
from .operations import sequence_all_to_all, warm_up_sequence_parallel

__all__ = [
    "GroupCoordinator",
    "get_sp_group",
    "get_world_group",
    "init_groups",
    "sequence_all_to_all",
    "warm_up_sequence_parallel",
]
