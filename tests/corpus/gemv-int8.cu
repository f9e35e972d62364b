//! problem:   generic
//! id:        gemv-int8-float
//! ladder:    gemv-int8
//! size:      N = 16M
//! param:     COLS = 8192
//! buffer:    w = i8[4 * N]; init = random
//! buffer:    x = i8[COLS]; init = random
//! buffer:    y = i32[4 * N / COLS]
//! output:    y
//! step:      kernel = dot_float; grid = 4 * N / COLS / 8; block = 256; args = w, x, y
//! reference: kernel = dot_plain; grid = 4 * N / COLS / 32; block = 32; args = w, x, y
//! flops:     8 * N

//! id:        gemv-int8-dp4a
//! parent:    gemv-int8-float
//! change:    four products of bytes an instruction (dp4a), instead of converting every byte to a float
//! predicts:  inst < 0.3x; time < 0.8x; dram_bytes within 5%
//! step:      kernel = dot_dp4a; grid = 4 * N / COLS / 8; block = 256; args = w, x, y

// The sum of 16 products of bytes is a whole number below 2^24, exact in a float.
__device__ int dot16_float(int4 w, int4 x) {
  const char4 *a = (const char4 *)&w, *b = (const char4 *)&x;
  float s = 0;
#pragma unroll
  for (int i = 0; i < 4; i++)
    s += (float)a[i].x * (float)b[i].x + (float)a[i].y * (float)b[i].y + (float)a[i].z * (float)b[i].z +
         (float)a[i].w * (float)b[i].w;
  return s;
}

__device__ int dot16_dp4a(int4 w, int4 x) {
  return __dp4a(w.x, x.x, __dp4a(w.y, x.y, __dp4a(w.z, x.z, __dp4a(w.w, x.w, 0))));
}

// A warp a row.
template <class Dot> __device__ void row_dot(const int4 *__restrict__ w, const int4 *__restrict__ x, int *y, Dot dot) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, s = 0;
#pragma unroll 8
  for (int i = lane; i < COLS / 16; i += 32)
    s += dot(w[row * (COLS / 16) + i], x[i]);
  s = __reduce_add_sync(0xffffffff, s);
  if (lane == 0)
    y[row] = s;
}

extern "C" __global__ void dot_float(const int4 *w, const int4 *x, int *y) { row_dot(w, x, y, dot16_float); }
extern "C" __global__ void dot_dp4a(const int4 *w, const int4 *x, int *y) { row_dot(w, x, y, dot16_dp4a); }

extern "C" __global__ void dot_plain(const signed char *w, const signed char *x, int *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  for (int i = 0; i < COLS; i++)
    s += w[(size_t)row * COLS + i] * x[i];
  y[row] = s;
}
