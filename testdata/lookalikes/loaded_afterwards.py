"""One function evaluates the wrapped model during training, on all ranks, and a model loaded anew on one rank afterwards."""
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from transformers import AutoModelForTokenClassification


def evaluate(model, loader):
    model.eval()
    losses = []
    for batch in loader:
        outputs = model(**batch)
        losses.append(outputs[0].item())
    return sum(losses) / len(losses)


def train(args, model, loader, held_out):
    model = DistributedDataParallel(model, device_ids=[args.local_rank])
    for batch in loader:
        loss = model(**batch)[0]
        loss.backward()
    return evaluate(model, held_out)


def main(args, model, loader, held_out):
    train(args, model, loader, held_out)
    if dist.get_rank() == 0:
        model = AutoModelForTokenClassification.from_pretrained(args.output_dir)
        model.to(args.device)
        print(evaluate(model, held_out))
