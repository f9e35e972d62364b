//! problem:   generic
//! id:        many-task-loss
//! ladder:    many-task-loss
//! size:      N = 16M
//! buffer:    guess = fp32[N / 2]; init = random
//! buffer:    truth = fp32[N / 2]; init = random
//! buffer:    loss = fp32[N / 2]
//! output:    loss
//! step:      kernel = losses; grid = N / 2 / 128; block = 128; args = guess, truth, loss
//! reference: kernel = losses_plain; grid = N / 2 / 128; block = 128; args = guess, truth, loss
//! tolerance: 1e-4 1e-4
//! note:      32 heads of a model, eight each of four kinds of loss, row by row

//! id:        many-task-loss-b
//! parent:    many-task-loss
//! change:    a warp has the eight heads of one kind of four rows
//! step:      kernel = losses_by_kind; grid = N / 2 / 128; block = 128; args = guess, truth, loss

__device__ float bernoulli(float x, float y) {
  y = fabsf(y);
  return fmaxf(x, 0.f) - x * y + log1pf(expf(-fabsf(x)));
}

// counts, not rounded
__device__ float poisson(float x, float y) {
  float k = 1 + 8 * fabsf(y);
  return expf(x) - k * x + lgammaf(k + 1);
}

// a gaussian that was censored at zero
__device__ float tobit(float x, float y) {
  return y > -0.5f ? 0.5f * (y - x) * (y - x) + 0.9189385f : -logf(0.5f * erfcf((x + 0.5f) * 0.70710678f) + 1e-6f);
}

__device__ float cosh_loss(float x, float y) {
  float d = 3 * (x - y);
  return logf(coshf(d)) + 0.1f * powf(fabsf(d) + 0.01f, 1.5f);
}

__device__ float loss_of(int task, float x, float y) {
  switch (task / 8) {
  case 0: return bernoulli(x, y);
  case 1: return poisson(x, y);
  case 2: return tobit(x, y);
  default: return cosh_loss(x, y);
  }
}

extern "C" __global__ void losses(const float *__restrict__ guess, const float *__restrict__ truth, float *loss) {
  int i = blockIdx.x * 128 + threadIdx.x;
  loss[i] = loss_of(i % 32, guess[i], truth[i]);
}

extern "C" __global__ void losses_by_kind(const float *__restrict__ guess, const float *__restrict__ truth,
                                          float *loss) {
  int row = blockIdx.x * 4 + threadIdx.x % 32 / 8, task = threadIdx.x / 32 * 8 + threadIdx.x % 8;
  int i = row * 32 + task;
  loss[i] = loss_of(task, guess[i], truth[i]);
}

extern "C" __global__ void losses_plain(const float *guess, const float *truth, float *loss) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, kind = i % 32 / 8;
  double x = guess[i], y = truth[i], k = 1 + 8 * fabs(y), d = 3 * (x - y);
  loss[i] = kind == 0   ? fmax(x, 0.) - x * fabs(y) + log1p(exp(-fabs(x)))
            : kind == 1 ? exp(x) - k * x + lgamma(k + 1)
            : kind == 2 ? (y > -0.5 ? 0.5 * (y - x) * (y - x) + 0.9189385
                                    : -log(0.5 * erfc((x + 0.5) * 0.70710678) + 1e-6))
                        : log(cosh(d)) + 0.1 * pow(fabs(d) + 0.01, 1.5);
}
