//! problem:   generic
//! id:        revenue-condition-by-condition
//! ladder:    revenue-query
//! size:      N = 16M
//! buffer:    day = u32[N]; init = random
//! buffer:    discount = u32[N]; init = random
//! buffer:    quantity = u32[N]; init = random
//! buffer:    price = u32[N]; init = random
//! buffer:    revenue = u64[1]
//! output:    revenue
//! reset:     fill revenue = 0
//! step:      kernel = one_by_one; grid = 8 * sms; block = 256; args = day, discount, quantity, price, revenue, N
//! reference: kernel = in_one_block; grid = 1; block = 1024; args = day, discount, quantity, price, revenue, N
//! note:      the sum of price times discount over the rows of some days, with a large discount and a small quantity

//! id:        revenue-row-first
//! parent:    revenue-condition-by-condition
//! change:    a row's four values are asked for together, before the first of its conditions is looked at
//! predicts:  time < 0.8x
//! step:      kernel = all_at_once; grid = 8 * sms; block = 256; args = day, discount, quantity, price, revenue, N

typedef unsigned long long sum_t;

__device__ void add_up(sum_t sum, sum_t *revenue) {
  __shared__ sum_t warps[8];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++)
      sum += warps[i];
    atomicAdd(revenue, sum);
  }
}

extern "C" __global__ void one_by_one(const unsigned *__restrict__ day, const unsigned *__restrict__ discount,
                                      const unsigned *__restrict__ quantity, const unsigned *__restrict__ price,
                                      sum_t *revenue, int n) {
  sum_t sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (day[i] >= 30 && day[i] < 80 && discount[i] >= 40 && quantity[i] < 50)
      sum += price[i] * discount[i];
  add_up(sum, revenue);
}

extern "C" __global__ void all_at_once(const unsigned *__restrict__ day, const unsigned *__restrict__ discount,
                                       const unsigned *__restrict__ quantity, const unsigned *__restrict__ price,
                                       sum_t *revenue, int n) {
  sum_t sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned when = day[i], off = discount[i], many = quantity[i], each = price[i];
    sum += (when >= 30) & (when < 80) & (off >= 40) & (many < 50) ? each * off : 0;
  }
  add_up(sum, revenue);
}

extern "C" __global__ void in_one_block(const unsigned *day, const unsigned *discount, const unsigned *quantity,
                                        const unsigned *price, sum_t *revenue, int n) {
  __shared__ sum_t part[1024];
  sum_t sum = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    if (day[i] >= 30 && day[i] < 80 && discount[i] >= 40 && quantity[i] < 50)
      sum += price[i] * discount[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 1024; i++)
      sum += part[i];
    *revenue = sum;
  }
}
