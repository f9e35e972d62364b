//! problem:   generic
//! id:        cluster-a-block
//! ladder:    lidar-clusters
//! size:      N = 16M
//! param:     CHUNK = 8192
//! param:     LARGE = 16
//! param:     SMALL = 512
//! let:       CHUNKS = LARGE * 32 + SMALL
//! buffer:    x = i32[(LARGE * 32 + SMALL) * CHUNK]; init = random
//! buffer:    y = i32[(LARGE * 32 + SMALL) * CHUNK]; init = random
//! buffer:    z = i32[(LARGE * 32 + SMALL) * CHUNK]; init = random
//! buffer:    extent = i32[9 * (LARGE + SMALL)]
//! output:    extent
//! scratch:   begin = 4 * (LARGE + SMALL + 1)
//! scratch:   piece = 36 * CHUNKS
//! setup:     kernel = make_clusters; grid = 1; block = 1024; args = begin
//! step:      kernel = measure_clusters; grid = LARGE + SMALL; block = 256; args = x, y, z, begin, extent
//! reference: kernel = measure_plain; grid = LARGE + SMALL; block = 32; args = x, y, z, begin, extent
//! note:      the box and the sums of each cluster of lidar points, in centimetres; the ground and walls are 32 times others

//! id:        cluster-in-chunks
//! parent:    cluster-a-block
//! change:    a block measures 8192 points, and a warp then joins the chunks of each cluster
//! predicts:  time < 0.6x
//! step:      kernel = measure_chunks; grid = CHUNKS; block = 256; args = x, y, z, piece
//! step:      kernel = join_chunks; grid = (LARGE + SMALL) / 8; block = 256; args = piece, begin, extent

enum { CLUSTERS = LARGE + SMALL, WARPS = 8 };

struct box {
  int low[3], high[3], sum[3];
};

__device__ box nothing() {
  return {{1 << 30, 1 << 30, 1 << 30}, {-(1 << 30), -(1 << 30), -(1 << 30)}, {0, 0, 0}};
}

__device__ void join(box &a, const box &b) {
#pragma unroll
  for (int k = 0; k < 3; k++) {
    a.low[k] = min(a.low[k], b.low[k]);
    a.high[k] = max(a.high[k], b.high[k]);
    a.sum[k] += b.sum[k];
  }
}

__device__ void join_lanes(box &a) {
#pragma unroll
  for (int k = 0; k < 3; k++) {
    a.low[k] = __reduce_min_sync(0xffffffff, a.low[k]);
    a.high[k] = __reduce_max_sync(0xffffffff, a.high[k]);
    a.sum[k] = __reduce_add_sync(0xffffffff, a.sum[k]);
  }
}

// Clusters are whole chunks; every 33rd is large.
extern "C" __global__ void make_clusters(int *begin) {
  for (int c = threadIdx.x; c <= CLUSTERS; c += blockDim.x) {
    int large = min((c + 32) / 33, (int)LARGE);
    begin[c] = (large * 32 + c - large) * CHUNK;
  }
}

// The box of points first to end - 1, in `to`, by a block.
__device__ void measure(const int *__restrict__ x, const int *__restrict__ y, const int *__restrict__ z, int first,
                        int end, box *__restrict__ to) {
  __shared__ box part[WARPS];
  box own = nothing();
#pragma unroll 4
  for (int i = first + threadIdx.x; i < end; i += 256) {
    int a = x[i], b = y[i], c = z[i];
    join(own, {{a, b, c}, {a, b, c}, {a, b, c}});
  }
  join_lanes(own);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < WARPS; w++)
      join(own, part[w]);
    *to = own;
  }
}

extern "C" __global__ void __launch_bounds__(256)
    measure_clusters(const int *x, const int *y, const int *z, const int *begin, box *extent) {
  measure(x, y, z, begin[blockIdx.x], begin[blockIdx.x + 1], extent + blockIdx.x);
}

extern "C" __global__ void __launch_bounds__(256) measure_chunks(const int *x, const int *y, const int *z, box *piece) {
  measure(x, y, z, blockIdx.x * CHUNK, (blockIdx.x + 1) * CHUNK, piece + blockIdx.x);
}

extern "C" __global__ void join_chunks(const box *__restrict__ piece, const int *__restrict__ begin,
                                       box *__restrict__ extent) {
  int cluster = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int first = begin[cluster] / CHUNK + lane, end = begin[cluster + 1] / CHUNK;
  box own = nothing();
  for (int p = first; p < end; p += 32)
    join(own, piece[p]);
  join_lanes(own);
  if (lane == 0)
    extent[cluster] = own;
}

// A lane for each of the nine numbers.
extern "C" __global__ void measure_plain(const int *x, const int *y, const int *z, const int *begin, int *extent) {
  int which = threadIdx.x / 3, cluster = blockIdx.x;
  if (which >= 3)
    return;
  const int *from = threadIdx.x % 3 == 0 ? x : threadIdx.x % 3 == 1 ? y : z;
  int value = which == 2 ? 0 : from[begin[cluster]];
  for (int i = begin[cluster]; i < begin[cluster + 1]; i++)
    value = which == 0 ? min(value, from[i]) : which == 1 ? max(value, from[i]) : value + from[i];
  extent[cluster * 9 + which * 3 + threadIdx.x % 3] = value;
}
