//! problem:   generic
//! id:        shallow-fluxes-stored
//! ladder:    shallow-water
//! size:      N = 16M
//! param:     SIDE = 4096
//! let:       CELLS = SIDE * SIDE
//! buffer:    rise = fp32[SIDE * SIDE]; init = random
//! buffer:    along = fp32[SIDE * SIDE]; init = random
//! buffer:    across = fp32[SIDE * SIDE]; init = random
//! buffer:    next = fp32[3 * SIDE * SIDE]
//! output:    next
//! scratch:   east = 12 * CELLS
//! scratch:   north = 12 * CELLS
//! step:      kernel = fluxes; grid = SIDE / 256, SIDE; block = 256; args = rise, along, across, east, north
//! step:      kernel = advance; grid = SIDE / 256, SIDE; block = 256; args = rise, along, across, east, north, next
//! reference: kernel = advance_plain; grid = SIDE / 256, SIDE; block = 256; args = rise, along, across, next
//! tolerance: 1e-4 1e-4
//! note:      a step of the shallow-water equations, periodic, with Rusanov's flux at the faces of the cells

//! id:        shallow-fluxes-fused
//! parent:    shallow-fluxes-stored
//! change:    a cell works out its four faces' fluxes itself, and none is stored
//! predicts:  time < 0.7x; dram_bytes < 0.5x
//! step:      kernel = advance_fused; grid = SIDE / 256, SIDE; block = 256; args = rise, along, across, next

#define PLANE ((long long)SIDE * SIDE)

struct state {
  float h, hu, hv; // depth and discharge; u is across the face
};

__device__ state load(const float *__restrict__ rise, const float *__restrict__ along, const float *__restrict__ across,
                      int x, int y) {
  int at = (y & (SIDE - 1)) * SIDE + (x & (SIDE - 1));
  return {4.0f + rise[at], along[at], across[at]};
}

__device__ state turned(state s) {
  return {s.h, s.hv, s.hu};
}

// The flux from a to b; waves move by no more than 8.
__device__ state face(state a, state b) {
  const float g = 9.81f, fast = 8.0f;
  float ua = __fdividef(a.hu, a.h), ub = __fdividef(b.hu, b.h);
  state f;
  f.h = 0.5f * (a.hu + b.hu - fast * (b.h - a.h));
  f.hu = 0.5f * (a.hu * ua + b.hu * ub + 0.5f * g * (a.h * a.h + b.h * b.h) - fast * (b.hu - a.hu));
  f.hv = 0.5f * (a.hv * ua + b.hv * ub - fast * (b.hv - a.hv));
  return f;
}

__device__ void keep(float *__restrict__ to, int at, state s) {
  to[at] = s.h;
  to[at + PLANE] = s.hu;
  to[at + 2 * PLANE] = s.hv;
}
__device__ state kept(const float *__restrict__ from, int x, int y) {
  int at = (y & (SIDE - 1)) * SIDE + (x & (SIDE - 1));
  return {from[at], from[at + PLANE], from[at + 2 * PLANE]};
}

__device__ state moved(state s, state west, state east, state south, state north) {
  const float step = 0.02f; // time over width of a cell
  return {s.h - step * (east.h - west.h + north.h - south.h), s.hu - step * (east.hu - west.hu + north.hv - south.hv),
          s.hv - step * (east.hv - west.hv + north.hu - south.hu)};
}

extern "C" __global__ void fluxes(const float *__restrict__ rise, const float *__restrict__ along,
                                  const float *__restrict__ across, float *__restrict__ east,
                                  float *__restrict__ north) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  state s = load(rise, along, across, x, y);
  keep(east, y * SIDE + x, face(s, load(rise, along, across, x + 1, y)));
  keep(north, y * SIDE + x, face(turned(s), turned(load(rise, along, across, x, y + 1))));
}

extern "C" __global__ void advance(const float *__restrict__ rise, const float *__restrict__ along,
                                   const float *__restrict__ across, const float *__restrict__ east,
                                   const float *__restrict__ north, float *__restrict__ next) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  state s = load(rise, along, across, x, y);
  keep(next, y * SIDE + x, moved(s, kept(east, x - 1, y), kept(east, x, y), kept(north, x, y - 1), kept(north, x, y)));
}

extern "C" __global__ void advance_fused(const float *__restrict__ rise, const float *__restrict__ along,
                                         const float *__restrict__ across, float *__restrict__ next) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  state s = load(rise, along, across, x, y), t = turned(s);
  state west = face(load(rise, along, across, x - 1, y), s), east = face(s, load(rise, along, across, x + 1, y));
  state south = face(turned(load(rise, along, across, x, y - 1)), t);
  state north = face(t, turned(load(rise, along, across, x, y + 1)));
  keep(next, y * SIDE + x, moved(s, west, east, south, north));
}

extern "C" __global__ void advance_plain(const float *rise, const float *along, const float *across, float *next) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  const int dx[5] = {0, -1, 1, 0, 0}, dy[5] = {0, 0, 0, -1, 1};
  double h[5], m[2][5], change[3] = {0, 0, 0};
  for (int k = 0; k < 5; k++) {
    long long at = (long long)((y + dy[k] + SIDE) % SIDE) * SIDE + (x + dx[k] + SIDE) % SIDE;
    h[k] = 4.0 + rise[at];
    m[0][k] = along[at];
    m[1][k] = across[at];
  }
  for (int k = 1; k < 5; k++) {
    int axis = (k - 1) / 2;
    double out = k % 2 ? -1 : 1; // the face's outward direction
    double un = m[axis][k] / h[k], u0 = m[axis][0] / h[0];
    change[0] += out * (m[axis][0] + m[axis][k]) / 2 - 4.0 * (h[k] - h[0]);
    for (int c = 0; c < 2; c++) {
      double flux = m[c][0] * u0 + m[c][k] * un;
      if (c == axis)
        flux += 9.81 / 2 * (h[0] * h[0] + h[k] * h[k]);
      change[1 + c] += out * flux / 2 - 4.0 * (m[c][k] - m[c][0]);
    }
  }
  long long at = (long long)y * SIDE + x;
  next[at] = h[0] - 0.02 * change[0];
  next[at + PLANE] = m[0][0] - 0.02 * change[1];
  next[at + 2 * PLANE] = m[1][0] - 0.02 * change[2];
}
