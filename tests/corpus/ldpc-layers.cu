//! problem:   generic
//! id:        ldpc-by-lane
//! ladder:    ldpc-layers
//! size:      N = 16M
//! param:     WORDS = 4096
//! param:     ROUNDS = 4
//! buffer:    heard = fp32[WORDS * 24 * 64]; init = random
//! buffer:    belief = fp32[WORDS * 24 * 64]
//! output:    belief
//! step:      kernel = decode_lanes; grid = WORDS; block = 64; args = heard, belief
//! reference: kernel = decode_plain; grid = WORDS; block = 64; args = heard, belief
//! tolerance: 1e-4 1e-4
//! note:      layered min-sum decoding of a quasi-cyclic LDPC code: 24 columns and 12 layers of circulants of 64

//! id:        ldpc-by-column
//! parent:    ldpc-by-lane
//! change:    beliefs lie column by column in shared memory, so that a circulant's 64 are neighbours
//! predicts:  time < 0.6x
//! step:      kernel = decode_columns; grid = WORDS; block = 64; args = heard, belief

enum { Z = 64, COLUMNS = 24, LAYERS = 12, DEGREE = 7 };

__device__ int column_of(int layer, int edge) {
  return (layer * 7 + edge * 3) % COLUMNS;
}
__device__ int shift_of(int layer, int edge) {
  return layer * 29 + edge * 17 + 5;
}

// Where a column's belief for a row of its circulant lies.
template <bool BY_COLUMN> __device__ int place(int column, int row) {
  return BY_COLUMN ? column * Z + row : row * COLUMNS + column;
}

template <bool BY_COLUMN> __device__ void decode(const float *__restrict__ heard, float *__restrict__ belief) {
  __shared__ float llr[COLUMNS * Z], message[LAYERS * DEGREE][Z];
  int row = threadIdx.x;
  heard += blockIdx.x * COLUMNS * Z;
  belief += blockIdx.x * COLUMNS * Z;
  for (int c = 0; c < COLUMNS; c++)
    llr[place<BY_COLUMN>(c, row)] = heard[c * Z + row];
  for (int m = 0; m < LAYERS * DEGREE; m++)
    message[m][row] = 0;
  __syncthreads();
  for (int round = 0; round < ROUNDS; round++)
#pragma unroll 1
    for (int layer = 0; layer < LAYERS; layer++) {
      float q[DEGREE], least = 1e30f, second = 1e30f;
      int at[DEGREE], negative = 0;
#pragma unroll
      for (int e = 0; e < DEGREE; e++) {
        at[e] = place<BY_COLUMN>(column_of(layer, e), (row + shift_of(layer, e)) % Z);
        q[e] = llr[at[e]] - message[layer * DEGREE + e][row];
        float size = fabsf(q[e]);
        second = fminf(second, fmaxf(least, size));
        least = fminf(least, size);
        negative ^= __float_as_int(q[e]);
      }
#pragma unroll
      for (int e = 0; e < DEGREE; e++) {
        float size = 0.75f * (fabsf(q[e]) == least ? second : least);
        float m = __int_as_float(__float_as_int(size) ^ ((negative ^ __float_as_int(q[e])) & 0x80000000));
        message[layer * DEGREE + e][row] = m;
        llr[at[e]] = q[e] + m;
      }
      __syncthreads();
    }
  for (int c = 0; c < COLUMNS; c++)
    belief[c * Z + row] = llr[place<BY_COLUMN>(c, row)];
}

extern "C" __global__ void decode_lanes(const float *heard, float *belief) {
  decode<false>(heard, belief);
}
extern "C" __global__ void decode_columns(const float *heard, float *belief) {
  decode<true>(heard, belief);
}

extern "C" __global__ void decode_plain(const float *heard, float *belief) {
  int row = threadIdx.x;
  float own[LAYERS][DEGREE];
  heard += blockIdx.x * COLUMNS * Z;
  belief += blockIdx.x * COLUMNS * Z;
  for (int c = 0; c < COLUMNS; c++)
    belief[c * Z + row] = heard[c * Z + row];
  for (int l = 0; l < LAYERS; l++)
    for (int e = 0; e < DEGREE; e++)
      own[l][e] = 0;
  __syncthreads();
  for (int round = 0; round < ROUNDS; round++)
    for (int l = 0; l < LAYERS; l++) {
      float q[DEGREE];
      for (int e = 0; e < DEGREE; e++)
        q[e] = belief[column_of(l, e) * Z + (row + shift_of(l, e)) % Z] - own[l][e];
      for (int e = 0; e < DEGREE; e++) {
        float size = 1e30f, sign = 1;
        for (int o = 0; o < DEGREE; o++)
          if (o != e) {
            size = fminf(size, fabsf(q[o]));
            sign = q[o] < 0 ? -sign : sign;
          }
        own[l][e] = 0.75f * sign * size;
        belief[column_of(l, e) * Z + (row + shift_of(l, e)) % Z] = q[e] + own[l][e];
      }
      __syncthreads();
    }
}
