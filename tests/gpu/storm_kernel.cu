// One kernel, of which N makes another: as an autotuner's trials are.
#ifndef NAME
#define NAME triton_like
#endif
extern "C" __global__ void NAME(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float y = x[i];
#pragma unroll
    for (int j = 0; j < 8 + N; j++)
      y = y * 1.0001f + N;
    x[i] = y;
  }
}
