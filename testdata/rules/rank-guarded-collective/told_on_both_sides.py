"""Broadcasts that each side of a rank's branch writes for itself: behind them both sides know the same."""

import torch
import torch.distributed as dist

_WORKERS = None


def make_workers(ranks):
    global _WORKERS
    _WORKERS = dist.new_group(ranks)


def sent_as_a_list_ok(ask, step):
    while True:
        text, stop = "", False
        if dist.get_rank() == 0:
            text = ask()
            if not text:
                continue
            if text == "stop":
                stop = True
            dist.broadcast_object_list([text, stop])
        else:
            told = [text, stop]
            dist.broadcast_object_list(told)
            text, stop = told
        if stop:
            return
        dist.all_reduce(step(text), group=_WORKERS)


def sent_as_a_tensor_ok(count_rows, step):
    if dist.get_rank() == 0:
        rows = 3
        if count_rows is not None:
            rows = count_rows()
        sent = torch.tensor([rows])
        dist.broadcast(sent, src=0)
    else:
        received = torch.zeros(1)
        dist.broadcast(received, src=0)
        rows = int(received.item())
    if rows > 2:
        dist.all_reduce(step(rows), group=_WORKERS)


def decided_behind_the_broadcast(ask, step):
    stop = False
    if dist.get_rank() == 0:
        text = ask()
        dist.broadcast_object_list([text])
        stop = True
    else:
        told = [None]
        dist.broadcast_object_list(told)
        text = told[0]
    if stop:
        return  # expect: [early-exit-before-collective] "rank 0 leaves here"
    dist.all_reduce(step(text), group=_WORKERS)


def serve(step, requests):
    for request in requests:
        if dist.get_rank() == 0:
            step(request)


def handed_over_once(model, requests):
    def answer(request):
        dist.all_reduce(model(request))

    serve(answer, requests)  # expect: [rank-guarded-collective] "issued by rank 0"


def main(model, requests):
    """The finding stands where the function is handed over, and not at every call that leads there."""
    handed_over_once(model, requests)


def taken_by_those_who_were_told_ok(build):
    status = "new"
    try:
        if dist.get_rank() == 0:
            status = build()
    except RuntimeError:
        status = "error"
    if dist.get_rank() == 0:
        told = [status]
    else:
        told = [None]
    dist.broadcast_object_list(told, src=0)
    if dist.get_rank() != 0:
        status = told[0]
    if status == "error":
        return
    dist.barrier()


def taken_before_it_was_told(build):
    status = "new"
    if dist.get_rank() == 0:
        status = build()
    told = [None]
    dist.broadcast_object_list(told, src=0)
    if dist.get_rank() != 0:
        status = told[0]
    if status == "error":
        return  # expect: [early-exit-before-collective] "rank 0 leaves here"
    dist.barrier()
