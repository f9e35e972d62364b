//! problem:   generic
//! id:        invert-bytes
//! ladder:    invert-bytes
//! size:      N = 16M
//! buffer:    x = u8[4 * N]; init = random
//! buffer:    y = u8[4 * N]
//! output:    y
//! step:      kernel = invert_bytes; grid = 4 * N / 256; block = 256; args = x, y, 4 * N
//! reference: kernel = invert_plain; grid = 1024; block = 256; args = x, y, 4 * N
//! note:      the negative of an 8-bit image, as a first version of any point operation is written

//! id:        invert-words
//! parent:    invert-bytes
//! change:    16 bytes a thread instead of one: a sixteenth of the blocks
//! predicts:  inst < 0.2x; time < 0.7x; dram_bytes within 10%
//! step:      kernel = invert_words; grid = 4 * N / 16 / 256; block = 256; args = x, y, 4 * N / 16

extern "C" __global__ void invert_bytes(const unsigned char *x, unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 255 - x[i];
}

extern "C" __global__ void invert_words(const uint4 *x, uint4 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uint4 v = x[i];
    y[i] = make_uint4(~v.x, ~v.y, ~v.z, ~v.w);
  }
}

extern "C" __global__ void invert_plain(const unsigned char *x, unsigned char *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = x[i] ^ 0xff;
}
