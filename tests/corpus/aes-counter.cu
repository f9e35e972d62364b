//! problem:   generic
//! id:        aes-one-table
//! ladder:    aes-counter
//! size:      N = 16M
//! param:     BLOCKS = 2097152
//! param:     COPIES = 1
//! buffer:    plain = u32[4 * BLOCKS]; init = random
//! buffer:    cipher = u32[4 * BLOCKS]
//! output:    cipher
//! scratch:   sbox = 256
//! scratch:   table = 4 * 256
//! scratch:   round_key = 16 * 11
//! setup:     kernel = make_tables; grid = 1; block = 256; args = sbox, table, round_key
//! step:      kernel = encrypt; grid = 2 * sms; block = 512; args = table, round_key, plain, cipher
//! reference: kernel = encrypt_bytes; grid = BLOCKS / 256; block = 256; args = sbox, round_key, plain, cipher
//! bytes:     32 * BLOCKS
//! note:      AES-128 in counter mode, a block of 16 bytes a thread and turn; S-box and column mix by table

//! id:        aes-table-a-lane
//! parent:    aes-one-table
//! change:    32 copies of the table, so laid out that each lane has one of its own
//! param:     COPIES = 32
//! predicts:  time < 0.7x; dram_bytes within 10%

typedef unsigned int u32;

__device__ u32 times_two(u32 x) {
  return (x << 1 ^ (x >> 7) * 0x1b) & 0xff;
}

__device__ u32 times(u32 a, u32 b) {
  u32 p = 0;
  for (int k = 0; k < 8; k++, a = times_two(a))
    p ^= (b >> k & 1) * a;
  return p;
}

extern "C" __global__ void make_tables(unsigned char *sbox, u32 *table, u32 *round_key) {
  u32 x = threadIdx.x, inverse = 1;
  for (int k = 0; k < 254; k++)
    inverse = times(inverse, x);
  u32 s = 0x63;
  for (int k = 0; k < 5; k++)
    s ^= (inverse << k | inverse >> (8 - k)) & 0xff;
  sbox[x] = s;
  table[x] = times(s, 2) | s << 8 | s << 16 | times(s, 3) << 24;
  __syncthreads();
  if (x == 0) {
    u32 constant = 1;
    for (u32 k = 0; k < 44; k++) {
      if (k < 4) {
        round_key[k] = 0x16157e2b + 0x9e3779b9 * k;
        continue;
      }
      u32 w = round_key[k - 1];
      if (k % 4 == 0) {
        w = w >> 8 | w << 24;
        w = sbox[w & 0xff] | sbox[w >> 8 & 0xff] << 8 | sbox[w >> 16 & 0xff] << 16 | (u32)sbox[w >> 24] << 24;
        w ^= constant;
        constant = times_two(constant);
      }
      round_key[k] = round_key[k - 4] ^ w;
    }
  }
}

__device__ u32 turn_left(u32 x, int bits) {
  return __funnelshift_l(x, x, bits);
}

extern "C" __global__ void __launch_bounds__(512, 2)
    encrypt(const u32 *__restrict__ table, const uint4 *__restrict__ round_key, const uint4 *__restrict__ plain,
            uint4 *__restrict__ cipher) {
  __shared__ u32 mix[256 * COPIES];
  __shared__ uint4 key[11];
  for (int k = threadIdx.x; k < 256 * COPIES; k += 512)
    mix[k] = table[k / COPIES];
  if (threadIdx.x < 11)
    key[threadIdx.x] = round_key[threadIdx.x];
  __syncthreads();
  const u32 *own = mix + threadIdx.x % COPIES;
  for (u32 i = blockIdx.x * 512 + threadIdx.x; i < BLOCKS; i += gridDim.x * 512) {
    u32 s[4] = {0x01234567 ^ key[0].x, 0x89abcdef ^ key[0].y, key[0].z, i ^ key[0].w};
#pragma unroll
    for (int round = 1; round < 10; round++) {
      u32 t[4];
#pragma unroll
      for (int c = 0; c < 4; c++)
        t[c] = own[(s[c] & 0xff) * COPIES] ^ turn_left(own[(s[(c + 1) % 4] >> 8 & 0xff) * COPIES], 8) ^
               turn_left(own[(s[(c + 2) % 4] >> 16 & 0xff) * COPIES], 16) ^
               turn_left(own[(s[(c + 3) % 4] >> 24) * COPIES], 24);
      uint4 k = key[round];
      s[0] = t[0] ^ k.x, s[1] = t[1] ^ k.y, s[2] = t[2] ^ k.z, s[3] = t[3] ^ k.w;
    }
    u32 t[4];
#pragma unroll
    for (int c = 0; c < 4; c++)
      t[c] = (own[(s[c] & 0xff) * COPIES] >> 8 & 0xff) | (own[(s[(c + 1) % 4] >> 8 & 0xff) * COPIES] & 0xff00) |
             (own[(s[(c + 2) % 4] >> 16 & 0xff) * COPIES] & 0xff0000) |
             (own[(s[(c + 3) % 4] >> 24) * COPIES] << 8 & 0xff000000);
    uint4 k = key[10], p = plain[i];
    cipher[i] = make_uint4(p.x ^ t[0] ^ k.x, p.y ^ t[1] ^ k.y, p.z ^ t[2] ^ k.z, p.w ^ t[3] ^ k.w);
  }
}

extern "C" __global__ void encrypt_bytes(const unsigned char *sbox, const u32 *round_key, const u32 *plain,
                                         u32 *cipher) {
  u32 i = blockIdx.x * 256 + threadIdx.x;
  u32 word[4] = {0x01234567, 0x89abcdef, 0, i};
  u32 s[16], t[16];
  for (int k = 0; k < 16; k++)
    s[k] = (word[k / 4] ^ round_key[k / 4]) >> 8 * (k % 4) & 0xff;
  for (int round = 1; round <= 10; round++) {
    for (int k = 0; k < 16; k++)
      t[k] = sbox[s[(k + 4 * (k % 4)) % 16]];
    for (int k = 0; k < 16; k++) {
      int c = k / 4 * 4, r = k % 4;
      u32 mixed = times(t[c + r], 2) ^ times(t[c + (r + 1) % 4], 3) ^ t[c + (r + 2) % 4] ^ t[c + (r + 3) % 4];
      s[k] = (round < 10 ? mixed : t[k]) ^ (round_key[4 * round + k / 4] >> 8 * r & 0xff);
    }
  }
  for (int c = 0; c < 4; c++)
    cipher[4 * i + c] = plain[4 * i + c] ^ (s[4 * c] | s[4 * c + 1] << 8 | s[4 * c + 2] << 16 | s[4 * c + 3] << 24);
}
