//! problem:   generic
//! id:        shortlist
//! ladder:    shortlist
//! size:      N = 16M
//! param:     DEPTH = 64
//! buffer:    score = fp32[N]; init = random
//! buffer:    sum = fp32[N / DEPTH]
//! output:    sum
//! step:      kernel = pick; grid = N / DEPTH / 128; block = 128; args = score, sum, N / DEPTH
//! reference: kernel = pick_plain; grid = N / DEPTH / 128; block = 128; args = score, sum, N / DEPTH
//! tolerance: 1e-4 1e-4
//! note:      for each of 256 K documents, the discounted sum of its eight best of 64 passage scores

//! id:        shortlist-b
//! parent:    shortlist
//! change:    a new score passes through the whole list, place by place
//! step:      kernel = pick_through; grid = N / DEPTH / 128; block = 128; args = score, sum, N / DEPTH

#define BEST 8

struct insertion {
  static __device__ void add(float *best, float v) {
    if (v <= best[BEST - 1])
      return;
    int j = BEST - 1;
    while (j > 0 && best[j - 1] < v) {
      best[j] = best[j - 1];
      j--;
    }
    best[j] = v;
  }
};

struct passing {
  static __device__ void add(float *best, float v) {
#pragma unroll
    for (int j = 0; j < BEST; j++) {
      float high = fmaxf(best[j], v);
      v = fminf(best[j], v);
      best[j] = high;
    }
  }
};

// passages lie apart, documents beside each other
template <class List> __device__ void pick_best(const float *score, float *sum, int documents) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[BEST];
  for (int j = 0; j < BEST; j++)
    best[j] = -2;
#pragma unroll 1
  for (int p = 0; p < DEPTH; p += 8) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
      v[k] = score[(p + k) * documents + i];
#pragma unroll
    for (int k = 0; k < 8; k++)
      List::add(best, v[k]);
  }
  float total = 0, weight = 1;
  for (int j = 0; j < BEST; j++) {
    total += weight * best[j];
    weight *= 0.8f;
  }
  sum[i] = total;
}

extern "C" __global__ void __launch_bounds__(128) pick(const float *__restrict__ score, float *sum, int documents) {
  pick_best<insertion>(score, sum, documents);
}

extern "C" __global__ void __launch_bounds__(128) pick_through(const float *__restrict__ score, float *sum,
                                                               int documents) {
  pick_best<passing>(score, sum, documents);
}

extern "C" __global__ void pick_plain(const float *score, float *sum, int documents) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double total = 0, weight = 1;
  float last = 3;
  for (int j = 0; j < BEST;) {
    float top = -2;
    int times = 0;
    for (int p = 0; p < DEPTH; p++) {
      float v = score[p * documents + i];
      if (v < last && v >= top) {
        times = v == top ? times + 1 : 1;
        top = v;
      }
    }
    for (; times > 0 && j < BEST; times--, j++) {
      total += weight * top;
      weight *= 0.8;
    }
    last = top;
  }
  sum[i] = total;
}
