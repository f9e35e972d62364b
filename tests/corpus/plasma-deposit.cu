//! problem:   generic
//! id:        deposit-each-particle
//! ladder:    plasma-deposit
//! size:      N = 16M
//! param:     SIDE = 512
//! buffer:    u = fp32[N / 2]; init = random
//! buffer:    v = fp32[N / 2]; init = random
//! buffer:    charge = fp32[N / 2]; init = random
//! buffer:    rho = fp32[SIDE * SIDE]
//! output:    rho
//! reset:     fill rho = 0
//! step:      kernel = deposit_each; grid = N / 2 / 256; block = 256; args = u, v, charge, rho
//! reference: kernel = gather_double; grid = SIDE * SIDE / 256; block = 256; args = u, v, charge, rho
//! tolerance: 1e-4 1e-4
//! flops:     10 * N / 2
//! note:      charge of particles on the corners of their cells; sorted by cell, 32 a cell; u, v in [-1, 1)

//! id:        deposit-each-cell
//! parent:    deposit-each-particle
//! change:    a warp adds up its cell's particles before it adds to the four corners
//! predicts:  time < 0.6x; dram_bytes within 10%
//! step:      kernel = deposit_cell; grid = N / 2 / 256; block = 256; args = u, v, charge, rho

enum { PER_CELL = 32 };

__device__ int node(int x, int y) { return (y & (SIDE - 1)) * SIDE + (x & (SIDE - 1)); }

struct corners {
  float w[4];
};

__device__ corners shares(float u, float v, float charge) {
  float x = 0.5f + 0.5f * u, y = 0.5f + 0.5f * v;
  return {{charge * (1 - x) * (1 - y), charge * x * (1 - y), charge * (1 - x) * y, charge * x * y}};
}

extern "C" __global__ void deposit_each(const float *u, const float *v, const float *charge, float *rho) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, x = p / PER_CELL % SIDE, y = p / PER_CELL / SIDE;
  corners c = shares(u[p], v[p], charge[p]);
#pragma unroll
  for (int k = 0; k < 4; k++)
    atomicAdd(&rho[node(x + k % 2, y + k / 2)], c.w[k]);
}

extern "C" __global__ void deposit_cell(const float *u, const float *v, const float *charge, float *rho) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, x = p / PER_CELL % SIDE, y = p / PER_CELL / SIDE;
  corners c = shares(u[p], v[p], charge[p]);
#pragma unroll
  for (int k = 0; k < 4; k++) {
    for (int offset = 16; offset; offset /= 2)
      c.w[k] += __shfl_down_sync(0xffffffff, c.w[k], offset);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&rho[node(x + k % 2, y + k / 2)], c.w[k]);
  }
}

// A node takes from the particles of the four cells around it.
extern "C" __global__ void gather_double(const float *u, const float *v, const float *charge, float *rho) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % SIDE, y = i / SIDE;
  double s = 0;
  for (int k = 0; k < 4; k++)
    for (int p = node(x - k % 2, y - k / 2) * PER_CELL, end = p + PER_CELL; p < end; p++) {
      double right = (u[p] + 1.0) / 2, up = (v[p] + 1.0) / 2;
      s += charge[p] * (k % 2 ? right : 1 - right) * (k / 2 ? up : 1 - up);
    }
  rho[i] = s;
}
