//! problem:   generic
//! id:        softmax-tree
//! ladder:    softmax-tree
//! size:      N = 16M
//! param:     COLS = 1024
//! buffer:    scores = fp32[2 * N]; init = random
//! buffer:    weights = fp32[2 * N]
//! output:    weights
//! step:      kernel = by_tree; grid = 2 * N / COLS; block = COLS; args = scores, weights, f32(0.125)
//! reference: kernel = softmax_plain; grid = 2 * N / COLS / 64; block = 64; args = scores, weights, f32(0.125)
//! tolerance: 1e-7 1e-4
//! flops:     10 * N
//! note:      attention weights of 1024 keys a query

//! id:        softmax-warp-reductions
//! parent:    softmax-tree
//! change:    warps reduce by shuffles and meet once for each reduction, instead of at each of ten halvings
//! predicts:  time < 0.85x; dram_bytes within 5%
//! step:      kernel = by_warps; grid = 2 * N / COLS; block = COLS; args = scores, weights, f32(0.125)

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Tree {
  template <class Op> static __device__ float reduce(float v, Op op) {
    __shared__ float held[COLS];
    held[threadIdx.x] = v;
    __syncthreads();
    for (int half = COLS / 2; half; half /= 2) {
      if (threadIdx.x < half)
        held[threadIdx.x] = op(held[threadIdx.x], held[threadIdx.x + half]);
      __syncthreads();
    }
    return held[0];
  }
};

struct Warps {
  template <class Op> static __device__ float within(float v, Op op) {
    for (int offset = 16; offset; offset /= 2)
      v = op(v, __shfl_xor_sync(0xffffffff, v, offset));
    return v;
  }
  template <class Op> static __device__ float reduce(float v, Op op) {
    __shared__ float held[COLS / 32];
    v = within(v, op);
    if (threadIdx.x % 32 == 0)
      held[threadIdx.x / 32] = v;
    __syncthreads();
    return within(held[threadIdx.x % 32], op);
  }
};

template <class How> __device__ void softmax_row(const float *scores, float *weights, float scale) {
  size_t at = (size_t)blockIdx.x * COLS + threadIdx.x;
  float v = scores[at] * scale;
  v = __expf(v - How::reduce(v, Largest()));
  weights[at] = v / How::reduce(v, Sum());
}

extern "C" __global__ void __launch_bounds__(COLS) by_tree(const float *scores, float *weights, float scale) {
  softmax_row<Tree>(scores, weights, scale);
}

extern "C" __global__ void __launch_bounds__(COLS) by_warps(const float *scores, float *weights, float scale) {
  softmax_row<Warps>(scores, weights, scale);
}

extern "C" __global__ void softmax_plain(const float *scores, float *weights, float scale) {
  size_t first = (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * COLS;
  double sum = 0;
  for (int i = 0; i < COLS; i++)
    sum += expf(scores[first + i] * scale);
  for (int i = 0; i < COLS; i++)
    weights[first + i] = expf(scores[first + i] * scale) / sum;
}
