//! problem:   generic
//! id:        trip-distance-plain
//! ladder:    trip-distance
//! size:      N = 16M
//! buffer:    pickup = fp32[N / 2]; init = random
//! buffer:    dropoff = fp32[N / 2]; init = random
//! buffer:    fare = fp32[N / 4]
//! output:    fare
//! step:      kernel = fares; grid = N / 4 / 256; block = 256; args = pickup, dropoff, fare
//! reference: kernel = fares_plain; grid = N / 4 / 256; block = 256; args = pickup, dropoff, fare
//! tolerance: 2e-2 1e-3
//! note:      fares of trips by the distance on the sphere between pickup and dropoff

//! id:        trip-distance
//! parent:    trip-distance-plain
//! change:    its literals end in f
//! predicts:  time < 0.6x
//! step:      kernel = fares_suffixed; grid = N / 4 / 256; block = 256; args = pickup, dropoff, fare

#define DEGREE 0.017453292519943295
#define EARTH_KM 6371.0088

// a unit of the input in degrees around the centre of the city
__device__ float2 place(float2 p) { return make_float2(40.75f + 0.2f * p.x, -73.97f + 0.3f * p.y); }

__device__ float haversine(float2 a, float2 b) {
  float u = sin((b.x - a.x) * DEGREE / 2.0);
  float v = sin((b.y - a.y) * DEGREE / 2.0);
  float s = u * u + cos(a.x * DEGREE) * cos(b.x * DEGREE) * v * v;
  return 2.0 * EARTH_KM * asin(sqrt(s));
}

__device__ float haversine_suffixed(float2 a, float2 b) {
  float u = sinf((b.x - a.x) * (float)DEGREE / 2.0f);
  float v = sinf((b.y - a.y) * (float)DEGREE / 2.0f);
  float s = u * u + cosf(a.x * (float)DEGREE) * cosf(b.x * (float)DEGREE) * v * v;
  return 2.0f * (float)EARTH_KM * asinf(sqrtf(s));
}

__device__ float fare_of(float km) {
  float charge = 3.f + 1.55f * km;
  if (km > 25)
    charge += 0.6f * (km - 25);
  return fmaxf(charge, 5.f);
}

extern "C" __global__ void fares(const float2 *pickup, const float2 *dropoff, float *fare) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fare[i] = fare_of(haversine(place(pickup[i]), place(dropoff[i])));
}

extern "C" __global__ void fares_suffixed(const float2 *pickup, const float2 *dropoff, float *fare) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fare[i] = fare_of(haversine_suffixed(place(pickup[i]), place(dropoff[i])));
}

extern "C" __global__ void fares_plain(const float2 *pickup, const float2 *dropoff, float *fare) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 a = place(pickup[i]), b = place(dropoff[i]);
  double u = sin(((double)b.x - a.x) * DEGREE / 2), v = sin(((double)b.y - a.y) * DEGREE / 2);
  double s = u * u + cos(a.x * DEGREE) * cos(b.x * DEGREE) * v * v;
  fare[i] = fare_of(2 * EARTH_KM * asin(sqrt(s)));
}
