//! problem:   generic
//! id:        snow-days
//! ladder:    snow-pack
//! size:      N = 16M
//! param:     DAYS = 256
//! buffer:    warmth = fp32[N / 2]; init = random
//! buffer:    rain = fp32[N / 2]; init = random
//! buffer:    runoff = fp32[N / 2]
//! output:    runoff
//! tolerance: 1e-3 1e-3
//! step:      kernel = runoff_days; grid = N / 2 / DAYS / 128; block = 128; args = warmth, rain, runoff, N / 2 / DAYS
//! reference: kernel = runoff_plain; grid = N / 2 / DAYS / 128; block = 128; args = warmth, rain, runoff, N / 2 / DAYS
//! note:      a degree-day model: snow that falls, ripens and melts in 32768 catchments over 256 days

//! id:        snow-weeks
//! parent:    snow-days
//! change:    the weather of eight days is read before the first of them is reckoned with
//! predicts:  time < 0.75x; dram_bytes within 5%
//! step:      kernel = runoff_weeks; grid = N / 2 / DAYS / 128; block = 128; args = warmth, rain, runoff, N / 2 / DAYS

struct pack {
  float snow = 0, liquid = 0, soil = 0.3f;

  // A day's weather: what leaves the catchment by the stream.
  __device__ float pass(float warmth, float rain) {
    float fall = fmaxf(rain, 0), share = __saturatef(0.5f + 2 * warmth);
    snow += fall * (1 - share);
    float melt = fminf(snow, 0.4f * fmaxf(warmth + 0.05f, 0));
    snow -= melt;
    liquid += melt + fall * share;
    float drained = fmaxf(liquid - 0.08f * snow, 0);
    liquid -= drained;
    float taken = drained * (1 - soil * soil);
    soil = 0.97f * soil + 0.2f * taken;
    soil = fminf(soil, 1);
    return drained - taken + 0.02f * soil;
  }
};

template <int AHEAD>
__device__ void simulate(const float *warmth, const float *rain, float *runoff, int catchments) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  pack state;
#pragma unroll 1
  for (int day = 0; day < DAYS; day += AHEAD) {
    float t[AHEAD], p[AHEAD];
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
      t[k] = warmth[at + k * catchments];
      p[k] = rain[at + k * catchments];
    }
#pragma unroll
    for (int k = 0; k < AHEAD; k++)
      runoff[at + k * catchments] = state.pass(t[k], p[k]);
    at += AHEAD * catchments;
  }
}

extern "C" __global__ void runoff_days(const float *warmth, const float *rain, float *runoff, int catchments) {
  simulate<1>(warmth, rain, runoff, catchments);
}

extern "C" __global__ void runoff_weeks(const float *warmth, const float *rain, float *runoff, int catchments) {
  simulate<8>(warmth, rain, runoff, catchments);
}

extern "C" __global__ void runoff_plain(const float *warmth, const float *rain, float *runoff, int catchments) {
  int catchment = blockIdx.x * blockDim.x + threadIdx.x;
  pack state;
  for (int day = 0; day < DAYS; day++) {
    int at = day * catchments + catchment;
    runoff[at] = state.pass(warmth[at], rain[at]);
  }
}
