//! problem:   generic
//! id:        stencil-each-cell
//! ladder:    stencil-3d
//! size:      N = 16M
//! param:     SIDE = 256
//! buffer:    in = fp32[SIDE * SIDE * SIDE]; init = random
//! buffer:    out = fp32[SIDE * SIDE * SIDE]
//! output:    out
//! step:      kernel = each_cell; grid = SIDE / 32, SIDE / 8, SIDE / 32; block = 32, 8; args = in, out
//! reference: kernel = stencil_plain; grid = SIDE, SIDE; block = SIDE; args = in, out
//! tolerance: 1e-5 1e-5
//! flops:     30 * N
//! note:      an acoustic wave's operator of eighth order; SIDE cubed is N, and four cells at each face stay as they are

//! id:        stencil-march
//! parent:    stencil-each-cell
//! change:    the nine cells along z kept in registers while a thread walks along z
//! predicts:  l2_read_bytes < 0.8x; time < 0.9x
//! step:      kernel = march; grid = SIDE / 32, SIDE / 8, SIDE / 32; block = 32, 8; args = in, out

enum { PLANE = SIDE * SIDE };
__device__ bool inner(int i) { return i >= 4 && i < SIDE - 4; }
__device__ constexpr float weight(int r) { return r == 1 ? 1.6f : r == 2 ? -0.2f : r == 3 ? 0.0254f : -0.0018f; }

__device__ float across(const float *in, float centre) {
  float s = -8.5f * centre;
#pragma unroll
  for (int r = 1; r <= 4; r++)
    s += weight(r) * (in[-r] + in[r] + in[-r * SIDE] + in[r * SIDE]);
  return s;
}

extern "C" __global__ void each_cell(const float *__restrict__ in, float *__restrict__ out) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
#pragma unroll 1
  for (int z = blockIdx.z * 32; z < blockIdx.z * 32 + 32; z++) {
    int at = z * PLANE + y * SIDE + x;
    float s = in[at];
    if (inner(x) && inner(y) && inner(z)) {
      s = across(in + at, s);
#pragma unroll
      for (int r = 1; r <= 4; r++)
        s += weight(r) * (in[at - r * PLANE] + in[at + r * PLANE]);
    }
    out[at] = s;
  }
}

extern "C" __global__ void march(const float *__restrict__ in, float *__restrict__ out) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, first = blockIdx.z * 32;
  const float *column = in + y * SIDE + x;
  float line[9];
#pragma unroll
  for (int r = 1; r < 9; r++)
    line[r] = column[max(first + r - 5, 0) * PLANE];
#pragma unroll 1
  for (int z = first; z < first + 32; z++) {
#pragma unroll
    for (int r = 0; r < 8; r++)
      line[r] = line[r + 1];
    line[8] = column[min(z + 4, SIDE - 1) * PLANE];
    float s = line[4];
    if (inner(x) && inner(y) && inner(z)) {
      s = across(column + z * PLANE, s);
#pragma unroll
      for (int r = 1; r <= 4; r++)
        s += weight(r) * (line[4 - r] + line[4 + r]);
    }
    out[z * PLANE + y * SIDE + x] = s;
  }
}

extern "C" __global__ void stencil_plain(const float *in, float *out) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, at = z * PLANE + y * SIDE + x;
  double s = inner(x) && inner(y) && inner(z) ? -8.5 * in[at] : in[at];
  for (int r = 1; r <= 4 && inner(x) && inner(y) && inner(z); r++)
    s += weight(r) * ((double)in[at - r] + in[at + r] + in[at - r * SIDE] + in[at + r * SIDE] + in[at - r * PLANE] +
                      in[at + r * PLANE]);
  out[at] = s;
}
