//! problem:   generic
//! id:        outer-six-blocks
//! ladder:    outer-products
//! size:      N = 16M
//! param:     SIDE = 2048
//! param:     DEPTH = 512
//! param:     BLOCKS = 6
//! buffer:    a = fp32[DEPTH * SIDE]; init = random
//! buffer:    b = fp32[DEPTH * SIDE]; init = random
//! buffer:    c = fp32[SIDE * SIDE]
//! output:    c
//! step:      kernel = outer; grid = SIDE / 128, SIDE / 128; block = 16, 16; args = a, b, c
//! reference: kernel = outer_double; grid = SIDE / 256, SIDE; block = 256; args = a, b, c
//! tolerance: 1e-3 1e-4
//! flops:     2 * DEPTH * SIDE * SIDE
//! note:      c = a^T b, 8 x 8 results a thread; the launch bound asks for 1536 threads an SM

//! id:        outer-few-blocks
//! parent:    outer-six-blocks
//! change:    a launch bound that leaves the 64 sums their registers
//! param:     BLOCKS = 2
//! predicts:  registers > 1.5x; time < 0.8x

extern "C" __global__ void __launch_bounds__(256, BLOCKS)
    outer(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  int row = blockIdx.y * 128 + threadIdx.y * 8, col = blockIdx.x * 128 + threadIdx.x * 8;
  float s[8][8] = {};
#pragma unroll 1
  for (int k = 0; k < DEPTH; k++) {
    const float4 *x = (const float4 *)(a + k * SIDE + row), *y = (const float4 *)(b + k * SIDE + col);
    float4 u0 = x[0], u1 = x[1], v0 = y[0], v1 = y[1];
    float u[8] = {u0.x, u0.y, u0.z, u0.w, u1.x, u1.y, u1.z, u1.w};
    float v[8] = {v0.x, v0.y, v0.z, v0.w, v1.x, v1.y, v1.z, v1.w};
#pragma unroll
    for (int i = 0; i < 64; i++)
      s[i / 8][i % 8] += u[i / 8] * v[i % 8];
  }
#pragma unroll
  for (int i = 0; i < 64; i++)
    c[(row + i / 8) * SIDE + col + i % 8] = s[i / 8][i % 8];
}

extern "C" __global__ void outer_double(const float *a, const float *b, float *c) {
  int row = blockIdx.y, col = blockIdx.x * 256 + threadIdx.x;
  double s = 0;
  for (int k = 0; k < DEPTH; k++)
    s += (double)a[k * SIDE + row] * b[k * SIDE + col];
  c[row * SIDE + col] = s;
}
