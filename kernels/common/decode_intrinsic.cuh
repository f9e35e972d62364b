/* Decoding by the toolkit's intrinsics, a byte at a time.  Hardware where the chip has it: e2m1 on sm_100 and later, e4m3 on sm_89 and
 * later; below, the same functions are software. */
#pragma once

#include "common/types.cuh"

#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>

static __device__ __forceinline__ __half2 e2m1x2_intrinsic(uint32_t byte) {
  return __half2(__nv_cvt_fp4x2_to_halfraw2(static_cast<__nv_fp4x2_storage_t>(byte), __NV_E2M1));
}

static __device__ __forceinline__ float e4m3_intrinsic(uint32_t byte) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(byte), __NV_E4M3)));
}

/* Products of the scales of four blocks, in fp32: 448 * 448 overflows fp16. */
static __device__ __forceinline__ float4 scales_intrinsic(uint32_t sfa, uint32_t sfb) {
  return make_float4(e4m3_intrinsic(sfa & 0xff) * e4m3_intrinsic(sfb & 0xff),
                     e4m3_intrinsic(sfa >> 8 & 0xff) * e4m3_intrinsic(sfb >> 8 & 0xff),
                     e4m3_intrinsic(sfa >> 16 & 0xff) * e4m3_intrinsic(sfb >> 16 & 0xff),
                     e4m3_intrinsic(sfa >> 24) * e4m3_intrinsic(sfb >> 24));
}

/* Dot product of eight pairs of values.  Exact: a product is a multiple of 1/4 of at most 36, so each half sums at most 4 * 36 = 576
 * quarters, within fp16's 2048. */
static __device__ __forceinline__ float dot8_intrinsic(uint32_t a, uint32_t b) {
  __half2 even = __hmul2(e2m1x2_intrinsic(a & 0xff), e2m1x2_intrinsic(b & 0xff));
  __half2 odd = __hmul2(e2m1x2_intrinsic(a >> 8 & 0xff), e2m1x2_intrinsic(b >> 8 & 0xff));
  even = __hfma2(e2m1x2_intrinsic(a >> 16 & 0xff), e2m1x2_intrinsic(b >> 16 & 0xff), even);
  odd = __hfma2(e2m1x2_intrinsic(a >> 24), e2m1x2_intrinsic(b >> 24), odd);
  const float2 halves = __half22float2(__hadd2(even, odd));
  return halves.x + halves.y;
}
