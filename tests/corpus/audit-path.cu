//! problem:   generic
//! id:        audit-recorded
//! ladder:    audit-path
//! size:      N = 16M
//! param:     LEVELS = 21
//! buffer:    digest = u64[N / 4]; init = random
//! buffer:    root = u64[N / 32]
//! output:    root
//! scratch:   up = 4 * N / 4
//! setup:     kernel = record; grid = N / 4 / 256; block = 256; args = up
//! step:      kernel = audit_recorded; grid = N / 512 / 128; block = 128; args = digest, up, root, N / 8, 16
//! reference: kernel = audit_plain; grid = N / 32 / 256; block = 256; args = digest, up, root, N / 8, 1
//! note:      audit paths of random leaves in a Merkle tree of 2M leaves: the root that each path claims

//! id:        audit-heap
//! parent:    audit-recorded
//! change:    the node above is found by a shift, as nodes are numbered like a heap's
//! predicts:  time < 0.8x
//! step:      kernel = audit_heap; grid = N / 512 / 128; block = 128; args = digest, up, root, N / 8, 16

__device__ unsigned leaf_of(unsigned q, unsigned leaves) {
  q = (q ^ q >> 15) * 0x2c1b3c6d;
  q = (q ^ q >> 12) * 0x297a2d39;
  return leaves + (q ^ q >> 15) % leaves;
}

__device__ uint2 join(uint2 left, uint2 right) {
  unsigned a = (left.x ^ (right.y << 7 | right.y >> 25)) * 0x9e3779b1;
  unsigned b = (left.y + right.x) ^ a >> 13;
  return make_uint2(a + b, b * 0x85ebca77);
}

struct as_recorded {
  __device__ static unsigned above(const unsigned *up, unsigned node) { return up[node]; }
};

struct as_heap {
  __device__ static unsigned above(const unsigned *, unsigned node) { return node >> 1; }
};

template <class Tree>
__device__ void audit(const uint2 *__restrict__ digest, const unsigned *__restrict__ up, uint2 *__restrict__ root,
                      unsigned leaves, int paths) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int p = 0; p < paths; p++) {
    unsigned q = p * threads + thread, node = leaf_of(q, leaves);
    uint2 claim = digest[node];
#pragma unroll
    for (int level = 0; level < LEVELS; level++) {
      uint2 sibling = digest[node ^ 1];
      claim = node & 1 ? join(sibling, claim) : join(claim, sibling);
      node = Tree::above(up, node);
    }
    root[q] = claim;
  }
}

extern "C" __global__ void audit_recorded(const uint2 *digest, const unsigned *up, uint2 *root, unsigned leaves,
                                       int paths) {
  audit<as_recorded>(digest, up, root, leaves, paths);
}

extern "C" __global__ void audit_heap(const uint2 *digest, const unsigned *up, uint2 *root, unsigned leaves,
                                      int paths) {
  audit<as_heap>(digest, up, root, leaves, paths);
}

extern "C" __global__ void record(unsigned *up) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  up[i] = i / 2;
}

extern "C" __global__ void audit_plain(const uint2 *digest, const unsigned *, uint2 *root, unsigned leaves, int) {
  unsigned q = blockIdx.x * blockDim.x + threadIdx.x, node = leaf_of(q, leaves);
  uint2 claim = digest[node];
#pragma unroll 1
  for (int level = 0; level < LEVELS; level++, node /= 2)
    claim = node % 2 ? join(digest[node - 1], claim) : join(claim, digest[node + 1]);
  root[q] = claim;
}
