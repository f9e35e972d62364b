//! problem:   generic
//! id:        packet-a-thread
//! ladder:    packet-checksum
//! size:      N = 16M
//! param:     PACKETS = 1048576
//! param:     WORDS = 64
//! buffer:    packet = u32[PACKETS * WORDS]; init = random
//! buffer:    sum = u16[PACKETS]
//! output:    sum
//! step:      kernel = checksum_threads; grid = PACKETS / 256; block = 256; args = packet, sum
//! reference: kernel = checksum_plain; grid = PACKETS / 256; block = 256; args = packet, sum
//! note:      the Internet checksum of captured packets, 256 bytes each, one behind the other

//! id:        packet-half-a-warp
//! parent:    packet-a-thread
//! change:    sixteen lanes read a packet together
//! predicts:  time < 0.7x
//! step:      kernel = checksum_lanes; grid = PACKETS / 16; block = 256; args = packet, sum

// The sum of a word's halves, and of what is carried out of 16 bits.
__device__ unsigned halves(unsigned word) {
  return (word & 0xffff) + (word >> 16);
}
__device__ unsigned folded(unsigned total) {
  return ~halves(halves(total)) & 0xffff;
}

extern "C" __global__ void checksum_threads(const unsigned *__restrict__ packet, unsigned short *__restrict__ sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned *mine = packet + (long long)i * WORDS;
  unsigned total = 0;
#pragma unroll 4
  for (int w = 0; w < WORDS; w++)
    total += halves(mine[w]);
  sum[i] = folded(total);
}

extern "C" __global__ void checksum_lanes(const uint4 *__restrict__ packet, unsigned short *__restrict__ sum) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  uint4 four = packet[i * (WORDS / 4) + lane];
  unsigned total = halves(four.x) + halves(four.y) + halves(four.z) + halves(four.w);
#pragma unroll
  for (int apart = 8; apart > 0; apart /= 2)
    total += __shfl_xor_sync(0xffffffff, total, apart);
  if (lane == 0)
    sum[i] = folded(total);
}

// By bytes, as RFC 1071 has it, on a little-endian machine.
extern "C" __global__ void checksum_plain(const unsigned char *packet, unsigned short *sum) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned total = 0;
  for (int b = 0; b < WORDS * 4; b += 2) {
    total += packet[i * WORDS * 4 + b] | packet[i * WORDS * 4 + b + 1] << 8;
    if (total > 0xffff)
      total -= 0xffff;
  }
  sum[i] = 0xffff - total;
}
