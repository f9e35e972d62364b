// A kernel of your own: nvfp4-prof --kernel @NAME@.cu measures it, checks it, and says what it waits for; --watch does so at every save.
// The lines that begin with //! describe the problem; docs/own-kernel.md explains each, and a wrong one is named with its line.

//! problem:   generic
//! id:        @NAME@
//! ladder:    @NAME@
//!
//! size:      N = 16M
//! buffer:    x = fp32[N]; init = random
//! buffer:    y = fp32[N]
//! output:    y
//!
//! param:     THREADS = 256 in {64, 128, 256, 512}
//! step:      kernel = own; grid = ceil(N / THREADS); block = THREADS; args = x, y, f32(0.5), N
//!
//! reference: kernel = own_plain; grid = 1024; block = 256; args = x, y, f32(0.5), N
//! tolerance: 1e-6 1e-6
//!
//! bytes:     2 * 4 * N
//! flops:     2 * N

// A second variant inherits every line above that it does not give itself. Write own_wide, uncomment these, and the report
// says what the change was worth:
// //! id:        @NAME@-wide
// //! parent:    @NAME@
// //! change:    16-byte loads and stores
// //! predicts:  inst < 0.5x; dram_bytes within 2%
// //! step:      kernel = own_wide; grid = ceil(N / 4 / THREADS); block = THREADS; args = x, y, f32(0.5), N

// The kernel. A launch finds it by its name, so it is extern "C"; params are macros (THREADS).
extern "C" __global__ void __launch_bounds__(THREADS) own(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + 1;
}

// What it must equal: slow and plain. The buffers are put back and the outputs poisoned before each of the two.
extern "C" __global__ void own_plain(const float *x, float *y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + 1;
}
