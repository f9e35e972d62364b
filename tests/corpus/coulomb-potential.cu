//! problem:   generic
//! id:        coulomb-double
//! ladder:    coulomb-potential
//! size:      N = 16M
//! param:     CHARGES = 512
//! buffer:    charges = fp32[4 * CHARGES]; init = random
//! buffer:    points = fp32[3 * N / 128]; init = random
//! buffer:    potential = fp32[N / 128]
//! output:    potential
//! step:      kernel = potential_double; grid = N / 128 / 256; block = 256; args = charges, points, potential
//! reference: kernel = potential_plain; grid = N / 128 / 256; block = 256; args = charges, points, potential
//! tolerance: 1e-3 1e-4
//! flops:     12 * CHARGES * N / 128

//! id:        coulomb-float
//! parent:    coulomb-double
//! change:    the softening and the square root in single precision, as all else is
//! predicts:  inst < 0.6x; time < 0.6x
//! step:      kernel = potential_float; grid = N / 128 / 256; block = 256; args = charges, points, potential

template <class Law>
__device__ void each_charge(const float4 *charges, const float *points, float *potential, Law law) {
  __shared__ float4 held[CHARGES];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < CHARGES; k += blockDim.x)
    held[k] = charges[k];
  __syncthreads();
  float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2], s = 0;
#pragma unroll 4
  for (int k = 0; k < CHARGES; k++) {
    float dx = held[k].x - x, dy = held[k].y - y, dz = held[k].z - z;
    s += law(held[k].w, dx * dx + dy * dy + dz * dz);
  }
  potential[i] = s;
}

__device__ float softened(float q, float r2) { return q * (1.0 / sqrt(r2 + 1e-3)); }
__device__ float softened_float(float q, float r2) { return q * (1.0f / sqrtf(r2 + 1e-3f)); }

extern "C" __global__ void potential_double(const float4 *charges, const float *points, float *potential) {
  each_charge(charges, points, potential, softened);
}

extern "C" __global__ void potential_float(const float4 *charges, const float *points, float *potential) {
  each_charge(charges, points, potential, softened_float);
}

extern "C" __global__ void potential_plain(const float *charges, const float *points, float *potential) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < CHARGES; k++) {
    double r2 = 1e-3;
    for (int d = 0; d < 3; d++)
      r2 += ((double)charges[4 * k + d] - points[3 * i + d]) * ((double)charges[4 * k + d] - points[3 * i + d]);
    s += charges[4 * k + 3] / sqrt(r2);
  }
  potential[i] = s;
}
