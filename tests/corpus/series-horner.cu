//! problem:   generic
//! id:        series-one-chain
//! ladder:    series-horner
//! size:      N = 16M
//! buffer:    x = fp32[N / 8]; init = random
//! buffer:    y = fp32[N / 8]
//! output:    y
//! step:      kernel = one_chain; grid = sms; block = 128; args = x, y, N / 8
//! reference: kernel = series_double; grid = N / 8 / 256; block = 256; args = x, y
//! tolerance: 1e-4 1e-4
//! flops:     2 * 128 * N / 8
//! note:      x + x^2 / 2 + x^3 / 3 + ...: 128 terms, and one warp a scheduler

//! id:        series-eight-chains
//! parent:    series-one-chain
//! change:    eight independent sums, each of every eighth term, instead of one chain
//! predicts:  time < 0.5x; inst within 30%; dram_bytes within 10%
//! step:      kernel = eight_chains; grid = sms; block = 128; args = x, y, N / 8

extern "C" __global__ void one_chain(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float v = x[i], later = x[i + all];
#pragma unroll 1
  for (; i < n; i += all) {
    float next = later, s = 1.0f / 128;
    later = i + 2 * all < n ? x[i + 2 * all] : 0;
#pragma unroll
    for (int k = 127; k > 0; k--)
      s = fmaf(s, v, 1.0f / k);
    y[i] = s * v;
    v = next;
  }
}

extern "C" __global__ void eight_chains(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float v = x[i], later = x[i + all];
#pragma unroll 1
  for (; i < n; i += all) {
    float next = later, s[8], v2 = v * v, v4 = v2 * v2, v8 = v4 * v4;
    later = i + 2 * all < n ? x[i + 2 * all] : 0;
#pragma unroll
    for (int c = 0; c < 8; c++)
      s[c] = 1.0f / (121 + c);
#pragma unroll
    for (int k = 112; k >= 0; k -= 8)
#pragma unroll
      for (int c = 0; c < 8; c++)
        s[c] = fmaf(s[c], v8, 1.0f / (k + 1 + c));
    float low = fmaf(s[1], v, s[0]) + v2 * fmaf(s[3], v, s[2]), high = fmaf(s[5], v, s[4]) + v2 * fmaf(s[7], v, s[6]);
    y[i] = v * fmaf(v4, high, low);
    v = next;
  }
}

extern "C" __global__ void series_double(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 128; k > 0; k--)
    s = (s + 1.0 / k) * x[i];
  y[i] = s;
}
