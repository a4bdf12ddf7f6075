# The ranks that serve do what the root's callbacks ask of them, in loops that the root never enters.
import torch
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


def evaluate_ok(loaders, model):
    for loader in loaders:
        if dist.get_rank() != 0:
            more = torch.ones(1)
            while more:
                dist.broadcast(more, src=0)
            continue
        for batch in loader:
            model.generate(batch)
        done = torch.zeros(1)
        dist.broadcast(done, src=0)  # silent: [commands-servants]
    dist.barrier()


def receive(box, source, group):
    dist.broadcast_object_list(box, src=source, group=group)


def receive_object(value, source, group):
    box = [value]
    receive(box, source, group)
    return box[0]


def work_until_told(model, group):
    while True:
        dist.barrier(group=group)
        if receive_object(None, 0, group) is None:
            break
        model.generate()


def lead_ok(model, interface, group):
    if dist.get_rank() == 0:
        interface.launch(model)
        interface.stop()
    else:
        work_until_told(model, group)  # silent: [commanded-by-root]


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
        return  # silent: [commands-servants]
    for command in commands:
        dist.broadcast_object_list([command], src=0)
        worker.run(command)
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


class Node:
    """The root tells the others what to do, who wait for it in a method that it never calls."""

    def tell(self, command):
        commands = [command]
        dist.broadcast_object_list(commands, src=0)
        return commands[0]

    def wait_for_commands(self):
        while True:
            command = [None]
            dist.broadcast_object_list(command, src=0)
            if command[0] == "stop":
                return

    def close_ok(self):
        if dist.get_rank() == 0:
            self.tell("stop")  # silent: [servants-elsewhere]
        self.files.close()


class Replica:
    """As above, with the waiting a call deep."""

    def told(self, task=None):
        tasks = [task]
        dist.broadcast_object_list(tasks, src=0)
        return tasks[0]

    async def work(self):
        while True:
            task = self.told()
            if task is None:
                break
            await self.answer_ok(task)

    async def answer_ok(self, task):
        if dist.get_rank() == 0:
            task = self.told(task)
        self.run(task)
        dist.barrier()


def step_of_all_ok(optimizer, model, signal, rank):
    """The root tells the others, who wait in the function around, to run the closure as it does."""

    def closure():
        if rank == 0:
            signal.fill_(1)
            dist.broadcast(signal, src=0)  # silent: [servants-elsewhere]
        loss = model().sum()
        dist.all_reduce(loss)
        return loss

    if rank == 0:
        optimizer.step(closure)
        signal.fill_(0)
        dist.broadcast(signal, src=0)
    else:
        while True:
            dist.broadcast(signal, src=0)
            if signal.item() == 0:
                break
            closure()
