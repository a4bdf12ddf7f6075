#!/usr/bin/env python3
"""Attention in PyTorch on the CPU, at the shapes of bench_attention.

    python3 -m venv VENV && VENV/bin/pip install torch    # a build for the CPU is enough
    VENV/bin/python bench/attention/torch_attention.py [threads] [length] [head_dim]

Prints GFLOP/s as bench_attention counts them: 4 heads length^2 head_dim forward and 10 backward, half of that under a
causal mask. `naive` is softmax(q k^T) v, which keeps the whole matrix of scores, and autograd through it; `sdpa` is
torch.nn.functional.scaled_dot_product_attention, which there is from 2.0 on. With `--beside PROGRAM` it runs that
bench_attention for the same shapes in turn and prints how often the runtime's figure holds the naive one.

A distribution's PyTorch may leave its products to the system's BLAS: with Debian 12's 1.13 install libopenblas0-pthread.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time

HEADS = 8


def import_torch(threads):
    """Its threads, and those of a BLAS of the system, which it does not govern."""
    global torch
    os.environ["OPENBLAS_NUM_THREADS"] = str(threads)
    try:
        import torch
    except ImportError:
        sys.exit("torch_attention.py: this Python has no torch; the text at the top of the file says how to get one")
    torch.set_num_threads(threads)
    torch.manual_seed(0)


def naive(q, k, v, causal):
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    return torch.softmax(scores, -1) @ v


def sdpa(q, k, v, causal):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)


def best_seconds(work, repetitions=5):
    work()
    best = math.inf
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def rates(attention, length, head_dim, causal):
    """GFLOP/s forward and backward; the backward pass is timed with its forward pass, whose time is taken off."""
    q, k, v, dout = (torch.randn(1, HEADS, length, head_dim) for _ in range(4))
    leaves = [x.requires_grad_() for x in (q, k, v)]
    products = HEADS * length * length * head_dim * (0.5 if causal else 1)

    def forward():
        with torch.no_grad():
            attention(q, k, v, causal)

    def both():
        torch.autograd.grad(attention(q, k, v, causal), leaves, dout)

    forward_seconds = best_seconds(forward)
    backward_seconds = best_seconds(both) - forward_seconds
    return 4e-9 * products / forward_seconds, 10e-9 * products / backward_seconds


def runtime_rates(program, length, head_dim, causal, threads):
    """The same two figures of this project's runtime."""
    pattern = f"^(forward|backward)/{length}/{head_dim}/{int(causal)}/0/{threads}/"
    command = [program, f"--benchmark_filter={pattern}", "--benchmark_format=json"]
    results = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    return [result["first"] for result in results]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("threads", nargs="?", type=int, default=1)
    arguments.add_argument("length", nargs="?", type=int, help="default: 512, 2048 and 4096")
    arguments.add_argument("head_dim", nargs="?", type=int, help="default: 64 and 128")
    arguments.add_argument("--beside", metavar="PROGRAM", help="bench_attention, to be run beside")
    options = arguments.parse_args()
    import_torch(options.threads)
    attentions = {"naive": naive}
    if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
        attentions["sdpa"] = sdpa
    print(f"torch {torch.__version__}, threads {options.threads}, GFLOP/s forward and backward")
    for head_dim in [options.head_dim] if options.head_dim else [64, 128]:
        for length in [options.length] if options.length else [512, 2048, 4096]:
            for causal in (False, True):
                line = f"{length:5} x {head_dim:3} {'causal' if causal else 'full  '}"
                theirs = {name: rates(each, length, head_dim, causal) for name, each in attentions.items()}
                for name, (forward, backward) in theirs.items():
                    line += f"   {name} {forward:6.1f} {backward:6.1f}"
                if options.beside:
                    ours = runtime_rates(options.beside, length, head_dim, causal, options.threads)
                    line += "   runtime {:6.1f} {:6.1f}".format(*ours)
                    line += "   of naive {:.1f} {:.1f}".format(*(a / b for a, b in zip(ours, theirs["naive"])))
                print(line, flush=True)


if __name__ == "__main__":
    main()
