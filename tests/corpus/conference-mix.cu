//! problem:   generic
//! id:        conference-constants
//! ladder:    conference-mix
//! size:      N = 16M
//! param:     FRAMES = 8388608
//! param:     CALLERS = 8
//! buffer:    line = u8[CALLERS * FRAMES]; init = random
//! buffer:    mix = i16[FRAMES]
//! output:    mix
//! step:      kernel = mix_constants; grid = FRAMES / 1024; block = 256; args = line, mix
//! reference: kernel = mix_plain; grid = FRAMES / 256; block = 256; args = line, mix
//! note:      a telephone conference: the 8-bit mu-law of eight callers is expanded, summed and clipped to 16 bits

//! id:        conference-shared
//! parent:    conference-constants
//! change:    the block copies the table into shared memory
//! predicts:  time < 0.6x
//! step:      kernel = mix_shared; grid = FRAMES / 1024; block = 256; args = line, mix

// ITU-T G.711, by code.
__constant__ short expanded[256] = {
    -32124, -31100, -30076, -29052, -28028, -27004, -25980, -24956, -23932, -22908, -21884, -20860, -19836, -18812,
    -17788, -16764, -15996, -15484, -14972, -14460, -13948, -13436, -12924, -12412, -11900, -11388, -10876, -10364,
    -9852,  -9340,  -8828,  -8316,  -7932,  -7676,  -7420,  -7164,  -6908,  -6652,  -6396,  -6140,  -5884,  -5628,
    -5372,  -5116,  -4860,  -4604,  -4348,  -4092,  -3900,  -3772,  -3644,  -3516,  -3388,  -3260,  -3132,  -3004,
    -2876,  -2748,  -2620,  -2492,  -2364,  -2236,  -2108,  -1980,  -1884,  -1820,  -1756,  -1692,  -1628,  -1564,
    -1500,  -1436,  -1372,  -1308,  -1244,  -1180,  -1116,  -1052,  -988,   -924,   -876,   -844,   -812,   -780,
    -748,   -716,   -684,   -652,   -620,   -588,   -556,   -524,   -492,   -460,   -428,   -396,   -372,   -356,
    -340,   -324,   -308,   -292,   -276,   -260,   -244,   -228,   -212,   -196,   -180,   -164,   -148,   -132,
    -120,   -112,   -104,   -96,    -88,    -80,    -72,    -64,    -56,    -48,    -40,    -32,    -24,    -16,
    -8,     0,      32124,  31100,  30076,  29052,  28028,  27004,  25980,  24956,  23932,  22908,  21884,  20860,
    19836,  18812,  17788,  16764,  15996,  15484,  14972,  14460,  13948,  13436,  12924,  12412,  11900,  11388,
    10876,  10364,  9852,   9340,   8828,   8316,   7932,   7676,   7420,   7164,   6908,   6652,   6396,   6140,
    5884,   5628,   5372,   5116,   4860,   4604,   4348,   4092,   3900,   3772,   3644,   3516,   3388,   3260,
    3132,   3004,   2876,   2748,   2620,   2492,   2364,   2236,   2108,   1980,   1884,   1820,   1756,   1692,
    1628,   1564,   1500,   1436,   1372,   1308,   1244,   1180,   1116,   1052,   988,    924,    876,    844,
    812,    780,    748,    716,    684,    652,    620,    588,    556,    524,    492,    460,    428,    396,
    372,    356,    340,    324,    308,    292,    276,    260,    244,    228,    212,    196,    180,    164,
    148,    132,    120,    112,    104,    96,     88,     80,     72,     64,     56,     48,     40,     32,
    24,     16,     8,      0};

__device__ short clipped(int v) {
  return min(max(v, -32768), 32767);
}

// Four samples of all callers.
template <typename TABLE>
__device__ void mix_four(const uchar4 *__restrict__ line, short4 *__restrict__ mix, const TABLE &table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum[4] = {0, 0, 0, 0};
  uchar4 code[CALLERS];
#pragma unroll
  for (int c = 0; c < CALLERS; c++)
    code[c] = line[c * (FRAMES / 4) + i];
#pragma unroll
  for (int c = 0; c < CALLERS; c++) {
    sum[0] += table[code[c].x];
    sum[1] += table[code[c].y];
    sum[2] += table[code[c].z];
    sum[3] += table[code[c].w];
  }
  mix[i] = make_short4(clipped(sum[0]), clipped(sum[1]), clipped(sum[2]), clipped(sum[3]));
}

extern "C" __global__ void mix_constants(const uchar4 *line, short4 *mix) {
  mix_four(line, mix, expanded);
}

extern "C" __global__ void mix_shared(const uchar4 *line, short4 *mix) {
  __shared__ int table[256];
  table[threadIdx.x] = expanded[threadIdx.x];
  __syncthreads();
  mix_four(line, mix, table);
}

extern "C" __global__ void mix_plain(const unsigned char *line, short *mix) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int c = 0; c < CALLERS; c++) {
    int code = 255 - line[c * FRAMES + i], size = (((code & 15) * 8 + 132) << (code >> 4 & 7)) - 132;
    sum += code & 128 ? -size : size;
  }
  mix[i] = sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum;
}
