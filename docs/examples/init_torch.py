"""A layer of PyTorch that profiles itself: what docs/python.md shows nvfp4_prof.init on.

    python3 init_torch.py
"""

import torch

import nvfp4_prof


def main():
    session = nvfp4_prof.init("layer.json", "--by-range")  # before the first tensor on the GPU
    x = torch.randn(2048, 2048, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(2048, 2048, device="cuda", dtype=torch.bfloat16) / 45
    norm = torch.nn.LayerNorm(2048, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        for _ in range(6000):  # some seconds: counters take half a second to set up
            with nvfp4_prof.annotate("product"):
                y = x @ w
            with nvfp4_prof.annotate("softmax"):
                x = torch.softmax(norm(y), dim=-1)
    run = session.finish()
    for kernel in run.kernels():
        if kernel["bound"] is None:  # set-up: too few launches to be counted
            continue
        print(f"{kernel['variant'][:40]:40} {kernel['time_s'] * 1e6:8.1f} us  {kernel['bound']}: {kernel['remedy']}")
    print(run.report("layer"))


if __name__ == "__main__":
    main()
