//! problem:   generic
//! id:        jpeg-array
//! ladder:    jpeg-blocks
//! size:      N = 16M
//! param:     BLOCKS = 131072
//! buffer:    coefficient = i16[64 * BLOCKS]; init = random
//! buffer:    quantum = u8[64]; init = random
//! buffer:    level = fp32[64 * BLOCKS]
//! output:    level
//! step:      kernel = decode_array; grid = BLOCKS / 128; block = 128; args = coefficient, quantum, level
//! reference: kernel = decode_plain; grid = BLOCKS / 128; block = 128; args = coefficient, quantum, level
//! tolerance: 0.05 1e-4
//! note:      the last part of a JPEG decoder: zigzag, dequantisation, inverse DCT, a block of 8 x 8 a thread; number k of all blocks, then k + 1

//! id:        jpeg-registers
//! parent:    jpeg-array
//! change:    all loops over the block are unrolled, so that each place of it is known and stays in a register
//! predicts:  time < 0.6x
//! step:      kernel = decode_registers; grid = BLOCKS / 128; block = 128; args = coefficient, quantum, level

__device__ constexpr unsigned char zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// Eight values, `apart` from each other, by the even and odd halves.
__device__ void inverse_line(float *v, int apart) {
  const float c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f, c4 = 0.353553391f, c5 = 0.277785117f,
              c6 = 0.191341716f, c7 = 0.097545161f;
  float a0 = v[0], a1 = v[apart], a2 = v[2 * apart], a3 = v[3 * apart];
  float a4 = v[4 * apart], a5 = v[5 * apart], a6 = v[6 * apart], a7 = v[7 * apart];
  float s = c4 * (a0 + a4), d = c4 * (a0 - a4), t = c2 * a2 + c6 * a6, u = c6 * a2 - c2 * a6;
  float e0 = s + t, e1 = d + u, e2 = d - u, e3 = s - t;
  float o0 = c1 * a1 + c3 * a3 + c5 * a5 + c7 * a7, o1 = c3 * a1 - c7 * a3 - c1 * a5 - c5 * a7;
  float o2 = c5 * a1 - c1 * a3 + c7 * a5 + c3 * a7, o3 = c7 * a1 - c5 * a3 + c3 * a5 - c1 * a7;
  v[0] = e0 + o0;
  v[apart] = e1 + o1;
  v[2 * apart] = e2 + o2;
  v[3 * apart] = e3 + o3;
  v[4 * apart] = e3 - o3;
  v[5 * apart] = e2 - o2;
  v[6 * apart] = e1 - o1;
  v[7 * apart] = e0 - o0;
}

extern "C" __global__ void decode_array(const short *__restrict__ coefficient,
                                        const unsigned char *__restrict__ quantum, float *__restrict__ level) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  float v[64];
#pragma unroll 4
  for (int k = 0; k < 64; k++)
    v[zigzag[k]] = coefficient[k * BLOCKS + block] * (quantum[k] + 1);
#pragma unroll 1
  for (int row = 0; row < 8; row++)
    inverse_line(v + 8 * row, 1);
#pragma unroll 1
  for (int column = 0; column < 8; column++)
    inverse_line(v + column, 8);
#pragma unroll 4
  for (int k = 0; k < 64; k++)
    level[k * BLOCKS + block] = v[k] + 128;
}

extern "C" __global__ void __launch_bounds__(128)
    decode_registers(const short *__restrict__ coefficient, const unsigned char *__restrict__ quantum,
                     float *__restrict__ level) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  float v[64];
#pragma unroll
  for (int k = 0; k < 64; k++)
    v[zigzag[k]] = coefficient[k * BLOCKS + block] * (quantum[k] + 1);
#pragma unroll
  for (int row = 0; row < 8; row++)
    inverse_line(v + 8 * row, 1);
#pragma unroll
  for (int column = 0; column < 8; column++)
    inverse_line(v + column, 8);
#pragma unroll
  for (int k = 0; k < 64; k++)
    level[k * BLOCKS + block] = v[k] + 128;
}

// By the definition, and the zigzag walked along its diagonals.
extern "C" __global__ void decode_plain(const short *coefficient, const unsigned char *quantum, float *level) {
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  double v[64], w[64], wave[32];
  for (int k = 0; k < 32; k++)
    wave[k] = cospi(k / 16.0) / 2;
  for (int diagonal = 0, k = 0; diagonal < 15; diagonal++)
    for (int i = 0; i <= diagonal; i++) {
      int row = diagonal % 2 ? i : diagonal - i, column = diagonal - row;
      if (row < 8 && column < 8) {
        v[row * 8 + column] = (double)coefficient[k * BLOCKS + block] * (quantum[k] + 1);
        k++;
      }
    }
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) {
      double sum = v[y * 8] * sqrt(0.125);
      for (int f = 1; f < 8; f++)
        sum += v[y * 8 + f] * wave[(2 * x + 1) * f % 32];
      w[y * 8 + x] = sum;
    }
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++) {
      double sum = w[x] * sqrt(0.125);
      for (int f = 1; f < 8; f++)
        sum += w[f * 8 + x] * wave[(2 * y + 1) * f % 32];
      level[(y * 8 + x) * BLOCKS + block] = sum + 128;
    }
}
