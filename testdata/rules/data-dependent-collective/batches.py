"""Decisions on what a rank computed of its own batch."""
import math
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def skip_a_batch_bad(loader, model):
    for batch in loader:
        loss = model(batch)
        if torch.isnan(loss).any():
            print("nan")
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def stop_on_infinity_bad(loader, model):
    for batch in loader:
        loss = model(batch)
        if not torch.isfinite(loss):
            return  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def skip_an_outlier_bad(loader, model, threshold):
    for batch in loader:
        loss = model(batch)
        if loss.item() > threshold:
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def skip_by_a_helper_bad(loader, model):
    for i, batch in enumerate(loader):
        loss = model(batch)
        if skip(loss):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def first_batch_bad(dataset, model):
    loader = DataLoader(dataset)
    it = iter(loader)
    batch = next(it)
    loss = model(batch["x"].cuda())
    if loss.item() > 3.0:
        dist.barrier()  # expect: [data-dependent-collective] "its batch"


def keywords_bad(loader, model):
    for batch in loader:
        loss = model(**batch).loss
        if not math.isfinite(loss.item()):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def moved_part_by_part_bad(loader, model):
    for batch in loader:
        batch = {name: part.cuda() for name, part in batch.items()}
        loss = model(batch)
        if torch.isnan(loss):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)


def prepared_loader_bad(accelerator, model, optimizer, train_dl):
    model, optimizer, train_dl = accelerator.prepare(model, optimizer, train_dl)
    for batch in train_dl:
        loss = model(**batch).loss
        if torch.isnan(loss):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(loss)
        optimizer.step()


def wrapped_model_bad(loader, net):
    model = DistributedDataParallel(net)
    for batch in loader:
        loss = model(batch)["loss"]  # expect: [data-dependent-collective] "its batch"
        if torch.isnan(loss):
            continue
        loss.backward()


def wrapped_model_ok(loader, net, flag):
    model = DistributedDataParallel(net)
    for batch in loader:
        loss = model(batch)["loss"]
        flag.fill_(torch.isnan(loss))
        dist.all_reduce(flag)
        if flag.item():
            continue
        loss.backward()


def accumulated_ok(loader, net, optimizer):
    model = DistributedDataParallel(net)
    for i, batch in enumerate(loader):
        loss = model(**batch).loss
        loss.backward()
        if i % 4 == 3:
            optimizer.step()


def skip(loss):
    return torch.isnan(loss).any()


def reduced_ok(loader, model):
    for batch in loader:
        loss = model(batch)
        dist.all_reduce(loss)
        if torch.isnan(loss):
            continue
        dist.barrier()


def raised_ok(loader, model):
    for batch in loader:
        loss = model(batch)
        if torch.isnan(loss):
            raise ValueError("nan")
        dist.all_reduce(loss)


def exit_ok(loader, model):
    for batch in loader:
        loss = model(batch).item()
        if not math.isfinite(loss):
            sys.exit(1)
        dist.all_reduce(loss)


def reduced_by_a_helper_ok(loader, model, reduce_tensor):
    for batch in loader:
        loss = model(batch)
        loss = reduce_tensor(loss)
        if torch.isnan(loss):
            continue
        dist.barrier()


def what_a_batch_is_ok(loader, model):
    for batch in loader:
        if "labels" in batch:
            dist.barrier()
        if batch["x"] is None:
            dist.barrier()
        if batch["kind"] == "image":
            dist.barrier()
        if len(batch) == 8:
            dist.barrier()
        if batch["x"].shape[0] > 3:
            dist.barrier()
        if isinstance(batch, dict):
            dist.barrier()


def one_batch_for_the_group_ok(loader, model, tp_group):
    for batch in loader:
        loss = model(batch)
        if torch.isnan(loss):
            continue  # silent: [one-batch]
        dist.all_reduce(loss, group=tp_group)


def step_ok(loader, model, every):
    for i, batch in enumerate(loader):
        loss = model(batch)
        if i % every == 0:
            dist.all_reduce(loss)


def skip_by_the_sums_bad(loader, model, rounds):
    for batch in loader:
        sums = {}
        for _ in range(rounds):
            for name, loss in model(batch).items():
                sums[name] = sums.get(name, 0.0) + loss.detach()
        if any(not torch.isfinite(loss).all() for loss in sums.values()):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.barrier()


def skip_by_a_list_bad(loader, model):
    for batch in loader:
        losses = model(batch)
        if any(torch.isnan(loss) for loss in losses):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.barrier()


def whether_there_are_sums_ok(loader, model):
    sums = {}
    for batch in loader:
        sums["loss"] = model(batch)
        if "loss" in sums:
            dist.barrier()
        if sums:
            dist.barrier()
    for name in sums:
        dist.all_reduce(sums[name])


def stop_when_the_sum_is_high_bad(model, loader, epochs):
    for _ in range(epochs):
        total = 0.0
        for batch in loader:
            total += model(batch).loss.item()
        if total > 3.0:
            break  # expect: [data-dependent-collective] "its batch"
        dist.barrier()


def mean_loss(model, loader):
    total = 0.0
    for batch in loader:
        total += model(batch).loss.item()
    return total / len(loader)


def stop_early_bad(model, loader, held_out, epochs):
    best = 1e9
    for _ in range(epochs):
        for batch in loader:
            model(batch).loss.backward()
        loss = mean_loss(model, held_out)
        if loss > best:
            break  # expect: [data-dependent-collective] "its batch"
        best = loss
        dist.barrier()


def stop_early_together_ok(model, loader, held_out, epochs):
    best = 1e9
    for _ in range(epochs):
        for batch in loader:
            model(batch).loss.backward()
        loss = torch.tensor(mean_loss(model, held_out))
        dist.all_reduce(loss)
        if loss.item() > best:
            break
        best = loss.item()
        dist.barrier()


def count_batches_ok(model, loader, limit):
    seen, total = 0, 0.0
    for batch in loader:
        total += model(batch).loss.item()
        seen += 1
        if seen > limit:
            break
    dist.barrier()
    return total


def nothing_in_it_bad(model, loader):
    model = DistributedDataParallel(model)
    for images, targets in loader:
        if len(targets) == 0:
            continue  # expect: [data-dependent-collective] "its batch"
        model(images, targets).backward()


def no_boxes_bad(model, loader):
    model = DistributedDataParallel(model)
    for batch in loader:
        if batch["boxes"].shape[0] == 0:
            continue  # expect: [data-dependent-collective] "its batch"
        model(batch).backward()


def short_batch_ok(model, loader, size):
    # All ranks have as many in the last one.
    model = DistributedDataParallel(model)
    for images, targets in loader:
        if len(targets) < size:
            continue
        model(images, targets).backward()


class Engine:
    def __init__(self, model, data):
        self.model = model
        self.data_iter = iter(data)

    def step_bad(self, rounds):
        total = 0.0
        for _ in range(rounds):
            x, y = next(self.data_iter)
            loss = self.model(x, y)
            loss.backward()
            total += loss.item()
        if not math.isfinite(total):
            return  # expect: [data-dependent-collective] "its batch"
        for p in self.model.parameters():
            dist.all_reduce(p.grad)

    def step_ok(self, rounds):
        for _ in range(rounds):
            x, y = next(self.data_iter)
            self.model(x, y).backward()
        for p in self.model.parameters():
            dist.all_reduce(p.grad)


def reduce_what_some_have_bad(loader, model):
    for batch in loader:
        images = []
        for sample in batch:
            if sample["has_image"]:
                images.append(sample["image"])
        if images:
            dist.all_reduce(model(images))  # expect: [data-dependent-collective] "its batch"


def reduce_what_all_have_ok(loader, model):
    for batch in loader:
        images = []
        for sample in batch:
            images.append(sample["image"])
        if images:
            dist.all_reduce(model(images))


def left_out_where_missing_bad(model, train_loader):
    for batch in train_loader:
        if batch is None:
            continue  # expect: [data-dependent-collective] "its batch"
        loss = model(batch)
        dist.all_reduce(loss)


def taken_where_there_bad(model, train_loader):
    batches = iter(train_loader)
    for _ in range(len(train_loader)):
        batch = next(batches)
        if batch is not None:
            dist.all_reduce(model(batch))  # expect: [data-dependent-collective] "its batch"


def first_part_missing_bad(model, train_loader):
    for images, _ in train_loader:
        if images is None:
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(model(images))


def nothing_in_it_bad(model, train_loader):
    for batch in train_loader:
        if not batch:
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(model(batch))


def none_counted_bad(model, train_loader):
    for images, _ in train_loader:
        if not len(images):
            continue  # expect: [data-dependent-collective] "its batch"
        dist.all_reduce(model(images))


def dimensions_ok(model, train_loader):
    for images, targets in train_loader:
        if len(targets.size()):
            dist.all_reduce(model(images))


def masks_that_no_batch_has_ok(model, train_loader):
    for images, masks in train_loader:
        if masks is None:
            continue
        dist.all_reduce(model(images))


def small_rest_ok(model, train_loader):
    for images, _ in train_loader:
        if len(images) < 2:
            continue
        dist.all_reduce(model(images))


def missing_anywhere_ok(model, train_loader):
    for batch in train_loader:
        missing = torch.tensor([batch is None], dtype=torch.int)
        dist.all_reduce(missing)
        if missing.item():
            continue
        loss = model(batch)
        dist.all_reduce(loss)


def part_that_no_batch_has_ok(model, train_loader):
    for batch in train_loader:
        if batch["mask"] is None:
            continue
        dist.all_reduce(model(batch))


def agreed_where_there_are_others_ok(world_size, model, train_loader, patience):
    for batch in train_loader:
        if world_size > 1:
            dist.barrier()
        loss = model(batch)
        if world_size > 1:
            dist.broadcast(loss, src=0)
        if loss > patience:
            return


def counted_and_agreed_ok(rank, world_size, model, train_loader, stale, best, patience):
    for batch in train_loader:
        loss = model(batch).item()
        if world_size > 1:
            dist.barrier()
        if rank == 0:
            stale = torch.tensor(0) if loss < best else stale + 1
        if world_size > 1:
            dist.broadcast(stale, src=0)
        if stale > patience:
            return


def agreed_elsewhere_bad(world_size, model, train_loader, patience, log):
    for batch in train_loader:
        loss = model(batch)
        if log:
            dist.broadcast(loss, src=0)
        if loss > patience:
            return  # expect: [data-dependent-collective] "its batch"
        if world_size > 1:
            dist.barrier()


def of_nothing_ok(items):
    if not len():
        dist.barrier()
    if len(*items):
        dist.barrier()
