//! problem:   generic
//! id:        morton-bit-by-bit
//! ladder:    morton-bits
//! size:      N = 16M
//! buffer:    x = u16[N]; init = iota
//! buffer:    y = u16[N]; init = random
//! buffer:    code = u32[N]
//! output:    code
//! step:      kernel = bit_by_bit; grid = N / 256; block = 256; args = x, y, code
//! reference: kernel = bit_by_bit; grid = N / 256; block = 256; args = x, y, code
//! flops:     0
//! note:      the bits of x and y interleaved: the place of a cell along a Z curve

//! id:        morton-masks
//! parent:    morton-bit-by-bit
//! change:    four shifts and masks spread all bits of a number together
//! predicts:  inst < 0.75x; time < 0.7x; dram_bytes within 5%
//! step:      kernel = by_masks; grid = N / 256; block = 256; args = x, y, code

extern "C" __global__ void bit_by_bit(const unsigned short *x, const unsigned short *y, unsigned *code) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned u = x[i], v = y[i] * 641u & 0xffff, c = 0;
#pragma unroll
  for (int bit = 0; bit < 16; bit++)
    c |= (u >> bit & 1) << 2 * bit | (v >> bit & 1) << (2 * bit + 1);
  code[i] = c;
}

__device__ unsigned spread(unsigned v) {
  v = (v | v << 8) & 0x00ff00ff;
  v = (v | v << 4) & 0x0f0f0f0f;
  v = (v | v << 2) & 0x33333333;
  return (v | v << 1) & 0x55555555;
}

extern "C" __global__ void by_masks(const unsigned short *x, const unsigned short *y, unsigned *code) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  code[i] = spread(x[i]) | spread(y[i] * 641u & 0xffff) << 1;
}
