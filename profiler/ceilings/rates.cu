// Rates: each kernel issues PER_TURN instructions of one kind a turn, in CHAINS independent chains a thread, from registers alone.  The block's
// 32 warps hide the latency of the chains; the instructions are asm volatile, and the SASS is counted, so that none is folded away.
// One chain in one warp shows the latency instead.  PER_TURN, PER_TURN_LONG (the loop exceeds the
// instruction caches) and PER_TURN_SHORT (each stands for a sequence) come from the host.
#include "stamp.cuh"

enum { CHAINS = 8, LDS_BYTES = 32768 };

struct word { // a 32-bit register
  unsigned x;
  __device__ void seed(unsigned s) { x = s; }
  __device__ unsigned fold() const { return x; }
};
struct op_ffma : word {
  __device__ void one(unsigned a, unsigned b, int) {
    asm volatile("{ .reg .f32 x, a, b; mov.b32 x, %0; mov.b32 a, %1; mov.b32 b, %2; fma.rn.f32 x, x, a, b; mov.b32 %0, x; }"
                 : "+r"(x)
                 : "r"(a), "r"(b));
  }
};
struct op_hfma2 : word {
  __device__ void one(unsigned a, unsigned b, int) { asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
};
struct op_lop3 : word { // 0xe8: the majority of the three
  __device__ void one(unsigned a, unsigned b, int) { asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(a), "r"(b)); }
};
struct op_imad : word {
  __device__ void one(unsigned a, unsigned b, int) { asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
};
struct op_imad_hi : word {
  __device__ void one(unsigned a, unsigned b, int) { asm volatile("mad.hi.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b)); }
};
struct op_mufu : word {
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .f32 x; mov.b32 x, %0; ex2.approx.ftz.f32 x, x; mov.b32 %0, x; }" : "+r"(x));
  }
};
struct op_issue : word { // every other chain FMA, every other ALU: no pipe alone sets the pace
  __device__ void one(unsigned a, unsigned b, int i) {
    if (i % 2)
      asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(a), "r"(b));
    else
      asm volatile("{ .reg .f32 x, a, b; mov.b32 x, %0; mov.b32 a, %1; mov.b32 b, %2; fma.rn.f32 x, x, a, b; mov.b32 %0, x; }"
                   : "+r"(x)
                   : "r"(a), "r"(b));
  }
};
struct op_i2f : word { // the result's bits are the next integer
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .f32 x; cvt.rn.f32.s32 x, %0; mov.b32 %0, x; }" : "+r"(x));
  }
};
struct op_f2i : word { // the result's bits are the next float
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .f32 x; mov.b32 x, %0; cvt.rzi.s32.f32 %0, x; }" : "+r"(x));
  }
};
struct op_idiv : word { // the divisor changes, so that no reciprocal can be kept
  __device__ void one(unsigned a, unsigned, int) { asm volatile("div.s32 %0, %1, %0;" : "+r"(x) : "r"(a)); }
};
#define PAIR "lop3.b32 %0, %0, %2, %3, 0xe8; fma.rn.f32 %1, %1, %4, %5;"
struct op_pairs { // eight times ALU and FMA: the compiler does not unroll so many single statements
  unsigned x;
  float y;
  __device__ void seed(unsigned s) { x = s, y = s; }
  __device__ void one(unsigned a, unsigned b, int) {
    asm volatile(PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
                 : "+r"(x), "+f"(y)
                 : "r"(a), "r"(b), "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
  }
  __device__ unsigned fold() const { return x ^ __float_as_uint(y); }
};
#if __CUDA_ARCH__ >= 890
struct op_f2fp_e4m3 : word { // the lower 16 bits of the last result are the next two codes
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .b16 l; cvt.u16.u32 l, %0; cvt.rn.f16x2.e4m3x2 %0, l; }" : "+r"(x));
  }
};
#endif
#if __CUDA_ARCH_FEAT_SM100_ALL || __CUDA_ARCH_FEAT_SM103_ALL || __CUDA_ARCH_FEAT_SM120_ALL
struct op_f2fp_e2m1 : word { // the lowest byte of the last result is the next two codes
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .b8 a, b, c, d; mov.b32 {a, b, c, d}, %0; cvt.rn.f16x2.e2m1x2 %0, a; }" : "+r"(x));
  }
};
#endif
struct op_dfma {
  double x;
  __device__ void seed(unsigned s) { x = s; }
  __device__ void one(unsigned a, unsigned b, int) {
    double fa = __hiloint2double((int)a, 0), fb = __hiloint2double((int)b, 0);
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(fa), "d"(fb));
  }
  __device__ unsigned fold() const { return (unsigned)__double2hiint(x); }
};
struct op_hmma { // 16x8x16, fp16 in, fp32 sum
  float c[4];
  __device__ void seed(unsigned s) { c[0] = c[1] = c[2] = c[3] = (float)s; }
  __device__ void one(unsigned a, unsigned b, int) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %5, %5}, {%5, %4}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a), "r"(b));
  }
  __device__ unsigned fold() const { return __float_as_uint(c[0] + c[1] + c[2] + c[3]); }
};

// Constants by a register: one address a warp, which is all that the cache serves at once.  They are 0, which the compiler does not know: but for
// the first, which lanes read at addresses of their own so that the register is no uniform one, all loads are of the first word.
__constant__ unsigned constants[4096];
struct op_ldc : word {
  __device__ void seed(unsigned s) { x = s * 4; }
  __device__ void one(unsigned, unsigned, int) {
    asm volatile("{ .reg .u64 at, all; cvt.u64.u32 at, %0; mov.u64 all, constants; add.u64 at, at, all; ld.const.u32 %0, [at]; }" : "+r"(x));
  }
};

// n and extra: two operands that the compiler does not know.
template <class Op, int PER = PER_TURN, int N = CHAINS>
static __device__ __forceinline__ void rate(u64 n, u64 turns, u64 extra, stamp *stamps, unsigned *sink) {
  Op chain[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    chain[i].seed(threadIdx.x + i);
  const unsigned a = (unsigned)n, b = (unsigned)extra;
  stamp from = stamp_begin();
#pragma unroll 1
  for (unsigned t = 0; t < (unsigned)turns; t++)
#pragma unroll
    for (int i = 0; i < PER; i++)
      chain[i % N].one(a, b, i);
  unsigned x = 0;
#pragma unroll
  for (int i = 0; i < N; i++)
    x ^= chain[i].fold();
  keep(x, sink);
  stamp_end(from, stamps);
}

#define RATE(op)                                                                                                       \
  CEILINGS_KERNEL(1024, rate_##op) {                                                                                   \
    rate<op_##op>(n, turns, extra, stamps, sink);                                                                           \
  }
RATE(ffma)
RATE(hfma2)
RATE(lop3)
RATE(imad)
RATE(imad_hi)
RATE(mufu)
RATE(issue)
RATE(dfma)
RATE(hmma)
RATE(i2f)
RATE(f2i)
RATE(ldc)
#if __CUDA_ARCH__ >= 890
RATE(f2fp_e4m3)
#endif
#if __CUDA_ARCH_FEAT_SM100_ALL || __CUDA_ARCH_FEAT_SM103_ALL || __CUDA_ARCH_FEAT_SM120_ALL
RATE(f2fp_e2m1)
#endif
CEILINGS_KERNEL(1024, rate_issue_long) {
  rate<op_pairs, PER_TURN_LONG / 16>(n, turns, extra, stamps, sink);
}
CEILINGS_KERNEL(1024, rate_idiv) {
  rate<op_idiv, PER_TURN_SHORT>(n, turns, extra, stamps, sink);
}

#define LATENCY(op)                                                                                                    \
  CEILINGS_KERNEL(32, latency_##op) {                                                                                  \
    rate<op_##op, PER_TURN, 1>(n, turns, extra, stamps, sink);                                                         \
  }
LATENCY(ffma)
LATENCY(hfma2)
LATENCY(imad)
LATENCY(lop3)
LATENCY(mufu)
LATENCY(dfma)

// Loads from shared memory, no two lanes in one bank, each of a warp's loads at an offset of its own; volatile, so that all are done.
CEILINGS_KERNEL(1024, rate_lds32) {
  __shared__ __align__(16) unsigned words[LDS_BYTES / 4];
  unsigned at = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x * 4;
  stamp from = stamp_begin();
#pragma unroll 1
  for (unsigned t = 0; t < (unsigned)turns; t++)
#pragma unroll
    for (int i = 0; i < PER_TURN; i++)
      asm volatile("{ .reg .u32 v; ld.volatile.shared.u32 v, [%0]; }" ::"r"(at + i % CHAINS * 4096) : "memory");
  stamp_end(from, stamps);
}

CEILINGS_KERNEL(1024, rate_lds128) {
  __shared__ __align__(16) unsigned words[LDS_BYTES / 4];
  unsigned at = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x * 16;
  stamp from = stamp_begin();
#pragma unroll 1
  for (unsigned t = 0; t < (unsigned)turns; t++)
#pragma unroll
    for (int i = 0; i < PER_TURN; i++)
      asm volatile("{ .reg .u32 x, y, z, w; ld.volatile.shared.v4.u32 {x, y, z, w}, [%0]; }" ::"r"(at + i % 2 * 16384)
                   : "memory");
  stamp_end(from, stamps);
}

// Additions in shared memory without a result: all lanes to one word, or each of a warp's lanes to
// a bank of its own.  The value is unknown, so that no counting instruction takes the addition's place.
static __device__ __forceinline__ void add_shared(u64 n, u64 turns, unsigned lane_bytes, stamp *stamps) {
  __shared__ unsigned words[32];
  if (threadIdx.x < 32)
    words[threadIdx.x] = 0;
  unsigned at = (unsigned)__cvta_generic_to_shared(words) + threadIdx.x % 32 * lane_bytes;
  stamp from = stamp_begin();
#pragma unroll 1
  for (unsigned t = 0; t < (unsigned)turns; t++)
#pragma unroll
    for (int i = 0; i < PER_TURN; i++)
      asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"((unsigned)n) : "memory");
  stamp_end(from, stamps);
}

CEILINGS_KERNEL(1024, rate_atoms_one_address) {
  add_shared(n, turns, 0, stamps);
}
CEILINGS_KERNEL(1024, rate_atoms_32_banks) {
  add_shared(n, turns, 4, stamps);
}
