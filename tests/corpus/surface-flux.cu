//! problem:   generic
//! id:        flux-cells
//! ladder:    surface-flux
//! size:      N = 16M
//! buffer:    air = fp32[N]; init = random
//! buffer:    wind = fp32[N]; init = random
//! buffer:    flux = fp32[N]
//! output:    flux
//! scratch:   kind = N / 8
//! scratch:   order = 4 * N / 8
//! setup:     kernel = survey; grid = N / 8 / 256; block = 256; args = kind
//! setup:     kernel = arrange; grid = N / 1024 / 64; block = 64; args = kind, order
//! tolerance: 2e-4 2e-4
//! step:      kernel = flux_cells; grid = N / 256; block = 256; args = air, wind, kind, order, flux
//! reference: kernel = flux_plain; grid = N / 256; block = 256; args = air, wind, kind, order, flux
//! note:      the heat that strips of eight cells of a weather grid give to the air: snow, water, forest or town

//! id:        flux-ordered
//! parent:    flux-cells
//! change:    strips in an order made beforehand, which gathers those of one surface in each run of 128
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = flux_ordered; grid = N / 256; block = 256; args = air, wind, kind, order, flux

// Saturation over ice or over water, and a skin temperature in balance with the air, by a few steps of Newton.
__device__ float vapour(float t, float linear, float square) {
  return 6.11f + t * (linear + t * (square + t * (2.65e-4f + t * (3.03e-6f + t * (2.04e-8f + t * 6.39e-11f)))));
}

__device__ float skin(float air, float wind, float emission) {
  float t = air, c = 1.5f + wind;
#pragma unroll
  for (int step = 0; step < 5; step++) {
    float k = 1 + 0.0366f * t, k3 = k * k * k;
    float rest = emission * k3 * k + c * (t - air) - 1, slope = 0.1464f * emission * k3 + c;
    t -= __fdividef(rest, slope);
  }
  return t;
}

__device__ float snow(float air, float wind) {
  float t = fminf(skin(air, wind, 0.98f), 0);
  return (air - t) * (0.4f + wind) - 0.2f * (vapour(t, 0.503f, 0.0188f) - 5.0f);
}

__device__ float water(float air, float wind) {
  float u = sqrtf(0.01f + wind * wind), drag = 0.75f + 0.067f * u, t = 0.5f;
#pragma unroll
  for (int step = 0; step < 6; step++) {
    float e = vapour(t, 0.444f, 0.0143f);
    t += 0.05f * (drag * u * (air - t) - 0.3f * (e - 6.0f));
  }
  return drag * u * (t - air) + 0.1f * vapour(t, 0.444f, 0.0143f);
}

__device__ float forest(float air, float wind) {
  float light = 1, sum = 0;
#pragma unroll
  for (int layer = 0; layer < 8; layer++) {
    float breeze = wind * light, leaf = air + light * (1 - breeze * (0.31f - 0.04f * breeze));
    sum += (leaf - air) * (0.2f + breeze) + 0.01f * vapour(leaf, 0.444f, 0.0143f);
    light *= 0.72f;
  }
  return sum;
}

__device__ float town(float air, float wind) {
  float wall = skin(air, 0.3f * wind, 0.9f), roof = skin(air, wind, 0.85f);
  return 0.4f * (wall - air) * (1 + 0.3f * wind) + 0.6f * (roof - air) * (1 + wind);
}

__device__ float give(int kind, float air, float wind) {
  if (kind == 0)
    return snow(air, wind);
  if (kind == 1)
    return water(air, wind);
  if (kind == 2)
    return forest(air, wind);
  return town(air, wind);
}

template <bool ORDERED>
__device__ void run(const float *air, const float *wind, const unsigned char *kind, const unsigned *order,
                    float *flux) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, strip = i / 8;
  if (ORDERED)
    strip = order[strip];
  i = strip * 8 + i % 8;
  flux[i] = give(kind[strip], air[i], 1 + wind[i]);
}

extern "C" __global__ void flux_cells(const float *air, const float *wind, const unsigned char *kind,
                                      const unsigned *order, float *flux) {
  run<false>(air, wind, kind, order, flux);
}

extern "C" __global__ void flux_ordered(const float *air, const float *wind, const unsigned char *kind,
                                        const unsigned *order, float *flux) {
  run<true>(air, wind, kind, order, flux);
}

extern "C" __global__ void survey(unsigned char *kind) {
  unsigned strip = blockIdx.x * blockDim.x + threadIdx.x, x = strip * 0x9e3779b1;
  kind[strip] = ((x ^ x >> 15) * 0x85ebca77) >> 30;
}

extern "C" __global__ void arrange(const unsigned char *kind, unsigned *order) {
  unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * 128, at = first;
  for (int wanted = 0; wanted < 4; wanted++)
    for (unsigned strip = first; strip < first + 128; strip++)
      if (kind[strip] == wanted)
        order[at++] = strip;
}

extern "C" __global__ void flux_plain(const float *air, const float *wind, const unsigned char *kind,
                                      const unsigned *order, float *flux) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  flux[i] = give(kind[i / 8], air[i], 1 + wind[i]);
}
