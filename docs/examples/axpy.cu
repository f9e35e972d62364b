// y += a x, 100 times, inside an NVTX range, and an exit code of its own: what `nvfp4-prof attach` is shown on in docs/attach.md.
//
//     nvcc -O2 -lineinfo -arch=sm_90 -o axpy axpy.cu
#include <cstdio>
#include <nvtx3/nvToolsExt.h>

__global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

int main() {
  const int n = 1 << 24;
  float *x, *y, first = 0;
  if (cudaMalloc(&x, n * sizeof *x) || cudaMalloc(&y, n * sizeof *y))
    return 1;
  cudaMemset(x, 0x3f, n * sizeof *x); // every byte 0x3f: 0.747 in each float
  cudaMemset(y, 0, n * sizeof *y);
  nvtxRangePushA("axpy");
  for (int i = 0; i < 100; i++)
    axpy<<<n / 256, 256>>>(2, x, y, n);
  nvtxRangePop();
  cudaMemcpy(&first, y, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("y[0] = %g\n", first);
  return 3;
}
