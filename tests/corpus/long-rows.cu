//! problem:   generic
//! id:        norms-block-a-row
//! ladder:    long-rows
//! size:      N = 16M
//! param:     COLS = 65536
//! param:     PIECES = 1
//! buffer:    x = fp32[(8 * sms + 16) * COLS]; init = random
//! buffer:    norms = fp32[8 * sms + 16]
//! output:    norms
//! reset:     fill norms = 0
//! step:      kernel = row_norms; grid = PIECES, 8 * sms + 16; block = 256; args = x, norms
//! reference: kernel = norms_double; grid = 8 * sms + 16; block = 32; args = x, norms
//! tolerance: 1e-3 1e-4
//! flops:     2 * COLS * (8 * sms + 16)
//! note:      sixteen rows more than the chip has blocks at a time

//! id:        norms-pieces
//! parent:    norms-block-a-row
//! change:    a row in 16 pieces, a block each, added by atomics
//! param:     PIECES = 16
//! predicts:  time < 0.95x; dram_bytes within 5%

extern "C" __global__ void __launch_bounds__(256, 8) row_norms(const float4 *__restrict__ x, float *norms) {
  __shared__ float warps[8];
  const float4 *piece = x + (size_t)(blockIdx.y * PIECES + blockIdx.x) * (COLS / PIECES / 4);
  float s = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < COLS / PIECES / 4; i += 256)
    s += piece[i].x * piece[i].x + piece[i].y * piece[i].y + piece[i].z * piece[i].z + piece[i].w * piece[i].w;
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++)
      s += warps[i];
    atomicAdd(&norms[blockIdx.y], s);
  }
}

extern "C" __global__ void norms_double(const float *x, float *norms) {
  double s = 0;
  for (int i = threadIdx.x; i < COLS; i += 32)
    s += (double)x[(size_t)blockIdx.x * COLS + i] * x[(size_t)blockIdx.x * COLS + i];
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x == 0)
    norms[blockIdx.x] = s;
}
