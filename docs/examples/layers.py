"""A layer of PyTorch: bf16 matrix product, layer norm, softmax.  What `nvfp4-prof attach` is shown on in docs/attach.md.

    python3 layers.py [ITERATIONS]
"""

import sys

import torch


def main():
    iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    torch.manual_seed(1)
    x = torch.randn(2048, 2048, device="cuda", dtype=torch.bfloat16)
    w = torch.randn(2048, 2048, device="cuda", dtype=torch.bfloat16) / 45
    norm = torch.nn.LayerNorm(2048, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        for _ in range(iterations):
            torch.cuda.nvtx.range_push("layer")
            y = torch.softmax(norm(x @ w), dim=-1)
            x = x + y * 0.001
            torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()
    print(f"{iterations} iterations, finite: {bool(torch.isfinite(x).all())}")


if __name__ == "__main__":
    main()
