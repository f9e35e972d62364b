//! problem:   generic
//! id:        voxel-slots-plain
//! ladder:    voxel-slots
//! size:      N = 16M
//! param:     SLOTS = 1048576
//! buffer:    total = u32[SLOTS]
//! output:    total
//! scratch:   point = 4 * N
//! setup:     kernel = sweep; grid = N / 256; block = 256; args = point
//! reset:     fill total = 0
//! step:      kernel = deposit; grid = N / 4 / 256; block = 256; args = point, total
//! reference: kernel = deposit_check; grid = SLOTS / 256; block = 256; args = total, N
//! note:      intensities of a lidar sweep summed by the slots of a hashed voxel grid; neighbouring returns mostly lie in one voxel

//! id:        voxel-slots
//! parent:    voxel-slots-plain
//! change:    a thread joins what its four points give to one slot
//! predicts:  time < 0.85x
//! step:      kernel = deposit_joined; grid = N / 4 / 256; block = 256; args = point, total

// 12 bits of intensity above 20 bits of slot
__device__ unsigned slot_of(unsigned p) { return p & (SLOTS - 1); }
__device__ unsigned intensity(unsigned p) { return p >> 20; }

// the return of a beam: eight returns a voxel
__device__ unsigned beam(unsigned i) {
  unsigned voxel = i / 8, mix = (i ^ i >> 13) * 0x85ebca6bu;
  return (mix >> 22) << 20 | (voxel * 0x9e3b1u & (SLOTS - 1));
}

extern "C" __global__ void sweep(unsigned *point) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  point[i] = beam(i);
}

extern "C" __global__ void deposit(const uint4 *point, unsigned *total) {
  uint4 v = point[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned p[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int k = 0; k < 4; k++)
    atomicAdd(&total[slot_of(p[k])], intensity(p[k]));
}

extern "C" __global__ void deposit_joined(const uint4 *point, unsigned *total) {
  uint4 v = point[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned p[4] = {v.x, v.y, v.z, v.w};
  unsigned slot = slot_of(p[0]), sum = intensity(p[0]);
#pragma unroll
  for (int k = 1; k < 4; k++) {
    if (slot_of(p[k]) != slot) {
      atomicAdd(&total[slot], sum);
      slot = slot_of(p[k]);
      sum = 0;
    }
    sum += intensity(p[k]);
  }
  atomicAdd(&total[slot], sum);
}

extern "C" __global__ void deposit_check(unsigned *total, int n) {
  unsigned voxel = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (unsigned v = voxel; v < n / 8; v += SLOTS)
    for (unsigned k = 0; k < 8; k++)
      sum += intensity(beam(8 * v + k));
  total[slot_of(beam(8 * voxel))] = sum;
}
