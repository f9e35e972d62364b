//! problem:   generic
//! id:        cache-fill
//! ladder:    cache-fill
//! size:      N = 16M
//! param:     HEADS = 12
//! param:     DIM = 96
//! param:     PAGE = 24
//! param:     TOKENS = 14400
//! buffer:    key = bf16[TOKENS * HEADS * DIM]; init = random
//! buffer:    cache = bf16[TOKENS * HEADS * DIM]
//! output:    cache
//! scratch:   slot = 4 * TOKENS
//! setup:     kernel = slots; grid = TOKENS / 32; block = 32; args = slot, TOKENS
//! step:      kernel = fill; grid = TOKENS * HEADS * DIM / 256; block = 256; args = key, slot, cache, HEADS, DIM, PAGE, TOKENS * HEADS * DIM
//! reference: kernel = fill_plain; grid = TOKENS; block = DIM; args = key, slot, cache
//! note:      new keys, [token][head][dim], go to their slots of a paged cache, [page][head][slot][dim]

//! id:        cache-fill-b
//! parent:    cache-fill
//! change:    the extents of the model are known to the compiler
//! step:      kernel = fill_known; grid = TOKENS * HEADS * DIM / 256; block = 256; args = key, slot, cache, TOKENS * HEADS * DIM

#include <cuda_bf16.h>

extern "C" __global__ void slots(int *slot, int tokens) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  slot[t] = (int)((long long)t * 7919 % tokens);
}

__device__ __forceinline__ void put(const __nv_bfloat16 *key, const int *slot, __nv_bfloat16 *cache, int heads,
                                    int dim, int page, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int token = i / (heads * dim), rest = i % (heads * dim);
  int head = rest / dim, d = rest % dim;
  int to = slot[token], p = to / page, at = to % page;
  cache[((p * heads + head) * page + at) * dim + d] = key[i];
}

extern "C" __global__ void fill(const __nv_bfloat16 *__restrict__ key, const int *__restrict__ slot,
                                __nv_bfloat16 *__restrict__ cache, int heads, int dim, int page, int count) {
  put(key, slot, cache, heads, dim, page, count);
}

extern "C" __global__ void fill_known(const __nv_bfloat16 *__restrict__ key, const int *__restrict__ slot,
                                      __nv_bfloat16 *__restrict__ cache, int count) {
  put(key, slot, cache, HEADS, DIM, PAGE, count);
}

extern "C" __global__ void fill_plain(const __nv_bfloat16 *key, const int *slot, __nv_bfloat16 *cache) {
  int t = blockIdx.x, d = threadIdx.x, to = slot[t];
  for (int h = 0; h < HEADS; h++)
    cache[(((size_t)to / PAGE * HEADS + h) * PAGE + to % PAGE) * DIM + d] = key[((size_t)t * HEADS + h) * DIM + d];
}
