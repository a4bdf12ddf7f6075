"""What DI-engine names its ranks and collectives."""
from ding.utils import broadcast_object_list, get_rank, get_world_size


def evaluate_bad(policy, env):
    stop, info = False, []
    if get_rank() == 0:
        info = policy.evaluate(env)
        stop = info[-1] > 0
        if get_world_size() > 1:
            objects = [stop, info]
            broadcast_object_list(objects, src=0)  # expect: [rank-guarded-collective] "`broadcast_object_list` on `world`"
            stop, info = objects
    return stop, info


def evaluate_ok(policy, env):
    objects = [False, []]
    if get_rank() == 0:
        info = policy.evaluate(env)
        objects = [info[-1] > 0, info]
    if get_world_size() > 1:
        broadcast_object_list(objects, src=0)
    return objects
