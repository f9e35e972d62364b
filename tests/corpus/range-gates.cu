//! problem:   generic
//! id:        gates-tiles
//! ladder:    range-gates
//! size:      N = 16M
//! param:     TAPS = 32
//! param:     TILE = 4096
//! param:     BLOCKS = 132
//! buffer:    echo = fp32[N + TILE]; init = random
//! buffer:    peak = fp32[N / 8]
//! output:    peak
//! tolerance: 1e-4 1e-4
//! flops:     2 * TAPS * N
//! step:      kernel = gates_tiles; grid = BLOCKS; block = 512; args = echo, peak, N / TILE
//! reference: kernel = gates_plain; grid = N / 8 / 256; block = 256; args = echo, peak, N / TILE
//! note:      echoes through a matched filter of 32 taps; of two times four neighbouring gates the strongest is kept

//! id:        gates-ahead
//! parent:    gates-tiles
//! change:    the next tile is on its way to registers while this one is filtered
//! predicts:  time < 0.85x; dram_bytes within 5%
//! step:      kernel = gates_ahead; grid = BLOCKS; block = 512; args = echo, peak, N / TILE

__device__ constexpr float chirp[32] = {.02f, .05f,  .09f, .13f,  .16f,  .17f,  .14f,  .06f,  -.05f, -.15f, -.19f,
                                        -.13f, .02f, .16f, .19f,  .06f,  -.13f, -.19f, -.02f, .18f,  .15f,  -.09f,
                                        -.19f, .03f, .2f,  .01f, -.19f, -.03f, .17f,  .04f,  -.13f, -.04f};

// A thread's part of a tile: two times four samples, and for a few threads one of those behind the tile.
struct part {
  float4 low, high;
  float behind;

  __device__ void read(const float *echo, int tile) {
    const float4 *from = (const float4 *)(echo + (long long)tile * TILE);
    low = from[threadIdx.x];
    high = from[threadIdx.x + 512];
    behind = threadIdx.x < TAPS ? echo[(tile + 1ll) * TILE + threadIdx.x] : 0;
  }

  __device__ void put(float *samples) const {
    ((float4 *)samples)[threadIdx.x] = low;
    ((float4 *)samples)[threadIdx.x + 512] = high;
    if (threadIdx.x < TAPS)
      samples[TILE + threadIdx.x] = behind;
  }
};

// Four neighbouring gates of either half of a tile.
__device__ float strongest(const float *samples) {
  float top = 0;
#pragma unroll
  for (int half = 0; half < 2; half++) {
    const float4 *from = (const float4 *)samples + half * 512 + threadIdx.x;
    float v[TAPS + 4], sum[4] = {};
#pragma unroll
    for (int k = 0; k < TAPS / 4 + 1; k++)
      *(float4 *)&v[4 * k] = from[k];
#pragma unroll
    for (int tap = 0; tap < TAPS; tap++)
#pragma unroll
      for (int gate = 0; gate < 4; gate++)
        sum[gate] += chirp[tap] * v[gate + tap];
#pragma unroll
    for (int gate = 0; gate < 4; gate++)
      top = fmaxf(top, fabsf(sum[gate]));
  }
  return top;
}

template <bool AHEAD> __device__ void gates(const float *__restrict__ echo, float *__restrict__ peak, int tiles) {
  __shared__ __align__(16) float samples[TILE + TAPS];
  part mine;
  if (AHEAD)
    mine.read(echo, blockIdx.x);
  for (int tile = blockIdx.x; tile < tiles; tile += BLOCKS) {
    if (!AHEAD)
      mine.read(echo, tile);
    mine.put(samples);
    __syncthreads();
    if (AHEAD && tile + BLOCKS < tiles)
      mine.read(echo, tile + BLOCKS);
    peak[tile * 512 + threadIdx.x] = strongest(samples);
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(512) gates_tiles(const float *echo, float *peak, int tiles) {
  gates<false>(echo, peak, tiles);
}

extern "C" __global__ void __launch_bounds__(512) gates_ahead(const float *echo, float *peak, int tiles) {
  gates<true>(echo, peak, tiles);
}

extern "C" __global__ void gates_plain(const float *echo, float *peak, int tiles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 512 * TILE + i % 512 * 4;
  double top = 0;
  for (int gate = 0; gate < 8; gate++) {
    double sum = 0;
    for (int tap = 0; tap < TAPS; tap++)
      sum += (double)chirp[tap] * echo[first + gate / 4 * (TILE / 2) + gate % 4 + tap];
    top = fmax(top, fabs(sum));
  }
  peak[i] = (float)top;
}
