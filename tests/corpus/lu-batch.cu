//! problem:   generic
//! id:        lu-pitch-36
//! ladder:    lu-batch
//! size:      N = 16M
//! param:     PITCH = 36
//! buffer:    a = fp32[N / 4]; init = random
//! buffer:    lu = fp32[N / 4]
//! output:    lu
//! step:      kernel = factor; grid = N / 4 / 4096; block = 128; args = a, lu
//! reference: kernel = factor_plain; grid = N / 4 / 1024 / 32; block = 32; args = a, lu
//! tolerance: 1e-3 1e-4
//! flops:     21824 * N / 4 / 1024
//! note:      a warp a matrix of 32 x 32, a lane a row; rows of shared memory padded to stay aligned to 16 bytes

//! id:        lu-pitch-33
//! parent:    lu-pitch-36
//! change:    an odd pitch: a column lies in 32 banks, instead of in eight
//! param:     PITCH = 33
//! predicts:  time < 0.7x; inst within 5%; dram_bytes within 5%

__device__ float dominant(float v, int row, int col) { return row == col ? v + 32 : v; } // no pivoting

extern "C" __global__ void factor(const float *a, float *lu) {
  __shared__ float tiles[4][32 * PITCH];
  float *tile = tiles[threadIdx.x / 32];
  int lane = threadIdx.x % 32, first = (blockIdx.x * 4 + threadIdx.x / 32) * 1024;
  for (int row = 0; row < 32; row++)
    tile[row * PITCH + lane] = dominant(a[first + row * 32 + lane], row, lane);
  __syncwarp();
  for (int k = 0; k < 31; k++) {
    if (lane > k) {
      float by = tile[lane * PITCH + k] / tile[k * PITCH + k];
      tile[lane * PITCH + k] = by;
#pragma unroll 4
      for (int j = k + 1; j < 32; j++)
        tile[lane * PITCH + j] -= by * tile[k * PITCH + j];
    }
    __syncwarp();
  }
  for (int row = 0; row < 32; row++)
    lu[first + row * 32 + lane] = tile[row * PITCH + lane];
}

// A thread a matrix, in place.
extern "C" __global__ void factor_plain(const float *a, float *lu) {
  size_t first = (blockIdx.x * blockDim.x + threadIdx.x) * (size_t)1024;
  float *m = lu + first;
  for (int i = 0; i < 1024; i++)
    m[i] = dominant(a[first + i], i / 32, i % 32);
  for (int k = 0; k < 32; k++)
    for (int row = k + 1; row < 32; row++) {
      m[row * 32 + k] /= m[k * 32 + k];
      for (int j = k + 1; j < 32; j++)
        m[row * 32 + j] -= m[row * 32 + k] * m[k * 32 + j];
    }
}
