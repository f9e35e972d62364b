//! problem:   generic
//! id:        q8-groups-one
//! ladder:    q8-groups
//! size:      N = 16M
//! param:     GROUPS = 1
//! buffer:    weight = fp32[N]; init = random
//! buffer:    code = i8[N]
//! buffer:    scale = fp32[N / 32]
//! output:    code, scale
//! step:      kernel = quantise; grid = N / 32 / GROUPS; block = 32 * GROUPS; args = weight, code, scale
//! reference: kernel = quantise_plain; grid = N / 32 / 256; block = 256; args = weight, code, scale
//! note:      8-bit codes of weights and a scale for each 32 of them, as Q8_0 has it

//! id:        q8-groups
//! parent:    q8-groups-one
//! change:    eight groups a block
//! predicts:  time < 0.6x
//! param:     GROUPS = 8

// a scale at which the largest of a group becomes 127
__device__ float scale_of(float largest) { return largest * (1.f / 127); }

__device__ signed char code_of(float v, float scale) {
  float inverse = scale > 0 ? __frcp_rn(scale) : 0.f;
  return (signed char)__float2int_rn(__fmul_rn(v, inverse));
}

extern "C" __global__ void __launch_bounds__(32 * GROUPS) quantise(const float *__restrict__ weight,
                                                                   signed char *__restrict__ code,
                                                                   float *__restrict__ scale) {
  int i = blockIdx.x * (32 * GROUPS) + threadIdx.x;
  float v = weight[i], largest = fabsf(v);
#pragma unroll
  for (int offset = 16; offset; offset /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, offset));
  float s = scale_of(largest);
  code[i] = code_of(v, s);
  if (threadIdx.x % 32 == 0)
    scale[i / 32] = s;
}

extern "C" __global__ void quantise_plain(const float *weight, signed char *code, float *scale) {
  int group = blockIdx.x * blockDim.x + threadIdx.x;
  float largest = 0;
  for (int k = 0; k < 32; k++)
    largest = fmaxf(largest, fabsf(weight[group * 32 + k]));
  float s = scale_of(largest);
  for (int k = 0; k < 32; k++)
    code[group * 32 + k] = code_of(weight[group * 32 + k], s);
  scale[group] = s;
}
