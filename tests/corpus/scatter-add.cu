//! problem:   generic
//! id:        scatter-add
//! ladder:    scatter-add
//! size:      N = 16M
//! buffer:    message = fp32[N]; init = random
//! buffer:    node = fp32[N / 16]
//! output:    node
//! scratch:   target = 4 * N
//! scratch:   sorted = 4 * N
//! setup:     kernel = make_edges; grid = N / 256; block = 256; args = message, target, sorted, N
//! reset:     fill node = 0
//! step:      kernel = add_edges; grid = N / 256; block = 256; args = message, target, node, N
//! reference: kernel = sum_nodes_double; grid = N / 16 / 256; block = 256; args = sorted, node
//! tolerance: 1e-4 1e-5
//! bytes:     8 * N + 4 * N / 16
//! flops:     N
//! note:      messages of a graph of degree 16 summed at the nodes that they go to

//! id:        segment-sum
//! parent:    scatter-add
//! change:    the edges sorted by target, so that each node sums its own, without atomics
//! predicts:  time < 0.5x
//! reset:
//! step:      kernel = sum_nodes; grid = N / 16 / 256; block = 256; args = sorted, node

// A permutation of the edges: an odd factor modulo a power of two.
__device__ unsigned place(unsigned edge, unsigned n) { return (edge * 2654435761u + 12345u) & (n - 1); }

extern "C" __global__ void make_edges(const float *message, int *target, float *sorted, int n) {
  unsigned edge = blockIdx.x * blockDim.x + threadIdx.x;
  target[edge] = place(edge, n) / 16;
  sorted[place(edge, n)] = message[edge];
}

extern "C" __global__ void add_edges(const float *message, const int *target, float *node, int n) {
  int edge = blockIdx.x * blockDim.x + threadIdx.x;
  if (edge < n)
    atomicAdd(&node[target[edge]], message[edge]);
}

extern "C" __global__ void sum_nodes(const float4 *sorted, float *node) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float4 v = sorted[i * 4 + k];
    s += (v.x + v.y) + (v.z + v.w);
  }
  node[i] = s;
}

extern "C" __global__ void sum_nodes_double(const float *sorted, float *node) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < 16; k++)
    s += sorted[i * 16 + k];
  node[i] = s;
}
