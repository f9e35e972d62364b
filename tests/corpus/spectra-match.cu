//! problem:   generic
//! id:        spectra-one
//! ladder:    spectra-match
//! size:      N = 16M
//! param:     BINS = 64
//! param:     SPECTRA = 4096
//! param:     QUERIES = 1056
//! buffer:    library = fp32[BINS * SPECTRA]; init = random
//! buffer:    query = fp32[QUERIES * BINS]; init = random
//! buffer:    best = fp32[QUERIES]
//! output:    best
//! tolerance: 1e-4 1e-4
//! flops:     2 * QUERIES * BINS * SPECTRA
//! step:      kernel = match_one; grid = QUERIES; block = 1024; args = library, query, best
//! reference: kernel = match_plain; grid = QUERIES; block = 32; args = library, query, best
//! note:      the best score of measured spectra against a library that lies bin after bin

//! id:        spectra-four
//! parent:    spectra-one
//! change:    a block matches four spectra at once
//! predicts:  time < 0.6x
//! step:      kernel = match_four; grid = QUERIES / 4; block = 1024; args = library, query, best

// Four neighbouring spectra of the library a thread, COUNT queries a block.
template <int COUNT> __device__ void match(const float4 *__restrict__ library, const float *query, float *best) {
  __shared__ float wanted[BINS][COUNT], warps[COUNT][32];
  int first = blockIdx.x * COUNT, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < COUNT * BINS; i += 1024)
    wanted[i % BINS][i / BINS] = query[first * BINS + i];
  __syncthreads();
  float4 score[COUNT] = {};
#pragma unroll 8
  for (int bin = 0; bin < BINS; bin++) {
    float4 v = __ldcg(&library[bin * (SPECTRA / 4) + threadIdx.x]);
#pragma unroll
    for (int q = 0; q < COUNT; q++) {
      float w = wanted[bin][q];
      score[q].x += w * v.x;
      score[q].y += w * v.y;
      score[q].z += w * v.z;
      score[q].w += w * v.w;
    }
  }
#pragma unroll
  for (int q = 0; q < COUNT; q++) {
    float top = fmaxf(fmaxf(score[q].x, score[q].y), fmaxf(score[q].z, score[q].w));
    for (int offset = 16; offset; offset /= 2)
      top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, offset));
    if (lane == 0)
      warps[q][warp] = top;
  }
  __syncthreads();
  if (warp < COUNT) {
    float top = warps[warp][lane];
    for (int offset = 16; offset; offset /= 2)
      top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, offset));
    if (lane == 0)
      best[first + warp] = top;
  }
}

extern "C" __global__ void __launch_bounds__(1024) match_one(const float4 *library, const float *query, float *best) {
  match<1>(library, query, best);
}

extern "C" __global__ void __launch_bounds__(1024) match_four(const float4 *library, const float *query,
                                                              float *best) {
  match<4>(library, query, best);
}

extern "C" __global__ void match_plain(const float *library, const float *query, float *best) {
  float top = -1e30f;
  for (int s = threadIdx.x; s < SPECTRA; s += 32) {
    float sum = 0;
    for (int bin = 0; bin < BINS; bin++)
      sum += library[bin * SPECTRA + s] * query[blockIdx.x * BINS + bin];
    top = fmaxf(top, sum);
  }
  for (int offset = 16; offset; offset /= 2)
    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, offset));
  best[blockIdx.x] = top;
}
