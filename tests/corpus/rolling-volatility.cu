//! problem:   generic
//! id:        volatility-a-day
//! ladder:    rolling-volatility
//! size:      N = 16M
//! param:     ASSETS = 8192
//! param:     DAYS = 2048
//! param:     WINDOW = 30
//! param:     RUN = 1
//! buffer:    returns = fp32[(DAYS + WINDOW) * ASSETS]; init = random
//! buffer:    volatility = fp32[DAYS * ASSETS]
//! output:    volatility
//! step:      kernel = rolling; grid = ASSETS / 32, DAYS / RUN / 8; block = 32, 8; args = returns, volatility
//! reference: kernel = rolling_double; grid = ASSETS / 256, DAYS; block = 256; args = returns, volatility
//! tolerance: 1e-4 1e-4
//! note:      the standard deviation of the last 30 daily changes, of every asset on every day

//! id:        volatility-month-a-thread
//! parent:    volatility-a-day
//! change:    a thread goes through 32 days: it takes up the day that comes and takes off the one that goes
//! param:     RUN = 32
//! predicts:  time < 0.7x; dram_bytes within 15%

extern "C" __global__ void __launch_bounds__(256)
    rolling(const float *__restrict__ returns, float *__restrict__ volatility) {
  int asset = blockIdx.x * 32 + threadIdx.x, day = (blockIdx.y * 8 + threadIdx.y) * RUN;
  const float *in = returns + (size_t)day * ASSETS + asset;
  float *out = volatility + (size_t)day * ASSETS + asset;
  float s = 0, q = 0;
#pragma unroll
  for (int k = 0; k < WINDOW; k++) {
    float v = in[k * ASSETS];
    s += v;
    q += v * v;
  }
#pragma unroll 8
  for (int k = 0; k < RUN; k++) {
    out[k * ASSETS] = sqrtf(fmaxf(q - s * s * (1.0f / WINDOW), 0) * (1.0f / (WINDOW - 1)));
    if (k + 1 < RUN) {
      float comes = in[(k + WINDOW) * ASSETS], goes = in[k * ASSETS];
      s += comes - goes;
      q += comes * comes - goes * goes;
    }
  }
}

extern "C" __global__ void rolling_double(const float *returns, float *volatility) {
  int asset = blockIdx.x * 256 + threadIdx.x, day = blockIdx.y;
  double mean = 0, q = 0;
  for (int k = 0; k < WINDOW; k++)
    mean += returns[(day + k) * ASSETS + asset] / (double)WINDOW;
  for (int k = 0; k < WINDOW; k++) {
    double v = returns[(day + k) * ASSETS + asset] - mean;
    q += v * v;
  }
  volatility[day * ASSETS + asset] = sqrt(q / (WINDOW - 1));
}
