//! problem:   generic
//! id:        dose-block-bins
//! ladder:    dose-organs
//! size:      N = 16M
//! param:     COPIES = 1
//! buffer:    place = u8[N]; init = random
//! buffer:    energy = u8[N]; init = random
//! buffer:    dose = u64[20]; init = zero
//! output:    dose
//! reset:     init dose
//! step:      kernel = score_dose; grid = 528; block = 512; args = place, energy, dose, N / 4
//! reference: kernel = score_plain; grid = 1056; block = 256; args = place, energy, dose, N
//! note:      Monte Carlo radiotherapy: the energy of 16 M interactions, scored for 20 organs; most fall into soft tissue

//! id:        dose-lane-bins
//! parent:    dose-block-bins
//! change:    bins of its own for every lane, in its own bank
//! param:     COPIES = 32
//! predicts:  time < 0.6x

enum { ORGANS = 20, THREADS = 512, SOFT_TISSUE = 0 };

// Places are numbered 0 to 100: up to 70 is soft tissue, then come the organs at risk and the tumour, two places each.
__device__ int organ_of(unsigned place) { return place < 70 ? SOFT_TISSUE : 1 + (place - 70) / 2; }

// Energy in units of 10 keV, weighted by the radiation's quality.
__device__ unsigned weighted(unsigned energy) { return energy * 3 + (energy > 60 ? 17 : 5); }

extern "C" __global__ void __launch_bounds__(THREADS)
    score_dose(const uchar4 *__restrict__ place, const uchar4 *__restrict__ energy, unsigned long long *dose, int quads) {
  __shared__ unsigned bins[ORGANS * COPIES];
  for (int b = threadIdx.x; b < ORGANS * COPIES; b += THREADS)
    bins[b] = 0;
  __syncthreads();
  unsigned *mine = bins + threadIdx.x % COPIES;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < quads; i += gridDim.x * THREADS) {
    uchar4 p = place[i], e = energy[i];
    atomicAdd(mine + organ_of(p.x) * COPIES, weighted(e.x));
    atomicAdd(mine + organ_of(p.y) * COPIES, weighted(e.y));
    atomicAdd(mine + organ_of(p.z) * COPIES, weighted(e.z));
    atomicAdd(mine + organ_of(p.w) * COPIES, weighted(e.w));
  }
  __syncthreads();
  if (threadIdx.x < ORGANS) {
    unsigned long long sum = 0;
    for (int c = 0; c < COPIES; c++)
      sum += bins[threadIdx.x * COPIES + (c + threadIdx.x) % COPIES];
    atomicAdd(dose + threadIdx.x, sum);
  }
}

extern "C" __global__ void score_plain(const unsigned char *place, const unsigned char *energy, unsigned long long *dose, int n) {
  __shared__ unsigned long long sums[20];
  if (threadIdx.x < 20)
    sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    int organ = place[i] < 70 ? 0 : (place[i] - 68) / 2;
    atomicAdd(&sums[organ], 3ull * energy[i] + (energy[i] > 60 ? 17 : 5));
  }
  __syncthreads();
  if (threadIdx.x < 20)
    atomicAdd(dose + threadIdx.x, sums[threadIdx.x]);
}
