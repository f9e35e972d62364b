//! problem:   generic
//! id:        sinkhorn-launch-a-half
//! ladder:    sinkhorn-match
//! size:      N = 16M
//! buffer:    cost = fp32[N / 1024]; init = random
//! buffer:    u = fp32[128]
//! buffer:    v = fp32[128]
//! output:    u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 1
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! step:      kernel = scale_rows; grid = 128; block = 128; args = cost, v, u, 0
//! step:      kernel = scale_columns; grid = 128; block = 128; args = cost, u, v
//! reference: kernel = sinkhorn_plain; grid = 1; block = 128; args = cost, u, v
//! tolerance: 1e-5 1e-4
//! note:      soft data association in SLAM: 128 landmarks and 128 observations, eight iterations of Sinkhorn's scaling

//! id:        sinkhorn-one-block
//! parent:    sinkhorn-launch-a-half
//! change:    all iterations in one block, which keeps the matrix in registers
//! step:      kernel = sinkhorn; grid = 1; block = 1024; args = cost, u, v
//! predicts:  time < 0.5x

enum { SIZE = 128, ITERATIONS = 8 };

__device__ float affinity(float cost) { return __expf(-2 * (cost + 1)); }

__device__ float warp_sum(float x) {
#pragma unroll
  for (int by = 16; by; by /= 2)
    x += __shfl_xor_sync(~0u, x, by);
  return x;
}

__device__ float block_sum(float x) { // of four warps
  __shared__ float part[4];
  x = warp_sum(x);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = x;
  __syncthreads();
  return part[0] + part[1] + part[2] + part[3];
}

extern "C" __global__ void scale_rows(const float *cost, const float *v, float *u, int first) {
  int j = threadIdx.x;
  float sum = block_sum(affinity(cost[blockIdx.x * SIZE + j]) * (first ? 1.0f : v[j]));
  if (j == 0)
    u[blockIdx.x] = 1 / sum;
}

extern "C" __global__ void scale_columns(const float *cost, const float *u, float *v) {
  int i = threadIdx.x;
  float sum = block_sum(affinity(cost[i * SIZE + blockIdx.x]) * u[i]);
  if (i == 0)
    v[blockIdx.x] = 1 / sum;
}

// Warp w has rows 4w to 4w + 3, its lane l the columns l, l + 32, l + 64 and l + 96 of each.
extern "C" __global__ void __launch_bounds__(1024) sinkhorn(const float *__restrict__ cost, float *u, float *v) {
  __shared__ float part[32][SIZE], scale[SIZE];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float k[4][4], mine[4];
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int c = 0; c < 4; c++)
      k[r][c] = affinity(cost[(4 * warp + r) * SIZE + 32 * c + lane]);
  if (threadIdx.x < SIZE)
    scale[threadIdx.x] = 1;
  __syncthreads();
#pragma unroll 1
  for (int it = 0; it < ITERATIONS; it++) {
#pragma unroll
    for (int r = 0; r < 4; r++) {
      float sum = 0;
#pragma unroll
      for (int c = 0; c < 4; c++)
        sum += k[r][c] * scale[32 * c + lane];
      mine[r] = 1 / warp_sum(sum);
    }
#pragma unroll
    for (int c = 0; c < 4; c++)
      part[warp][32 * c + lane] = k[0][c] * mine[0] + k[1][c] * mine[1] + k[2][c] * mine[2] + k[3][c] * mine[3];
    __syncthreads();
    if (threadIdx.x < SIZE) {
      float sum = 0;
#pragma unroll
      for (int w = 0; w < 32; w++)
        sum += part[w][threadIdx.x];
      scale[threadIdx.x] = 1 / sum;
    }
    __syncthreads();
  }
  if (lane < 4)
    u[4 * warp + lane] = lane == 0 ? mine[0] : lane == 1 ? mine[1] : lane == 2 ? mine[2] : mine[3];
  if (threadIdx.x < SIZE)
    v[threadIdx.x] = scale[threadIdx.x];
}

extern "C" __global__ void sinkhorn_plain(const float *cost, float *u, float *v) {
  __shared__ double row[128], column[128];
  int i = threadIdx.x;
  column[i] = 1;
  for (int it = 0; it < 8; it++) {
    double sum = 0;
    __syncthreads();
    for (int j = 0; j < 128; j++)
      sum += exp(-2.0 - 2.0 * cost[i * 128 + j]) * column[j];
    row[i] = 1 / sum;
    __syncthreads();
    sum = 0;
    for (int j = 0; j < 128; j++)
      sum += exp(-2.0 - 2.0 * cost[j * 128 + i]) * row[j];
    __syncthreads();
    column[i] = 1 / sum;
  }
  u[i] = (float)row[i];
  v[i] = (float)column[i];
}
