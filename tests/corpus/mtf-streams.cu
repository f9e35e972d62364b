//! problem:   generic
//! id:        mtf-array
//! ladder:    mtf-streams
//! size:      N = 16M
//! param:     STREAMS = 131072
//! buffer:    symbols = u8[N]; init = random
//! buffer:    ranks = u8[N]
//! output:    ranks
//! step:      kernel = encode_array; grid = STREAMS / 128; block = 128; args = symbols, ranks
//! reference: kernel = encode_plain; grid = STREAMS / 256; block = 256; args = symbols, ranks
//! note:      move-to-front coding, the second stage of a block-sorting compressor: 131072 streams of 128 hexadecimal digits

//! id:        mtf-nibbles
//! parent:    mtf-array
//! change:    the list of recent symbols in a pair of registers, four bits each
//! step:      kernel = encode_nibbles; grid = STREAMS / 128; block = 128; args = symbols, ranks
//! predicts:  time < 0.5x

enum { ALPHABET = 16, LENGTH = 128 };

// Symbol k of every stream, then k + 1. Text bytes are folded to their class first.
__device__ int symbol(const unsigned char *symbols, int k, int stream) {
  int c = symbols[k * STREAMS + stream];
  return (c ^ c >> 4) & (ALPHABET - 1);
}

extern "C" __global__ void __launch_bounds__(128)
    encode_array(const unsigned char *__restrict__ symbols, unsigned char *__restrict__ ranks) {
  int stream = blockIdx.x * 128 + threadIdx.x;
  unsigned char recent[ALPHABET];
  for (int i = 0; i < ALPHABET; i++)
    recent[i] = i;
#pragma unroll 1
  for (int k = 0; k < LENGTH; k++) {
    int s = symbol(symbols, k, stream), rank = 0, pushed = recent[0];
    // Those before s move back by one place until s is met.
#pragma unroll 1
    while (pushed != s) {
      rank++;
      int next = recent[rank];
      recent[rank] = pushed;
      pushed = next;
    }
    recent[0] = s;
    ranks[k * STREAMS + stream] = rank;
  }
}

extern "C" __global__ void __launch_bounds__(128)
    encode_nibbles(const unsigned char *__restrict__ symbols, unsigned char *__restrict__ ranks) {
  int stream = blockIdx.x * 128 + threadIdx.x;
  const unsigned long long ones = 0x1111111111111111ull;
  unsigned long long recent = 0xfedcba9876543210ull;
#pragma unroll 1
  for (int k = 0; k < LENGTH; k++) {
    unsigned long long s = symbol(symbols, k, stream), same = recent ^ s * ones;
    unsigned long long zero = (same - ones) & ~same & ones << 3; // lowest bit: the first nibble that is s
    int at = __ffsll(zero) - 4;
    unsigned long long before = (1ull << at) - 1, behind = ~(before << 4 | 15);
    recent = recent & behind | (recent & before) << 4 | s;
    ranks[k * STREAMS + stream] = at / 4;
  }
}

extern "C" __global__ void encode_plain(const unsigned char *symbols, unsigned char *ranks) {
  int stream = blockIdx.x * 256 + threadIdx.x, last[16]; // when each symbol came last
  for (int s = 0; s < 16; s++)
    last[s] = -1 - s;
  for (int k = 0; k < LENGTH; k++) {
    int s = symbol(symbols, k, stream), rank = 0;
    for (int other = 0; other < 16; other++)
      rank += last[other] > last[s];
    last[s] = k;
    ranks[k * STREAMS + stream] = rank;
  }
}
