"""A mesh that is made of another's parts is no first one: it takes over no time-out, nor do others beside it."""
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh


def start(shape, axes, options):
    return init_device_mesh("cuda", shape, mesh_dim_names=axes, backend_override=options)


def flatten_bad(mesh: DeviceMesh, axes):
    return mesh[axes]._flatten(mesh_dim_name="all")  # expect: [timeout-not-passed-on] "`backend_override` of `init_device_mesh`"


def cut(mesh: DeviceMesh, shape, axes):
    return DeviceMesh(mesh.device_type, mesh.mesh.reshape(shape), mesh_dim_names=axes)
