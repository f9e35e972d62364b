//! problem:   generic
//! id:        attention-lse-one-query
//! ladder:    attention-lse
//! size:      N = 16M
//! param:     HEADS = 16
//! param:     KEYS = 4096
//! param:     QUERIES = 64
//! param:     AT_ONCE = 1
//! buffer:    q = fp32[HEADS * QUERIES * 64]; init = random
//! buffer:    k = bf16[HEADS * KEYS * 64]; init = random
//! buffer:    lse = fp32[HEADS * QUERIES]
//! output:    lse
//! step:      kernel = log_sums; grid = HEADS, QUERIES / AT_ONCE; block = 512; args = q, k, lse
//! reference: kernel = log_sums_plain; grid = HEADS, QUERIES; block = 32; args = q, k, lse
//! tolerance: 1e-4 1e-4
//! flops:     2 * 64 * HEADS * QUERIES * KEYS
//! note:      log-sum-exp of each query's scores; a head's keys lie by dimension, eight bf16 together

//! id:        attention-lse-four-queries
//! parent:    attention-lse-one-query
//! change:    a block scores each key that it reads against four queries
//! param:     AT_ONCE = 4
//! predicts:  l2_read_bytes < 0.5x; time < 0.7x

// bf16 is the upper half of a float.
__device__ void unpack(uint4 packed, float (&v)[8]) {
  unsigned pair[4] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
  for (int i = 0; i < 4; i++) {
    v[2 * i] = __uint_as_float(pair[i] << 16);
    v[2 * i + 1] = __uint_as_float(pair[i] & 0xffff0000);
  }
}

extern "C" __global__ void __launch_bounds__(512)
    log_sums(const float *__restrict__ q, const uint4 *__restrict__ k, float *__restrict__ lse) {
  __shared__ float query[AT_ONCE][64], warps[AT_ONCE][16];
  int first = blockIdx.x * QUERIES + blockIdx.y * AT_ONCE, lane = threadIdx.x % 32;
  const uint4 *head = k + (size_t)blockIdx.x * KEYS * 8;
  float sum[AT_ONCE] = {};
  if (threadIdx.x < AT_ONCE * 64)
    query[threadIdx.x / 64][threadIdx.x % 64] = q[first * 64 + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int key = threadIdx.x; key < KEYS; key += 512) {
    float score[AT_ONCE] = {}, v[8];
    __syncwarp(); // or the compiler would move the queries out of the loop, into more registers than there are
#pragma unroll
    for (int d = 0; d < 8; d++) {
      unpack(head[d * KEYS + key], v);
#pragma unroll
      for (int i = 0; i < AT_ONCE; i++)
#pragma unroll
        for (int c = 0; c < 8; c++)
          score[i] += query[i][d * 8 + c] * v[c];
    }
#pragma unroll
    for (int i = 0; i < AT_ONCE; i++)
      sum[i] += __expf(score[i] / 8);
  }
#pragma unroll
  for (int i = 0; i < AT_ONCE; i++) {
    for (int offset = 16; offset; offset /= 2)
      sum[i] += __shfl_xor_sync(0xffffffff, sum[i], offset);
    if (lane == 0)
      warps[i][threadIdx.x / 32] = sum[i];
  }
  __syncthreads();
  if (threadIdx.x < AT_ONCE) {
    float all = 0;
    for (int w = 0; w < 16; w++)
      all += warps[threadIdx.x][w];
    lse[first + threadIdx.x] = logf(all);
  }
}

extern "C" __global__ void log_sums_plain(const float *q, const unsigned short *k, float *lse) {
  int query = blockIdx.x * QUERIES + blockIdx.y;
  double sum = 0;
  for (int key = threadIdx.x; key < KEYS; key += 32) {
    float score = 0;
    for (int d = 0; d < 64; d++)
      score += q[query * 64 + d] * __uint_as_float(k[((blockIdx.x * 8 + d / 8) * KEYS + key) * 8 + d % 8] << 16);
    sum += expf(score / 8);
  }
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0)
    lse[query] = log(sum);
}
