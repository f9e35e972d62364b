//! problem:   generic
//! id:        layout-heads-divided
//! ladder:    layout-heads
//! size:      N = 16M
//! param:     BATCH = 8
//! param:     TOKENS = 2048
//! param:     HEADS = 32
//! param:     DIM = 64
//! buffer:    in = fp16[BATCH * TOKENS * HEADS * DIM]; init = random
//! buffer:    out = fp16[BATCH * TOKENS * HEADS * DIM]
//! output:    out
//! step:      kernel = permute_flat; grid = 2 * N / 2048; block = 256; args = in, out, TOKENS, HEADS, DIM
//! reference: kernel = permute_plain; grid = TOKENS, BATCH; block = 256; args = in, out
//! note:      from batch, token, head, dimension to batch, head, token, dimension; 2 N numbers

//! id:        layout-heads-grid
//! parent:    layout-heads-divided
//! change:    the grid counts batches, heads and tokens, instead of a flat index that is divided by each extent
//! predicts:  inst < 0.6x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = permute_grid; grid = TOKENS / 32, HEADS, BATCH; block = DIM, 4; args = in, out, TOKENS, HEADS

extern "C" __global__ void permute_flat(const unsigned short *__restrict__ in, unsigned short *__restrict__ out,
                                        int tokens, int heads, int dim) {
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int i = blockIdx.x * 2048 + k * 256 + threadIdx.x;
    int d = i % dim, t = i / dim % tokens, h = i / dim / tokens % heads, b = i / dim / tokens / heads;
    out[i] = in[((b * tokens + t) * heads + h) * dim + d];
  }
}

extern "C" __global__ void permute_grid(const unsigned short *__restrict__ in, unsigned short *__restrict__ out,
                                        int tokens, int heads) {
  int dim = blockDim.x, d = threadIdx.x, h = blockIdx.y, b = blockIdx.z;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int t = blockIdx.x * 32 + k * 4 + threadIdx.y;
    out[((b * heads + h) * tokens + t) * dim + d] = in[((b * tokens + t) * heads + h) * dim + d];
  }
}

extern "C" __global__ void permute_plain(const unsigned short *in, unsigned short *out) {
  int t = blockIdx.x, b = blockIdx.y;
  for (int i = threadIdx.x; i < HEADS * DIM; i += 256)
    out[((b * HEADS + i / DIM) * TOKENS + t) * DIM + i % DIM] = in[(b * TOKENS + t) * HEADS * DIM + i];
}
