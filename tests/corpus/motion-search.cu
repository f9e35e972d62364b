//! problem:   generic
//! id:        motion-bytes
//! ladder:    motion-search
//! size:      N = 16M
//! param:     WIDTH = 1920
//! param:     HEIGHT = 1088
//! buffer:    now = u8[WIDTH * HEIGHT]; init = random
//! buffer:    before = u8[WIDTH * HEIGHT]; init = random
//! buffer:    vectors = u32[WIDTH * HEIGHT / 256]
//! output:    vectors
//! step:      kernel = search_bytes; grid = WIDTH / 16, HEIGHT / 16; block = 256; args = now, before, vectors
//! reference: kernel = search_plain; grid = WIDTH / 16, HEIGHT / 16; block = 256; args = now, before, vectors
//! note:      a video encoder's full search: for each macroblock of 16 x 16 the least sum of absolute differences of 256 displacements

//! id:        motion-words
//! parent:    motion-bytes
//! change:    four pixels a word of shared memory, shifted into place and compared at once
//! step:      kernel = search_words; grid = WIDTH / 16, HEIGHT / 16; block = 256; args = now, before, vectors
//! predicts:  time < 0.5x

enum { SIDE = 16, REACH = 8, WINDOW = 32 };

struct tile {
  alignas(16) unsigned char block[SIDE][SIDE];
  alignas(16) unsigned char window[WINDOW][WINDOW];
  unsigned best;
};

__device__ void load(tile &t, const unsigned char *now, const unsigned char *before) {
  int x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE, i = threadIdx.x;
  t.block[i / SIDE][i % SIDE] = now[(y0 + i / SIDE) * WIDTH + x0 + i % SIDE];
  for (int k = i; k < WINDOW * WINDOW; k += 256) { // beyond the frame its edge goes on
    int x = min(max(x0 - REACH + k % WINDOW, 0), WIDTH - 1), y = min(max(y0 - REACH + k / WINDOW, 0), HEIGHT - 1);
    t.window[k / WINDOW][k % WINDOW] = before[y * WIDTH + x];
  }
  if (i == 0)
    t.best = ~0u;
  __syncthreads();
}

// The least cost wins, among equals the first displacement.
__device__ void vote(tile &t, unsigned cost, unsigned *vectors) {
  unsigned least = __reduce_min_sync(~0u, cost << 8 | threadIdx.x);
  if (threadIdx.x % 32 == 0)
    atomicMin(&t.best, least);
  __syncthreads();
  if (threadIdx.x == 0)
    vectors[blockIdx.y * gridDim.x + blockIdx.x] = t.best;
}

extern "C" __global__ void __launch_bounds__(256)
    search_bytes(const unsigned char *__restrict__ now, const unsigned char *__restrict__ before, unsigned *__restrict__ vectors) {
  __shared__ tile t;
  load(t, now, before);
  int dx = threadIdx.x % 16, dy = threadIdx.x / 16;
  unsigned cost = 0;
  for (int y = 0; y < SIDE; y++)
#pragma unroll
    for (int x = 0; x < SIDE; x++)
      cost = __sad(t.block[y][x], t.window[y + dy][x + dx], cost);
  vote(t, cost, vectors);
}

extern "C" __global__ void __launch_bounds__(256)
    search_words(const unsigned char *__restrict__ now, const unsigned char *__restrict__ before, unsigned *__restrict__ vectors) {
  __shared__ tile t;
  load(t, now, before);
  int dx = threadIdx.x % 16, dy = threadIdx.x / 16, shift = dx % 4 * 8;
  unsigned cost = 0;
  for (int y = 0; y < SIDE; y++) {
    const unsigned *row = (const unsigned *)t.window[y + dy] + dx / 4;
    uint4 here = *(const uint4 *)t.block[y];
    unsigned w[5];
#pragma unroll
    for (int k = 0; k < 5; k++)
      w[k] = row[k];
    cost += __vsadu4(here.x, __funnelshift_r(w[0], w[1], shift));
    cost += __vsadu4(here.y, __funnelshift_r(w[1], w[2], shift));
    cost += __vsadu4(here.z, __funnelshift_r(w[2], w[3], shift));
    cost += __vsadu4(here.w, __funnelshift_r(w[3], w[4], shift));
  }
  vote(t, cost, vectors);
}

extern "C" __global__ void search_plain(const unsigned char *now, const unsigned char *before, unsigned *vectors) {
  __shared__ unsigned best;
  if (threadIdx.x == 0)
    best = 0xffffffffu;
  __syncthreads();
  unsigned cost = 0;
  for (int p = 0; p < 256; p++) {
    int x = blockIdx.x * 16 + p % 16, y = blockIdx.y * 16 + p / 16;
    int u = x + (int)(threadIdx.x % 16) - 8, v = y + (int)(threadIdx.x / 16) - 8;
    u = u < 0 ? 0 : u >= WIDTH ? WIDTH - 1 : u;
    v = v < 0 ? 0 : v >= HEIGHT ? HEIGHT - 1 : v;
    cost += abs(now[y * WIDTH + x] - before[v * WIDTH + u]);
  }
  atomicMin(&best, cost * 256 + threadIdx.x);
  __syncthreads();
  vectors[blockIdx.y * gridDim.x + blockIdx.x] = best;
}
