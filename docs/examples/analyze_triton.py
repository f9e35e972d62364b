"""A softmax in Triton against PyTorch's, at three widths: what docs/python.md shows nvfp4_prof.analyze.kernel on.

    python3 analyze_triton.py
"""

import torch
import triton
import triton.language as tl

import nvfp4_prof

ROWS = 4096


@triton.jit
def softmax(x, y, n, WIDTH: tl.constexpr):
    row, column = tl.program_id(0), tl.arange(0, WIDTH)
    value = tl.load(x + row * n + column, mask=column < n, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, axis=0))
    tl.store(y + row * n + column, (value / tl.sum(value, axis=0)).to(tl.bfloat16), mask=column < n)


@nvfp4_prof.analyze.kernel(configs=[1000, 4096, 16000])
def benchmark(n):
    x = torch.randn(ROWS, n, device="cuda", dtype=torch.bfloat16)  # set-up stands in no annotation
    y = torch.empty_like(x)
    with nvfp4_prof.annotate("torch"):
        torch.softmax(x, dim=-1)
    with nvfp4_prof.annotate("triton"):
        softmax[(ROWS,)](x, y, n, WIDTH=triton.next_power_of_2(n))


def main():
    analysis = benchmark()
    for row in analysis.rows():
        print(f"{row['n']:6} {row['Annotation']:8} {row['AvgValue'] / 1e3:8.1f} us  {row['bound']}: {row['advice']} {row['line'] or ''}")


if __name__ == "__main__":
    main()
