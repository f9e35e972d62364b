//! problem:   generic
//! id:        speed-aos
//! ladder:    particle-speed
//! size:      N = 16M
//! buffer:    particles = fp32[4 * N]; init = random
//! buffer:    speed = fp32[N / 2]
//! output:    speed
//! scratch:   velocity = 4 * 3 * N / 2
//! setup:     kernel = split; grid = N / 2 / 256; block = 256; args = particles, velocity, N / 2
//! step:      kernel = speed_aos; grid = N / 2 / 256; block = 256; args = particles, speed, N / 2
//! reference: kernel = speed_aos; grid = N / 2 / 256; block = 256; args = particles, speed, N / 2
//! bytes:     4 * 4 * N / 2
//! flops:     6 * N / 2

//! id:        speed-soa
//! parent:    speed-aos
//! change:    each component of the velocity in an array of its own, instead of in a record of eight floats
//! predicts:  dram_bytes < 0.7x; time < 0.8x
//! step:      kernel = speed_soa; grid = N / 2 / 256; block = 256; args = velocity, speed, N / 2

struct particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

__device__ float length(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }

extern "C" __global__ void split(const particle *p, float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i] = p[i].vx;
  v[n + i] = p[i].vy;
  v[2 * n + i] = p[i].vz;
}

extern "C" __global__ void speed_aos(const particle *p, float *speed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    speed[i] = length(p[i].vx, p[i].vy, p[i].vz);
}

extern "C" __global__ void speed_soa(const float *v, float *speed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    speed[i] = length(v[i], v[n + i], v[2 * n + i]);
}
