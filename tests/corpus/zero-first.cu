//! problem:   generic
//! id:        resize-zeroed
//! ladder:    zero-first
//! size:      N = 16M
//! param:     SIDE = 4096
//! buffer:    in = fp32[N]; init = random
//! buffer:    out = fp32[4 * N]
//! output:    out
//! step:      kernel = zero; grid = 4 * N / 1024; block = 256; args = out
//! step:      kernel = upsample; grid = N / 256; block = 256; args = in, out
//! reference: kernel = upsample_plain; grid = 4 * N / 256; block = 256; args = in, out
//! note:      every pixel becomes two by two; SIDE * SIDE is N

//! id:        resize-once
//! parent:    resize-zeroed
//! change:    no kernel that clears an output which is written whole anyway
//! predicts:  time < 0.7x; dram_bytes < 0.9x
//! step:      kernel = upsample; grid = N / 256; block = 256; args = in, out

extern "C" __global__ void zero(float4 *out) { out[blockIdx.x * 256 + threadIdx.x] = make_float4(0, 0, 0, 0); }

extern "C" __global__ void upsample(const float *in, float2 *out) {
  int i = blockIdx.x * 256 + threadIdx.x, row = i / SIDE, col = i % SIDE;
  float v = in[i];
  out[(size_t)(2 * row) * SIDE + col] = make_float2(v, v);
  out[(size_t)(2 * row + 1) * SIDE + col] = make_float2(v, v);
}

extern "C" __global__ void upsample_plain(const float *in, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x, row = i / (2 * SIDE), col = i % (2 * SIDE);
  out[i] = in[row / 2 * SIDE + col / 2];
}
