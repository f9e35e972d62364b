//! problem:   generic
//! id:        states-in-records
//! ladder:    record-fields
//! size:      N = 16M
//! param:     PITCH = 8
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! scratch:   state = 4 * PITCH * N / 2
//! step:      kernel = set_state; grid = N / 2 / 256; block = 256; args = x, state
//! step:      kernel = use_state; grid = N / 2 / 256; block = 256; args = state, y
//! reference: kernel = state_plain; grid = N / 2 / 256; block = 256; args = x, y
//! bytes:     16 * N / 2
//! flops:     4 * N / 2
//! note:      one field of a record of 32 bytes is written, and read by the next kernel

//! id:        states-in-an-array
//! parent:    states-in-records
//! change:    the field in an array of its own: whole sectors are written
//! param:     PITCH = 1
//! predicts:  time < 0.6x; dram_bytes < 0.6x

extern "C" __global__ void set_state(const float *x, float *state) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  state[(size_t)i * PITCH] = x[i] * x[i] + 0.5f;
}

extern "C" __global__ void use_state(const float *state, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * state[(size_t)i * PITCH] - 1;
}

extern "C" __global__ void state_plain(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * (x[i] * x[i] + 0.5f) - 1;
}
