"""An NVFP4 GEMV in Triton, tuned over block sizes at each shape: the peer that control rungs in CUDA C++ and cuBLAS cannot stand for.

    python3 gemv_triton_tuned.py [MxKxL ...]

Prints a row a shape: the best configuration, its time, its bytes over that time.  Times are those of the kernel alone, by CUPTI, each launch after a
read of 256 MiB that empties the L2, as nvfp4-prof measures.  Of c[m, l] = sum over k of a[m, k, l] * b[k, l] * sfa[m, k/16, l] * sfb[k/16, l] each
configuration's result is compared with the sum in float64 before it is timed.
"""

import statistics
import sys

import torch
import triton
import triton.language as tl

SHAPES = """7168x16384x1 4096x7168x8 7168x2048x4
4096x4096x1 6144x4096x1 14336x4096x1 28672x4096x1 4096x14336x1 8192x8192x1 10240x8192x1 28672x8192x1 57344x8192x1 8192x28672x1 5120x5120x1 13824x5120x1
5120x13824x1 2048x7168x1 18432x7168x1 7168x18432x1 512x7168x1 7168x2048x1 7168x2048x64 1024x4096x32 128x4096x1""".split()
E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
TO_26, TO_113 = tl.constexpr(2.0**26), tl.constexpr(2.0**113)
# (rows a block, words of 8 values of each, warps)
CONFIGS = [(1, 128, 1), (1, 256, 2), (1, 512, 4), (2, 128, 2), (2, 256, 2), (2, 256, 4), (2, 512, 4), (4, 64, 2), (4, 128, 2), (4, 128, 4),
           (4, 256, 4), (4, 256, 8), (8, 64, 4), (8, 128, 4), (8, 128, 8), (16, 64, 4), (16, 128, 8)]


@triton.jit
def decode(words, SHIFT: tl.constexpr):
    """Values at one place of each word, 2^-126 of them: the bits of e2m1 moved to where fp32 has them, subnormal 0.5 included."""
    at_top = words << (28 - SHIFT)
    return ((at_top & -2147483648) | ((at_top >> 6) & 0x01C00000)).to(tl.float32, bitcast=True)


@triton.jit
def scale_of(byte):
    return byte.to(tl.float8e4nv, bitcast=True).to(tl.float32)


@triton.jit
def gemv(a, sfa, b, sfb, c, M, words_a_row, ROWS: tl.constexpr, WORDS: tl.constexpr):
    batch = tl.program_id(1).to(tl.int64)
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = (batch * M + tl.minimum(row, M - 1)) * words_a_row
    b += batch * words_a_row
    sfb += batch * (words_a_row // 2)
    total = tl.zeros((ROWS, WORDS), tl.float32)
    for start in range(0, words_a_row, WORDS):
        word = start + tl.arange(0, WORDS)
        inside = word < words_a_row
        a_words = tl.load(a + at[:, None] + word[None, :], mask=inside[None, :], other=0)
        b_words = tl.load(b + word, mask=inside, other=0)
        a_scale = tl.load(sfa + (at[:, None] >> 1) + (word[None, :] >> 1), mask=inside[None, :], other=0)
        b_scale = tl.load(sfb + (word >> 1), mask=inside, other=0)
        scale = scale_of(a_scale) * (scale_of(b_scale) * TO_26)[None, :]
        products = tl.zeros((ROWS, WORDS), tl.float32)
        for place in tl.static_range(8):
            b_values = decode(b_words, 4 * place) * TO_113 * TO_113  # 2^100 of the value: a product is then 2^-26 of its own
            products += decode(a_words, 4 * place) * b_values[None, :]
        total += products * scale
    tl.store(c + batch * M + row, tl.sum(total, axis=1).to(tl.float16), mask=row < M)


def decode_exactly(packed):
    table = torch.tensor(E2M1 + [-x for x in E2M1], dtype=torch.float64, device=packed.device)
    return torch.stack((table[(packed & 15).long()], table[(packed >> 4).long()]), dim=-1).flatten(-2)


def inputs(batches, rows, k):
    codes = torch.randint(0, 256, (batches, rows, k // 2), dtype=torch.uint8, device="cuda")
    scales = torch.exp2(6 * torch.rand(batches, rows, k // 16, device="cuda") - 3).to(torch.float8_e4m3fn)
    return codes, scales


def exact(a, sfa, b, sfb):
    """In float64, some rows at a time: a row takes 16 times its bytes."""
    out, rows = [], max(1, (1 << 25) // (a.shape[-1] * a.shape[0]))
    b_values = decode_exactly(b) * sfb.double().repeat_interleave(16, -1)
    for first in range(0, a.shape[1], rows):
        values = decode_exactly(a[:, first:first + rows]) * sfa[:, first:first + rows].double().repeat_interleave(16, -1)
        out.append((values * b_values).sum(-1))
    return torch.cat(out, 1)


class Shape:
    def __init__(self, text):
        self.m, self.k, self.batches = (int(x) for x in text.split("x"))
        self.a, self.sfa = inputs(self.batches, self.m, self.k)
        self.b, self.sfb = inputs(self.batches, 1, self.k)
        self.c = torch.empty(self.batches, self.m, dtype=torch.float16, device="cuda")
        self.want = exact(self.a, self.sfa, self.b, self.sfb)
        self.bytes = self.batches * (self.m + 1) * (self.k // 2 + self.k // 16) + self.batches * self.m * 2

    def launch(self, config):
        rows, words, warps = config
        words_a_row = self.k // 8
        grid = (triton.cdiv(self.m, rows), self.batches)
        gemv[grid](self.a.view(torch.int32), self.sfa.view(torch.uint8), self.b.view(torch.int32), self.sfb.view(torch.uint8), self.c,
                   self.m, words_a_row, ROWS=rows, WORDS=words, num_warps=warps)

    def wrong(self, config):
        """Of the largest error, what a half cannot explain; NaN where an element was not written."""
        self.c.fill_(float("nan"))
        self.launch(config)
        return ((self.c.double() - self.want).abs() / (self.want.abs() + self.want.abs().mean())).max().item()


def times_us(shape, config, launches, flushed):
    """Of each launch, by the profiler's records of kernels."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        for _ in range(launches):
            flushed.max()
            shape.launch(config)
        torch.cuda.synchronize()
    return [e.duration_ns() / 1000 for e in profiler.profiler.kineto_results.events() if e.name() == "gemv"]


def main():
    torch.manual_seed(1)
    flushed = torch.ones(64 << 20, dtype=torch.int32, device="cuda")
    failed = 0
    print("shape              time us     TB/s  rows  words  warps")
    for text in sys.argv[1:] or SHAPES:
        shape = Shape(text)
        right = [c for c in CONFIGS if shape.wrong(c) < 1e-3]  # a half has 11 bits
        failed += len(CONFIGS) - len(right)
        best = sorted(right, key=lambda c: statistics.median(times_us(shape, c, 7, flushed)))[:3]
        us, config = min((statistics.median(times_us(shape, c, 40, flushed)), c) for c in best)
        print(f"{text:16} {us:9.2f} {shape.bytes / us / 1e6:8.2f} {config[0]:5} {config[1]:6} {config[2]:6}", flush=True)
    print(f"{failed} configurations were wrong" if failed else "every configuration was right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
