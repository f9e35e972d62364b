//! problem:   generic
//! id:        depth-each-base
//! ladder:    read-depth
//! size:      N = 16M
//! param:     READS = 524288
//! param:     LENGTH = 100
//! param:     WINDOW = 1280
//! buffer:    depth = u32[READS * 4]; init = zero
//! output:    depth
//! scratch:   start = 4 * READS
//! setup:     kernel = make_starts; grid = READS / 256; block = 256; args = start
//! reset:     fill depth = 0
//! step:      kernel = depth_each_base; grid = READS / 256; block = 256; args = start, depth
//! reference: kernel = depth_searched; grid = READS * 4 / 256; block = 256; args = start, depth
//! bytes:     4 * READS + 8 * READS * 4
//! note:      how many aligned reads cover each position of a genome; reads of 100 bases in order of position, 30 deep

//! id:        depth-block-window
//! parent:    depth-each-base
//! change:    a block, whose 256 reads lie close together, counts in a window of its own and adds that at its end
//! predicts:  time < 0.7x
//! step:      kernel = depth_window; grid = READS / 256; block = 256; args = start, depth

extern "C" __global__ void make_starts(int *start) {
  unsigned r = blockIdx.x * 256 + threadIdx.x;
  unsigned h = (r ^ r >> 9) * 0x9e3779b1u;
  start[r] = (10 * r + (h >> 16) % 10) / 3;
}

extern "C" __global__ void depth_each_base(const int *__restrict__ start, unsigned *depth) {
  int first = start[blockIdx.x * 256 + threadIdx.x];
  for (int k = 0; k < LENGTH; k++)
    atomicAdd(&depth[first + k], 1);
}

extern "C" __global__ void depth_window(const int *__restrict__ start, unsigned *depth) {
  __shared__ unsigned window[WINDOW];
  int origin = start[blockIdx.x * 256], first = start[blockIdx.x * 256 + threadIdx.x] - origin;
  for (int k = threadIdx.x; k < WINDOW; k += 256)
    window[k] = 0;
  __syncthreads();
  if (first + LENGTH <= WINDOW)
    for (int k = 0; k < LENGTH; k++)
      atomicAdd(&window[first + k], 1);
  else // where reads are sparse
    for (int k = 0; k < LENGTH; k++)
      atomicAdd(&depth[origin + first + k], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < WINDOW; k += 256)
    if (window[k])
      atomicAdd(&depth[origin + k], window[k]);
}

// Number of reads that start before position p.
__device__ int starts_before(const int *start, int p) {
  int low = 0, high = READS;
  while (low < high) {
    int middle = (low + high) / 2;
    if (start[middle] < p)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

extern "C" __global__ void depth_searched(const int *start, unsigned *depth) {
  int p = blockIdx.x * 256 + threadIdx.x;
  depth[p] = starts_before(start, p + 1) - starts_before(start, p + 1 - LENGTH);
}
