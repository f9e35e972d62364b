//! problem:   generic
//! id:        bit-planes-votes
//! ladder:    bit-planes
//! size:      N = 16M
//! buffer:    value = i32[N]; init = random
//! buffer:    plane = u32[N]
//! output:    plane
//! step:      kernel = planes; grid = N / 256; block = 256; args = value, plane
//! reference: kernel = planes_plain; grid = N / 256; block = 256; args = value, plane
//! note:      bit slices of a column of integers, 32 values a group: word b of a group holds bit b of all of them, as a lossless packer wants it

//! id:        bit-planes
//! parent:    bit-planes-votes
//! change:    a warp exchanges halves, quarters, ... of its words in five steps
//! predicts:  time < 0.85x
//! step:      kernel = planes_exchanged; grid = N / 256; block = 256; args = value, plane

// zigzag: small numbers of either sign have few bits
__device__ unsigned zigzag(int v) { return (unsigned)v << 1 ^ (unsigned)(v >> 31); }

__device__ unsigned slice_votes(unsigned v) {
  unsigned mine = 0;
#pragma unroll
  for (int b = 0; b < 32; b++) {
    unsigned word = __ballot_sync(~0u, v >> b & 1);
    if (threadIdx.x % 32 == b)
      mine = word;
  }
  return mine;
}

__device__ unsigned slice_exchange(unsigned v) {
  unsigned keep = 0x0000ffff;
#pragma unroll
  for (int step = 16; step; step /= 2, keep ^= keep << step) {
    unsigned other = __shfl_xor_sync(~0u, v, step);
    v = threadIdx.x & step ? (v & ~keep) | (other >> step & keep) : (v & keep) | (other & keep) << step;
  }
  return v;
}

extern "C" __global__ void planes(const int *value, unsigned *plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  plane[i] = slice_votes(zigzag(value[i]));
}

extern "C" __global__ void planes_exchanged(const int *value, unsigned *plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  plane[i] = slice_exchange(zigzag(value[i]));
}

extern "C" __global__ void planes_plain(const int *value, unsigned *plane) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, bit = i % 32, first = i - bit;
  unsigned word = 0;
  for (int k = 0; k < 32; k++)
    word |= (zigzag(value[first + k]) >> bit & 1) << k;
  plane[i] = word;
}
