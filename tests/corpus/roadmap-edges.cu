//! problem:   generic
//! id:        edges-step-by-step
//! ladder:    roadmap-edges
//! size:      N = 16M
//! param:     EDGES = 65536
//! param:     VOXELS = 512
//! param:     SIDE = 128
//! buffer:    hit = i32[EDGES]
//! output:    hit
//! scratch:   swept = 4 * EDGES * VOXELS
//! scratch:   taken = SIDE * SIDE * SIDE / 8
//! setup:     kernel = make_roadmap; grid = EDGES * VOXELS / 256; block = 256; args = swept
//! setup:     kernel = make_obstacles; grid = SIDE * SIDE * SIDE / 32 / 256; block = 256; args = taken
//! step:      kernel = check_edges; grid = EDGES / 8; block = 256; args = swept, taken, hit
//! reference: kernel = check_plain; grid = EDGES / 256; block = 256; args = swept, taken, hit
//! bytes:     4 * EDGES * VOXELS + SIDE * SIDE * SIDE / 8 + 4 * EDGES
//! note:      a robot's arm: a warp goes through the voxels swept along an edge, and stops at the first that is taken

//! id:        edges-four-steps
//! parent:    edges-step-by-step
//! change:    four steps of 32 voxels are asked for before the first is looked at
//! predicts:  time < 0.8x; dram_bytes within 15%
//! step:      kernel = check_edges_four; grid = EDGES / 8; block = 256; args = swept, taken, hit

__device__ unsigned mixed(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// A straight line of VOXELS / 8 cubes of 2 x 2 x 2.
extern "C" __global__ void make_roadmap(unsigned *swept) {
  unsigned i = blockIdx.x * 256 + threadIdx.x, edge = i / VOXELS, k = i % VOXELS;
  unsigned from = mixed(2 * edge), to = mixed(2 * edge + 1), p[3];
  for (int axis = 0; axis < 3; axis++) {
    unsigned a = from >> 8 * axis & (SIDE - 1), b = to >> 8 * axis & (SIDE - 1), step = k / 8, steps = VOXELS / 8;
    p[axis] = ((a * (steps - step) + b * step) / steps + (k >> axis & 1)) & (SIDE - 1);
  }
  swept[i] = (p[2] * SIDE + p[1]) * SIDE + p[0];
}

extern "C" __global__ void make_obstacles(unsigned *taken) {
  unsigned i = blockIdx.x * 256 + threadIdx.x, bits = 0;
  for (unsigned k = 0; k < 32; k++)
    bits |= (unsigned)(mixed(32 * i + k + 77777) % 4096 == 0) << k;
  taken[i] = bits;
}

extern "C" __global__ void __launch_bounds__(256)
    check_edges(const unsigned *__restrict__ swept, const unsigned *__restrict__ taken, int *__restrict__ hit) {
  int edge = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, found = -1;
  const unsigned *list = swept + edge * VOXELS + lane;
  for (int k = 0; k < VOXELS; k += 32) {
    unsigned voxel = list[k];
    unsigned lanes = __ballot_sync(0xffffffff, taken[voxel / 32] >> voxel % 32 & 1);
    if (lanes) {
      found = k + __ffs(lanes) - 1;
      break;
    }
  }
  if (lane == 0)
    hit[edge] = found;
}

extern "C" __global__ void __launch_bounds__(256)
    check_edges_four(const unsigned *__restrict__ swept, const unsigned *__restrict__ taken, int *__restrict__ hit) {
  int edge = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, found = -1;
  const unsigned *list = swept + edge * VOXELS + lane;
  for (int k = 0; k < VOXELS && found < 0; k += 128) {
    unsigned voxel[4], word[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
      voxel[j] = list[k + 32 * j];
#pragma unroll
    for (int j = 0; j < 4; j++)
      word[j] = taken[voxel[j] / 32];
#pragma unroll
    for (int j = 0; j < 4; j++) {
      unsigned lanes = __ballot_sync(0xffffffff, word[j] >> voxel[j] % 32 & 1);
      if (lanes && found < 0)
        found = k + 32 * j + __ffs(lanes) - 1;
    }
  }
  if (lane == 0)
    hit[edge] = found;
}

extern "C" __global__ void check_plain(const unsigned *swept, const unsigned *taken, int *hit) {
  int edge = blockIdx.x * 256 + threadIdx.x;
  hit[edge] = -1;
  for (int k = VOXELS - 1; k >= 0; k--) {
    unsigned voxel = swept[edge * VOXELS + k];
    if (taken[voxel / 32] >> voxel % 32 & 1)
      hit[edge] = k;
  }
}
