//! problem:   generic
//! id:        argmax-block-a-row
//! ladder:    argmax-vocab
//! size:      N = 16M
//! param:     ROWS = 16
//! param:     PIECES = 1
//! buffer:    logit = fp32[N]; init = random
//! buffer:    best = u64[ROWS]
//! output:    best
//! reset:     fill best = 0
//! step:      kernel = argmax; grid = PIECES, ROWS; block = 1024; args = logit, best, N / ROWS
//! reference: kernel = argmax_plain; grid = ROWS; block = 1; args = logit, best, N / ROWS
//! note:      the greedy token of 16 sequences: an integer that orders as the logits do, and the index below it

//! id:        argmax-pieces
//! parent:    argmax-block-a-row
//! change:    a row in 64 pieces, a block each, joined by atomicMax
//! param:     PIECES = 64
//! predicts:  time < 0.7x; dram_bytes within 5%

typedef unsigned long long key;

__device__ key key_of(float v, unsigned i) {
  unsigned u = __float_as_uint(v);
  u ^= u >> 31 ? 0xffffffff : 0x80000000;
  return (key)u << 32 | ~i;
}

extern "C" __global__ void __launch_bounds__(1024) argmax(const float4 *__restrict__ logit, key *best, int cols) {
  __shared__ key warps[32];
  int count = cols / PIECES / 4, first = blockIdx.x * count;
  const float4 *row = logit + blockIdx.y * (cols / 4);
  key top = 0;
#pragma unroll 4
  for (int i = first + threadIdx.x; i < first + count; i += 1024) {
    float4 v = row[i];
    top = max(top, max(key_of(v.x, 4 * i), key_of(v.y, 4 * i + 1)));
    top = max(top, max(key_of(v.z, 4 * i + 2), key_of(v.w, 4 * i + 3)));
  }
  for (int offset = 16; offset; offset /= 2)
    top = max(top, __shfl_xor_sync(0xffffffff, top, offset));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = top;
  __syncthreads();
  if (threadIdx.x < 32) {
    top = warps[threadIdx.x];
    for (int offset = 16; offset; offset /= 2)
      top = max(top, __shfl_xor_sync(0xffffffff, top, offset));
    if (threadIdx.x == 0)
      atomicMax(&best[blockIdx.y], top);
  }
}

extern "C" __global__ void argmax_plain(const float *logit, key *best, int cols) {
  int top = 0;
  const float *row = logit + blockIdx.x * cols;
  for (int i = 1; i < cols; i++)
    top = row[i] > row[top] ? i : top;
  best[blockIdx.x] = key_of(row[top], top);
}
