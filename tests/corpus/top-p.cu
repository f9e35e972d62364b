//! problem:   generic
//! id:        top-p-walk
//! ladder:    top-p
//! size:      N = 16M
//! buffer:    p = fp32[N]; init = random
//! buffer:    kept = fp32[N]
//! output:    kept
//! step:      kernel = walk; grid = 8 * sms; block = 256; args = p, kept, N / 256
//! reference: kernel = plain; grid = N / 256 / 32; block = 32; args = p, kept
//! flops:     10 * N
//! note:      of each row of 256 weights those are kept whose running sum stays below nine tenths of the total

//! id:        top-p-compare
//! parent:    top-p-walk
//! change:    every thread compares its own running sum, instead of waiting for the one that walks along them
//! predicts:  time < 0.5x; dram_bytes within 5%
//! step:      kernel = compare; grid = 8 * sms; block = 256; args = p, kept, N / 256

// A weight in whole units, so that sums do not depend on their order.
__device__ int weight(float p) { return (int)((p + 1) * 1000); }

__device__ int running_sum(int v, int *warps) {
  for (int reach = 1; reach < 32; reach *= 2) {
    int left = __shfl_up_sync(0xffffffff, v, reach);
    v += threadIdx.x % 32 >= reach ? left : 0;
  }
  if (threadIdx.x % 32 == 31)
    warps[threadIdx.x / 32] = v;
  __syncthreads();
  for (int i = 0; i < 7; i++)
    v += threadIdx.x / 32 > i ? warps[i] : 0;
  return v;
}

extern "C" __global__ void walk(const float *__restrict__ p, float *__restrict__ kept, int rows) {
  __shared__ int warps[8], sums[256], cut;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float mine = p[row * 256 + threadIdx.x];
    sums[threadIdx.x] = running_sum(weight(mine), warps);
    __syncthreads();
    if (threadIdx.x == 0) {
      int last = 0;
      while (last < 255 && sums[last] < sums[255] / 10 * 9)
        last++;
      cut = last;
    }
    __syncthreads();
    kept[row * 256 + threadIdx.x] = threadIdx.x <= cut ? mine : 0;
  }
}

extern "C" __global__ void compare(const float *__restrict__ p, float *__restrict__ kept, int rows) {
  __shared__ int warps[8], sums[256];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float mine = p[row * 256 + threadIdx.x];
    sums[threadIdx.x] = running_sum(weight(mine), warps);
    __syncthreads();
    bool keep = threadIdx.x == 0 || sums[threadIdx.x - 1] < sums[255] / 10 * 9;
    kept[row * 256 + threadIdx.x] = keep ? mine : 0;
    __syncthreads();
  }
}

extern "C" __global__ void plain(const float *p, float *kept) {
  size_t first = (blockIdx.x * blockDim.x + threadIdx.x) * (size_t)256;
  int total = 0, sum = 0;
  for (int i = 0; i < 256; i++)
    total += weight(p[first + i]);
  for (int i = 0; i < 256; i++) {
    kept[first + i] = i == 0 || sum < total / 10 * 9 ? p[first + i] : 0;
    sum += weight(p[first + i]);
  }
}
