//! problem:   generic
//! id:        optimizer-eight-launches
//! ladder:    tiny-launches
//! size:      N = 16M
//! buffer:    g = fp32[N / 256]; init = random
//! buffer:    m = fp32[N / 256]; init = random
//! buffer:    w = fp32[N / 256]; init = random
//! output:    m, w
//! scratch:   t = 4 * N / 256
//! reset:     init m
//! reset:     init w
//! step:      kernel = times; grid = N / 65536; block = 256; args = m, m, f32(0.9)
//! step:      kernel = times; grid = N / 65536; block = 256; args = g, t, f32(0.1)
//! step:      kernel = plus; grid = N / 65536; block = 256; args = m, t, m
//! step:      kernel = times; grid = N / 65536; block = 256; args = w, t, f32(0.01)
//! step:      kernel = plus; grid = N / 65536; block = 256; args = m, t, t
//! step:      kernel = times; grid = N / 65536; block = 256; args = t, t, f32(-0.001)
//! step:      kernel = plus; grid = N / 65536; block = 256; args = w, t, w
//! step:      kernel = clip; grid = N / 65536; block = 256; args = w
//! reference: kernel = step_once; grid = N / 65536; block = 256; args = g, m, w
//! tolerance: 1e-6 1e-5
//! flops:     10 * N / 256
//! note:      a step of momentum and weight decay on 64 K parameters, an operation a launch

//! id:        optimizer-one-launch
//! parent:    optimizer-eight-launches
//! change:    the eight operations in one kernel
//! predicts:  time < 0.4x
//! step:      kernel = step_once; grid = N / 65536; block = 256; args = g, m, w

__device__ int here() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void times(const float *x, float *y, float by) { y[here()] = x[here()] * by; }
extern "C" __global__ void plus(const float *a, const float *b, float *y) { y[here()] = a[here()] + b[here()]; }
extern "C" __global__ void clip(float *w) { w[here()] = fminf(fmaxf(w[here()], -0.9f), 0.9f); }

extern "C" __global__ void step_once(const float *g, float *m, float *w) {
  int i = here();
  m[i] = m[i] * 0.9f + g[i] * 0.1f;
  float next = w[i] + (m[i] + w[i] * 0.01f) * -0.001f;
  w[i] = fminf(fmaxf(next, -0.9f), 0.9f);
}
