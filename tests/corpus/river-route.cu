//! problem:   generic
//! id:        river-route-cells
//! ladder:    river-route
//! size:      N = 16M
//! param:     CELLS = 2097152
//! param:     HOPS = 256
//! buffer:    arrival = u32[N / 512]
//! output:    arrival
//! scratch:   receiver = 8 * CELLS
//! scratch:   receiver4 = 8 * CELLS
//! setup:     kernel = drain; grid = CELLS / 256; block = 256; args = receiver, 1
//! setup:     kernel = drain; grid = CELLS / 256; block = 256; args = receiver4, 4
//! step:      kernel = route; grid = N / 512 / 128; block = 128; args = receiver, arrival, HOPS
//! reference: kernel = route_plain; grid = N / 512 / 128; block = 128; args = arrival, HOPS
//! note:      travel times of drops along a drainage network; each cell knows its receiver and the seconds to it

//! id:        river-route
//! parent:    river-route-cells
//! change:    a table of the fourth receiver, and the seconds to that one
//! predicts:  time < 0.7x
//! step:      kernel = route; grid = N / 512 / 128; block = 128; args = receiver4, arrival, HOPS / 4

// the network: where a cell drains to, and how long that takes
__device__ unsigned downstream(unsigned cell) { return (cell * 1664525u + 1013904223u) & (CELLS - 1); }
__device__ unsigned seconds(unsigned cell) { return (cell >> 3 & 63) + 1; }

extern "C" __global__ void drain(uint2 *receiver, int hops) {
  unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
  uint2 r = {cell, 0};
  for (int k = 0; k < hops; k++) {
    r.y += seconds(r.x);
    r.x = downstream(r.x);
  }
  receiver[cell] = r;
}

extern "C" __global__ void route(const uint2 *__restrict__ receiver, unsigned *arrival, int hops) {
  int gauge = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned cell = gauge * 61u & (CELLS - 1), time = 0;
  for (int k = 0; k < hops; k++) {
    uint2 r = receiver[cell];
    time += r.y;
    cell = r.x;
  }
  arrival[gauge] = time;
}

extern "C" __global__ void route_plain(unsigned *arrival, int hops) {
  int gauge = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned cell = gauge * 61u & (CELLS - 1), time = 0;
  for (int k = 0; k < hops; k++) {
    time += seconds(cell);
    cell = downstream(cell);
  }
  arrival[gauge] = time;
}
