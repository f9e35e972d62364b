//! problem:   generic
//! id:        bags-row-by-row
//! ladder:    embedding-bags
//! size:      N = 16M
//! param:     ROWS = 2097152
//! param:     WIDTH = 64
//! param:     BAGS = 65536
//! buffer:    table = fp16[ROWS * WIDTH]; init = random
//! buffer:    pooled = fp32[BAGS * WIDTH]
//! output:    pooled
//! scratch:   begin = 4 * (BAGS + 1)
//! scratch:   item = 4 * 32 * BAGS
//! setup:     kernel = make_bags; grid = BAGS / 256 + 1; block = 256; args = begin, item
//! step:      kernel = pool_rows; grid = BAGS / 8; block = 256; args = table, begin, item, pooled
//! reference: kernel = pool_plain; grid = BAGS * WIDTH / 256; block = 256; args = table, begin, item, pooled
//! tolerance: 1e-4 1e-4
//! note:      a recommender's embeddings: the rows of each user's 24 to 31 items are summed, a bag a warp

//! id:        bags-eight-rows
//! parent:    bags-row-by-row
//! change:    the lanes read the bag's items at once, and eight rows are asked for before the first is added
//! predicts:  time < 0.7x; dram_bytes within 10%
//! step:      kernel = pool_eight; grid = BAGS / 8; block = 256; args = table, begin, item, pooled

#include <cuda_fp16.h>

__device__ unsigned mixed(unsigned v) {
  v = (v ^ v >> 16) * 2246822519u;
  v = (v ^ v >> 13) * 3266489917u;
  return v ^ v >> 16;
}

// Eight bags of 24 to 31 items have 220.
extern "C" __global__ void make_bags(int *begin, int *item) {
  int bag = blockIdx.x * blockDim.x + threadIdx.x;
  if (bag > BAGS)
    return;
  int own = bag / 8 * 220;
  for (int b = bag / 8 * 8; b < bag; b++)
    own += 24 + b * 3 % 8;
  begin[bag] = own;
  if (bag < BAGS)
    for (int k = 0; k < 24 + bag * 3 % 8; k++)
      item[own + k] = mixed((unsigned)(bag * 32 + k) * 2654435761u) % ROWS;
}

extern "C" __global__ void pool_rows(const __half2 *__restrict__ table, const int *__restrict__ begin,
                                     const int *__restrict__ item, float2 *__restrict__ pooled) {
  int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, end = begin[bag + 1];
  float2 sum = make_float2(0, 0);
#pragma unroll 1
  for (int k = begin[bag]; k < end; k++) {
    float2 v = __half22float2(table[(long long)item[k] * (WIDTH / 2) + lane]);
    sum.x += v.x;
    sum.y += v.y;
  }
  pooled[bag * (WIDTH / 2) + lane] = sum;
}

extern "C" __global__ void pool_eight(const __half2 *__restrict__ table, const int *__restrict__ begin,
                                      const int *__restrict__ item, float2 *__restrict__ pooled) {
  int bag = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int first = begin[bag], items = begin[bag + 1] - first;
  int mine = lane < items ? item[first + lane] : -1;
  float2 sum = make_float2(0, 0);
#pragma unroll 1
  for (int k = 0; k < items; k += 8) {
    __half2 v[8];
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int row = __shfl_sync(0xffffffff, mine, k + j);
      v[j] = row >= 0 ? table[(long long)row * (WIDTH / 2) + lane] : __half2half2(__float2half(0));
    }
#pragma unroll
    for (int j = 0; j < 8; j++) {
      float2 f = __half22float2(v[j]);
      sum.x += f.x;
      sum.y += f.y;
    }
  }
  pooled[bag * (WIDTH / 2) + lane] = sum;
}

extern "C" __global__ void pool_plain(const __half *table, const int *begin, const int *item, float *pooled) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, bag = i / WIDTH;
  double sum = 0;
  for (int k = begin[bag]; k < begin[bag + 1]; k++)
    sum += (double)__half2float(table[(long long)item[k] * WIDTH + i % WIDTH]);
  pooled[i] = sum;
}
