# The ranks that serve do what the root's callbacks ask of them, in loops that the root never enters.
import torch.distributed as dist


class Server:
    def infer(self, batch):
        dist.broadcast(self.command, 0)
        return self.forward(batch)

    def forward(self, batch):
        dist.all_gather(self.parts, batch, group=self.data_parallel_group)
        return self.model(batch)

    def serve_ok(self, endpoint, batch):
        if dist.get_rank() == 0:
            endpoint.bind(infer=self.infer)
            endpoint.serve()
        else:
            self.obey(batch)

    def obey(self, batch):
        while True:
            dist.broadcast(self.command, 0)
            if self.command.item() == 1:
                self.forward(batch)
            else:
                raise RuntimeError("unknown command")

    def loop_of_all_bad(self, batch):
        while self.step < self.steps:
            dist.broadcast(self.command, 0)
            if dist.get_rank() != 0:
                dist.all_reduce(batch)  # expect: [rank-guarded-collective] "`all_reduce`"


def obey_requests(model):
    while True:
        dist.barrier()
        request = [None, None]
        dist.broadcast_object_list(request)
        model.generate(*request)


def demonstrate_ok(model, interface):
    if dist.get_rank() == 0:
        interface.launch()
    else:
        obey_requests(model)
