//! problem:   generic
//! id:        xent-log-probabilities
//! ladder:    xent-loss
//! size:      N = 16M
//! param:     COLS = 2048
//! buffer:    logit = fp32[2 * N]; init = random
//! buffer:    word = u8[2 * N / COLS]; init = random
//! buffer:    loss = fp32[2 * N / COLS]
//! output:    loss
//! scratch:   logp = 4 * 2 * N
//! step:      kernel = log_probabilities; grid = 2 * N / COLS; block = 256; args = logit, logp
//! step:      kernel = pick; grid = 2 * N / COLS / 256; block = 256; args = logp, word, loss
//! reference: kernel = loss_double; grid = 2 * N / COLS / 32; block = 32; args = logit, word, loss
//! tolerance: 1e-4 1e-5
//! bytes:     8 * N
//! flops:     8 * N
//! note:      cross-entropy as a log-softmax of all logits and a negative log-likelihood that reads one of each row

//! id:        xent-one-kernel
//! parent:    xent-log-probabilities
//! change:    the kernel that sums a row gives its loss: the log-probabilities are not written
//! predicts:  dram_bytes < 0.7x; time < 0.75x
//! step:      kernel = loss_at_once; grid = 2 * N / COLS; block = 256; args = logit, word, loss

struct __align__(16) row_part {
  float v[8];
};

// The logarithm of the sum of the exponentials of a row; logits are small, so that no maximum is taken away.
__device__ float log_sum(const row_part &part) {
  __shared__ float warps[8];
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    s += __expf(part.v[k]);
  for (int offset = 16; offset; offset /= 2)
    s += __shfl_xor_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++)
    s += warps[k];
  return logf(s);
}

__device__ row_part load_part(const float *logit) {
  const float4 *row = (const float4 *)(logit + (size_t)blockIdx.x * COLS);
  float4 a = row[threadIdx.x], b = row[threadIdx.x + 256];
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}

extern "C" __global__ void log_probabilities(const float *logit, float *logp) {
  row_part p = load_part(logit);
  float sum = log_sum(p);
  float4 *row = (float4 *)(logp + (size_t)blockIdx.x * COLS);
  row[threadIdx.x] = make_float4(p.v[0] - sum, p.v[1] - sum, p.v[2] - sum, p.v[3] - sum);
  row[threadIdx.x + 256] = make_float4(p.v[4] - sum, p.v[5] - sum, p.v[6] - sum, p.v[7] - sum);
}

extern "C" __global__ void pick(const float *logp, const unsigned char *word, float *loss) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  loss[row] = -logp[(size_t)row * COLS + word[row]];
}

extern "C" __global__ void loss_at_once(const float *logit, const unsigned char *word, float *loss) {
  float sum = log_sum(load_part(logit));
  if (threadIdx.x == 0)
    loss[blockIdx.x] = sum - logit[(size_t)blockIdx.x * COLS + word[blockIdx.x]];
}

extern "C" __global__ void loss_double(const float *logit, const unsigned char *word, float *loss) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int i = 0; i < COLS; i++)
    s += exp((double)logit[(size_t)row * COLS + i]);
  loss[row] = log(s) - logit[(size_t)row * COLS + word[row]];
}
