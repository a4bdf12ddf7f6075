# The project's own function has the name of a library's: what it does says its body.
import torch
import torch.distributed as dist


def broadcast_object(obj, process_group=None, group_src=None):
    items = [obj]
    dist.broadcast_object_list(items, group=process_group, group_src=group_src)
    return items[0]


class Server:
    def __init__(self, tp):
        world = dist.get_world_size()
        self.mesh = dist.device_mesh.init_device_mesh("cpu", mesh_dim_names=("dp", "tp"), mesh_shape=(world // tp, tp))

    def along_dp_ok(self):
        if self.mesh["tp"].get_local_rank() == 0:
            self.launch()

    def along_tp_bad(self):
        if self.mesh["tp"].get_local_rank() == 0:
            broadcast_object("url", process_group=self.mesh["tp"].get_group(), group_src=0)  # expect: [rank-guarded-collective]

    def on_world_bad(self):
        if dist.get_rank() == 0:
            broadcast_object("url", group_src=0)  # expect: [rank-guarded-collective]

    def launch(self):
        url = "url" if dist.get_rank() == 0 else None
        self.url = broadcast_object(url, process_group=self.mesh["dp"].get_group(), group_src=0)
