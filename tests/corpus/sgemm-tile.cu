//! problem:   generic
//! id:        sgemm-one-result
//! ladder:    sgemm-tile
//! size:      N = 16M
//! param:     SIDE = 1024
//! buffer:    a = fp32[SIDE * SIDE]; init = random
//! buffer:    b = fp32[SIDE * SIDE]; init = random
//! buffer:    c = fp32[SIDE * SIDE]
//! output:    c
//! step:      kernel = one_result; grid = SIDE / 32, SIDE / 32; block = 32, 32; args = a, b, c
//! reference: kernel = sgemm_double; grid = SIDE / 256, SIDE; block = 256; args = a, b, c
//! tolerance: 1e-3 1e-4
//! flops:     2 * SIDE * SIDE * SIDE

//! id:        sgemm-sixteen-results
//! parent:    sgemm-one-result
//! change:    a thread makes 4 x 4 results from registers: a quarter of the shared loads of each
//! predicts:  inst < 0.7x; time < 0.7x
//! step:      kernel = sixteen_results; grid = SIDE / 64, SIDE / 64; block = 16, 16; args = a, b, c

extern "C" __global__ void one_result(const float *__restrict__ a, const float *__restrict__ b,
                                      float *__restrict__ c) {
  __shared__ float as[32][32], bs[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float s = 0;
  for (int k0 = 0; k0 < SIDE; k0 += 32) {
    as[threadIdx.y][threadIdx.x] = a[row * SIDE + k0 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * SIDE + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++)
      s += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * SIDE + col] = s;
}

extern "C" __global__ void sixteen_results(const float *__restrict__ a, const float *__restrict__ b,
                                           float *__restrict__ c) {
  __shared__ __align__(16) float as[32][68], bs[32][64]; // a stored by columns
  int tid = threadIdx.y * 16 + threadIdx.x;
  float s[4][4] = {};
  for (int k0 = 0; k0 < SIDE; k0 += 32) {
#pragma unroll
    for (int i = 0; i < 8; i++) {
      int at = tid + i * 256;
      as[at % 32][at / 32] = a[(blockIdx.y * 64 + at / 32) * SIDE + k0 + at % 32];
      bs[at / 64][at % 64] = b[(k0 + at / 64) * SIDE + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) {
      float4 x = *(float4 *)&as[k][threadIdx.y * 4], y = *(float4 *)&bs[k][threadIdx.x * 4];
      float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 16; i++)
        s[i / 4][i % 4] += xs[i / 4] * ys[i % 4];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    *(float4 *)&c[(blockIdx.y * 64 + threadIdx.y * 4 + i) * SIDE + blockIdx.x * 64 + threadIdx.x * 4] =
        make_float4(s[i][0], s[i][1], s[i][2], s[i][3]);
}

extern "C" __global__ void sgemm_double(const float *a, const float *b, float *c) {
  int row = blockIdx.y, col = blockIdx.x * 256 + threadIdx.x;
  double s = 0;
  for (int k = 0; k < SIDE; k++)
    s += (double)a[row * SIDE + k] * b[k * SIDE + col];
  c[row * SIDE + col] = s;
}
