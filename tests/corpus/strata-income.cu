//! problem:   generic
//! id:        strata-income-bins
//! ladder:    strata-income
//! size:      N = 16M
//! param:     STRATA = 16
//! buffer:    income = fp32[N]; init = random
//! buffer:    household = i32[N]; init = random
//! buffer:    total = fp32[STRATA]
//! output:    total
//! reset:     fill total = 0
//! step:      kernel = totals; grid = 1056; block = 256; args = income, household, total, N
//! reference: kernel = totals_plain; grid = STRATA; block = 1024; args = income, household, total, N
//! tolerance: 4 1e-3
//! note:      weighted totals of a survey by stratum

//! id:        strata-income
//! parent:    strata-income-bins
//! change:    a column of bins a thread, added up at the end
//! predicts:  time < 0.8x
//! step:      kernel = totals_columns; grid = 1056; block = 256; args = income, household, total, N

__device__ int stratum_of(int household) { return household & (STRATA - 1); }
__device__ float weighted(float income, int household) { return income * (1 + 0.25f * (household >> 4 & 3)); }

extern "C" __global__ void __launch_bounds__(256) totals(const float *income, const int *household, float *total, int n) {
  __shared__ float bins[STRATA];
  if (threadIdx.x < STRATA)
    bins[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 4
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    int who = household[i];
    atomicAdd(&bins[stratum_of(who)], weighted(income[i], who));
  }
  __syncthreads();
  if (threadIdx.x < STRATA)
    atomicAdd(&total[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void __launch_bounds__(256) totals_columns(const float *__restrict__ income,
                                                                 const int *__restrict__ household, float *total, int n) {
  __shared__ float bins[STRATA][256];
  for (int s = 0; s < STRATA; s++)
    bins[s][threadIdx.x] = 0;
#pragma unroll 4
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    int who = household[i];
    bins[stratum_of(who)][threadIdx.x] += weighted(income[i], who);
  }
  __syncthreads();
  for (int s = threadIdx.x / 32; s < STRATA; s += 8) {
    float sum = 0;
    for (int k = threadIdx.x % 32; k < 256; k += 32)
      sum += bins[s][k];
    for (int offset = 16; offset; offset /= 2)
      sum += __shfl_xor_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&total[s], sum);
  }
}

extern "C" __global__ void totals_plain(const float *income, const int *household, float *total, int n) {
  __shared__ double part[1024];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    if (stratum_of(household[i]) == blockIdx.x)
      sum += weighted(income[i], household[i]);
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 1024; k++)
      sum += part[k];
    total[blockIdx.x] = sum;
  }
}
