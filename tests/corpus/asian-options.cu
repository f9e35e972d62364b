//! problem:   generic
//! id:        options-a-block
//! ladder:    asian-options
//! size:      N = 16M
//! param:     OPTIONS = 64
//! param:     PATHS = 65536
//! param:     DATES = 16
//! param:     PIECES = 1
//! buffer:    terms = fp32[4 * OPTIONS]; init = random
//! buffer:    price = fp32[OPTIONS]
//! output:    price
//! scratch:   part = 4 * OPTIONS * 16
//! step:      kernel = simulate; grid = PIECES, OPTIONS; block = 1024; args = terms, part
//! step:      kernel = finish; grid = 1; block = OPTIONS; args = part, price
//! reference: kernel = simulate_double; grid = OPTIONS; block = 256; args = terms, price
//! tolerance: 1e-3 1e-3
//! flops:     40 * OPTIONS * PATHS * DATES
//! note:      Asian options, priced by 65536 random paths each; a second kernel adds up the PIECES sums of an option

//! id:        options-sixteen-blocks
//! parent:    options-a-block
//! change:    the paths of an option in sixteen pieces, a block each
//! param:     PIECES = 16
//! predicts:  time < 0.7x; inst within 10%

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// What a path pays: the mean of its prices at DATES dates above the strike.
__device__ float payoff(const float *terms, int option, int path) {
  float rate = 0.03f + 0.02f * terms[4 * option], sigma = 0.3f + 0.1f * terms[4 * option + 1];
  float strike = 1 + 0.1f * terms[4 * option + 2], dt = (1.5f + terms[4 * option + 3]) / DATES;
  float drift = (rate - 0.5f * sigma * sigma) * dt, spread = sigma * sqrtf(dt), x = 0, sum = 0;
#pragma unroll 2
  for (int k = 0; k < DATES; k += 2) {
    unsigned a = mixed((option * PATHS + path) * DATES + k), b = mixed(a + 0x9e3779b9u);
    float u = (a >> 8) * 0x1p-24f + 0x1p-25f, v = (b >> 8) * 0x1p-24f;
    float r = spread * sqrtf(-2 * __logf(u)), sine, cosine;
    __sincosf(6.2831853f * v, &sine, &cosine);
    x += drift + r * cosine;
    sum += __expf(x);
    x += drift + r * sine;
    sum += __expf(x);
  }
  return fmaxf(sum * (1.0f / DATES) - strike, 0);
}

extern "C" __global__ void __launch_bounds__(1024) simulate(const float *__restrict__ terms, float *__restrict__ part) {
  __shared__ float sums[32];
  int option = blockIdx.y, piece = blockIdx.x;
  float s = 0;
  for (int path = piece * 1024 + threadIdx.x; path < PATHS; path += PIECES * 1024)
    s += payoff(terms, option, path);
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = sums[threadIdx.x];
    for (int offset = 16; offset; offset /= 2)
      s += __shfl_down_sync(0xffffffff, s, offset);
    if (threadIdx.x == 0)
      part[option * PIECES + piece] = s;
  }
}

extern "C" __global__ void finish(const float *__restrict__ part, float *__restrict__ price) {
  float s = 0;
  for (int k = 0; k < PIECES; k++)
    s += part[threadIdx.x * PIECES + k];
  price[threadIdx.x] = s * (1.0f / PATHS);
}

extern "C" __global__ void simulate_double(const float *terms, float *price) {
  __shared__ double sums[256];
  double s = 0;
  for (int path = threadIdx.x; path < PATHS; path += 256)
    s += payoff(terms, blockIdx.x, path);
  sums[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 256; k++)
      s += sums[k];
    price[blockIdx.x] = s / PATHS;
  }
}
