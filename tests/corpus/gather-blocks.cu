//! problem:   generic
//! id:        gather-blocks-of-32
//! ladder:    gather-blocks
//! size:      N = 16M
//! param:     THREADS = 32
//! buffer:    table = fp32[N / 4]; init = random
//! buffer:    y = fp32[N / 2]
//! output:    y
//! scratch:   index = 4 * N / 2
//! setup:     kernel = make_index; grid = N / 2 / 256; block = 256; args = index, N / 4
//! step:      kernel = gather; grid = 32 * sms; block = THREADS; args = table, index, y, N / 2
//! reference: kernel = gather; grid = 1024; block = 256; args = table, index, y, N / 2
//! bytes:     8 * N / 2 + 4 * N / 4
//! note:      as many blocks as an SM takes

//! id:        gather-blocks-of-64
//! parent:    gather-blocks-of-32
//! change:    twice the threads a block
//! param:     THREADS = 64
//! predicts:  occupancy > 1.6x; time < 0.8x; inst within 10%

extern "C" __global__ void make_index(unsigned *index, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i * 2654435761u;
  index[i] = ((h ^ h >> 15) * 2246822519u >> 7) & (n - 1);
}

extern "C" __global__ void gather(const float *table, const unsigned *index, float *y, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = 2 * table[index[i]];
}
