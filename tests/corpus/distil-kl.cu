//! problem:   generic
//! id:        distil-kl
//! ladder:    distil-kl
//! size:      N = 16M
//! param:     COLS = 4096
//! buffer:    teacher = fp32[N / 2]; init = random
//! buffer:    student = fp32[N / 2]; init = random
//! buffer:    loss = fp32[N / 2 / COLS]
//! output:    loss
//! step:      kernel = divergence; grid = N / 2 / COLS; block = 256; args = teacher, student, loss
//! reference: kernel = divergence_plain; grid = N / 2 / COLS; block = 1; args = teacher, student, loss
//! tolerance: 5e-2 1e-4
//! note:      sum over a row of t (log t - log s), both smoothed; weights as they are, not normalised

//! id:        distil-kl-b
//! parent:    distil-kl
//! change:    the smoothing and the logarithms are those of float
//! step:      kernel = divergence_float; grid = N / 2 / COLS; block = 256; args = teacher, student, loss

struct smooth {
  static __device__ float term(float t, float s) {
    const auto eps = 1e-6;
    return t * (log(t + eps) - log(s + eps));
  }
};

struct smooth_float {
  static __device__ float term(float t, float s) {
    const auto eps = 1e-6f;
    return t * (logf(t + eps) - logf(s + eps));
  }
};

__device__ float block_sum(float v) {
  __shared__ float part[8];
  for (int d = 16; d; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[threadIdx.x % 8];
  for (int d = 4; d; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}

template <class Term> __device__ void row_loss(const float4 *teacher, const float4 *student, float *loss) {
  const float4 *t = teacher + blockIdx.x * (COLS / 4), *s = student + blockIdx.x * (COLS / 4);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < COLS / 1024; k++) {
    float4 a = t[k * 256 + threadIdx.x], b = s[k * 256 + threadIdx.x];
    sum += Term::term(fabsf(a.x), fabsf(b.x)) + Term::term(fabsf(a.y), fabsf(b.y));
    sum += Term::term(fabsf(a.z), fabsf(b.z)) + Term::term(fabsf(a.w), fabsf(b.w));
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    loss[blockIdx.x] = sum;
}

extern "C" __global__ void divergence(const float4 *__restrict__ teacher, const float4 *__restrict__ student,
                                      float *loss) {
  row_loss<smooth>(teacher, student, loss);
}

extern "C" __global__ void divergence_float(const float4 *__restrict__ teacher, const float4 *__restrict__ student,
                                            float *loss) {
  row_loss<smooth_float>(teacher, student, loss);
}

extern "C" __global__ void divergence_plain(const float *teacher, const float *student, float *loss) {
  double sum = 0;
  for (int i = blockIdx.x * COLS; i < blockIdx.x * COLS + COLS; i++)
    sum += fabs(teacher[i]) * (log(fabs(teacher[i]) + 1e-6) - log(fabs(student[i]) + 1e-6));
  loss[blockIdx.x] = sum;
}
