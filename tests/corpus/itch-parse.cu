//! problem:   generic
//! id:        itch-record-a-thread
//! ladder:    itch-parse
//! size:      N = 16M
//! buffer:    feed = u8[N * 16]; init = random
//! buffer:    notional = u64[N / 4]
//! output:    notional
//! step:      kernel = parse_direct; grid = N / 4 / 128; block = 128; args = feed, notional
//! reference: kernel = parse_plain; grid = N / 4 / 256; block = 256; args = feed, notional
//! note:      64-byte order messages of an exchange's feed: big-endian price and shares at odd places, a check byte over them

//! id:        itch-records-staged
//! parent:    itch-record-a-thread
//! change:    a block's messages pass through shared memory by whole words, side by side
//! step:      kernel = parse_staged; grid = N / 4 / 128; block = 128; args = feed, notional
//! predicts:  time < 0.7x

enum { MESSAGE = 64, BLOCK = 128, ROW = MESSAGE / 4 + 1, SHARES = 19, PRICE = 31, FLAGS = 43, REF = 47 };

template <class P> __device__ unsigned big_endian(P m, int at, int bytes) {
  unsigned v = 0;
#pragma unroll
  for (int i = 0; i < bytes; i++)
    v = v << 8 | m[at + i];
  return v;
}

// A cancelled order counts for nothing; a wrong checksum makes it one share.
template <class P> __device__ unsigned long long notional_of(P m) {
  unsigned shares = big_endian(m, SHARES, 4), price = big_endian(m, PRICE, 4), ref = 0;
#pragma unroll
  for (int i = 0; i < 13; i++)
    ref = ref * 31 + m[REF + i];
  unsigned flags = m[FLAGS];
  unsigned long long value = (unsigned long long)shares * price;
  if ((flags & 3) == 3)
    value = 0;
  else if ((ref & 63) == 5)
    value = price;
  return value + (ref & 0xff);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    parse_direct(const unsigned char *__restrict__ feed, unsigned long long *__restrict__ notional) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  notional[i] = notional_of(feed + (size_t)i * MESSAGE);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    parse_staged(const unsigned *__restrict__ feed, unsigned long long *__restrict__ notional) {
  __shared__ unsigned words[BLOCK * ROW];
  const unsigned *from = feed + (size_t)blockIdx.x * (BLOCK * MESSAGE / 4);
#pragma unroll
  for (int k = 0; k < MESSAGE / 4; k++) {
    int w = k * BLOCK + threadIdx.x;
    words[w / (MESSAGE / 4) * ROW + w % (MESSAGE / 4)] = from[w];
  }
  __syncthreads();
  const unsigned char *mine = (const unsigned char *)(words + threadIdx.x * ROW);
  notional[blockIdx.x * BLOCK + threadIdx.x] = notional_of(mine);
}

extern "C" __global__ void parse_plain(const unsigned char *feed, unsigned long long *notional) {
  unsigned i = blockIdx.x * 256 + threadIdx.x, ref = 0;
  const unsigned char *m = feed + (unsigned long long)i * 64;
  unsigned long long shares = m[19] * 16777216u + m[20] * 65536u + m[21] * 256u + m[22];
  unsigned long long price = m[31] * 16777216u + m[32] * 65536u + m[33] * 256u + m[34];
  for (int k = 47; k < 60; k++)
    ref = ref * 31 + m[k];
  if (m[43] % 4 == 3)
    shares = 0;
  else if (ref % 64 == 5)
    shares = 1;
  notional[i] = shares * price + ref % 256;
}
