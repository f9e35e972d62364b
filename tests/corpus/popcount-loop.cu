//! problem:   generic
//! id:        popcount-bits
//! ladder:    popcount-loop
//! size:      N = 16M
//! buffer:    a = i32[2 * N]; init = random
//! buffer:    b = i32[2 * N]; init = random
//! buffer:    distance = u8[2 * N]
//! output:    distance
//! step:      kernel = bit_by_bit; grid = 2 * N / 256; block = 256; args = a, b, distance
//! reference: kernel = bit_by_bit; grid = 2 * N / 256; block = 256; args = a, b, distance
//! flops:     0
//! note:      the Hamming distance of two lists of 32-bit descriptors

//! id:        popcount-instruction
//! parent:    popcount-bits
//! change:    the chip's population count instead of a loop over the bits
//! predicts:  inst < 0.4x; time < 0.7x; dram_bytes within 5%
//! step:      kernel = at_once; grid = 2 * N / 256; block = 256; args = a, b, distance

extern "C" __global__ void bit_by_bit(const unsigned *a, const unsigned *b, unsigned char *distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
  unsigned differ = a[i] ^ b[i];
#pragma unroll
  for (int bit = 0; bit < 32; bit++)
    n += differ >> bit & 1;
  distance[i] = n;
}

extern "C" __global__ void at_once(const unsigned *a, const unsigned *b, unsigned char *distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  distance[i] = __popc(a[i] ^ b[i]);
}
