//! problem:   generic
//! id:        huffman-bit-by-bit
//! ladder:    huffman-symbols
//! size:      N = 16M
//! param:     STREAMS = 32768
//! param:     SYMBOLS = 256
//! buffer:    symbol = u8[SYMBOLS * STREAMS]
//! output:    symbol
//! scratch:   words = 4 * 64 * STREAMS
//! scratch:   child = 4 * 128
//! scratch:   entry = 4 * 128
//! setup:     kernel = make_words; grid = 64 * STREAMS / 256; block = 256; args = words
//! setup:     kernel = make_code; grid = 1; block = 32; args = child, entry
//! step:      kernel = decode_tree; grid = STREAMS / 64; block = 64; args = words, child, symbol
//! reference: kernel = decode_canonical; grid = STREAMS / 64; block = 64; args = words, symbol
//! note:      entropy decoding of many short streams of one Huffman code; word k of all streams, then k + 1

//! id:        huffman-seven-bits
//! parent:    huffman-bit-by-bit
//! change:    seven bits at once find the symbol and the length of its code in a table
//! predicts:  time < 0.6x
//! step:      kernel = decode_table; grid = STREAMS / 64; block = 64; args = words, entry, symbol

enum { LONGEST = 7, LANES = 64, WORDS = SYMBOLS * LONGEST / 32 + 1 };

// How many symbols have a code of so many bits.
__device__ constexpr int codes(int length) {
  return length == 3 ? 2 : length == 4 ? 4 : length == 5 || length == 6 ? 8 : length == 7 ? 16 : 0;
}

extern "C" __global__ void make_words(unsigned *words) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = i * 2654435761u + 12345u;
  v = (v ^ v >> 16) * 2246822519u;
  v = (v ^ v >> 13) * 3266489917u;
  words[i] = v ^ v >> 16;
}

// child[2 * node + bit] is a node, or ~symbol; entry[bits] is a symbol and, in the byte above it, the length of its code.
extern "C" __global__ void make_code(int *child, unsigned *entry) {
  if (threadIdx.x)
    return;
  int nodes = 1, symbol = 0, code = 0;
  for (int i = 0; i < 128; i++)
    child[i] = 0;
  for (int length = 1; length <= LONGEST; length++, code *= 2)
    for (int k = 0; k < codes(length); k++, code++, symbol++) {
      int node = 0;
      for (int b = length - 1; b > 0; b--) {
        int *to = &child[2 * node + (code >> b & 1)];
        if (*to == 0)
          *to = nodes++;
        node = *to;
      }
      child[2 * node + (code & 1)] = ~symbol;
      for (int rest = 0; rest < 1 << (LONGEST - length); rest++)
        entry[(code << (LONGEST - length)) + rest] = symbol | length << 8;
    }
}

// All words of a block's streams, the next of each lane in a row.
__device__ void stage(const unsigned *__restrict__ words, unsigned (*mine)[LANES]) {
#pragma unroll 8
  for (int w = 0; w < WORDS; w++)
    mine[w][threadIdx.x] = words[w * STREAMS + blockIdx.x * LANES + threadIdx.x];
}

extern "C" __global__ void __launch_bounds__(LANES)
    decode_tree(const unsigned *__restrict__ words, const int *__restrict__ child, unsigned char *__restrict__ symbol) {
  __shared__ unsigned mine[WORDS][LANES];
  int stream = blockIdx.x * LANES + threadIdx.x, have = 0, next = 0;
  unsigned bits = 0;
  stage(words, mine);
  for (int k = 0; k < SYMBOLS; k++) {
    int node = 0;
    do {
      if (have == 0) {
        bits = mine[next++][threadIdx.x];
        have = 32;
      }
      node = child[2 * node + (bits >> 31)];
      bits <<= 1;
      have--;
    } while (node >= 0);
    symbol[k * STREAMS + stream] = ~node;
  }
}

extern "C" __global__ void __launch_bounds__(LANES)
    decode_table(const unsigned *__restrict__ words, const unsigned *__restrict__ entry,
                 unsigned char *__restrict__ symbol) {
  __shared__ unsigned mine[WORDS][LANES];
  int stream = blockIdx.x * LANES + threadIdx.x, have = 0, next = 0;
  unsigned long long bits = 0;
  stage(words, mine);
  for (int k = 0; k < SYMBOLS; k++) {
    if (have < LONGEST) {
      bits |= (unsigned long long)mine[next++][threadIdx.x] << (32 - have);
      have += 32;
    }
    unsigned e = entry[bits >> (64 - LONGEST)];
    bits <<= e >> 8;
    have -= e >> 8;
    symbol[k * STREAMS + stream] = e;
  }
}

extern "C" __global__ void decode_canonical(const unsigned *words, unsigned char *symbol) {
  int stream = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  for (int k = 0; k < SYMBOLS; k++) {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST; length++, at++) {
      code |= words[at / 32 * STREAMS + stream] >> (31 - at % 32) & 1;
      if (code - first < codes(length)) {
        symbol[k * STREAMS + stream] = index + code - first;
        at++;
        break;
      }
      index += codes(length);
      first = (first + codes(length)) * 2;
      code *= 2;
    }
  }
}
