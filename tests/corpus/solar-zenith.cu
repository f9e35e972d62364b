//! problem:   generic
//! id:        zenith-whole-epoch
//! ladder:    solar-zenith
//! size:      N = 16M
//! param:     STATIONS = 65536
//! buffer:    sine = fp32[STATIONS]; init = random
//! buffer:    longitude = i16[STATIONS]; init = random
//! buffer:    zenith = fp32[N]
//! output:    zenith
//! step:      kernel = zenith_epoch; grid = STATIONS / 256, N / STATIONS; block = 256; args = sine, longitude, zenith
//! reference: kernel = zenith_plain; grid = STATIONS / 256, N / STATIONS; block = 256; args = sine, longitude, zenith
//! tolerance: 4e-2 0
//! note:      the cosine of the sun's zenith angle at 65536 weather stations, every half hour of five days; minutes count from 1970

//! id:        zenith-hour-of-day
//! parent:    zenith-whole-epoch
//! change:    whole days leave the hour angle while it is an integer
//! step:      kernel = zenith_day; grid = STATIONS / 256, N / STATIONS; block = 256; args = sine, longitude, zenith
//! predicts:  time < 0.7x

enum { FIRST_MINUTE = 29872800, STEP = 30, DAY = 1440, YEAR = 525960, SOLSTICE = 247680 };
#define DEGREE 0.017453292519943295f

// Sine of the sun's declination.
__device__ float declination(int minute) {
  return 0.39779f * __cosf(float((minute - SOLSTICE) % YEAR) * (6.2831853f / YEAR));
}

__device__ float combine(float sine, float sun, float cos_hour) {
  return sine * sun + sqrtf((1 - sine * sine) * (1 - sun * sun)) * cos_hour;
}

extern "C" __global__ void __launch_bounds__(256)
    zenith_epoch(const float *__restrict__ sine, const short *__restrict__ longitude, float *__restrict__ zenith) {
  int station = blockIdx.x * 256 + threadIdx.x, minute = FIRST_MINUTE + STEP * blockIdx.y;
  float turned = 0.25f * (minute - DAY / 2) + 1.75f * longitude[station]; // degrees
  zenith[blockIdx.y * STATIONS + station] = combine(sine[station], declination(minute), cosf(turned * DEGREE));
}

extern "C" __global__ void __launch_bounds__(256)
    zenith_day(const float *__restrict__ sine, const short *__restrict__ longitude, float *__restrict__ zenith) {
  int station = blockIdx.x * 256 + threadIdx.x, minute = FIRST_MINUTE + STEP * blockIdx.y;
  float turned = 0.25f * (minute % DAY - DAY / 2) + 1.75f * longitude[station];
  zenith[blockIdx.y * STATIONS + station] = combine(sine[station], declination(minute), cosf(turned * DEGREE));
}

extern "C" __global__ void zenith_plain(const float *sine, const short *longitude, float *zenith) {
  int station = blockIdx.x * 256 + threadIdx.x, minute = FIRST_MINUTE + STEP * blockIdx.y;
  double hour = (minute / 720.0 - 1) + 1.75 * longitude[station] / 180; // in half turns
  double sun = 0.39779 * cospi(2 * ((minute - SOLSTICE) % YEAR) / (double)YEAR), s = sine[station];
  zenith[blockIdx.y * STATIONS + station] = (float)(s * sun + sqrt(1 - s * s) * sqrt(1 - sun * sun) * cospi(hour));
}
