//! problem:   generic
//! id:        pde-bratu-every-cell
//! ladder:    pde-bratu
//! size:      N = 16M
//! param:     SIDE = 4096
//! buffer:    u = fp32[N]; init = random
//! output:    u
//! reset:     init u
//! step:      kernel = every_cell; grid = SIDE / 32, SIDE / 8; block = 32, 8; args = u
//! reference: kernel = relax_plain; grid = SIDE / 256, SIDE; block = 256; args = u
//! tolerance: 1e-5 1e-5
//! flops:     10 * 6 * N / 2
//! note:      the red half of a nonlinear Gauss-Seidel sweep, ten Newton steps a cell; SIDE * SIDE is N, the rim stays

//! id:        pde-bratu-red-cells
//! parent:    pde-bratu-every-cell
//! change:    threads for the red cells only, instead of a thread for every cell whose colour it then asks for
//! predicts:  inst < 0.7x; time < 0.8x; dram_bytes within 10%
//! step:      kernel = red_cells; grid = SIDE / 64, SIDE / 8; block = 32, 8; args = u

__device__ bool inner(int x, int y) { return x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1; }

// Newton's method for 4 v + exp(v) = the sum of the four neighbours, from the value that the cell has.
template <class T> __device__ T solved(const float *at, T (*power)(T)) {
  T sum = (T)at[-1] + at[1] + at[-SIDE] + at[SIDE], v = *at;
#pragma unroll 1
  for (int step = 0; step < 10; step++) {
    T e = power(v);
    v -= (4 * v + e - sum) / (4 + e);
  }
  return v;
}

__device__ float fast(float v) { return __expf(v); }
__device__ double exact(double v) { return exp(v); }

extern "C" __global__ void every_cell(float *u) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (inner(x, y) && (x + y) % 2 == 0)
    u[y * SIDE + x] = solved(u + y * SIDE + x, fast);
}

extern "C" __global__ void red_cells(float *u) {
  int y = blockIdx.y * 8 + threadIdx.y, x = (blockIdx.x * 32 + threadIdx.x) * 2 + y % 2;
  if (inner(x, y))
    u[y * SIDE + x] = solved(u + y * SIDE + x, fast);
}

extern "C" __global__ void relax_plain(float *u) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  if (inner(x, y) && (x + y) % 2 == 0)
    u[y * SIDE + x] = solved(u + y * SIDE + x, exact);
}
