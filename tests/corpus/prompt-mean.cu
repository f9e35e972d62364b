//! problem:   generic
//! id:        prompt-mean
//! ladder:    prompt-mean
//! size:      N = 16M
//! param:     TOKENS = 128
//! param:     DIM = 1024
//! buffer:    hidden = bf16[2 * N]; init = random
//! buffer:    gate = fp32[2 * N / DIM]; init = random
//! buffer:    mean = fp32[2 * N / TOKENS]
//! output:    mean
//! step:      kernel = pool; grid = DIM / 256, 2 * N / DIM / TOKENS; block = 128; args = hidden, gate, mean
//! reference: kernel = pool_plain; grid = DIM / 128, 2 * N / DIM / TOKENS; block = 128; args = hidden, gate, mean
//! tolerance: 1e-4 1e-4
//! note:      sentence embeddings: the mean of the hidden states of 256 prompts, each token with its weight, up to an end mark

//! id:        prompt-mean-b
//! parent:    prompt-mean
//! change:    eight tokens are loaded before the first is looked at
//! step:      kernel = pool_ahead; grid = DIM / 256, 2 * N / DIM / TOKENS; block = 128; args = hidden, gate, mean

#include <cuda_bf16.h>

#define END -1.5f

// two channels a thread, over all tokens of its prompt
extern "C" __global__ void pool(const __nv_bfloat162 *__restrict__ hidden, const float *__restrict__ gate,
                                float2 *mean) {
  int d = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * TOKENS;
  float2 sum = {0, 0};
  float seen = 0.01f;
  for (int t = first; t < first + TOKENS; t++) {
    float g = gate[t];
    if (g < END)
      break;
    float2 h = __bfloat1622float2(hidden[t * (DIM / 2) + d]);
    sum.x += fabsf(g) * h.x;
    sum.y += fabsf(g) * h.y;
    seen += fabsf(g);
  }
  mean[blockIdx.y * (DIM / 2) + d] = make_float2(sum.x / seen, sum.y / seen);
}

extern "C" __global__ void pool_ahead(const __nv_bfloat162 *__restrict__ hidden, const float *__restrict__ gate,
                                      float2 *mean) {
  int d = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * TOKENS;
  float2 sum = {0, 0};
  float seen = 0.01f;
  bool open = true;
  for (int t = first; t < first + TOKENS && open; t += 8) {
    __nv_bfloat162 h[8];
    float g[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
      h[k] = hidden[(t + k) * (DIM / 2) + d];
      g[k] = gate[t + k];
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
      open = open && g[k] >= END;
      float w = open ? fabsf(g[k]) : 0.f;
      float2 f = __bfloat1622float2(h[k]);
      sum.x += w * f.x;
      sum.y += w * f.y;
      seen += w;
    }
  }
  mean[blockIdx.y * (DIM / 2) + d] = make_float2(sum.x / seen, sum.y / seen);
}

extern "C" __global__ void pool_plain(const __nv_bfloat16 *hidden, const float *gate, float *mean) {
  int d = blockIdx.x * 128 + threadIdx.x;
  double sum = 0, seen = 0.01;
  for (int t = blockIdx.y * TOKENS; t < (blockIdx.y + 1) * TOKENS && gate[t] >= END; t++) {
    sum += fabs(gate[t]) * __bfloat162float(hidden[t * DIM + d]);
    seen += fabs(gate[t]);
  }
  mean[blockIdx.y * DIM + d] = sum / seen;
}
