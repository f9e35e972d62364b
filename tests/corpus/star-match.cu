//! problem:   generic
//! id:        star-match-single
//! ladder:    star-match
//! size:      N = 16M
//! param:     GROUP = 1
//! buffer:    detection = fp32[N / 4096 * 4]; init = random
//! buffer:    star = fp32[N / 1024 * 4]; init = random
//! buffer:    match = i32[N / 4096]
//! output:    match
//! step:      kernel = match_stars; grid = N / 4096 / GROUP; block = 256; args = detection, star, match, N / 1024
//! reference: kernel = match_plain; grid = N / 4096; block = 32; args = detection, star, match, N / 1024
//! note:      for every detection of a plate the star of the catalogue that fits it best, by direction and magnitude

//! id:        star-match
//! parent:    star-match-single
//! change:    a block seeks the stars of eight detections
//! predicts:  time < 0.6x
//! param:     GROUP = 8

__device__ float fit(float4 d, float4 s) { return fmaf(d.w, s.w, fmaf(d.z, s.z, fmaf(d.y, s.y, d.x * s.x))); }

__device__ void better(float &fit, int &at, float other, int other_at) {
  if (other > fit || (other == fit && other_at < at)) {
    fit = other;
    at = other_at;
  }
}

__device__ void best_of_warp(float &fit, int &at) {
  for (int offset = 16; offset; offset /= 2) {
    float other = __shfl_xor_sync(~0u, fit, offset);
    int other_at = __shfl_xor_sync(~0u, at, offset);
    better(fit, at, other, other_at);
  }
}

extern "C" __global__ void __launch_bounds__(256) match_stars(const float4 *detection, const float4 *__restrict__ star,
                                                              int *match, int stars) {
  __shared__ float warp_fit[GROUP][8];
  __shared__ int warp_at[GROUP][8];
  float4 d[GROUP];
  float top[GROUP];
  int at[GROUP];
#pragma unroll
  for (int g = 0; g < GROUP; g++) {
    d[g] = detection[blockIdx.x * GROUP + g];
    top[g] = -1e30f;
    at[g] = 0;
  }
#pragma unroll 4
  for (int i = threadIdx.x; i < stars; i += 256) {
    float4 s = __ldcg(&star[i]);
#pragma unroll
    for (int g = 0; g < GROUP; g++) {
      float f = fit(d[g], s);
      at[g] = f > top[g] ? i : at[g];
      top[g] = fmaxf(f, top[g]);
    }
  }
#pragma unroll
  for (int g = 0; g < GROUP; g++) {
    best_of_warp(top[g], at[g]);
    if (threadIdx.x % 32 == 0) {
      warp_fit[g][threadIdx.x / 32] = top[g];
      warp_at[g][threadIdx.x / 32] = at[g];
    }
  }
  __syncthreads();
  if (threadIdx.x < GROUP) {
    float f = warp_fit[threadIdx.x][0];
    int best = warp_at[threadIdx.x][0];
    for (int w = 1; w < 8; w++)
      better(f, best, warp_fit[threadIdx.x][w], warp_at[threadIdx.x][w]);
    match[blockIdx.x * GROUP + threadIdx.x] = best;
  }
}

extern "C" __global__ void match_plain(const float4 *detection, const float4 *star, int *match, int stars) {
  float top = -1e30f;
  int at = 0;
  for (int i = threadIdx.x; i < stars; i += 32)
    better(top, at, fit(detection[blockIdx.x], star[i]), i);
  best_of_warp(top, at);
  if (threadIdx.x == 0)
    match[blockIdx.x] = at;
}
