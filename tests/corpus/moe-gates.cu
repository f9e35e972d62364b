//! problem:   generic
//! id:        gates-one-copy
//! ladder:    moe-gates
//! size:      N = 16M
//! param:     EXPERTS = 8
//! param:     COPIES = 1
//! buffer:    expert = u8[N]; init = random
//! buffer:    gate = fp32[N]; init = random
//! buffer:    load = fp32[EXPERTS]
//! output:    load
//! reset:     fill load = 0
//! step:      kernel = expert_load; grid = 8 * sms; block = 256; args = expert, gate, load, N / 4
//! reference: kernel = load_double; grid = EXPERTS; block = 1024; args = expert, gate, load, N
//! tolerance: 0.1 1e-4
//! flops:     N
//! note:      the sum of the gates of each expert's tokens, as a router's balancing loss wants it

//! id:        gates-lane-copies
//! parent:    gates-one-copy
//! change:    32 copies of the sums in shared memory, one a lane, instead of one that all lanes add to
//! param:     COPIES = 32
//! predicts:  time < 0.7x; dram_bytes within 5%

extern "C" __global__ void expert_load(const uchar4 *__restrict__ expert, const float4 *__restrict__ gate, float *load,
                                       int n) {
  __shared__ float sums[EXPERTS * COPIES];
  float *own = sums + threadIdx.x % COPIES;
  for (int i = threadIdx.x; i < EXPERTS * COPIES; i += blockDim.x)
    sums[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 e = expert[i];
    float4 g = gate[i];
    atomicAdd(&own[e.x % EXPERTS * COPIES], g.x);
    atomicAdd(&own[e.y % EXPERTS * COPIES], g.y);
    atomicAdd(&own[e.z % EXPERTS * COPIES], g.z);
    atomicAdd(&own[e.w % EXPERTS * COPIES], g.w);
  }
  __syncthreads();
  if (threadIdx.x < EXPERTS) {
    float s = 0;
    for (int k = 0; k < COPIES; k++)
      s += sums[threadIdx.x * COPIES + k];
    atomicAdd(&load[threadIdx.x], s);
  }
}

extern "C" __global__ void load_double(const unsigned char *expert, const float *gate, float *load, int n) {
  __shared__ double part[1024];
  double s = 0;
  for (int i = threadIdx.x; i < n; i += 1024)
    s += expert[i] % EXPERTS == blockIdx.x ? gate[i] : 0;
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 1024; i++)
      s += part[i];
    load[blockIdx.x] = s;
  }
}
