//! problem:   generic
//! id:        forward-table
//! ladder:    chain-forward
//! size:      N = 16M
//! param:     LENGTH = 128
//! param:     READS = 8192
//! buffer:    symbol = u8[N / 16]; init = random
//! buffer:    move = fp32[32 * 32]; init = random
//! buffer:    emit = fp32[4 * 32]; init = random
//! buffer:    odds = fp32[READS]
//! output:    odds
//! tolerance: 0 1e-3
//! flops:     64 * 32 * LENGTH * READS
//! step:      kernel = forward_table; grid = READS / 8; block = 256; args = symbol, move, emit, odds
//! reference: kernel = forward_plain; grid = READS / 64; block = 64; args = symbol, move, emit, odds
//! note:      how likely reads of 128 symbols are under a hidden Markov model of 32 states, a lane a state

//! id:        forward-column
//! parent:    forward-table
//! change:    a lane keeps the column of the table that leads to its state in registers
//! predicts:  time < 0.75x; dram_bytes within 10%
//! step:      kernel = forward_column; grid = READS / 8; block = 256; args = symbol, move, emit, odds

__device__ float move_odds(float raw) {
  return 0.0625f * fabsf(raw);
}

__device__ float emit_odds(float raw) {
  return 1 + 0.4f * raw;
}

struct from_table {
  const float *table;
  __device__ from_table(const float *table) : table(table) {}
  __device__ float to(int lane, int i) const { return table[i * 32 + lane]; }
};

struct from_column {
  float column[32];
  __device__ from_column(const float *table) {
#pragma unroll
    for (int i = 0; i < 32; i++)
      column[i] = table[i * 32 + threadIdx.x % 32];
  }
  __device__ float to(int, int i) const { return column[i]; }
};

template <class Moves>
__device__ void forward(const unsigned char *__restrict__ symbol, const float *move, const float *emit, float *odds) {
  __shared__ float table[32 * 32], symbols[4][32];
  __shared__ __align__(16) float states[8][2][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, read = blockIdx.x * 8 + warp;
  for (int i = threadIdx.x; i < 32 * 32; i += 256)
    table[i] = move_odds(move[i]);
  if (threadIdx.x < 128)
    symbols[warp][lane] = emit_odds(emit[threadIdx.x]);
  __syncthreads();
  Moves moves(table);
  float mine = 0.03125f;
  const unsigned *word = (const unsigned *)(symbol + read * LENGTH);
  unsigned next = 0;
  for (int t = 0; t < LENGTH; t++) {
    next = t % 4 ? next >> 8 : word[t / 4];
    float *state = states[warp][t % 2];
    state[lane] = mine;
    __syncwarp();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 32; i++)
      sum += state[i] * moves.to(lane, i);
    mine = sum * symbols[next % 4][lane];
  }
  for (int offset = 16; offset; offset /= 2)
    mine += __shfl_xor_sync(0xffffffff, mine, offset);
  if (lane == 0)
    odds[read] = mine;
}

extern "C" __global__ void __launch_bounds__(256) forward_table(const unsigned char *symbol, const float *move,
                                                                const float *emit, float *odds) {
  forward<from_table>(symbol, move, emit, odds);
}

extern "C" __global__ void __launch_bounds__(256) forward_column(const unsigned char *symbol, const float *move,
                                                                 const float *emit, float *odds) {
  forward<from_column>(symbol, move, emit, odds);
}

extern "C" __global__ void forward_plain(const unsigned char *symbol, const float *move, const float *emit,
                                         float *odds) {
  int read = blockIdx.x * blockDim.x + threadIdx.x;
  float state[32], before[32], total = 0;
  for (int i = 0; i < 32; i++)
    state[i] = 0.03125f;
  for (int t = 0; t < LENGTH; t++) {
    int s = symbol[read * LENGTH + t] % 4;
    for (int i = 0; i < 32; i++)
      before[i] = state[i];
    for (int j = 0; j < 32; j++) {
      state[j] = 0;
      for (int i = 0; i < 32; i++)
        state[j] += before[i] * move_odds(move[i * 32 + j]);
      state[j] *= emit_odds(emit[s * 32 + j]);
    }
  }
  for (int i = 0; i < 32; i++)
    total += state[i];
  odds[read] = total;
}
