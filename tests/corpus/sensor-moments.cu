//! problem:   generic
//! id:        sensor-moments-whole
//! ladder:    sensor-moments
//! size:      N = 16M
//! param:     SENSORS = 16
//! param:     PARTS = 1
//! buffer:    sample = fp32[N]; init = random
//! buffer:    moment = fp32[SENSORS * 4]
//! output:    moment
//! reset:     fill moment = 0
//! step:      kernel = moments; grid = PARTS, SENSORS; block = 1024; args = sample, moment, N / SENSORS
//! reference: kernel = moments_plain; grid = SENSORS; block = 1024; args = sample, moment, N / SENSORS
//! tolerance: 4 1e-3
//! note:      sums of the first three powers and the peak of the record of each of 16 vibration sensors

//! id:        sensor-moments
//! parent:    sensor-moments-whole
//! change:    a record in 32 parts, whose sums are joined by atomics
//! predicts:  time < 0.7x
//! param:     PARTS = 32

struct powers {
  float one, two, three, peak;
};

__device__ void take(powers &p, float v) {
  p.one += v;
  p.two += v * v;
  p.three += v * v * v;
  p.peak = fmaxf(p.peak, fabsf(v));
}

__device__ powers join(powers p, unsigned lanes) {
  for (int offset = lanes / 2; offset; offset /= 2) {
    p.one += __shfl_xor_sync(~0u, p.one, offset);
    p.two += __shfl_xor_sync(~0u, p.two, offset);
    p.three += __shfl_xor_sync(~0u, p.three, offset);
    p.peak = fmaxf(p.peak, __shfl_xor_sync(~0u, p.peak, offset));
  }
  return p;
}

extern "C" __global__ void __launch_bounds__(1024) moments(const float4 *__restrict__ sample, float *moment, int length) {
  __shared__ powers warps[32];
  int quads = length / 4 / PARTS;
  const float4 *record = sample + blockIdx.y * (length / 4) + blockIdx.x * quads;
  powers p = {};
#pragma unroll 2
  for (int i = threadIdx.x; i < quads; i += 1024) {
    float4 v = record[i];
    take(p, v.x);
    take(p, v.y);
    take(p, v.z);
    take(p, v.w);
  }
  p = join(p, 32);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = p;
  __syncthreads();
  if (threadIdx.x < 32) {
    p = join(warps[threadIdx.x], 32);
    if (threadIdx.x == 0) {
      float *out = moment + blockIdx.y * 4;
      atomicAdd(&out[0], p.one);
      atomicAdd(&out[1], p.two);
      atomicAdd(&out[2], p.three);
      atomicMax((int *)&out[3], __float_as_int(p.peak)); // not negative, so its bits are ordered
    }
  }
}

extern "C" __global__ void moments_plain(const float *sample, float *moment, int length) {
  __shared__ double sums[4][1024];
  double one = 0, two = 0, three = 0, peak = 0;
  for (int i = threadIdx.x; i < length; i += 1024) {
    double v = sample[blockIdx.x * length + i];
    one += v, two += v * v, three += v * v * v, peak = fmax(peak, fabs(v));
  }
  sums[0][threadIdx.x] = one, sums[1][threadIdx.x] = two, sums[2][threadIdx.x] = three, sums[3][threadIdx.x] = peak;
  __syncthreads();
  if (threadIdx.x < 4) {
    double all = 0;
    for (int k = 0; k < 1024; k++)
      all = threadIdx.x == 3 ? fmax(all, sums[3][k]) : all + sums[threadIdx.x][k];
    moment[blockIdx.x * 4 + threadIdx.x] = all;
  }
}
