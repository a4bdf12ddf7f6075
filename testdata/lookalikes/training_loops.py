"""Whole training loops as they are written when they are right: who logs, who saves, who evaluates, who stops."""
import contextlib
import json
import os
import shutil
import signal
import threading
import time

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def setup():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return dist.get_rank(), dist.get_world_size(), local_rank


def is_main():
    return not dist.is_initialized() or dist.get_rank() == 0


def log_on_first_ok(model, loader, optimizer, writer):
    for step, batch in enumerate(loader):
        loss = model(batch)
        loss.backward()
        optimizer.step()
        total = loss.detach().clone()
        dist.all_reduce(total)
        if step % 10 == 0 and is_main():
            writer.add_scalar("loss", total.item() / dist.get_world_size(), step)


def save_on_first_ok(model, optimizer, path, epoch):
    if dist.get_rank() == 0:
        state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, path + ".tmp")
        os.replace(path + ".tmp", path)
    dist.barrier()


def evaluate_on_all_ok(model, loader):
    model.eval()
    seen = torch.zeros(2, device="cuda")
    with torch.no_grad():
        for x, y in loader:
            seen[0] += (model(x).argmax(1) == y).sum()
            seen[1] += y.numel()
    dist.all_reduce(seen)
    accuracy = (seen[0] / seen[1]).item()
    if dist.get_rank() == 0:
        print(f"accuracy {accuracy:.4f}")
    return accuracy


def best_so_far_ok(model, loader, path, epochs):
    best = 0.0
    for _ in range(epochs):
        accuracy = evaluate_on_all_ok(model, loader)
        if accuracy > best:
            best = accuracy
            save_on_first_ok(model, torch.optim.SGD(model.parameters(), lr=0.1), path, 0)


def early_stop_agreed_ok(model, loader, valid, patience, epochs):
    bad, best = 0, float("inf")
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()
        loss = torch.tensor([float(model(valid))], device="cuda")
        dist.all_reduce(loss, op=dist.ReduceOp.AVG)
        if loss.item() < best:
            best, bad = loss.item(), 0
        else:
            bad += 1
        if bad >= patience:
            break
    dist.barrier()


def early_stop_told_by_first_ok(model, loader, evaluate, epochs):
    stop = torch.zeros(1, device="cuda")
    for epoch in range(epochs):
        for batch in loader:
            model(batch).backward()
        if dist.get_rank() == 0:
            if evaluate(model.module) < 0.01:
                stop += 1
        dist.broadcast(stop, src=0)
        if stop.item() > 0:
            break


def nan_check_agreed_ok(model, loader, optimizer):
    for batch in loader:
        loss = model(batch)
        bad = torch.tensor([0 if torch.isfinite(loss) else 1], device=loss.device)
        dist.all_reduce(bad, op=dist.ReduceOp.MAX)
        if bad.item():
            optimizer.zero_grad()
            continue
        loss.backward()
        optimizer.step()


class SignalHandler:
    def __init__(self):
        self.received = False
        signal.signal(signal.SIGUSR1, self.note)

    def note(self, number, frame):
        self.received = True

    def agreed(self, device):
        flag = torch.tensor([int(self.received)], device=device)
        dist.all_reduce(flag, op=dist.ReduceOp.MAX)
        return bool(flag.item())


def requeue_ok(model, loader, path, device):
    handler = SignalHandler()
    for step, batch in enumerate(loader):
        model(batch).backward()
        if handler.agreed(device):
            if dist.get_rank() == 0:
                torch.save(model.module.state_dict(), path)
            dist.barrier()
            return step
    return None


def time_limit_agreed_ok(model, loader, limit):
    start = time.time()
    for batch in loader:
        model(batch).backward()
        over = torch.tensor([float(time.time() - start > limit)], device="cuda")
        dist.broadcast(over, 0)
        if over.item():
            break
    dist.barrier()


def cleanup_in_finally_ok(train, args):
    rank, world, local_rank = setup()
    try:
        train(rank, world, args)
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def keyboard_interrupt_ok(model, loader):
    try:
        for batch in loader:
            model(batch).backward()
    except KeyboardInterrupt:
        if dist.get_rank() == 0:
            print("interrupted")
        raise
    finally:
        dist.destroy_process_group()


class Ema:
    def __init__(self, model, decay):
        self.shadow = {k: v.detach().clone() for k, v in model.module.state_dict().items()}
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for k, v in model.module.state_dict().items():
            self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)


def ema_on_all_ok(model, loader, path):
    ema = Ema(model, 0.999)
    for step, batch in enumerate(loader):
        model(batch).backward()
        ema.update(model)
        if step % 1000 == 0:
            if is_main():
                torch.save(ema.shadow, path)
            dist.barrier()


def accumulate_ok(model, loader, optimizer, every):
    for step, batch in enumerate(loader):
        last = (step + 1) % every == 0 or step + 1 == len(loader)
        context = contextlib.nullcontext() if last else model.no_sync()
        with context:
            (model(batch) / every).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()


def resume_ok(model, optimizer, folder):
    path = os.path.join(folder, "last.pt")
    start = 0
    if os.path.isfile(path):
        state = torch.load(path, map_location="cpu")
        model.module.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        start = state["epoch"] + 1
    dist.barrier()
    return start


def resume_told_ok(model, folder):
    found = [None]
    if dist.get_rank() == 0:
        names = sorted(os.listdir(folder))
        found[0] = names[-1] if names else None
    dist.broadcast_object_list(found, src=0)
    if found[0] is not None:
        model.module.load_state_dict(torch.load(os.path.join(folder, found[0])))
        dist.barrier()


def async_save_ok(model, path):
    thread = None
    for step in range(100):
        if step % 10 == 0 and dist.get_rank() == 0:
            state = {k: v.cpu() for k, v in model.module.state_dict().items()}
            if thread is not None:
                thread.join()
            thread = threading.Thread(target=torch.save, args=(state, f"{path}.{step}"))
            thread.start()
        dist.barrier()
    if thread is not None:
        thread.join()


class Watchdog(threading.Thread):
    """Ends the process when nothing moves any more."""

    def __init__(self, limit):
        super().__init__(daemon=True)
        self.limit = limit
        self.last = time.time()

    def beat(self):
        self.last = time.time()

    def run(self):
        while True:
            time.sleep(1)
            if time.time() - self.last > self.limit:
                print("stuck", flush=True)
                os._exit(1)


def watched_ok(model, loader, limit):
    watchdog = Watchdog(limit)
    watchdog.start()
    for batch in loader:
        model(batch).backward()
        watchdog.beat()
        dist.barrier()


def epochs_ok(dataset, net, epochs, batch_size):
    rank, world, local_rank = setup()
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=True, drop_last=True)
    loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=4, drop_last=True)
    model = DDP(net.cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        if rank == 0:
            torch.save(model.module.state_dict(), f"epoch{epoch}.pt")
    dist.barrier()
    if rank == 0:
        shutil.copy(f"epoch{epochs - 1}.pt", "final.pt")
    dist.destroy_process_group()


def uneven_with_join_ok(model, loader, optimizer):
    with model.join():
        for batch in loader:
            model(batch).backward()
            optimizer.step()


def shortest_agreed_ok(model, loader):
    count = torch.tensor([len(loader)], device="cuda")
    dist.all_reduce(count, op=dist.ReduceOp.MIN)
    steps = int(count.item())
    for step, batch in enumerate(loader):
        if step >= steps:
            break
        model(batch).backward()
        dist.barrier()


def has_data_agreed_ok(model, iterator):
    while True:
        batch = next(iterator, None)
        more = torch.tensor([int(batch is not None)], device="cuda")
        dist.all_reduce(more, op=dist.ReduceOp.MIN)
        if not more.item():
            break
        model(batch).backward()


def metrics_gathered_ok(outputs, path):
    gathered = [None] * dist.get_world_size() if dist.get_rank() == 0 else None
    dist.gather_object(outputs, gathered, dst=0)
    if dist.get_rank() != 0:
        return
    with open(path, "w") as file:
        json.dump([row for part in gathered for row in part], file)


def part_files_ok(rows, folder):
    rank, world = dist.get_rank(), dist.get_world_size()
    with open(os.path.join(folder, f"part{rank}.json"), "w") as file:
        json.dump(rows, file)
    dist.barrier()
    if rank == 0:
        merged = []
        for r in range(world):
            with open(os.path.join(folder, f"part{r}.json")) as file:
                merged += json.load(file)
        with open(os.path.join(folder, "all.json"), "w") as file:
            json.dump(merged, file)
    dist.barrier()


def profile_on_first_ok(model, loader):
    profiler = torch.profiler.profile() if dist.get_rank() == 0 else contextlib.nullcontext()
    with profiler:
        for batch in loader:
            model(batch).backward()
            dist.barrier()


def progress_bar_ok(model, loader, tqdm):
    bar = tqdm(loader, disable=dist.get_rank() != 0)
    for batch in bar:
        loss = model(batch)
        dist.all_reduce(loss)
        if dist.get_rank() == 0:
            bar.set_postfix(loss=loss.item())
