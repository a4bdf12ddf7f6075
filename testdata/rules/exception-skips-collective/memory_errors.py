"""How a handler asks whether a rank has run out of memory."""
import torch
import torch.distributed as dist


def is_out_of_memory(error):
    return isinstance(error, RuntimeError) and "CUDA out of memory" in str(error)


def is_recoverable(error):
    return is_out_of_memory(error) or is_convolution_failure(error)


def is_convolution_failure(error):
    return "CUDNN_STATUS_NOT_SUPPORTED" in str(error)


def asked_of_a_function_bad(model, batch, failed):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except RuntimeError as error:  # expect: [exception-skips-collective] "`all_reduce`"
        if not is_out_of_memory(error):
            raise
        failed.fill_(1)
    dist.broadcast(failed, src=0)


def asked_among_others_bad(model, batch, adaptive):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except RuntimeError as error:  # expect: [exception-skips-collective] "`all_reduce`"
        if adaptive and is_recoverable(error):
            torch.cuda.empty_cache()
        elif "timed out" in str(error):
            print(error)
        else:
            raise


def asked_for_its_class_bad(model, batch):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except Exception as error:  # expect: [exception-skips-collective] "`all_reduce`"
        if isinstance(error, torch.OutOfMemoryError):
            torch.cuda.empty_cache()
        else:
            raise


def one_of_several_bad(model, batch):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except (ValueError, torch.OutOfMemoryError):  # expect: [exception-skips-collective] "`all_reduce`"
        torch.cuda.empty_cache()


class Shortage(Exception):
    pass


def told_of_as_another_ok(model, batch):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except RuntimeError as error:
        if is_out_of_memory(error):
            raise Shortage("a smaller batch may fit") from error
        print(error)


def other_failures_ok(model, batch):
    try:
        loss = model(batch)
        dist.all_reduce(loss)
    except RuntimeError as error:
        if is_convolution_failure(error):
            print("out of memory, perhaps")
        else:
            raise


def agreed_on_ok(model, batch, failed):
    loss = torch.zeros(())
    try:
        loss = model(batch)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        failed.fill_(1)
    dist.all_reduce(failed)
    if failed.item() == 0:
        dist.all_reduce(loss)
