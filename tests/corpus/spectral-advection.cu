//! problem:   generic
//! id:        advection-thread-a-node
//! ladder:    spectral-advection
//! size:      N = 16M
//! buffer:    u = fp32[N]; init = random
//! buffer:    d = fp32[64]; init = random
//! buffer:    change_of_u = fp32[N]
//! output:    change_of_u
//! step:      kernel = node_a_thread; grid = N / 512; block = 512; args = u, d, change_of_u
//! reference: kernel = advection_double; grid = N / 256; block = 256; args = u, d, change_of_u
//! tolerance: 1e-4 1e-4
//! flops:     54 * N
//! note:      spectral elements of 8 x 8 x 8 nodes: derivatives along three axes by the matrix d, times a wind

//! id:        advection-thread-a-column
//! parent:    advection-thread-a-node
//! change:    a thread takes the 8 nodes of a column and keeps them and its two rows of d in registers
//! predicts:  time < 0.8x
//! step:      kernel = column_a_thread; grid = N / 4096; block = 512; args = u, d, change_of_u

#define WIND_X 0.7f
#define WIND_Y -0.4f
#define WIND_Z 0.3f

extern "C" __global__ void __launch_bounds__(512)
    node_a_thread(const float *__restrict__ u, const float *__restrict__ d, float *__restrict__ change_of_u) {
  __shared__ float node[512], matrix[8][9];
  int t = threadIdx.x, i = t % 8, j = t / 8 % 8, k = t / 64;
  node[t] = u[blockIdx.x * 512 + t];
  if (t < 64)
    matrix[t / 8][t % 8] = d[t];
  __syncthreads();
  float x = 0, y = 0, z = 0;
#pragma unroll
  for (int m = 0; m < 8; m++) {
    x += matrix[i][m] * node[k * 64 + j * 8 + m];
    y += matrix[j][m] * node[k * 64 + m * 8 + i];
    z += matrix[k][m] * node[m * 64 + j * 8 + i];
  }
  change_of_u[blockIdx.x * 512 + t] = WIND_X * x + WIND_Y * y + WIND_Z * z;
}

extern "C" __global__ void __launch_bounds__(512)
    column_a_thread(const float *__restrict__ u, const float *__restrict__ d, float *__restrict__ change_of_u) {
  __shared__ float nodes[8][512], matrix[8][9];
  int t = threadIdx.x % 64, i = t % 8, j = t / 8, first = (blockIdx.x * 8 + threadIdx.x / 64) * 512;
  float *node = nodes[threadIdx.x / 64], column[8], row_i[8], row_j[8];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    column[k] = u[first + k * 64 + t];
    node[k * 64 + t] = column[k];
  }
  if (threadIdx.x < 64)
    matrix[j][i] = d[t];
  __syncthreads();
#pragma unroll
  for (int m = 0; m < 8; m++) {
    row_i[m] = matrix[i][m];
    row_j[m] = matrix[j][m];
  }
#pragma unroll
  for (int k = 0; k < 8; k++) {
    float x = 0, y = 0, z = 0;
#pragma unroll
    for (int m = 0; m < 8; m++) {
      x += row_i[m] * node[k * 64 + j * 8 + m];
      y += row_j[m] * node[k * 64 + m * 8 + i];
      z += matrix[k][m] * column[m];
    }
    change_of_u[first + k * 64 + t] = WIND_X * x + WIND_Y * y + WIND_Z * z;
  }
}

extern "C" __global__ void advection_double(const float *u, const float *d, float *change_of_u) {
  int n = blockIdx.x * 256 + threadIdx.x, i = n % 8, j = n / 8 % 8, k = n / 64 % 8;
  const float *node = u + n / 512 * 512;
  double s = 0;
  for (int m = 0; m < 8; m++) {
    s += (double)WIND_X * d[i * 8 + m] * node[k * 64 + j * 8 + m];
    s += (double)WIND_Y * d[j * 8 + m] * node[k * 64 + m * 8 + i];
    s += (double)WIND_Z * d[k * 8 + m] * node[m * 64 + j * 8 + i];
  }
  change_of_u[n] = s;
}
