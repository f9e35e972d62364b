//! problem:   generic
//! id:        edge-sums
//! ladder:    edge-sums
//! size:      N = 16M
//! param:     EDGES = 64
//! buffer:    message = i8[N * 2]; init = random
//! buffer:    alpha = fp32[N / 16]; init = random
//! buffer:    node = fp32[N / 8]
//! scratch:   dst = 4 * N / 16
//! output:    node
//! reset:     fill node = 0
//! setup:     kernel = fill_dst; grid = N / 16 / 256; block = 256; args = dst
//! step:      kernel = gather; grid = N / 16 / EDGES / 8; block = 256; args = message, alpha, dst, node
//! reference: kernel = gather_plain; grid = N / 8 / 256; block = 256; args = message, alpha, node
//! tolerance: 2e-2 1e-4
//! note:      weighted messages of a graph's edges, ordered by their target, summed at 64 K nodes of 32 channels

//! id:        edge-sums-b
//! parent:    edge-sums
//! change:    what a warp has for one node is summed before it is handed on
//! step:      kernel = gather_runs; grid = N / 16 / EDGES / 8; block = 256; args = message, alpha, dst, node

// the k-th of 64 edges belongs to one of four nodes of different degree
__device__ int target(int e) {
  int r = e % 64;
  return e / 64 * 4 + (r < 7 ? 0 : r < 24 ? 1 : r < 50 ? 2 : 3);
}

extern "C" __global__ void fill_dst(int *dst) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  dst[e] = target(e);
}

#define BATCH 16

__device__ __forceinline__ void load(const signed char *message, const float *alpha, const int *dst, int e, float *v,
                                     int *d) {
  signed char m[BATCH];
#pragma unroll
  for (int k = 0; k < BATCH; k++)
    m[k] = message[(e + k) * 32 + threadIdx.x % 32];
#pragma unroll
  for (int k = 0; k < BATCH; k += 4) {
    *(float4 *)&v[k] = *(const float4 *)&alpha[e + k];
    *(int4 *)&d[k] = *(const int4 *)&dst[e + k];
  }
#pragma unroll
  for (int k = 0; k < BATCH; k++)
    v[k] *= m[k];
}

// a warp takes EDGES edges, a lane a channel
extern "C" __global__ void gather(const signed char *__restrict__ message, const float *__restrict__ alpha,
                                  const int *__restrict__ dst, float *node) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int first = warp * EDGES;
  for (int e = first; e < first + EDGES; e += BATCH) {
    float v[BATCH];
    int d[BATCH];
    load(message, alpha, dst, e, v, d);
#pragma unroll
    for (int k = 0; k < BATCH; k++)
      atomicAdd(&node[d[k] * 32 + lane], v[k]);
  }
}

extern "C" __global__ void gather_runs(const signed char *__restrict__ message, const float *__restrict__ alpha,
                                       const int *__restrict__ dst, float *node) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int first = warp * EDGES, current = dst[first];
  float sum = 0;
  for (int e = first; e < first + EDGES; e += BATCH) {
    float v[BATCH];
    int d[BATCH];
    load(message, alpha, dst, e, v, d);
#pragma unroll
    for (int k = 0; k < BATCH; k++) {
      if (d[k] != current) {
        atomicAdd(&node[current * 32 + lane], sum);
        sum = 0;
        current = d[k];
      }
      sum += v[k];
    }
  }
  atomicAdd(&node[current * 32 + lane], sum);
}

extern "C" __global__ void gather_plain(const signed char *message, const float *alpha, float *node) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = i / 32, c = i % 32;
  double sum = 0;
  for (int e = n / 4 * 64; e < n / 4 * 64 + 64; e++)
    if (target(e) == n)
      sum += (double)alpha[e] * message[e * 32 + c];
  node[i] = sum;
}
