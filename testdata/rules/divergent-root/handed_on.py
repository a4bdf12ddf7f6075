"""Functions in functions that name their own rank as the root, and who is handed them."""
import torch.distributed as dist


def apply(function, data):
    return {key: function(value) for key, value in data.items()}


def handed_to_all_bad(data, visit):
    def share(tensor):
        dist.broadcast(tensor, src=dist.get_rank())  # expect: [divergent-root] "`broadcast`"
        return tensor

    return visit(share, data)


def handed_to_all_ok(data, visit):
    def share(tensor):
        dist.broadcast(tensor, src=0)
        return tensor

    return visit(share, data)


def handed_on_one_rank_ok(data, visit):
    def send(tensor):
        dist.broadcast(tensor, src=dist.get_rank())

    if dist.get_rank() == 0:
        visit(send, data)
    else:
        for tensor in data:
            dist.broadcast(tensor, src=0)


def given_back_ok():
    def send(tensor):
        dist.broadcast(tensor, src=dist.get_rank())

    return send


def called_by_a_sibling_ok(data, visit):
    def send(tensor):
        dist.broadcast(tensor, src=dist.get_rank())

    def send_first(tensor, is_sender):
        visit(send if is_sender else None, tensor)

    return send_first
