// Programs for tests/gpu/attach: attach sizes | once | launches.
//   sizes     a matrix product for six sizes in turn, each checked once and then launched 50 times without waiting, as SGEMM_CUDA does: 312 launches
//   once      one launch, of some 10 ms
//   launches  20,000 launches of 2 us, each waited for: the GPU waits for launches
//
//     nvcc -O2 -lineinfo -arch=sm_90 -o attach attach.cu
#include <cstdio>
#include <cstring>

const int TILE = 64, DEPTH = 8, EACH = 8;

// C = A B, a tile of 64 x 64 a block, a column of eight a thread.
__global__ void sgemm(int n, const float *a, const float *b, float *c) {
  __shared__ float as[TILE][DEPTH], bs[DEPTH][TILE];
  const int column = threadIdx.x % TILE, row = threadIdx.x / TILE;
  float sums[EACH] = {0};
  a += blockIdx.y * TILE * n;
  b += blockIdx.x * TILE;
  for (int k = 0; k < n; k += DEPTH) {
    as[threadIdx.x / DEPTH][threadIdx.x % DEPTH] = a[threadIdx.x / DEPTH * n + k + threadIdx.x % DEPTH];
    bs[row][column] = b[(k + row) * n + column];
    __syncthreads();
    for (int d = 0; d < DEPTH; d++)
      for (int i = 0; i < EACH; i++)
        sums[i] += as[row * EACH + i][d] * bs[d][column];
    __syncthreads();
  }
  for (int i = 0; i < EACH; i++)
    c[(blockIdx.y * TILE + row * EACH + i) * n + blockIdx.x * TILE + column] = sums[i];
}

__global__ void checked(const float *c, int n, float wanted, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && c[i] != wanted)
    atomicAdd(wrong, 1);
}

__global__ void tiny(float *x) {
  x[threadIdx.x] += 1;
}

__global__ void fill(float *x, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
}

static void product(int n, const float *a, const float *b, float *c) {
  sgemm<<<dim3(n / TILE, n / TILE), TILE * DEPTH>>>(n, a, b, c);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "sizes";
  const int most = 4096;
  float *a, *b, *c;
  int *wrong, found = 0;
  cudaMalloc(&a, sizeof *a * most * most);
  cudaMalloc(&b, sizeof *a * most * most);
  cudaMalloc(&c, sizeof *a * most * most);
  cudaMalloc(&wrong, sizeof *wrong);
  cudaMemset(wrong, 0, sizeof *wrong);
  if (strcmp(how, "launches") == 0) {
    for (int i = 0; i < 20000; i++) {
      tiny<<<1, 32>>>(c);
      cudaDeviceSynchronize();
    }
  } else if (strcmp(how, "once") == 0) {
    product(most, a, b, c);
  } else {
    for (int n = 128; n <= most; n *= 2) {
      fill<<<most * most / 256, 256>>>(a, most * most, 1);
      fill<<<most * most / 256, 256>>>(b, most * most, 0.5f);
      product(n, a, b, c);
      checked<<<n * n / 256, 256>>>(c, n * n, 0.5f * n, wrong);
      cudaMemcpy(&found, wrong, sizeof found, cudaMemcpyDeviceToHost);
      for (int i = 0; i < 50; i++)
        product(n, a, b, c);
      cudaDeviceSynchronize();
    }
  }
  cudaDeviceSynchronize();
  std::printf("%s: %d wrong, %s\n", how, found, cudaGetErrorString(cudaGetLastError()));
  return found != 0;
}
