"""Sharded parameters are whole for the data parallel ranks of one stage; the other stages have other parameters."""
import deepspeed
import torch
from megatron.core import parallel_state


class FirstStage(torch.nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.embedding = torch.nn.Embedding(size, width)
        with deepspeed.zero.GatheredParameters(self.embedding.weight, modifier_rank=0):
            torch.nn.init.normal_(self.embedding.weight)


def build(args):
    layers = []
    if parallel_state.is_pipeline_first_stage():
        layers.append(FirstStage(args.vocabulary, args.width))
    layers.append(torch.nn.Linear(args.width, args.width))
    engine, *_ = deepspeed.initialize(model=torch.nn.Sequential(*layers), config=args.deepspeed)
    return engine
