//! problem:   generic
//! id:        gaps-epoch
//! ladder:    session-gaps
//! size:      N = 16M
//! param:     LIMIT = 100
//! buffer:    first = u32[N / 32]
//! buffer:    sessions = u32[N / 1024]
//! output:    first, sessions
//! scratch:   epoch = 8 * N
//! scratch:   second = 4 * N
//! setup:     kernel = clicks; grid = N / 256; block = 256; args = epoch, second
//! step:      kernel = gaps_epoch; grid = N / 8192; block = 256; args = epoch, first, sessions
//! reference: kernel = gaps_plain; grid = N / 1024 / 64; block = 64; args = epoch, first, sessions
//! note:      clicks in order of time: which begin a session, a bit each, and how many do of every 1024

//! id:        gaps-second
//! parent:    gaps-epoch
//! change:    times are kept as 32-bit seconds after the first
//! predicts:  time < 0.75x; dram_bytes < 0.6x
//! step:      kernel = gaps_second; grid = N / 8192; block = 256; args = second, first, sessions

// A warp takes 1024 clicks, eight times 32 at once.
template <class Time>
__device__ void gaps(const Time *__restrict__ time, unsigned *__restrict__ first, unsigned *__restrict__ sessions) {
  int lane = threadIdx.x % 32, run = blockIdx.x * 8 + threadIdx.x / 32, begin = run * 1024;
  Time last = time[max(begin - 1, 0)];
  int count = 0;
  unsigned word = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    Time now[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
      now[k] = time[begin + (i * 8 + k) * 32 + lane];
#pragma unroll
    for (int k = 0; k < 8; k++) {
      Time before = __shfl_up_sync(0xffffffff, now[k], 1);
      unsigned starts = __ballot_sync(0xffffffff, now[k] - (lane ? before : last) > LIMIT);
      last = __shfl_sync(0xffffffff, now[k], 31);
      word = lane == i * 8 + k ? starts : word;
      count += __popc(starts);
    }
  }
  first[run * 32 + lane] = word;
  if (lane == 0)
    sessions[run] = count;
}

extern "C" __global__ void __launch_bounds__(256) gaps_epoch(const long long *epoch, unsigned *first,
                                                             unsigned *sessions) {
  gaps(epoch, first, sessions);
}

extern "C" __global__ void __launch_bounds__(256) gaps_second(const int *second, unsigned *first,
                                                              unsigned *sessions) {
  gaps(second, first, sessions);
}

extern "C" __global__ void clicks(long long *epoch, int *second) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 0x9e3779b1;
  second[i] = i * 60 + ((x ^ x >> 15) * 0x85ebca77 >> 26);
  epoch[i] = 1767225600ll + second[i];
}

extern "C" __global__ void gaps_plain(const long long *epoch, unsigned *first, unsigned *sessions) {
  int run = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
  for (int word = run * 32; word < run * 32 + 32; word++) {
    unsigned bits = 0;
    for (int i = word * 32; i < word * 32 + 32; i++)
      bits |= (unsigned)(i > 0 && epoch[i] - epoch[i - 1] > LIMIT) << i % 32;
    first[word] = bits;
    count += __popc(bits);
  }
  sessions[run] = count;
}
