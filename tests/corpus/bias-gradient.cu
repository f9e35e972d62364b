//! problem:   generic
//! id:        bias-grad-columns
//! ladder:    bias-gradient
//! size:      N = 16M
//! param:     COLS = 1024
//! param:     SLICES = 1
//! buffer:    dy = fp32[N]; init = random
//! buffer:    db = fp32[COLS]
//! output:    db
//! reset:     fill db = 0
//! step:      kernel = bias_grad; grid = COLS / 32, SLICES; block = 32, 8; args = dy, db, N / COLS
//! reference: kernel = bias_grad_double; grid = COLS / 32; block = 32; args = dy, db, N / COLS
//! tolerance: 2e-2 1e-4
//! flops:     N

//! id:        bias-grad-slices
//! parent:    bias-grad-columns
//! change:    the rows in 32 slices, a block each, added by atomics
//! param:     SLICES = 32
//! predicts:  time < 0.4x; dram_bytes within 5%

extern "C" __global__ void bias_grad(const float *__restrict__ dy, float *db, int rows) {
  __shared__ float s[8][32];
  int col = blockIdx.x * 32 + threadIdx.x, slice = rows / SLICES;
  float sum = 0;
#pragma unroll 8
  for (int row = threadIdx.y; row < slice; row += 8)
    sum += dy[(size_t)(blockIdx.y * slice + row) * COLS + col];
  s[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int i = 1; i < 8; i++)
      sum += s[i][threadIdx.x];
    atomicAdd(&db[col], sum);
  }
}

extern "C" __global__ void bias_grad_double(const float *dy, float *db, int rows) {
  int col = blockIdx.x * 32 + threadIdx.x;
  double sum = 0;
  for (int row = 0; row < rows; row++)
    sum += dy[(size_t)row * COLS + col];
  db[col] = sum;
}
