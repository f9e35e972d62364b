/* FP4 in the fp8 tensor cores of sm_90: the instructions, on the bytes and in the order of common/fp8_layout.cuh. */
#pragma once

#include "common/fp8_layout.cuh"

#include <cuda_fp16.h>
#include <cuda_fp8.h>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define FP8_WGMMA 1
#else
#define FP8_WGMMA 0
#endif

/* Dot products are this many times too small: both operands are. */
constexpr float FP8_UNSCALE = 4096.0f;

/* Two scales, and the bits of two that were kept so. */
static __device__ __forceinline__ __half2 half_scales(uint16_t codes) {
  return __half2(__nv_cvt_fp8x2_to_halfraw2(codes, __NV_E4M3));
}

static __device__ __forceinline__ __half2 as_half2(uint32_t bits) {
  return *reinterpret_cast<const __half2 *>(&bits);
}

/* Stores 16 bytes of B, the piece-th of its row, where the steps look for them: whole columns, zeros included. */
static __device__ __forceinline__ void fp8_store_b(uint8_t *quads, int piece, uint4 codes) {
  const fp8_column column = fp8_column_of(quads, piece);
  uint8_t *const to = column.at;
  const int t = column.t;
  const uint32_t words[4] = {codes.x, codes.y, codes.z, codes.w};
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    const fp8_codes v = fp8_of_e2m1(words[step]);
    *reinterpret_cast<uint4 *>(to + step * FP8_STEP) =
        make_uint4(t == 0 ? v.lo : 0, t == 1 ? v.lo : 0, t == 2 ? v.lo : 0, t == 3 ? v.lo : 0);
    *reinterpret_cast<uint4 *>(to + step * FP8_STEP + FP8_HIGH) =
        make_uint4(t == 0 ? v.hi : 0, t == 1 ? v.hi : 0, t == 2 ? v.hi : 0, t == 3 ? v.hi : 0);
  }
}

/* Shows what this thread stored of B to the tensor cores; a barrier must follow. */
static __device__ __forceinline__ void fp8_b_stored() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* A warp's fragments of the four steps: low nibbles of the upper row and the lower one, high nibbles of both. */
struct fp8_fragments {
  uint32_t a[4][4];
};

static __device__ __forceinline__ fp8_fragments fp8_fragments_of(uint4 upper, uint4 lower) {
  const uint32_t x[4] = {upper.x, upper.y, upper.z, upper.w}, y[4] = {lower.x, lower.y, lower.z, lower.w};
  fp8_fragments f;
#pragma unroll
  for (int step = 0; step < 4; ++step) {
    const fp8_codes v = fp8_of_e2m1(x[step]), w = fp8_of_e2m1(y[step]);
    f.a[step][0] = v.lo, f.a[step][1] = w.lo, f.a[step][2] = v.hi, f.a[step][3] = w.hi;
  }
  return f;
}

/* Sums of an even and an odd block: of each, elements 4w to 4w+3 are those of warp w of the warpgroup, as mma.sync has them. */
struct fp8_sums {
  float even[16], odd[16];
};

// clang-format off
#if FP8_WGMMA

#define FP8_D(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), \
    "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
#define FP8_A(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define FP8_MULTIPLY(d, a0, a1, a2, a3, b, more)                                                                       \
  "  wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 {" d "}, {" a0 ", " a1 ", " a2 ", " a3 "}, " b ", " more ", 1, 1;\n"
#define FP8_EVEN "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define FP8_ODD "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"

/* Starts the sums of a quad, whose B is at an address in shared memory; they are there after fp8_wait, and the fragments are free. */
static __device__ __forceinline__ void fp8_start(fp8_sums &d, const fp8_fragments &f, uint32_t quad) {
  /* No swizzle; the matrix of the high nibbles lies FP8_HIGH on, the next eight columns FP8_LINE. */
  const uint64_t b = static_cast<uint64_t>(FP8_LINE / 16) << 32 | static_cast<uint64_t>(FP8_HIGH / 16) << 16 | quad >> 4;
  asm volatile("{ .reg .pred no, yes; .reg .b64 b1, b2, b3;\n"
      "  setp.ne.b32 no, 0, 0;\n"
      "  setp.eq.b32 yes, 0, 0;\n"
      "  add.s64 b1, %48, 64;\n"
      "  add.s64 b2, %48, 128;\n"
      "  add.s64 b3, %48, 192;\n"
      "  wgmma.fence.sync.aligned;\n"
      FP8_MULTIPLY(FP8_EVEN, "%32", "%33", "%34", "%35", "%48", "no")
      FP8_MULTIPLY(FP8_ODD, "%40", "%41", "%42", "%43", "b2", "no")
      FP8_MULTIPLY(FP8_EVEN, "%36", "%37", "%38", "%39", "b1", "yes")
      FP8_MULTIPLY(FP8_ODD, "%44", "%45", "%46", "%47", "b3", "yes")
      "  wgmma.commit_group.sync.aligned; }\n"
      : FP8_D(d.even), FP8_D(d.odd)
      : FP8_A(f.a[0]), FP8_A(f.a[1]), FP8_A(f.a[2]), FP8_A(f.a[3]), "l"(b)
      : "memory");
}

static __device__ __forceinline__ void fp8_wait(fp8_sums &d) {
  asm volatile("wgmma.wait_group.sync.aligned 0;\n" : FP8_D(d.even), FP8_D(d.odd) : : "memory");
}

#define FP8_KEPT(a) "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3])

/* Waits for all starts but the last PENDING.  The fragments are named so that nothing else gets their registers before. */
template <int PENDING> static __device__ __forceinline__ void fp8_wait(fp8_sums &d, fp8_fragments &f) {
  asm volatile("wgmma.wait_group.sync.aligned %48;\n"
      : FP8_D(d.even), FP8_D(d.odd), FP8_KEPT(f.a[0]), FP8_KEPT(f.a[1]), FP8_KEPT(f.a[2]), FP8_KEPT(f.a[3])
      : "n"(PENDING)
      : "memory");
}

#else

static __device__ __forceinline__ void fp8_multiply(float *d, const uint32_t (&a)[4], uint32_t step) {
  const uint32_t at = step + threadIdx.x / 32 % 4 * FP8_LINE + threadIdx.x % 32 * 4;
  uint32_t b0, b1;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(b0) : "r"(at) : "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(b1) : "r"(at + FP8_HIGH) : "memory");
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* The warp's own sums alone, and in the first four elements. */
static __device__ __forceinline__ void fp8_start(fp8_sums &d, const fp8_fragments &f, uint32_t quad) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    d.even[i] = d.odd[i] = 0;
  fp8_multiply(d.even, f.a[0], quad);
  fp8_multiply(d.even, f.a[1], quad + FP8_STEP);
  fp8_multiply(d.odd, f.a[2], quad + 2 * FP8_STEP);
  fp8_multiply(d.odd, f.a[3], quad + 3 * FP8_STEP);
}

static __device__ __forceinline__ void fp8_wait(fp8_sums &) {}

template <int PENDING> static __device__ __forceinline__ void fp8_wait(fp8_sums &, fp8_fragments &) {}

#endif
// clang-format on

/* Calls add(even, odd) with a warp's own four elements of each. */
template <class F> static __device__ __forceinline__ void fp8_own(const fp8_sums &d, int warp, F add) {
#if FP8_WGMMA
  if (warp < 2) {
    if (warp == 0)
      add(d.even, d.odd);
    else
      add(d.even + 4, d.odd + 4);
  } else {
    if (warp == 2)
      add(d.even + 8, d.odd + 8);
    else
      add(d.even + 12, d.odd + 12);
  }
#else
  add(d.even, d.odd);
#endif
}
