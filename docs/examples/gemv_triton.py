"""An NVFP4 GEMV in Triton, written plainly: what `nvfp4-prof attach` is shown on in docs/attach.md.

c[m] = sum over k of a[m, k] * b[k] * sfa[m, k / 16] * sfb[k / 16].  a and b are e2m1, two to a byte, the low nibble first; the scales are e4m3.

    python3 gemv_triton.py [LAUNCHES]
"""

import sys

import torch
import triton
import triton.language as tl

M, K = 7168, 16384
E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]


@triton.jit
def decode(nibble):
    """The bits of e2m1 are those of a half whose exponent's bias is 14 less: 2^-14 of the value, exactly, subnormal 0.5 included."""
    bits = ((nibble & 8) << 12) | ((nibble & 7) << 9)
    return bits.to(tl.int16).to(tl.float16, bitcast=True).to(tl.float32)


@triton.jit
def gemv(a, sfa, b, sfb, c, K: tl.constexpr, ROWS: tl.constexpr, BYTES: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, K // 2, BYTES):
        byte = start + tl.arange(0, BYTES)
        a_pair = tl.load(a + row[:, None] * (K // 2) + byte[None, :]).to(tl.int32)
        b_pair = tl.load(b + byte).to(tl.int32)
        a_scale = tl.load(sfa + row[:, None] * (K // 16) + byte[None, :] // 8).to(tl.float32)
        b_scale = tl.load(sfb + byte // 8).to(tl.float32)
        low = decode(a_pair & 15) * decode(b_pair & 15)[None, :]
        high = decode(a_pair >> 4) * decode(b_pair >> 4)[None, :]
        total += tl.sum((low + high) * (a_scale * b_scale[None, :]), axis=1)
    tl.store(c + row, (total * 268435456.0).to(tl.float16))  # 2^28: both operands were decoded to 2^-14 of their value


def decode_exactly(packed):
    table = torch.tensor(E2M1 + [-x for x in E2M1], dtype=torch.float64, device=packed.device)
    return torch.stack((table[(packed & 15).long()], table[(packed >> 4).long()]), dim=-1).flatten(-2)


def inputs(rows):
    values = torch.randint(0, 256, (rows, K // 2), dtype=torch.uint8, device="cuda")
    scales = (0.125 + torch.rand(rows, K // 16, device="cuda")).to(torch.float8_e4m3fn)
    return values, scales


def exact(a, sfa, b, sfb):
    scale = sfa.double() * sfb.double()
    return ((decode_exactly(a) * decode_exactly(b)).view(M, K // 16, 16).sum(-1) * scale).sum(-1)


def main():
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    torch.manual_seed(1)
    a, sfa = inputs(M)
    b, sfb = inputs(1)
    c = torch.full((M,), float("nan"), dtype=torch.float16, device="cuda")
    for _ in range(launches):
        gemv[(M // 8,)](a, sfa, b, sfb, c, K, ROWS=8, BYTES=256)
    torch.cuda.synchronize()
    want = exact(a, sfa, b, sfb)
    worst = ((c.double() - want).abs() / (want.abs() + 1)).max().item()
    print(f"{launches} launches, largest error {worst:.2g} of |c| + 1")
    return 0 if worst < 2e-3 else 1  # a half has 11 bits; NaN fails


if __name__ == "__main__":
    sys.exit(main())
