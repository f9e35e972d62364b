//! problem:   generic
//! id:        dense-lu-unpadded
//! ladder:    dense-lu
//! size:      N = 16M
//! param:     BATCH = 4096
//! param:     PAD = 0
//! buffer:    a = fp32[BATCH * 1024]; init = random
//! buffer:    lu = fp32[BATCH * 1024]
//! output:    lu
//! step:      kernel = factor; grid = BATCH / 2; block = 64; args = a, lu
//! reference: kernel = factor_plain; grid = BATCH; block = 32; args = a, lu
//! tolerance: 1e-4 1e-4
//! flops:     2 * 10416 * BATCH
//! note:      matrices of 32 x 32 with a heavy diagonal, a warp each and a lane a row

//! id:        dense-lu-padded
//! parent:    dense-lu-unpadded
//! change:    one word of padding a row
//! param:     PAD = 1
//! predicts:  shared_bank_conflicts < 0.1x; time < 0.5x; inst within 5%

// L below the diagonal, U on and above it.
extern "C" __global__ void __launch_bounds__(64) factor(const float *__restrict__ a, float *__restrict__ lu) {
  __shared__ float held[2][32][32 + PAD];
  int lane = threadIdx.x % 32;
  auto &m = held[threadIdx.x / 32];
  size_t first = (size_t)(blockIdx.x * 2 + threadIdx.x / 32) * 1024;
#pragma unroll
  for (int row = 0; row < 32; row++)
    m[row][lane] = a[first + row * 32 + lane] + (row == lane ? 32 : 0);
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < 31; k++) {
    if (lane > k) {
      float factor = m[lane][k] / m[k][k];
      m[lane][k] = factor;
#pragma unroll 4
      for (int col = k + 1; col < 32; col++)
        m[lane][col] -= factor * m[k][col];
    }
    __syncwarp();
  }
#pragma unroll
  for (int row = 0; row < 32; row++)
    lu[first + row * 32 + lane] = m[row][lane];
}

extern "C" __global__ void factor_plain(const float *a, float *lu) {
  __shared__ double m[32][32];
  int col = threadIdx.x;
  for (int row = 0; row < 32; row++)
    m[row][col] = a[(blockIdx.x * 32 + row) * 32 + col] + (row == col ? 32.0 : 0);
  __syncwarp();
  for (int k = 0; k < 31; k++)
    for (int row = k + 1; row < 32; row++) {
      double factor = m[row][k] / m[k][k];
      __syncwarp();
      if (col == k)
        m[row][col] = factor;
      if (col > k)
        m[row][col] -= factor * m[k][col];
      __syncwarp();
    }
  for (int row = 0; row < 32; row++)
    lu[(blockIdx.x * 32 + row) * 32 + col] = m[row][col];
}
