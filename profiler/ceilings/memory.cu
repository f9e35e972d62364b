// Bandwidth: reads, writes and copies in several shapes, and a set that each SM reads again and again.
//
// A block takes chunks of THREADS x UNROLL x WIDTH bytes, every gridDim.x-th one; with a grid of as many blocks as chunks each takes one.
// n is bytes and a multiple of the chunk.
#include "stamp.cuh"

static __device__ __forceinline__ uint4 load16(const char *p) {
  uint4 v;
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

static __device__ __forceinline__ unsigned fold(uint4 v) {
  return v.x ^ v.y ^ v.z ^ v.w;
}

// No two words alike, so that neither a cache nor a power meter sees an easy pattern.
CEILINGS_KERNEL(1024, fill) {
  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * (u64)blockDim.x)
    ((unsigned *)data)[i] = (unsigned)((i + 1) * 0x9e3779b97f4a7c15ull >> 32);
}

template <int UNROLL> static __device__ __forceinline__ void read16(const char *data, u64 n, unsigned *sink) {
  const u64 step = blockDim.x * 16ull, chunk = step * UNROLL;
  unsigned x = 0;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk) {
    uint4 v[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      v[i] = load16(data + at + i * step + threadIdx.x * 16);
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      x ^= fold(v[i]);
  }
  keep(x, sink);
}

CEILINGS_KERNEL(1024, read_16x1) {
  read16<1>(data, n, sink);
}
CEILINGS_KERNEL(1024, read_16x2) {
  read16<2>(data, n, sink);
}
CEILINGS_KERNEL(1024, read_16x4) {
  read16<4>(data, n, sink);
}
CEILINGS_KERNEL(512, read_16x8) {
  read16<8>(data, n, sink);
}

CEILINGS_KERNEL(1024, read_4x8) {
  const u64 step = blockDim.x * 4ull, chunk = step * 8;
  unsigned x = 0;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk) {
    unsigned v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
      asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(v[i]) : "l"(data + at + i * step + threadIdx.x * 4));
#pragma unroll
    for (int i = 0; i < 8; i++)
      x ^= v[i];
  }
  keep(x, sink);
}

#if __CUDA_ARCH__ >= 1000
// 256-bit loads came with sm_100.
CEILINGS_KERNEL(1024, read_32x4) {
  const u64 step = blockDim.x * 32ull, chunk = step * 4;
  u64 x = 0;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk) {
    u64 v[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
      asm volatile("ld.global.L1::no_allocate.v4.u64 {%0, %1, %2, %3}, [%4];"
                   : "=l"(v[i][0]), "=l"(v[i][1]), "=l"(v[i][2]), "=l"(v[i][3])
                   : "l"(data + at + i * step + threadIdx.x * 32));
#pragma unroll
    for (int i = 0; i < 4; i++)
      x ^= v[i][0] ^ v[i][1] ^ v[i][2] ^ v[i][3];
  }
  keep((unsigned)(x ^ x >> 32), sink);
}
#endif

#if __CUDA_ARCH__ >= 900
// Bulk copies into shared memory, STAGES of STAGE_BYTES in flight a block; what arrives is not looked at.  One thread does it all.
enum { STAGES = 8, STAGE_BYTES = 8192 };

CEILINGS_KERNEL(32, read_bulk) {
  extern __shared__ __align__(128) char stage[];
  __shared__ __align__(8) u64 barriers[STAGES];
  if (threadIdx.x)
    return;
  unsigned first = (unsigned)__cvta_generic_to_shared(barriers), to = (unsigned)__cvta_generic_to_shared(stage);
  for (int s = 0; s < STAGES; s++)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(first + 8 * s) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  unsigned used = 0;
  for (u64 at = blockIdx.x * (u64)STAGE_BYTES; at < n + (u64)STAGES * gridDim.x * STAGE_BYTES; at += gridDim.x * (u64)STAGE_BYTES, used++) {
    unsigned barrier = first + 8 * (used % STAGES), parity = (used / STAGES + 1) & 1, done = used < STAGES;
    // The stage's last copy, STAGES chunks ago, must have arrived; there was one if it lay within the data.
    bool pending = used >= STAGES && at - (u64)STAGES * gridDim.x * STAGE_BYTES < n;
    while (pending && !done)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(barrier), "r"(parity)
                   : "memory");
    if (at >= n)
      continue;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"((unsigned)STAGE_BYTES)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     to + (used % STAGES) * STAGE_BYTES),
                 "l"(data + at), "r"((unsigned)STAGE_BYTES), "r"(barrier)
                 : "memory");
  }
}
#endif

static __device__ __forceinline__ void store16(char *p, uint4 v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

static __device__ __forceinline__ void store4(char *p, unsigned x) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}

template <int UNROLL> static __device__ __forceinline__ void write16(char *data, u64 n, unsigned x) {
  const u64 step = blockDim.x * 16ull, chunk = step * UNROLL;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk)
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      store16(data + at + i * step + threadIdx.x * 16, uint4{x, x, x, x});
}

CEILINGS_KERNEL(1024, write_16x1) {
  write16<1>(data, n, (unsigned)turns);
}
CEILINGS_KERNEL(1024, write_16x4) {
  write16<4>(data, n, (unsigned)turns);
}

// Four bytes of each 32-byte sector.
CEILINGS_KERNEL(1024, write_partial) {
  const u64 chunk = blockDim.x * 32ull;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk)
    store4(data + at + threadIdx.x * 32, (unsigned)turns);
}

// Four bytes of each 128-byte line.
CEILINGS_KERNEL(1024, write_lines) {
  const u64 chunk = blockDim.x * 128ull;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk)
    store4(data + at + threadIdx.x * 128, (unsigned)turns);
}
CEILINGS_KERNEL(1024, read_lines) {
  const u64 chunk = blockDim.x * 128ull;
  unsigned x = 0;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk) {
    unsigned v;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(data + at + threadIdx.x * 128));
    x ^= v;
  }
  keep(x, sink);
}

// extra: bytes from the source to the copy.
template <int UNROLL> static __device__ __forceinline__ void copy16(char *data, u64 n, u64 extra) {
  const u64 step = blockDim.x * 16ull, chunk = step * UNROLL;
  for (u64 at = blockIdx.x * chunk; at < n; at += gridDim.x * chunk) {
    uint4 v[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      v[i] = load16(data + at + i * step + threadIdx.x * 16);
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      store16(data + extra + at + i * step + threadIdx.x * 16, v[i]);
  }
}

CEILINGS_KERNEL(1024, copy_16x1) {
  copy16<1>(data, n, extra);
}
CEILINGS_KERNEL(1024, copy_16x4) {
  copy16<4>(data, n, extra);
}

// Each block reads its own n bytes, from blockIdx.x * n on, round and round: `turns` loads of 16 bytes a thread.  n is a multiple of 16 KB,
// what 1024 threads read at once; turns of 8.
#define REREAD(name, modifier)                                                                                         \
  CEILINGS_KERNEL(1024, name) {                                                                                        \
    const char *mine = data + blockIdx.x * n;                                                                          \
    unsigned at = threadIdx.x * 16, x = 0, bytes = (unsigned)n;                                                        \
    stamp from = stamp_begin();                                                                                        \
    for (u64 t = 0; t < turns; t += 8) {                                                                               \
      uint4 v[8];                                                                                                      \
      _Pragma("unroll") for (int i = 0; i < 8; i++) {                                                                  \
        asm volatile("ld.global" modifier ".v4.u32 {%0, %1, %2, %3}, [%4];"                                            \
                     : "=r"(v[i].x), "=r"(v[i].y), "=r"(v[i].z), "=r"(v[i].w)                                          \
                     : "l"(mine + at));                                                                                \
        at += 16384;                                                                                                   \
        at -= at >= bytes ? bytes : 0;                                                                                 \
      }                                                                                                                \
      _Pragma("unroll") for (int i = 0; i < 8; i++) x ^= fold(v[i]);                                                   \
    }                                                                                                                  \
    keep(x, sink);                                                                                                     \
    stamp_end(from, stamps);                                                                                           \
  }

REREAD(reread_l1, "")
REREAD(reread_l2, ".cg")

// The same for stores: `turns` stores a thread, which go SPAN bytes a block and turn.
template <unsigned SPAN, class Store> static __device__ __forceinline__ void rewrite(u64 n, u64 turns, stamp *stamps, Store store) {
  unsigned at = 0;
  stamp from = stamp_begin();
#pragma unroll 1
  for (u64 t = 0; t < turns; t += 8)
#pragma unroll
    for (int i = 0; i < 8; i++) {
      store(at);
      at += SPAN;
      at -= at >= (unsigned)n ? (unsigned)n : 0;
    }
  stamp_end(from, stamps);
}

CEILINGS_KERNEL(1024, rewrite_l2) {
  char *mine = data + blockIdx.x * n + threadIdx.x * 16;
  rewrite<16384>(n, turns, stamps, [=](unsigned at) { store16(mine + at, uint4{at, at, at, at}); });
}
CEILINGS_KERNEL(1024, rewrite_partial) {
  char *mine = data + blockIdx.x * n + threadIdx.x * 32;
  rewrite<32768>(n, turns, stamps, [=](unsigned at) { store4(mine + at, at); });
}

CEILINGS_KERNEL(1024, rewrite_lines) {
  char *mine = data + blockIdx.x * n + threadIdx.x * 128;
  rewrite<131072>(n, turns, stamps, [=](unsigned at) { store4(mine + at, at); });
}

// Each block reads 4 bytes of each line of its own n bytes, round and round.
CEILINGS_KERNEL(1024, reread_lines) {
  const char *mine = data + blockIdx.x * n + threadIdx.x * 128;
  unsigned at = 0, x = 0;
  stamp from = stamp_begin();
#pragma unroll 1
  for (u64 t = 0; t < turns; t += 8) {
    unsigned v[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[i]) : "l"(mine + at));
      at += 131072;
      at -= at >= (unsigned)n ? (unsigned)n : 0;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
      x ^= v[i];
  }
  keep(x, sink);
  stamp_end(from, stamps);
}

// Each block copies its own n bytes, round and round; extra: bytes from the source to the copy.
CEILINGS_KERNEL(1024, recopy_l2) {
  char *mine = data + blockIdx.x * n + threadIdx.x * 16;
  unsigned from_at = 0, to_at = 0, bytes = (unsigned)n;
  stamp from = stamp_begin();
#pragma unroll 1
  for (u64 t = 0; t < turns; t += 8) {
    uint4 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[i].x), "=r"(v[i].y), "=r"(v[i].z), "=r"(v[i].w)
                   : "l"(mine + from_at));
      from_at += 16384;
      from_at -= from_at >= bytes ? bytes : 0;
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
      store16(mine + extra + to_at, v[i]);
      to_at += 16384;
      to_at -= to_at >= bytes ? bytes : 0;
    }
  }
  stamp_end(from, stamps);
}

CEILINGS_KERNEL(1024, empty) {
}
