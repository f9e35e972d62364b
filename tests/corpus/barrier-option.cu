//! problem:   generic
//! id:        barrier-four-paths
//! ladder:    barrier-option
//! size:      N = 16M
//! param:     THREADS = 1024
//! param:     PATHS = 4
//! param:     TOTAL = 1114112
//! buffer:    payoff = u32[TOTAL]
//! output:    payoff
//! step:      kernel = paths; grid = TOTAL / THREADS / PATHS; block = THREADS; args = payoff
//! reference: kernel = paths_plain; grid = TOTAL / 256; block = 256; args = payoff
//! flops:     12 * 96 * TOTAL
//! note:      Monte Carlo of a double barrier option with a rebate, in fixed point: 1.1 million paths of 96 days

//! id:        barrier-one-path
//! parent:    barrier-four-paths
//! change:    sixteen times as many blocks, a quarter as large, with a path a thread
//! param:     THREADS = 256
//! param:     PATHS = 1
//! predicts:  time < 0.85x

enum { DAYS = 96, SPOT = 100 << 16, LOW = 70 << 16, HIGH = 140 << 16, STRIKE = 98 << 16, REBATE = 3 << 16 };

__device__ unsigned next(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

// The sum of four bytes is nearly normal: mean 510, deviation 148.
__device__ int shock(unsigned bits) { return (int)__dp4a(bits, 0x01010101u, 0u) - 510; }

__device__ unsigned follow(int path) {
  unsigned state = path * 2654435761u + 12345u;
  state |= 1;
  int price = SPOT, least = SPOT, most = SPOT;
#pragma unroll 4
  for (int day = 0; day < DAYS; day++) {
    int move = shock(next(state)) + shock(next(state)); // deviation 209, that is 1.3 % a day
    price += (price >> 14) * move + (price >> 13);
    least = min(least, price);
    most = max(most, price);
  }
  if (least < LOW || most > HIGH)
    return REBATE;
  return max(price - STRIKE, 0);
}

extern "C" __global__ void __launch_bounds__(THREADS) paths(unsigned *__restrict__ payoff) {
#pragma unroll 1
  for (int p = 0; p < PATHS; p++) {
    int path = (blockIdx.x * PATHS + p) * THREADS + threadIdx.x;
    payoff[path] = follow(path);
  }
}

extern "C" __global__ void paths_plain(unsigned *payoff) {
  unsigned path = blockIdx.x * 256 + threadIdx.x, s = (path * 2654435761u + 12345u) | 1;
  int price = 6553600;
  bool out = false;
  for (int day = 0; day < 96; day++) {
    int move = -1020;
    for (int k = 0; k < 2; k++) {
      s ^= s << 13;
      s ^= s >> 17;
      s ^= s << 5;
      for (int byte = 0; byte < 4; byte++)
        move += s >> 8 * byte & 255;
    }
    price += (price >> 14) * move + (price >> 13);
    out |= price < 4587520 || price > 9175040;
  }
  payoff[path] = out ? 196608 : price > 6422528 ? price - 6422528 : 0;
}
