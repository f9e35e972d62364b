//! problem:   generic
//! id:        implicit-lines-32
//! ladder:    implicit-lines
//! size:      N = 16M
//! param:     PITCH = 32
//! buffer:    d = fp32[N]; init = random
//! buffer:    u = fp32[N]
//! output:    u
//! scratch:   coef = 256
//! setup:     kernel = factor; grid = 1; block = 1; args = coef
//! step:      kernel = lines; grid = N / 4096; block = 128; args = d, coef, u
//! reference: kernel = lines_plain; grid = N / 4096; block = 128; args = d, u
//! tolerance: 1e-5 1e-5
//! note:      an implicit step of heat conduction along lines of 32 cells: a tridiagonal system a line

//! id:        implicit-lines
//! parent:    implicit-lines-32
//! change:    lines are 33 words apart in the tile
//! predicts:  time < 0.85x
//! param:     PITCH = 33

#define CELLS 32
#define A 0.8f

// what elimination needs of the matrix, the same for all lines
extern "C" __global__ void factor(float2 *coef) {
  float c = 0;
  for (int i = 0; i < CELLS; i++) {
    float m = 1 / (1 + 2 * A + A * c);
    c = -A * m;
    coef[i] = make_float2(c, m);
  }
}

extern "C" __global__ void __launch_bounds__(128) lines(const float *__restrict__ d, const float2 *__restrict__ coef,
                                                        float *__restrict__ u) {
  __shared__ float tile[128 * PITCH];
  int base = blockIdx.x * 128 * CELLS;
  for (int i = threadIdx.x; i < 128 * CELLS; i += 128)
    tile[i / CELLS * PITCH + i % CELLS] = d[base + i];
  __syncthreads();

  // a thread a line: elimination downwards, then the solution upwards
  float *line = tile + threadIdx.x * PITCH, v = 0;
#pragma unroll 8
  for (int i = 0; i < CELLS; i++) {
    v = (line[i] + A * v) * coef[i].y;
    line[i] = v;
  }
#pragma unroll 8
  for (int i = CELLS - 2; i >= 0; i--) {
    v = line[i] - coef[i].x * v;
    line[i] = v;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 128 * CELLS; i += 128)
    u[base + i] = tile[i / CELLS * PITCH + i % CELLS];
}

extern "C" __global__ void lines_plain(const float *d, float *u) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * CELLS;
  double c[CELLS], v[CELLS], last = 0, before = 0;
  for (int i = 0; i < CELLS; i++) {
    double m = 1 / (1 + 2 * (double)A + (double)A * before);
    before = c[i] = -(double)A * m;
    last = v[i] = (d[base + i] + (double)A * last) * m;
  }
  u[base + CELLS - 1] = last;
  for (int i = CELLS - 2; i >= 0; i--)
    u[base + i] = last = v[i] - c[i] * last;
}
