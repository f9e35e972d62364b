//! problem:   generic
//! id:        fleet-pings
//! ladder:    fleet-mileage
//! size:      N = 16M
//! param:     VEHICLES = 1048576
//! buffer:    metres = i32[N]; init = random
//! buffer:    total = i32[VEHICLES]; init = zero
//! output:    total
//! scratch:   vehicle = 4 * N
//! setup:     kernel = assign; grid = N / 256; block = 256; args = vehicle
//! reset:     fill total = 0
//! step:      kernel = mileage_pings; grid = N / 8 / 256; block = 256; args = vehicle, metres, total
//! reference: kernel = mileage_plain; grid = N / 256; block = 256; args = vehicle, metres, total
//! note:      pings of vehicles come in bursts of eight; metres driven by each of a million vehicles

//! id:        fleet-bursts
//! parent:    fleet-pings
//! change:    the pings of a burst are summed in a register first
//! predicts:  time < 0.7x; dram_bytes within 10%
//! step:      kernel = mileage_bursts; grid = N / 8 / 256; block = 256; args = vehicle, metres, total

struct __align__(16) pings {
  int v[8];
};

__device__ unsigned scramble(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}

__device__ pings read_pings(const int *from, int i) {
  pings p;
  *(int4 *)&p.v[0] = ((const int4 *)from)[2 * i];
  *(int4 *)&p.v[4] = ((const int4 *)from)[2 * i + 1];
  return p;
}

// Calls back with a vehicle and metres to add: once a ping, or once a run of pings of the same vehicle.
template <bool RUNS> __device__ void add_all(const pings &who, const pings &how_far, int *total) {
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    sum += how_far.v[k];
    bool flush = !RUNS || k == 7 || who.v[k] != who.v[k < 7 ? k + 1 : 7];
    if (flush) {
      atomicAdd(&total[who.v[k]], sum);
      sum = 0;
    }
  }
}

template <bool RUNS> __device__ void mileage(const int *vehicle, const int *metres, int *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pings who = read_pings(vehicle, i), how_far = read_pings(metres, i);
#pragma unroll
  for (int k = 0; k < 8; k++)
    how_far.v[k] = max(how_far.v[k], 0); // odometers that were turned back
  add_all<RUNS>(who, how_far, total);
}

extern "C" __global__ void mileage_pings(const int *vehicle, const int *metres, int *total) {
  mileage<false>(vehicle, metres, total);
}

extern "C" __global__ void mileage_bursts(const int *vehicle, const int *metres, int *total) {
  mileage<true>(vehicle, metres, total);
}

extern "C" __global__ void assign(int *vehicle) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  vehicle[i] = scramble((i + 3) / 8) % VEHICLES;
}

extern "C" __global__ void mileage_plain(const int *vehicle, const int *metres, int *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (metres[i] > 0)
    atomicAdd(&total[vehicle[i]], metres[i]);
}
