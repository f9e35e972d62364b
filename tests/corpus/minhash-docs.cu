//! problem:   generic
//! id:        minhash-docs-slices
//! ladder:    minhash-docs
//! size:      N = 16M
//! param:     DOCS = 16384
//! buffer:    shingle = u32[N]; init = iota
//! buffer:    signature = u32[DOCS * 32]
//! output:    signature
//! step:      kernel = minhash; grid = 132; block = 1024; args = shingle, signature
//! reference: kernel = minhash_plain; grid = DOCS; block = 32; args = shingle, signature
//! note:      signatures of 32 hashes of documents, which are stored shortest first; a block stays and takes its share of them

//! id:        minhash-docs
//! parent:    minhash-docs-slices
//! change:    a block takes every so many documents
//! predicts:  time < 0.8x
//! step:      kernel = minhash_dealt; grid = 132; block = 1024; args = shingle, signature

// where a document begins: the next one is longer
__device__ int begin(int doc) { return (int)((long long)doc * doc / 16); }

__device__ unsigned hash(unsigned shingle, unsigned k) {
  unsigned h = (shingle ^ k * 0x9e3779b9u) * (0x85ebca6bu + 2 * k);
  return h;
}

// a warp a document
__device__ void sign(const unsigned *shingle, unsigned *signature, int doc) {
  int lane = threadIdx.x % 32, last = begin(doc + 1);
  unsigned low[32];
#pragma unroll
  for (int k = 0; k < 32; k++)
    low[k] = ~0u;
  for (int i = begin(doc) + lane; i < last; i += 32) {
    unsigned s = shingle[i];
#pragma unroll
    for (int k = 0; k < 32; k++)
      low[k] = min(low[k], hash(s, k));
  }
  unsigned mine = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    unsigned all = __reduce_min_sync(~0u, low[k]);
    mine = lane == k ? all : mine;
  }
  signature[doc * 32 + lane] = mine;
}

extern "C" __global__ void __launch_bounds__(1024) minhash(const unsigned *__restrict__ shingle, unsigned *signature) {
  int share = (DOCS + gridDim.x - 1) / gridDim.x, first = blockIdx.x * share;
  for (int doc = first + threadIdx.x / 32; doc < min(first + share, DOCS); doc += 32)
    sign(shingle, signature, doc);
}

extern "C" __global__ void __launch_bounds__(1024) minhash_dealt(const unsigned *__restrict__ shingle,
                                                                 unsigned *signature) {
  for (int doc = blockIdx.x + threadIdx.x / 32 * gridDim.x; doc < DOCS; doc += 32 * gridDim.x)
    sign(shingle, signature, doc);
}

extern "C" __global__ void minhash_plain(const unsigned *shingle, unsigned *signature) {
  int doc = blockIdx.x;
  unsigned low = ~0u;
  for (int i = begin(doc); i < begin(doc + 1); i++)
    low = min(low, hash(shingle[i], threadIdx.x));
  signature[doc * 32 + threadIdx.x] = low;
}
