//! problem:   generic
//! id:        graph-frontier-each-vertex
//! ladder:    graph-frontier
//! size:      N = 16M
//! param:     FRONTIER = 524288
//! param:     VERTICES = 262144
//! buffer:    seen = u8[VERTICES]; init = random
//! buffer:    far = u8[FRONTIER]; init = random
//! buffer:    found = u8[FRONTIER]
//! buffer:    tails = u32[4]
//! output:    found, tails
//! scratch:   graph = 32 * FRONTIER
//! scratch:   queue = 4 * 32 * FRONTIER
//! setup:     kernel = make_graph; grid = FRONTIER / 32; block = 256; args = graph
//! reset:     fill tails = 0
//! step:      kernel = expand_each; grid = FRONTIER / 256; block = 256; args = seen, far, graph, queue, found, tails
//! reference: kernel = expand_plain; grid = 1; block = 1024; args = seen, far, found, tails
//! note:      each vertex appends those of its eight neighbours that are new to one of four queues, by its distance

//! id:        graph-frontier-each-block
//! parent:    graph-frontier-each-vertex
//! change:    a block counts in shared memory and asks for room in each queue once
//! predicts:  time < 0.5x
//! step:      kernel = expand_blocks; grid = FRONTIER / 256; block = 256; args = seen, far, graph, queue, found, tails

__device__ unsigned neighbour(unsigned vertex, unsigned k) {
  unsigned v = (vertex * 8 + k) * 2654435761u;
  return (v ^ v >> 15) * 2246822519u >> 8 & (VERTICES - 1);
}

extern "C" __global__ void make_graph(unsigned *graph) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  graph[i] = neighbour(i / 8, i % 8);
}

__device__ bool is_new(const unsigned char *seen, unsigned v) { return seen[v] >= 50; }

template <bool BLOCK>
__device__ void expand(const unsigned char *__restrict__ seen, const unsigned char *__restrict__ far,
                       const uint4 *__restrict__ graph, unsigned *__restrict__ queue,
                       unsigned char *__restrict__ found, unsigned *tails) {
  __shared__ unsigned own[4], first[4];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, fresh = 0, to;
  int q = far[i] / 26; // 0 to 3
  uint4 a = graph[i * 2], b = graph[i * 2 + 1];
  unsigned v[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
  for (int k = 0; k < 8; k++)
    fresh |= (unsigned)is_new(seen, v[k]) << k;
  if (BLOCK) {
    if (threadIdx.x < 4)
      own[threadIdx.x] = 0;
    __syncthreads();
    to = atomicAdd(&own[q], __popc(fresh));
    __syncthreads();
    if (threadIdx.x < 4)
      first[threadIdx.x] = atomicAdd(&tails[threadIdx.x], own[threadIdx.x]);
    __syncthreads();
    to += first[q];
  } else
    to = atomicAdd(&tails[q], __popc(fresh));
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (fresh >> k & 1)
      queue[q * 8 * FRONTIER + to++] = v[k];
  found[i] = __popc(fresh);
}

extern "C" __global__ void expand_each(const unsigned char *seen, const unsigned char *far, const uint4 *graph,
                                       unsigned *queue, unsigned char *found, unsigned *tails) {
  expand<false>(seen, far, graph, queue, found, tails);
}
extern "C" __global__ void expand_blocks(const unsigned char *seen, const unsigned char *far, const uint4 *graph,
                                         unsigned *queue, unsigned char *found, unsigned *tails) {
  expand<true>(seen, far, graph, queue, found, tails);
}

extern "C" __global__ void expand_plain(const unsigned char *seen, const unsigned char *far,
                                        unsigned char *found, unsigned *tails) {
  if (threadIdx.x < 4)
    tails[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < FRONTIER; i += 1024) {
    unsigned count = 0;
    for (int k = 0; k < 8; k++)
      count += is_new(seen, neighbour(i, k));
    found[i] = count;
    atomicAdd(&tails[far[i] / 26], count);
  }
}
