//! problem:   generic
//! id:        codebook-128-threads
//! ladder:    aqlm-codebook
//! size:      N = 16M
//! param:     THREADS = 128
//! param:     RESIDENT = 3
//! buffer:    book = fp16[8 * 4096]; init = random
//! buffer:    weights = fp16[4 * N]
//! output:    weights
//! scratch:   code = 2 * N / 2
//! setup:     kernel = make_codes; grid = N / 2 / 256; block = 256; args = code
//! step:      kernel = look_up; grid = RESIDENT * sms; block = THREADS; smem = 65536; args = book, code, weights, N / 2
//! reference: kernel = look_up_plain; grid = N / 2 / 256; block = 256; args = book, code, weights
//! note:      eight weights a code, from a book of 64 KiB that each block holds in shared memory: three blocks an SM

//! id:        codebook-1024-threads
//! parent:    codebook-128-threads
//! change:    1024 threads share a book, instead of 128
//! param:     THREADS = 1024
//! param:     RESIDENT = 2
//! predicts:  occupancy > 3x; time < 0.6x; dram_bytes within 5%

__device__ unsigned short code_of(unsigned i) { return (i * 2654435761u ^ i >> 7) >> 20; } // 12 bits

extern "C" __global__ void make_codes(unsigned short *code) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  code[i] = code_of(i);
}

extern "C" __global__ void look_up(const uint4 *book, const unsigned short *code, uint4 *weights, int n) {
  extern __shared__ uint4 own[];
  for (int i = threadIdx.x; i < 4096; i += THREADS)
    own[i] = book[i];
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    weights[i] = own[code[i]];
}

extern "C" __global__ void look_up_plain(const unsigned short *book, const unsigned short *code,
                                         unsigned short *weights) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    weights[i * 8 + k] = book[code[i] * 8 + k];
}
