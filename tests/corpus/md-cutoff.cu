//! problem:   generic
//! id:        md-branch
//! ladder:    md-cutoff
//! size:      N = 16M
//! param:     NEIGHBOURS = 256
//! let:       ATOMS = N / NEIGHBOURS
//! buffer:    atom = fp32[4 * ATOMS]; init = random
//! buffer:    energy = fp32[ATOMS]
//! output:    energy
//! step:      kernel = energy_branch; grid = ATOMS / 8; block = 256; args = atom, energy, ATOMS
//! reference: kernel = energy_plain; grid = ATOMS / 32; block = 32; args = atom, energy, ATOMS
//! tolerance: 1e-3 1e-4
//! note:      Ewald's real-space part and a Buckingham term; an eighth of the candidates lie within the cutoff

//! id:        md-queue
//! parent:    md-branch
//! change:    a warp queues the neighbours within the cutoff, and works on them when it has 32
//! predicts:  inst < 0.8x; time < 0.85x
//! step:      kernel = energy_queue; grid = ATOMS / 8; block = 256; args = atom, energy, ATOMS

#define CUTOFF 0.375f // squared; the energy goes to 0 there, so that a rounding changes nothing

__device__ float distance(float4 a, float4 b) {
  float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

__device__ float pair_energy(float square, float charge) {
  float inverse = rsqrtf(square + 0.01f), r = (square + 0.01f) * inverse, t = inverse * inverse * inverse;
  float ewald = charge * erfcf(3 * r) * inverse, repulsion = expf(-8 * r) * (1 + log1pf(r)), edge = 1 - square / CUTOFF;
  return (ewald + repulsion - 1e-6f * t * t) * edge * edge;
}

__device__ void add_up(float s, float *energy) {
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    *energy = s;
}

// A warp an atom.
extern "C" __global__ void energy_branch(const float4 *__restrict__ atom, float *energy, int atoms) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float4 own = atom[i];
  float s = 0;
  for (int k = threadIdx.x % 32; k < NEIGHBOURS; k += 32) {
    float4 other = atom[(i + 1 + k) % (unsigned)atoms];
    float square = distance(own, other);
    if (square < CUTOFF)
      s += pair_energy(square, own.w * other.w);
  }
  add_up(s, &energy[i]);
}

extern "C" __global__ void energy_queue(const float4 *__restrict__ atom, float *energy, int atoms) {
  __shared__ float2 queues[8][64];
  float2 *queue = queues[threadIdx.x / 32];
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, waiting = 0;
  float4 own = atom[i];
  float s = 0;
  for (int k = lane; k < NEIGHBOURS; k += 32) {
    float4 other = atom[(i + 1 + k) % (unsigned)atoms];
    float square = distance(own, other);
    unsigned near = __ballot_sync(0xffffffff, square < CUTOFF);
    if (square < CUTOFF)
      queue[waiting + __popc(near & ((1u << lane) - 1))] = make_float2(square, own.w * other.w);
    waiting += __popc(near);
    __syncwarp();
    if (waiting >= 32) {
      waiting -= 32;
      s += pair_energy(queue[waiting + lane].x, queue[waiting + lane].y);
    }
    __syncwarp();
  }
  if (lane < waiting)
    s += pair_energy(queue[lane].x, queue[lane].y);
  add_up(s, &energy[i]);
}

extern "C" __global__ void energy_plain(const float4 *atom, float *energy, int atoms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 1; k <= NEIGHBOURS; k++) {
    float4 a = atom[i], b = atom[(i + k) % atoms];
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, square = x * x + y * y + z * z, r = sqrt(square + 0.01);
    double edge = 1 - square / CUTOFF, u = (double)a.w * b.w * erfc(3 * r) / r + exp(-8 * r) * (1 + log1p(r));
    s += square < CUTOFF ? (u - 1e-6 / pow(r, 6.0)) * edge * edge : 0;
  }
  energy[i] = s;
}
