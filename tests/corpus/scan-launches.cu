//! problem:   generic
//! id:        scan-launch-a-reach
//! ladder:    scan-launches
//! size:      N = 16M
//! param:     COUNT = 8192
//! buffer:    x = i32[COUNT]; init = random
//! buffer:    y = i32[COUNT]
//! output:    y
//! scratch:   a = 4 * COUNT
//! scratch:   b = 4 * COUNT
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = x, a, 1
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 2
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, a, 4
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 8
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, a, 16
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 32
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, a, 64
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 128
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, a, 256
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 512
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, a, 1024
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = a, b, 2048
//! step:      kernel = add_left; grid = COUNT / 256; block = 256; args = b, y, 4096
//! reference: kernel = scan_plain; grid = COUNT / 256; block = 256; args = x, y
//! flops:     0
//! note:      offsets of 8192 bins, as between the passes of a sort

//! id:        scan-one-launch
//! parent:    scan-launch-a-reach
//! change:    one block makes all thirteen rounds in shared memory
//! predicts:  time < 0.6x
//! step:      kernel = scan_once; grid = 1; block = 1024; args = x, y

extern "C" __global__ void add_left(const int *x, int *y, int reach) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] + (i >= reach ? x[i - reach] : 0);
}

extern "C" __global__ void __launch_bounds__(1024) scan_once(const int *x, int *y) {
  __shared__ int held[COUNT];
  for (int i = threadIdx.x; i < COUNT; i += 1024)
    held[i] = x[i];
  __syncthreads();
  for (int reach = 1; reach < COUNT; reach *= 2) {
    int left[COUNT / 1024];
#pragma unroll
    for (int k = 0; k < COUNT / 1024; k++) {
      int i = k * 1024 + threadIdx.x;
      left[k] = i >= reach ? held[i - reach] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < COUNT / 1024; k++)
      held[k * 1024 + threadIdx.x] += left[k];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < COUNT; i += 1024)
    y[i] = held[i];
}

extern "C" __global__ void scan_plain(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k <= i; k++)
    sum += x[k];
  y[i] = sum;
}
