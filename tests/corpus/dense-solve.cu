//! problem:   generic
//! id:        dense-solve-swap-by-index
//! ladder:    dense-solve
//! size:      N = 16M
//! param:     BATCH = 524288
//! buffer:    a = fp32[36 * BATCH]; init = random
//! buffer:    b = fp32[6 * BATCH]; init = random
//! buffer:    x = fp32[6 * BATCH]
//! output:    x
//! step:      kernel = solve_indexed; grid = BATCH / 128; block = 128; args = a, b, x
//! reference: kernel = solve_plain; grid = BATCH / 128; block = 128; args = a, b, x
//! tolerance: 1e-5 1e-4
//! flops:     200 * BATCH
//! note:      6 x 6 systems with partial pivoting, a thread each; the heavy entries lie off the diagonal

//! id:        dense-solve-swap-by-select
//! parent:    dense-solve-swap-by-index
//! change:    rows change places by selection at indices that the compiler knows, so that the system stays in registers
//! predicts:  time < 0.7x; dram_bytes within 20%
//! step:      kernel = solve_selected; grid = BATCH / 128; block = 128; args = a, b, x

typedef float System[6][7]; // the right side is the last column

__device__ float entry(const float *a, int row, int col, int i) {
  return a[(row * 6 + col) * BATCH + i] + (col == (row + 3) % 6 ? 8 : 0);
}

__device__ void swap_if(bool yes, float &a, float &b) {
  float was = a;
  a = yes ? b : a;
  b = yes ? was : b;
}

// The row with the largest number in column k comes up to row k.
__device__ void pivot_by_index(System &m, int k) {
  int best = k;
  for (int row = k + 1; row < 6; row++)
    best = fabsf(m[row][k]) > fabsf(m[best][k]) ? row : best;
  for (int col = k; col < 7; col++)
    swap_if(true, m[k][col], m[best][col]);
}

__device__ void pivot_by_select(System &m, int k) {
  for (int row = k + 1; row < 6; row++) {
    bool larger = fabsf(m[row][k]) > fabsf(m[k][k]);
    for (int col = k; col < 7; col++)
      swap_if(larger, m[k][col], m[row][col]);
  }
}

template <bool SELECT> __device__ void solve(const float *__restrict__ a, const float *__restrict__ b, float *x) {
  int i = blockIdx.x * 128 + threadIdx.x;
  System m;
#pragma unroll
  for (int k = 0; k < 42; k++)
    m[k / 7][k % 7] = k % 7 == 6 ? b[k / 7 * BATCH + i] : entry(a, k / 7, k % 7, i);
#pragma unroll
  for (int k = 0; k < 6; k++) {
    SELECT ? pivot_by_select(m, k) : pivot_by_index(m, k);
    for (int row = k + 1; row < 6; row++) {
      float factor = m[row][k] / m[k][k];
      for (int col = k + 1; col < 7; col++)
        m[row][col] -= factor * m[k][col];
    }
  }
  for (int row = 5; row >= 0; row--) {
    for (int col = row + 1; col < 6; col++)
      m[row][6] -= m[row][col] * m[col][6];
    x[row * BATCH + i] = m[row][6] /= m[row][row];
  }
}

extern "C" __global__ void solve_indexed(const float *a, const float *b, float *x) { solve<false>(a, b, x); }
extern "C" __global__ void solve_selected(const float *a, const float *b, float *x) { solve<true>(a, b, x); }

// Rows taken in the order that puts the heavy entries on the diagonal, where no pivoting is needed.
extern "C" __global__ void solve_plain(const float *a, const float *b, float *x) {
  int i = blockIdx.x * 128 + threadIdx.x;
  double m[6][7];
  for (int k = 0; k < 42; k++)
    m[k / 7][k % 7] = k % 7 == 6 ? b[(k / 7 + 3) % 6 * BATCH + i] : entry(a, (k / 7 + 3) % 6, k % 7, i);
  for (int k = 0; k < 6; k++)
    for (int row = 0; row < 6; row++) {
      double factor = m[row][k] / m[k][k];
      for (int col = k; col < 7 && row != k; col++)
        m[row][col] -= factor * m[k][col];
    }
  for (int row = 0; row < 6; row++)
    x[row * BATCH + i] = m[row][6] / m[row][row];
}
