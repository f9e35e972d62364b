//! problem:   generic
//! id:        zero-phase-tiles
//! ladder:    zero-phase
//! size:      N = 16M
//! param:     GATES = 16
//! param:     PER_BLOCK = 0
//! buffer:    trace = fp32[2 * N]; init = random
//! buffer:    smooth = fp32[2 * N]
//! output:    smooth
//! scratch:   work = 4 * 2 * N
//! step:      kernel = smoothen; grid = 132; block = 512; args = trace, work, smooth, 2 * N / GATES, GATES
//! reference: kernel = smoothen_plain; grid = 2 * N / GATES / 256; block = 256; args = trace, smooth, 2 * N / GATES
//! tolerance: 1e-5 1e-5
//! note:      exponential smoothing of short traces, forth and back so that nothing shifts; what the way forth leaves is kept in work

//! id:        zero-phase
//! parent:    zero-phase-tiles
//! change:    a block keeps one piece of work for all of its tiles
//! predicts:  time < 0.85x; dram_bytes < 0.85x
//! param:     PER_BLOCK = 1

#define KEEP 0.7f

__device__ float blend(float state, float v) { return fmaf(KEEP, state, (1 - KEEP) * v); }

// a thread a trace, 512 traces a tile
extern "C" __global__ void __launch_bounds__(512, 1) smoothen(const float *__restrict__ trace, float *__restrict__ work,
                                                           float *__restrict__ smooth, int traces, int gates) {
  for (int tile = blockIdx.x; tile < traces / 512; tile += gridDim.x) {
    int column = tile * 512 + threadIdx.x;
    float *own = work + (size_t)(PER_BLOCK ? blockIdx.x : tile) * gates * 512 + threadIdx.x;
    float state = 0;
#pragma unroll 16
    for (int g = 0; g < gates; g++) {
      state = blend(state, trace[(size_t)g * traces + column]);
      own[g * 512] = state;
    }
    state = 0;
#pragma unroll 16
    for (int g = gates - 1; g >= 0; g--) {
      state = blend(state, own[g * 512]);
      smooth[(size_t)g * traces + column] = state;
    }
  }
}

extern "C" __global__ void smoothen_plain(const float *trace, float *smooth, int traces) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float forth[GATES], state = 0;
  for (int g = 0; g < GATES; g++)
    forth[g] = state = blend(state, trace[(size_t)g * traces + column]);
  state = 0;
  for (int g = GATES - 1; g >= 0; g--)
    smooth[(size_t)g * traces + column] = state = blend(state, forth[g]);
}
