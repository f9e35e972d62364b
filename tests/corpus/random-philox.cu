//! problem:   generic
//! id:        random-philox-one-word
//! ladder:    random-philox
//! size:      N = 16M
//! buffer:    seed = u32[2]; init = random
//! buffer:    uniform = fp32[2 * N]
//! output:    uniform
//! step:      kernel = fill_words; grid = 2 * N / 256; block = 256; args = seed, uniform
//! reference: kernel = fill_plain; grid = 2 * N / 1024; block = 256; args = seed, uniform
//! flops:     0
//! note:      Philox 4x32-10 makes four words of a counter

//! id:        random-philox-four-words
//! parent:    random-philox-one-word
//! change:    a thread writes the four numbers that its counter gives, instead of one of them
//! predicts:  inst < 0.5x; time < 0.7x
//! step:      kernel = fill_blocks; grid = 2 * N / 1024; block = 256; args = seed, uniform

__device__ uint4 philox(unsigned counter, uint2 key) {
  uint4 c = {counter, 0, 0, 0};
#pragma unroll
  for (int round = 0; round < 10; round++) {
    unsigned high0 = __umulhi(0xD2511F53u, c.x), high1 = __umulhi(0xCD9E8D57u, c.z);
    c = make_uint4(high1 ^ c.y ^ key.x, 0xCD9E8D57u * c.z, high0 ^ c.w ^ key.y, 0xD2511F53u * c.x);
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}

__device__ float to_float(unsigned word) { return (word >> 8) * 0x1p-24f; } // in [0, 1)

extern "C" __global__ void fill_words(const uint2 *seed, float *uniform) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  uint4 c = philox(i / 4, *seed);
  uniform[i] = to_float(i % 4 == 0 ? c.x : i % 4 == 1 ? c.y : i % 4 == 2 ? c.z : c.w);
}

extern "C" __global__ void fill_blocks(const uint2 *seed, float4 *uniform) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  uint4 c = philox(i, *seed);
  uniform[i] = make_float4(to_float(c.x), to_float(c.y), to_float(c.z), to_float(c.w));
}

extern "C" __global__ void fill_plain(const unsigned *seed, float *uniform) {
  unsigned i = blockIdx.x * 256 + threadIdx.x, c[4] = {i};
  for (unsigned round = 0; round < 10; round++) {
    unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c[0] = (unsigned)(b >> 32) ^ c[1] ^ (seed[0] + round * 0x9E3779B9u);
    c[2] = (unsigned)(a >> 32) ^ c[3] ^ (seed[1] + round * 0xBB67AE85u);
    c[1] = (unsigned)b;
    c[3] = (unsigned)a;
  }
  for (int k = 0; k < 4; k++)
    uniform[i * 4 + k] = to_float(c[k]);
}
