//! id:         control-w4a16
//! ladder:     control
//! change:     a weight-only GEMV as inference libraries have it: 16 bytes of weights a lane, fp16 activations, fp16 pairs, K split over the threads of a block
//! param:      THREADS = 32 in {32, 64, 128, 256}
//! param:      ROWS = 2 in {1, 2, 4, 8}
//! param:      UNROLL = 1 in {1, 2}
//! when:       M * L < 1024: THREADS = 128, ROWS = 1, UNROLL = 2
//! when:       M * L < 3072: THREADS = 128, UNROLL = 2
//! when:       M * L >= 10000: ROWS = 4, UNROLL = 2
//! scratch:    b16 = 2 * K * L
//! setup:      kernel = activations; grid = ceil(K / 8 * L / 256); block = 256; args = b, sfb, b16, K, L
//! step:       kernel = gemv; grid = ceil(M / ROWS), L; block = THREADS; args = a, sfa, b16, c, M, K
//! bytes:      M * K * L / 2 + M * K * L / 16 + 2 * K * L + 2 * M * L
//! accumulate: fp16-block
//! needs:      sm >= 80
//! note:       written from the published schemes, no line of theirs: weight-only batched GEMV (TensorRT-LLM; AWQ's is alike) for loads and the split of K, Marlin's
//!             FP4 decoding by shift and mask (vLLM), whose factor of 2^14 goes into the end
//! note:       activations are fp16 and exact, made once outside the measured range, in the order in which the decoding gives the weights

#include "common/decode_intrinsic.cuh"
#include "common/load.cuh"
#include "common/reduce.cuh"

/* Of eight values that neighbour in K, those of a pair are four apart: both lie at the same place of a word's halves.  The last pair comes first. */
extern "C" __global__ void __launch_bounds__(256)
    activations(const uint8_t *__restrict__ codes, const uint8_t *__restrict__ scales, __half2 *__restrict__ out, int K,
                int L) {
  const int64_t word = int64_t(blockIdx.x) * blockDim.x + threadIdx.x, row_words = K / 8;
  if (word >= row_words * L)
    return;
  const int64_t from = word / row_words * PAD_ROWS * row_words + word % row_words;
  const uint32_t packed = reinterpret_cast<const uint32_t *>(codes)[from];
  const __half2 scale = __float2half2_rn(e4m3_intrinsic(scales[from / 2]));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int place = 4 * (3 - i);
    out[4 * word + i] = __hmul2(e2m1x2_intrinsic(packed >> place & 0xf | packed >> place >> 12 & 0xf0), scale);
  }
}

/* Eight values as fp16 pairs, 2^-14 of each: sign and the three other bits of a nibble are moved to where fp16 has them. */
static __device__ __forceinline__ void weights(__half2 (&out)[4], uint32_t codes) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint32_t pair = codes << 4 * i & 0x80008000u | codes << 4 * i >> 3 & 0x0e000e00u;
    out[i] = *reinterpret_cast<const __half2 *>(&pair);
  }
}

/* A block of 16 against its activations. */
static __device__ __forceinline__ float block_dot(uint32_t lo, uint32_t hi, const __half2 *b) {
  __half2 w[4];
  weights(w, lo);
  __half2 sum = __hmul2(w[0], b[0]);
#pragma unroll
  for (int i = 1; i < 4; ++i)
    sum = __hfma2(w[i], b[i], sum);
  weights(w, hi);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum = __hfma2(w[i], b[4 + i], sum);
  const float2 halves = __half22float2(sum);
  return halves.x + halves.y;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    gemv(const uint8_t *__restrict__ a, const uint8_t *__restrict__ sfa, const uint8_t *__restrict__ b16,
         __half *__restrict__ c, int M, int K) {
  __shared__ float partial[THREADS / 32][ROWS];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row0 = blockIdx.x * ROWS, pieces = K / 32;
  const int64_t batch = blockIdx.y;
  const uint8_t *const b_row = b16 + batch * K * 2;
  const auto row_at = [&](int r) { return batch * M + min(row0 + r, M - 1); };

  float sum[ROWS] = {};
#pragma unroll 1
  for (int first = threadIdx.x; first < pieces; first += THREADS * UNROLL) {
    uint4 codes[UNROLL][ROWS];
    uint32_t scales[UNROLL][ROWS];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const int piece = first + u * THREADS;
        codes[u][r] = make_uint4(0, 0, 0, 0), scales[u][r] = 0;
        if (u == 0 || piece < pieces) {
          codes[u][r] = load16_once(a + row_at(r) * (K / 2) + piece * 16);
          scales[u][r] = load2_once(sfa + row_at(r) * (K / 16) + piece * 2);
        }
      }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      const int piece = first + u * THREADS;
      if (u > 0 && piece >= pieces)
        break;
      union {
        uint4 loaded[4];
        __half2 values[16];
      } b;
#pragma unroll
      for (int i = 0; i < 4; ++i)
        b.loaded[i] = load16(b_row + piece * 64 + i * 16);
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const uint4 w = codes[u][r];
        const float2 scale = __half22float2(
            __half2(__nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(scales[u][r]), __NV_E4M3)));
        sum[r] = fmaf(block_dot(w.x, w.y, b.values), scale.x, sum[r]);
        sum[r] = fmaf(block_dot(w.z, w.w, b.values + 8), scale.y, sum[r]);
      }
    }
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    sum[r] = sum_lanes<32>(sum[r]);
    if (lane == 0)
      partial[warp][r] = sum[r];
  }
  __syncthreads();
  if (threadIdx.x < ROWS && row0 + threadIdx.x < M) {
    float x = 0;
#pragma unroll
    for (int w = 0; w < THREADS / 32; ++w)
      x += partial[w][threadIdx.x];
    c[batch * M + row0 + threadIdx.x] = __float2half(x * 16384.0f); /* 2^14: the weights' factor */
  }
}
