//! problem:   generic
//! id:        lennard-neighbour-bands
//! ladder:    lennard-triangle
//! size:      N = 16M
//! param:     BAND = 64
//! param:     FOLDED = 0
//! buffer:    point = fp32[4 * 2 * sms * BAND]; init = random
//! buffer:    energy = fp32[2 * sms * BAND]
//! output:    energy
//! step:      kernel = energies; grid = sms; block = 512; args = point, energy, 2 * sms * BAND
//! reference: kernel = energies_double; grid = 2 * sms * BAND / 32; block = 32; args = point, energy, 2 * sms * BAND
//! tolerance: 1e-2 1e-3
//! flops:     16 * 2 * sms * BAND * sms * BAND
//! note:      each pair of points once: a point sums over those after it

//! id:        lennard-folded-bands
//! parent:    lennard-neighbour-bands
//! change:    a block takes a band from the beginning and one from the end, instead of two neighbours
//! param:     FOLDED = 1
//! predicts:  time < 0.8x; inst within 5%

enum { THREADS = 512, SLICES = THREADS / BAND };

__device__ float lennard(float4 a, float4 b) {
  float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  float s = __fdividef(1, 1 + x * x + y * y + z * z), t = s * s * s;
  return a.w * b.w * (t * t - t);
}

// BAND points against all after them; a thread sees one of SLICES points of each tile.
__device__ void band_energies(int band, const float4 *__restrict__ point, float *energy, int n) {
  __shared__ float4 tile[THREADS];
  __shared__ float part[SLICES][BAND];
  int i = band * BAND + threadIdx.x % BAND, slice = threadIdx.x / BAND;
  float4 own = point[i];
  float s = 0;
  for (int first = band * BAND / THREADS * THREADS; first < n; first += THREADS) {
    __syncthreads();
    if (first + threadIdx.x < n)
      tile[threadIdx.x] = point[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = slice; k < THREADS; k += SLICES)
      s += first + k > i && first + k < n ? lennard(own, tile[k]) : 0;
  }
  part[slice][threadIdx.x % BAND] = s;
  __syncthreads();
  if (slice == 0) {
    for (int k = 1; k < SLICES; k++)
      s += part[k][threadIdx.x];
    energy[i] = s;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) energies(const float4 *point, float *energy, int n) {
  for (int turn = 0; turn < 2; turn++) {
    int folded = turn ? 2 * gridDim.x - 1 - blockIdx.x : blockIdx.x;
    band_energies(FOLDED ? folded : 2 * blockIdx.x + turn, point, energy, n);
  }
}

extern "C" __global__ void energies_double(const float4 *point, float *energy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e = 0;
  for (int j = i + 1; j < n; j++) {
    double x = point[i].x - point[j].x, y = point[i].y - point[j].y, z = point[i].z - point[j].z;
    double t = pow(1 + x * x + y * y + z * z, -3.0);
    e += (double)point[i].w * point[j].w * (t * t - t);
  }
  energy[i] = e;
}
