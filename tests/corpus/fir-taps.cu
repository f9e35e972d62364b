//! problem:   generic
//! id:        fir-word-loads
//! ladder:    fir-taps
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = fir_words; grid = N / 1024; block = 256; args = x, y, N
//! reference: kernel = fir_double; grid = N / 256; block = 256; args = x, y, N
//! tolerance: 1e-5 1e-5
//! flops:     2 * 33 * N
//! note:      a filter of 33 taps, the weights known to the compiler

//! id:        fir-window
//! parent:    fir-word-loads
//! change:    a thread makes four neighbouring results from one window in registers, read 16 bytes at a time
//! predicts:  inst < 0.8x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = fir_window; grid = N / 1024; block = 256; args = x, y, N

enum { TAPS = 33, TILE = 1024, HELD = TILE + 36 };
__device__ constexpr float weight(int k) { return 1.0f / (1 + k); }

__device__ void load_tile(float *tile, const float *x, int n) {
  for (int i = threadIdx.x; i < HELD; i += 256)
    tile[i] = blockIdx.x * TILE + i < n ? x[blockIdx.x * TILE + i] : 0;
  __syncthreads();
}

extern "C" __global__ void fir_words(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[HELD];
  load_tile(tile, x, n);
#pragma unroll 1
  for (int i = threadIdx.x; i < TILE; i += 256) {
    float s = 0;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
      s += weight(k) * tile[i + k];
    y[blockIdx.x * TILE + i] = s;
  }
}

extern "C" __global__ void fir_window(const float *__restrict__ x, float4 *__restrict__ y, int n) {
  __shared__ __align__(16) float tile[HELD];
  float w[36], s[4] = {0, 0, 0, 0};
  load_tile(tile, x, n);
#pragma unroll
  for (int i = 0; i < 9; i++)
    *(float4 *)&w[4 * i] = ((float4 *)tile)[threadIdx.x + i];
#pragma unroll
  for (int k = 0; k < TAPS; k++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      s[j] += weight(k) * w[j + k];
  y[blockIdx.x * 256 + threadIdx.x] = make_float4(s[0], s[1], s[2], s[3]);
}

extern "C" __global__ void fir_double(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < TAPS && i + k < n; k++)
    s += (double)weight(k) * x[i + k];
  y[i] = s;
}
