//! problem:   generic
//! id:        lattice-move-then-collide
//! ladder:    lattice-boltzmann
//! size:      N = 16M
//! param:     WIDTH = 2048
//! param:     HEIGHT = 2048
//! buffer:    after = fp32[9 * WIDTH * HEIGHT]
//! output:    after
//! scratch:   before = 4 * 9 * WIDTH * HEIGHT
//! scratch:   moved = 4 * 9 * WIDTH * HEIGHT
//! setup:     kernel = make_flow; grid = WIDTH * HEIGHT / 256; block = 256; args = before
//! step:      kernel = move; grid = WIDTH * HEIGHT / 256; block = 256; args = before, moved
//! step:      kernel = collide; grid = WIDTH * HEIGHT / 256; block = 256; args = moved, after
//! reference: kernel = move_and_collide_double; grid = WIDTH * HEIGHT / 256; block = 256; args = before, after
//! tolerance: 1e-5 1e-4
//! bytes:     8 * 9 * WIDTH * HEIGHT
//! flops:     120 * WIDTH * HEIGHT
//! note:      lattice Boltzmann with nine velocities: populations move to the next cell, then relax to equilibrium

//! id:        lattice-one-kernel
//! parent:    lattice-move-then-collide
//! change:    a cell fetches its populations from its neighbours and relaxes them at once
//! predicts:  time < 0.7x
//! step:      kernel = move_and_collide; grid = WIDTH * HEIGHT / 256; block = 256; args = before, after

enum { CELLS = WIDTH * HEIGHT };

__device__ constexpr int ex(int q) {
  return q == 1 || q == 5 || q == 8 ? 1 : q == 3 || q == 6 || q == 7 ? -1 : 0;
}

__device__ constexpr int ey(int q) {
  return q == 2 || q == 5 || q == 6 ? 1 : q == 4 || q == 7 || q == 8 ? -1 : 0;
}

__device__ constexpr double weight(int q) {
  return q == 0 ? 4.0 / 9 : q < 5 ? 1.0 / 9 : 1.0 / 36;
}

extern "C" __global__ void make_flow(float *before) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  for (unsigned q = 0; q < 9; q++) {
    unsigned h = (i * 9 + q) * 0x9e3779b1u;
    h = (h ^ h >> 15) * 0x846ca68bu;
    before[q * CELLS + i] = weight(q) * (0.9 + 0.2 * 0x1p-24 * (h >> 8));
  }
}

// Where the population q of cell i comes from; the lattice closes upon itself.
__device__ int source(int i, int q) {
  int x = (i % WIDTH - ex(q) + WIDTH) % WIDTH, y = (i / WIDTH - ey(q) + HEIGHT) % HEIGHT;
  return q * CELLS + y * WIDTH + x;
}

template <class T> __device__ void relax(T *f) {
  const T omega = T(1.2);
  T rho = 0, u = 0, v = 0;
#pragma unroll
  for (int q = 0; q < 9; q++) {
    rho += f[q];
    if (ex(q))
      u += ex(q) > 0 ? f[q] : -f[q];
    if (ey(q))
      v += ey(q) > 0 ? f[q] : -f[q];
  }
  u /= rho, v /= rho;
#pragma unroll
  for (int q = 0; q < 9; q++) {
    T along = ex(q) * u + ey(q) * v;
    T equilibrium = T(weight(q)) * rho * (1 + 3 * along + T(4.5) * along * along - T(1.5) * (u * u + v * v));
    f[q] += omega * (equilibrium - f[q]);
  }
}

extern "C" __global__ void __launch_bounds__(256) move(const float *__restrict__ before, float *__restrict__ moved) {
  int i = blockIdx.x * 256 + threadIdx.x;
#pragma unroll
  for (int q = 0; q < 9; q++)
    moved[q * CELLS + i] = before[source(i, q)];
}

extern "C" __global__ void __launch_bounds__(256) collide(const float *__restrict__ moved, float *__restrict__ after) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float f[9];
#pragma unroll
  for (int q = 0; q < 9; q++)
    f[q] = moved[q * CELLS + i];
  relax(f);
#pragma unroll
  for (int q = 0; q < 9; q++)
    after[q * CELLS + i] = f[q];
}

extern "C" __global__ void __launch_bounds__(256)
    move_and_collide(const float *__restrict__ before, float *__restrict__ after) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float f[9];
#pragma unroll
  for (int q = 0; q < 9; q++)
    f[q] = before[source(i, q)];
  relax(f);
#pragma unroll
  for (int q = 0; q < 9; q++)
    after[q * CELLS + i] = f[q];
}

extern "C" __global__ void move_and_collide_double(const float *before, float *after) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double f[9];
  for (int q = 0; q < 9; q++)
    f[q] = before[source(i, q)];
  relax(f);
  for (int q = 0; q < 9; q++)
    after[q * CELLS + i] = f[q];
}
