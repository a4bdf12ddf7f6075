"""What is written by a method of its path."""
import json
from pathlib import Path

import torch.distributed as dist


def opened_ok(out, scores):
    with (out / "scores.json").open("w") as file:  # silent: [written-alike]
        json.dump(scores, file)
    dist.barrier()


def opened_by_keyword_bad(out, scores):
    path = Path(out) / "scores.json"
    with path.open(mode="a") as file:  # expect: [shared-file-written-by-all] "`path`"
        json.dump(scores, file)
    dist.barrier()


def written_as_text_ok(out, scores):
    target = Path(out)
    target.write_text(json.dumps(scores))  # silent: [written-alike]
    dist.barrier()


def of_the_rank_ok(out, scores):
    rank = dist.get_rank()
    (Path(out) / f"scores_{rank}.json").write_text(json.dumps(scores))
    with (Path(out) / f"log_{rank}.txt").open("w") as file:
        json.dump(scores, file)
    dist.barrier()


def on_one_ok(out, scores):
    if dist.get_rank() == 0:
        Path(out).write_text(json.dumps(scores))
    dist.barrier()


def read_ok(out):
    with Path(out).open() as file:
        scores = json.load(file)
    dist.barrier()
    return scores, Path(out).read_text()


# What is opened in them is named by each rank.
def in_an_archive_ok(archive, files, scores):
    with archive.open(f"{dist.get_rank()}.json", "w") as file:
        json.dump(scores, file)
    with files.open(f"{dist.get_rank()}.json", "w") as file:
        json.dump(scores, file)
    dist.barrier()
