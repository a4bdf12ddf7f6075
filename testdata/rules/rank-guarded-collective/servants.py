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


class Worker:
    def serve(self):
        while True:
            command = [None]
            dist.broadcast_object_list(command, src=0)
            if command[0] is None:
                break
            self.run(command[0])

    def run(self, command):
        dist.barrier()


def drive_ok(worker, commands):
    if dist.get_rank() != 0:
        worker.serve()
        return
    for command in commands:
        dist.broadcast_object_list([command], src=0)
        worker.run(command)
    dist.broadcast_object_list([None], src=0)


def drive_and_tell_nobody_bad(worker, x):
    if dist.get_rank() != 0:
        worker.run(x)
        return  # expect: [early-exit-before-collective] "`broadcast_object_list`"
    worker.run(x)
    dist.broadcast_object_list([None], src=0)


def told(obj, src_rank):
    box = [obj]
    dist.broadcast_object_list(box, src=src_rank)
    return box[0]


def demonstrate_in_a_thread(model, pages, thread):
    if dist.get_rank() == 0:
        thread.start()
        pages.run()
    else:
        while True:
            try:
                model.generate(**told(None, src_rank=0))
            except ValueError:
                pass


def demonstrate_and_end(model, pages, thread):
    demonstrate_in_a_thread(model, pages, thread)
    dist.barrier()
