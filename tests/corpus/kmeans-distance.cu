//! problem:   generic
//! id:        kmeans-one-point
//! ladder:    kmeans-distance
//! size:      N = 16M
//! param:     POINTS = 1
//! buffer:    point = fp32[N / 2]; init = random
//! buffer:    centre = fp32[8 * 64]; init = random
//! buffer:    nearest = fp32[N / 16]
//! output:    nearest
//! step:      kernel = distances; grid = N / 16 / 256 / POINTS; block = 256; args = point, centre, nearest, N / 16
//! reference: kernel = distances_double; grid = N / 16 / 256; block = 256; args = point, centre, nearest, N / 16
//! tolerance: 1e-4 1e-4
//! flops:     24 * 64 * N / 16
//! note:      the squared distance to the nearest of 64 centres in eight dimensions; a row a dimension of both arrays

//! id:        kmeans-four-points
//! parent:    kmeans-one-point
//! change:    four points a thread share what is read of a centre from shared memory
//! param:     POINTS = 4
//! predicts:  inst < 0.8x; time < 0.8x

enum { DIMS = 8, CENTRES = 64 };

extern "C" __global__ void distances(const float *__restrict__ point, const float *__restrict__ centre,
                                     float *__restrict__ nearest, int n) {
  __shared__ float centres[DIMS][CENTRES];
  for (int i = threadIdx.x; i < DIMS * CENTRES; i += 256)
    centres[i / CENTRES][i % CENTRES] = centre[i];
  __syncthreads();
  int first = blockIdx.x * 256 * POINTS + threadIdx.x;
  float p[POINTS][DIMS], best[POINTS];
#pragma unroll
  for (int k = 0; k < POINTS; k++) {
    best[k] = 1e30f;
#pragma unroll
    for (int d = 0; d < DIMS; d++)
      p[k][d] = point[d * n + first + k * 256];
  }
#pragma unroll 1
  for (int c = 0; c < CENTRES; c++) {
    float square[POINTS] = {};
#pragma unroll
    for (int d = 0; d < DIMS; d++) {
      float at = centres[d][c];
#pragma unroll
      for (int k = 0; k < POINTS; k++)
        square[k] += (p[k][d] - at) * (p[k][d] - at);
    }
#pragma unroll
    for (int k = 0; k < POINTS; k++)
      best[k] = fminf(best[k], square[k]);
  }
#pragma unroll
  for (int k = 0; k < POINTS; k++)
    nearest[first + k * 256] = best[k];
}

extern "C" __global__ void distances_double(const float *point, const float *centre, float *nearest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double best = 1e30;
  for (int c = 0; c < CENTRES; c++) {
    double s = 0;
    for (int d = 0; d < DIMS; d++)
      s += pow((double)point[(size_t)d * n + i] - centre[d * CENTRES + c], 2.0);
    best = fmin(best, s);
  }
  nearest[i] = best;
}
