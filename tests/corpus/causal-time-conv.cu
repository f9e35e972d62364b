//! problem:   generic
//! id:        causal-time-conv
//! ladder:    causal-time-conv
//! size:      N = 16M
//! param:     CHANNELS = 512
//! param:     PITCH = 32
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    w = fp32[4 * CHANNELS]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! step:      kernel = conv; grid = N / 2 / CHANNELS / 32, CHANNELS / 32; block = 32, 8; args = x, w, y, N / 2 / CHANNELS
//! reference: kernel = conv_plain; grid = N / 2 / 256; block = 256; args = x, w, y, N / 2 / CHANNELS
//! tolerance: 1e-5 1e-5
//! note:      the short convolution before a state-space layer: x is [time][channel], y is [channel][time]

//! id:        causal-time-conv-b
//! parent:    causal-time-conv
//! change:    the rows of the tile lie 36 floats apart
//! param:     PITCH = 36

#define TAPS 4
#define TIME 32

__device__ float silu(float v) { return __fdividef(v, 1 + __expf(-v)); }

extern "C" __global__ void conv(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y,
                                int steps) {
  __shared__ __align__(16) float tile[(TIME + TAPS - 1) * PITCH];
  int t0 = blockIdx.x * TIME, c0 = blockIdx.y * 32, thread = threadIdx.y * 32 + threadIdx.x;
  // TIME rows, and the three before them, of 32 channels
  for (int i = thread; i < (TIME + TAPS - 1) * 8; i += 256) {
    int row = i / 8, part = i % 8, t = t0 + row - (TAPS - 1);
    float4 v = make_float4(0, 0, 0, 0);
    if (t >= 0)
      v = *(const float4 *)&x[t * CHANNELS + c0 + 4 * part];
    *(float4 *)&tile[row * PITCH + 4 * part] = v;
  }
  __syncthreads();
  // a lane has one time, a warp four channels
  int t = threadIdx.x, c = 4 * threadIdx.y;
  float sum[4] = {0, 0, 0, 0};
#pragma unroll
  for (int k = 0; k < TAPS; k++) {
    float4 v = *(const float4 *)&tile[(t + k) * PITCH + c];
    float4 f = *(const float4 *)&w[k * CHANNELS + c0 + c];
    sum[0] += f.x * v.x;
    sum[1] += f.y * v.y;
    sum[2] += f.z * v.z;
    sum[3] += f.w * v.w;
  }
#pragma unroll
  for (int j = 0; j < 4; j++)
    y[(c0 + c + j) * steps + t0 + t] = silu(sum[j]);
}

extern "C" __global__ void conv_plain(const float *x, const float *w, float *y, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = i / steps, t = i % steps;
  double sum = 0;
  for (int k = 0; k < TAPS; k++)
    if (t + k >= TAPS - 1)
      sum += (double)w[k * CHANNELS + c] * x[(t + k - (TAPS - 1)) * CHANNELS + c];
  y[i] = sum / (1 + exp(-sum));
}
