//! problem:   generic
//! id:        tree-ranges-deep-stacks
//! ladder:    tree-ranges
//! size:      N = 16M
//! param:     LEVELS = 20
//! param:     STACK = 128
//! buffer:    start = u32[N / 1024]; init = random
//! buffer:    sums = u32[N / 32]
//! output:    sums
//! scratch:   keys = 4 * N / 16
//! setup:     kernel = make_tree; grid = N / 16 / 256; block = 256; args = keys
//! step:      kernel = walk; grid = N / 32 / 128; block = 128; smem = 4 * 128 * STACK; args = start, keys, sums
//! reference: kernel = ranges_plain; grid = N / 32 / 256; block = 256; args = start, sums
//! flops:     0
//! note:      range queries on a search tree of 20 levels, which never has more than 20 nodes on a thread's stack

//! id:        tree-ranges-stacks-as-deep
//! parent:    tree-ranges-deep-stacks
//! change:    stacks of 24 nodes instead of 128
//! param:     STACK = 24
//! predicts:  occupancy > 2x; time < 0.8x; inst within 5%

enum : unsigned { NODES = 1u << LEVELS, WIDTH = 64 }; // nodes from 1; keys that a query spans

__device__ unsigned mix(unsigned v) { return (v ^ v >> 15) * 2246822519u; }

// The queries of 32 threads lie side by side at a random place.
__device__ unsigned low_end(const unsigned *start, unsigned i) {
  return mix((start[i / 32] + i / 32 * 128) * 2654435761u) % (NODES * 4 - 32 * WIDTH) + i % 32 * WIDTH;
}

// A complete tree by levels; its keys in order are 4, 8, 12 ...
extern "C" __global__ void make_tree(unsigned *keys) {
  unsigned node = blockIdx.x * blockDim.x + threadIdx.x, depth = node ? 31 - __clz(node) : 0;
  keys[node] = node ? (2 * (node - (1u << depth)) + 1) << (LEVELS - 1 - depth) << 2 : 0;
}

struct Stack {
  unsigned *top;
  __device__ void push(unsigned node) {
    *top = node;
    top += 128;
  }
  __device__ unsigned pop() { return *(top -= 128); }
};

extern "C" __global__ void __launch_bounds__(128)
    walk(const unsigned *__restrict__ start, const unsigned *__restrict__ keys, unsigned *__restrict__ sums) {
  extern __shared__ unsigned nodes[];
  unsigned i = blockIdx.x * 128 + threadIdx.x, low = low_end(start, i), high = low + WIDTH, sum = 0;
  Stack stack = {nodes + threadIdx.x};
  stack.push(1);
  while (stack.top > nodes + threadIdx.x) {
    unsigned node = stack.pop(), key = keys[node];
    if (key >= low && key < high)
      sum += mix(key);
    if (node < NODES / 2 && key > low)
      stack.push(2 * node);
    if (node < NODES / 2 && key < high)
      stack.push(2 * node + 1);
  }
  sums[i] = sum;
}

extern "C" __global__ void ranges_plain(const unsigned *start, unsigned *sums) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, low = low_end(start, i), sum = 0;
  for (unsigned key = low; key < low + WIDTH; key++)
    if (key % 4 == 0 && key > 0 && key < NODES * 4)
      sum += mix(key);
  sums[i] = sum;
}
