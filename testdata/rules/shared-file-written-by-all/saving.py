"""What is saved beside a sharded checkpoint."""
import os
import pathlib

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_model_state_dict
from transformers import Trainer


def beside_a_checkpoint_bad(state, tokenizer, folder):
    dcp.save(state, checkpoint_id=folder)
    path = os.path.join(folder, "tokenizer")
    tokenizer.save_pretrained(path)  # expect: [shared-file-written-by-all] "`tokenizer`"


def guarded_ok(state, tokenizer, folder):
    dcp.save(state, checkpoint_id=folder)
    if dist.get_rank() == 0:
        tokenizer.save_pretrained(folder)


def guarded_by_a_flag_ok(state, tokenizer, folder, is_main):
    dcp.save(state, checkpoint_id=folder)
    if is_main:
        tokenizer.save_pretrained(folder)


def path_of_the_rank_ok(state, tokenizer, folder):
    dcp.save(state, checkpoint_id=folder)
    rank = dist.get_rank()
    tokenizer.save_pretrained(f"{folder}/rank_{rank}")


def alone_ok(tokenizer, folder):
    tokenizer.save_pretrained(folder)


def guarded_by_a_mesh_ok(state, tokenizer, folder, mesh):
    dcp.save(state, checkpoint_id=folder)
    if mesh.get_rank() == 0:
        tokenizer.save_pretrained(folder)


def guarded_unless_alone_ok(state, tokenizer, folder):
    dcp.save(state, checkpoint_id=folder)
    distributed = dist.is_initialized()
    if not distributed or dist.get_rank() == 0:
        tokenizer.save_pretrained(folder)


def converted_by_one_ok(build, tokenizer, folder):
    model = build()
    tokenizer.save_pretrained(folder)
    return get_model_state_dict(model)


def run_of_a_framework_ok(model, data, tokenizer, folder):
    trainer = Trainer(model=model, train_dataset=data)
    trainer.train()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def guarded_by_an_entry_ok(state, tokenizer, folder, job):
    dcp.save(state, checkpoint_id=folder)
    if job["rank"] == 0:
        tokenizer.save_pretrained(folder)


def by_pathlib_bad(model, out):
    folder = pathlib.Path(out)
    torch.save(model, folder / "model.pt")  # expect: [shared-file-written-by-all]
    torch.save(model, folder / f"model{dist.get_rank()}.pt")
    dist.barrier()
