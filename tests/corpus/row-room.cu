//! problem:   generic
//! id:        row-room-worst-case
//! ladder:    row-room
//! size:      N = 16M
//! param:     COLS = 2048
//! param:     ROOM = 24576
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//! step:      kernel = reverse_rows; grid = N / COLS; block = 128; smem = 4 * ROOM; args = x, y
//! reference: kernel = reverse_plain; grid = N / COLS; block = 256; args = x, y
//! tolerance: 1e-6 1e-5
//! note:      shared memory for the longest row that any input may have, though those of this one have 2048 numbers

//! id:        row-room-as-needed
//! parent:    row-room-worst-case
//! change:    a block asks for the shared memory of its row
//! param:     ROOM = 2048
//! predicts:  occupancy > 3x; time < 0.7x; inst within 5%

extern "C" __global__ void reverse_rows(const float *x, float *y) {
  extern __shared__ float row[];
  float top = 0;
  for (int i = threadIdx.x; i < COLS; i += 128) {
    row[i] = x[(size_t)blockIdx.x * COLS + i];
    top = fmaxf(top, fabsf(row[i]));
  }
  top = __uint_as_float(__reduce_max_sync(0xffffffff, __float_as_uint(top))); // floats above 0 order as integers do
  __shared__ float tops[4];
  if (threadIdx.x % 32 == 0)
    tops[threadIdx.x / 32] = top;
  __syncthreads();
  top = fmaxf(fmaxf(tops[0], tops[1]), fmaxf(tops[2], tops[3]));
  for (int i = threadIdx.x; i < COLS; i += 128)
    y[(size_t)blockIdx.x * COLS + i] = row[COLS - 1 - i] / top;
}

extern "C" __global__ void reverse_plain(const float *x, float *y) {
  float top = 0;
  for (int i = 0; i < COLS; i++)
    top = fmaxf(top, fabsf(x[(size_t)blockIdx.x * COLS + i]));
  for (int i = threadIdx.x; i < COLS; i += blockDim.x)
    y[(size_t)blockIdx.x * COLS + i] = x[(size_t)blockIdx.x * COLS + COLS - 1 - i] / top;
}
