//! problem:   generic
//! id:        columns-int32
//! ladder:    narrow-columns
//! size:      N = 16M
//! buffer:    price = i32[2 * N]; init = random
//! buffer:    amount = i32[2 * N]; init = random
//! buffer:    total = i32[1]
//! output:    total
//! scratch:   price8 = 2 * N
//! scratch:   amount8 = 2 * N
//! setup:     kernel = narrow; grid = 2 * N / 256; block = 256; args = price, price8
//! setup:     kernel = narrow; grid = 2 * N / 256; block = 256; args = amount, amount8
//! reset:     fill total = 0
//! step:      kernel = revenue32; grid = 16 * sms; block = 256; args = price, amount, total, 2 * N / 4
//! reference: kernel = revenue_slow; grid = 1; block = 1024; args = price, amount, total, 2 * N
//! note:      revenue of a filtered table; the columns hold numbers from -100 to 100

//! id:        columns-int8
//! parent:    columns-int32
//! change:    columns stored as bytes, which hold every value
//! predicts:  dram_bytes < 0.3x; time < 0.5x
//! step:      kernel = revenue8; grid = 16 * sms; block = 256; args = price8, amount8, total, 2 * N / 4

extern "C" __global__ void narrow(const int *wide, signed char *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = wide[i];
}

template <class V> __device__ int filtered(V p, V a) {
  return (a.x > 5 ? p.x * a.x : 0) + (a.y > 5 ? p.y * a.y : 0) + (a.z > 5 ? p.z * a.z : 0) + (a.w > 5 ? p.w * a.w : 0);
}

template <class V> __device__ void revenue(const V *__restrict__ price, const V *__restrict__ amount, int *total,
                                           int n) {
  int s = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    s += filtered(price[i], amount[i]);
  s = __reduce_add_sync(0xffffffff, s);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, s);
}

extern "C" __global__ void revenue32(const int4 *price, const int4 *amount, int *total, int n) {
  revenue(price, amount, total, n);
}

extern "C" __global__ void revenue8(const char4 *price, const char4 *amount, int *total, int n) {
  revenue(price, amount, total, n);
}

extern "C" __global__ void revenue_slow(const int *price, const int *amount, int *total, int n) {
  __shared__ int all;
  int s = 0;
  if (threadIdx.x == 0)
    all = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (amount[i] > 5)
      s += price[i] * amount[i];
  atomicAdd(&all, s);
  __syncthreads();
  if (threadIdx.x == 0)
    *total = all;
}
