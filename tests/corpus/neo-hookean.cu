//! problem:   generic
//! id:        stress-a-thread
//! ladder:    neo-hookean
//! size:      N = 16M
//! buffer:    gradient = fp32[9 * N / 4]; init = random
//! buffer:    stress = fp32[9 * N / 4]
//! output:    stress
//! step:      kernel = stress_direct; grid = N / 4 / 256; block = 256; args = gradient, stress
//! reference: kernel = stress_double; grid = N / 4 / 256; block = 256; args = gradient, stress
//! tolerance: 1e-4 1e-4
//! flops:     90 * N / 4
//! note:      finite elements: a Neo-Hookean solid's stress at each quadrature point, by the gradient of displacement

//! id:        stress-block-copies
//! parent:    stress-a-thread
//! change:    a block copies the matrices of its 256 points in and out in one piece, in the order in which they lie
//! predicts:  time < 0.7x
//! step:      kernel = stress_staged; grid = N / 4 / 256; block = 256; args = gradient, stress

#define MU     0.8
#define LAMBDA 1.2

// First Piola stress of F = 1 + h / 4:  mu (F - F^-T) + lambda ln(det F) F^-T.
template <class T> __device__ void piola(const T *h, T *p) {
  T f[9], c[9];
#pragma unroll
  for (int k = 0; k < 9; k++)
    f[k] = h[k] * T(0.25) + T(k % 4 == 0 ? 1 : 0);
  c[0] = f[4] * f[8] - f[5] * f[7];
  c[1] = f[5] * f[6] - f[3] * f[8];
  c[2] = f[3] * f[7] - f[4] * f[6];
  c[3] = f[2] * f[7] - f[1] * f[8];
  c[4] = f[0] * f[8] - f[2] * f[6];
  c[5] = f[1] * f[6] - f[0] * f[7];
  c[6] = f[1] * f[5] - f[2] * f[4];
  c[7] = f[2] * f[3] - f[0] * f[5];
  c[8] = f[0] * f[4] - f[1] * f[3];
  T det = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  T factor = (T(LAMBDA) * log(det) - T(MU)) / det;
#pragma unroll
  for (int k = 0; k < 9; k++)
    p[k] = T(MU) * f[k] + factor * c[k];
}

extern "C" __global__ void __launch_bounds__(256)
    stress_direct(const float *__restrict__ gradient, float *__restrict__ stress) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float h[9], p[9];
#pragma unroll
  for (int k = 0; k < 9; k++)
    h[k] = gradient[9 * i + k];
  piola(h, p);
#pragma unroll
  for (int k = 0; k < 9; k++)
    stress[9 * i + k] = p[k];
}

extern "C" __global__ void __launch_bounds__(256)
    stress_staged(const float *__restrict__ gradient, float *__restrict__ stress) {
  __shared__ float stage[9 * 256];
  int first = blockIdx.x * 256 * 9;
  float h[9], p[9];
#pragma unroll
  for (int k = 0; k < 9; k++)
    stage[k * 256 + threadIdx.x] = gradient[first + k * 256 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 9; k++)
    h[k] = stage[9 * threadIdx.x + k];
  piola(h, p);
#pragma unroll
  for (int k = 0; k < 9; k++)
    stage[9 * threadIdx.x + k] = p[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 9; k++)
    stress[first + k * 256 + threadIdx.x] = stage[k * 256 + threadIdx.x];
}

extern "C" __global__ void stress_double(const float *gradient, float *stress) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double h[9], p[9];
  for (int k = 0; k < 9; k++)
    h[k] = gradient[9 * i + k];
  piola(h, p);
  for (int k = 0; k < 9; k++)
    stress[9 * i + k] = p[k];
}
