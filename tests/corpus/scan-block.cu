//! problem:   generic
//! id:        scan-shared-steps
//! ladder:    scan-block
//! size:      N = 16M
//! buffer:    x = i32[N]; init = random
//! buffer:    y = i32[N]
//! output:    y
//! step:      kernel = scan_shared; grid = N / 1024; block = 1024; args = x, y
//! reference: kernel = scan_plain; grid = N / 1024 / 32; block = 32; args = x, y
//! flops:     10 * N
//! note:      prefix sums of blocks of 1024 numbers, the first pass of a scan

//! id:        scan-shuffles
//! parent:    scan-shared-steps
//! change:    shuffles within a warp and one exchange between warps: two barriers instead of 21
//! predicts:  inst < 0.8x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = scan_warps; grid = N / 1024; block = 1024; args = x, y

extern "C" __global__ void scan_shared(const int *x, int *y) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 1024 + t];
  __syncthreads();
  for (int reach = 1; reach < 1024; reach *= 2) {
    int left = t >= reach ? s[t - reach] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  y[blockIdx.x * 1024 + t] = s[t];
}

__device__ int warp_scan(int v) {
  for (int reach = 1; reach < 32; reach *= 2) {
    int left = __shfl_up_sync(0xffffffff, v, reach);
    if (threadIdx.x % 32 >= reach)
      v += left;
  }
  return v;
}

extern "C" __global__ void scan_warps(const int *x, int *y) {
  __shared__ int sums[32];
  int t = threadIdx.x, v = warp_scan(x[blockIdx.x * 1024 + t]);
  if (t % 32 == 31)
    sums[t / 32] = v;
  __syncthreads();
  if (t < 32)
    sums[t] = warp_scan(sums[t]);
  __syncthreads();
  y[blockIdx.x * 1024 + t] = v + (t >= 32 ? sums[t / 32 - 1] : 0);
}

extern "C" __global__ void scan_plain(const int *x, int *y) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 1024, s = 0;
  for (int i = first; i < first + 1024; i++)
    y[i] = s += x[i];
}
