//! problem:   generic
//! id:        neighbour-mean
//! ladder:    neighbour-mean
//! size:      N = 16M
//! param:     BLOCKS = 128
//! buffer:    feature = fp32[N / 16]; init = random
//! buffer:    mean = fp32[N / 16]
//! output:    mean
//! scratch:   start = 4 * (N / 512 + 1)
//! scratch:   col = 4 * N / 16 * 2
//! setup:     kernel = build; grid = N / 512 / 256; block = 256; args = start, col, N / 512
//! step:      kernel = aggregate; grid = BLOCKS; block = 1024; args = feature, start, col, mean, N / 512
//! reference: kernel = aggregate_plain; grid = N / 16 / 256; block = 256; args = feature, mean, N / 512
//! tolerance: 1e-5 1e-5
//! note:      a graph layer's mean over neighbours: 32 K nodes of 32 channels, renumbered so that hubs come first

//! id:        neighbour-mean-b
//! parent:    neighbour-mean
//! change:    warps take the nodes in turns
//! step:      kernel = aggregate_turns; grid = BLOCKS; block = 1024; args = feature, start, col, mean, N / 512

// degrees fall from 64 to 4 in sixteen steps
__device__ int degree(int v, int nodes) { return 4 * (16 - v / (nodes / 16)); }

__device__ int first_edge(int v, int nodes) {
  int step = nodes / 16, g = v / step;
  return 4 * step * (16 * g - g * (g - 1) / 2) + v % step * 4 * (16 - g);
}

__device__ int neighbour(int v, int k, int nodes) {
  unsigned h = v * 0x9e3779b1u + k * 0x85ebca6bu;
  h = (h ^ h >> 15) * 0xc2b2ae35u;
  return (h ^ h >> 13) % (unsigned)nodes;
}

extern "C" __global__ void build(int *start, int *col, int nodes) {
  int v = blockIdx.x * blockDim.x + threadIdx.x, at = first_edge(v, nodes);
  start[v] = at;
  if (v == nodes - 1)
    start[nodes] = at + degree(v, nodes);
  for (int k = 0; k < degree(v, nodes); k++)
    col[at + k] = neighbour(v, k, nodes);
}

// a warp a node, a lane a channel
__device__ void one_node(const float *feature, const int *start, const int *col, float *mean, int v) {
  int lane = threadIdx.x % 32, begin = start[v], end = start[v + 1];
  float sum = 0;
#pragma unroll 4
  for (int e = begin; e < end; e++)
    sum += feature[col[e] * 32 + lane];
  mean[v * 32 + lane] = sum / (end - begin);
}

extern "C" __global__ void __launch_bounds__(1024) aggregate(const float *__restrict__ feature,
                                                             const int *__restrict__ start,
                                                             const int *__restrict__ col, float *mean, int nodes) {
  int share = nodes / gridDim.x, first = blockIdx.x * share;
  for (int v = first + threadIdx.x / 32; v < first + share; v += 32)
    one_node(feature, start, col, mean, v);
}

extern "C" __global__ void __launch_bounds__(1024) aggregate_turns(const float *__restrict__ feature,
                                                                   const int *__restrict__ start,
                                                                   const int *__restrict__ col, float *mean,
                                                                   int nodes) {
  for (int v = threadIdx.x / 32 * gridDim.x + blockIdx.x; v < nodes; v += 32 * gridDim.x)
    one_node(feature, start, col, mean, v);
}

extern "C" __global__ void aggregate_plain(const float *feature, float *mean, int nodes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = i / 32;
  double sum = 0;
  for (int k = 0; k < degree(v, nodes); k++)
    sum += feature[neighbour(v, k, nodes) * 32 + i % 32];
  mean[i] = sum / degree(v, nodes);
}
