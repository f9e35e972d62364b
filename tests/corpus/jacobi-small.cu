//! problem:   generic
//! id:        jacobi-launch-a-sweep
//! ladder:    jacobi-small
//! size:      N = 16M
//! param:     SIDE = 64
//! buffer:    start = fp32[SIDE * SIDE]; init = random
//! buffer:    end = fp32[SIDE * SIDE]
//! output:    end
//! scratch:   a = 4 * SIDE * SIDE
//! scratch:   b = 4 * SIDE * SIDE
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = start, a
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = a, b
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = b, a
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = a, b
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = b, a
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = a, b
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = b, a
//! step:      kernel = sweep; grid = SIDE / 16, SIDE / 16; block = 16, 16; args = a, end
//! reference: kernel = sweeps; grid = 1; block = 1024; args = start, end
//! flops:     8 * 5 * SIDE * SIDE
//! note:      eight sweeps over a grid of 64 x 64, the coarse level of a multigrid cycle

//! id:        jacobi-one-launch
//! parent:    jacobi-launch-a-sweep
//! change:    one block holds the grid in shared memory and makes all eight sweeps
//! predicts:  time < 0.6x
//! step:      kernel = sweeps; grid = 1; block = 1024; args = start, end

__device__ float relaxed(const float *u, int at) {
  int row = at / SIDE, col = at % SIDE;
  if (row == 0 || col == 0 || row == SIDE - 1 || col == SIDE - 1)
    return u[at];
  return 0.25f * ((u[at - SIDE] + u[at + SIDE]) + (u[at - 1] + u[at + 1]));
}

extern "C" __global__ void sweep(const float *u, float *next) {
  int at = (blockIdx.y * 16 + threadIdx.y) * SIDE + blockIdx.x * 16 + threadIdx.x;
  next[at] = relaxed(u, at);
}

extern "C" __global__ void sweeps(const float *start, float *end) {
  __shared__ float u[2][SIDE * SIDE];
  for (int at = threadIdx.x; at < SIDE * SIDE; at += 1024)
    u[0][at] = start[at];
  __syncthreads();
  for (int s = 0; s < 8; s++) {
    for (int at = threadIdx.x; at < SIDE * SIDE; at += 1024)
      u[(s + 1) % 2][at] = relaxed(u[s % 2], at);
    __syncthreads();
  }
  for (int at = threadIdx.x; at < SIDE * SIDE; at += 1024)
    end[at] = u[0][at];
}
