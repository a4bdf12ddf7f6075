"""The order of collectives follows the order of a collection."""

import byteps.torch as bps
import horovod.torch as hvd
import torch.distributed as dist


def set_of_objects_bad(parameters):
    for parameter in set(parameters):  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(parameter, src=0)


def list_of_a_set_bad(parameters):
    unique = list(set(parameters))
    for parameter in unique:  # expect: [unordered-iteration] "`all_reduce`"
        dist.all_reduce(parameter.grad)


def set_of_names_bad(state):
    names = {name for name in state if name.endswith("weight")}
    for name in names:  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(state[name], src=0)


def difference_of_key_sets_bad(state, frozen):
    for name in set(state) - set(frozen):  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(state[name], src=0)


class Pending:
    def __init__(self):
        self.parameters = set()

    def add(self, parameter):
        self.parameters.add(parameter)

    def flush_bad(self):
        for parameter in self.parameters:  # expect: [unordered-iteration] "`all_reduce`"
            dist.all_reduce(parameter.grad)

    def flush_ok(self, index_of):
        for parameter in sorted(self.parameters, key=index_of):
            dist.all_reduce(parameter.grad)


def literal_set_bad(x, y):
    for tensor in {x, y}:  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(tensor, src=0)


def collective_in_a_callee_bad(parameters):
    for parameter in frozenset(parameters):  # expect: [unordered-iteration] "`broadcast`"
        share(parameter)


def share(x):
    dist.broadcast(x, src=0)


SHARED = []
TIED = set()
(FIRST, *OTHERS) = {"embedding", "head"}


def set_of_the_module_bad():
    for parameter in TIED:  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(parameter, src=0)


def part_of_a_set_of_the_module_ok(state):
    for name in FIRST:
        dist.broadcast(state[name], src=0)


def sorted_set_ok(state):
    for name in sorted(set(state)):
        dist.broadcast(state[name], src=0)


def insertion_order_ok(parameters):
    for parameter in dict.fromkeys(parameters):
        dist.broadcast(parameter, src=0)


def integers_ok(layers, tensors):
    for layer in {0, 1, 2}:
        dist.broadcast(tensors[layer], src=0)


def dictionary_ok(state):
    for name, tensor in state.items():
        dist.broadcast(tensor, src=0)


def set_for_membership_ok(state, frozen):
    skip = set(frozen)
    for name, tensor in state.items():
        if name not in skip:
            dist.broadcast(tensor, src=0)


def local_work_in_any_order_ok(parameters, x):
    for parameter in set(parameters):
        x += parameter.norm()
    dist.all_reduce(x)


def length_of_a_set_ok(names, x):
    for _ in range(len(set(names))):
        dist.all_reduce(x)


def order_from_rank_zero_ok(names, state):
    box = [list(set(names))]
    dist.broadcast_object_list(box, src=0)
    for name in box[0]:
        dist.broadcast(state[name], src=0)


def barrier_for_each_ok(names, make):
    # A barrier carries nothing that could be taken for another's.
    for name in set(names):
        make(name)
        dist.barrier()


def broadcast_for_each_bad(names, state):
    for name in set(names):  # expect: [unordered-iteration] "`broadcast`"
        dist.barrier()
        dist.broadcast(state[name], src=0)


class Reducer:
    def reduce(self, params):
        for param in params:
            dist.all_reduce(param.grad)


class Hooked:
    def __init__(self):
        self.reducer = Reducer()

    def register(self):
        self.ready = set()

        def post_backward():
            self.reducer.reduce(list(self.ready))  # expect: [unordered-iteration] "`Reducer.reduce`"

        return post_backward


class Gathered:
    def __init__(self, params):
        params = list(set(params))  # expect-note: "the order is lost here"
        self.params = [p for p in params if p.requires_grad]

    def send(self):
        for p in self.params:  # expect: [unordered-iteration] "`broadcast`"
            dist.broadcast(p, src=0)


def matched_by_names_ok(parameters, reduced):
    for parameter in set(parameters) - set(reduced):
        hvd.allreduce_async_(parameter.grad, name=parameter.name)
        bps.push_pull_async_inplace(parameter.grad, name=parameter.name)


def names_of(state, frozen):
    return set(state) - set(frozen)


def set_that_a_function_returns_bad(state, frozen):
    for name in names_of(state, frozen):  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(state[name], src=0)


def sorted_names_of(state, frozen):
    return sorted(set(state) - set(frozen))


def list_that_a_function_returns_ok(state, frozen):
    for name in sorted_names_of(state, frozen):
        dist.broadcast(state[name], src=0)


class Bucket:
    def __init__(self, names):
        self.names = set(names)

    def tensors(self, state):
        for name in self.names:
            tensor = state.get(name)
            if tensor is not None:
                yield name, tensor

    def sorted_tensors(self, state):
        for name in sorted(self.names):
            yield name, state[name]

    def share_bad(self, state):
        for name, tensor in self.tensors(state):  # expect: [unordered-iteration] "`broadcast`"
            dist.broadcast(tensor, src=0)

    def share_ok(self, state):
        for name, tensor in self.sorted_tensors(state):
            dist.broadcast(tensor, src=0)


def dictionary_of_a_set_bad(state, names):
    chosen = {name: state[name] for name in set(names)}
    for name, tensor in chosen.items():  # expect: [unordered-iteration] "`broadcast`"
        dist.broadcast(tensor, src=0)


def dictionary_of_a_list_ok(state, names):
    chosen = {name: state[name] for name in names}
    for name, tensor in chosen.items():
        dist.broadcast(tensor, src=0)


def shared_names_bad(state, other):
    for name in state.keys() & other.keys():  # expect: [unordered-iteration] "the order of a set"
        dist.broadcast(state[name], src=0)


def missing_names_bad(state, other):
    extra = state.keys() - other
    for name in extra:  # expect: [unordered-iteration] "the order of a set"
        dist.broadcast(state[name], src=0)


def one_view_ok(state):
    for name in state.keys():
        dist.broadcast(state[name], src=0)
