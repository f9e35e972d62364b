"""Trains a small GPT-2 (6 layers, bf16, fused AdamW, 8 x 512 tokens) on made-up tokens: what `nvfp4-prof attach` is shown on in docs/attach.md.

    python3 gpt2.py [STEPS] [eager|compile]

Prints the median time of a step: of all, of the first half and of the last third.
"""

import statistics
import sys
import time

import torch
from transformers import GPT2Config, GPT2LMHeadModel


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 45
    how = sys.argv[2] if len(sys.argv) > 2 else "eager"
    torch.manual_seed(1)
    model = GPT2LMHeadModel(GPT2Config(n_layer=6)).to("cuda", torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    tokens = torch.randint(0, 50257, (8, 512), device="cuda")
    run = torch.compile(model) if how == "compile" else model
    if how == "compile":  # compiling takes a minute, which is no part of the training
        run(input_ids=tokens, labels=tokens).loss.backward()
        optimizer.zero_grad(set_to_none=True)
    torch.cuda.synchronize()
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        torch.cuda.nvtx.range_push("fwd")
        loss = run(input_ids=tokens, labels=tokens).loss
        torch.cuda.nvtx.range_pop()
        torch.cuda.nvtx.range_push("bwd")
        loss.backward()
        torch.cuda.nvtx.range_pop()
        torch.cuda.nvtx.range_push("opt")
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        torch.cuda.nvtx.range_pop()
        loss.item()
        times.append(1e3 * (time.perf_counter() - start))
    halves = times[: max(1, steps // 2)], times[-max(1, steps // 3) :]
    print(f"{how}: {steps} steps, loss {loss.item():.3f}, all {sum(times):.0f} ms; median step {statistics.median(times):.2f} ms, "
          f"of the first half {statistics.median(halves[0]):.2f}, of the last third {statistics.median(halves[1]):.2f}")


if __name__ == "__main__":
    main()
