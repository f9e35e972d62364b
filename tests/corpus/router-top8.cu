//! problem:   generic
//! id:        router-insert
//! ladder:    router-top8
//! size:      N = 16M
//! param:     EXPERTS = 64
//! param:     TOP = 8
//! buffer:    logits = fp32[N]; init = random
//! buffer:    expert = i32[N / EXPERTS * TOP]
//! buffer:    share = fp32[N / EXPERTS * TOP]
//! output:    expert, share
//! step:      kernel = insert; grid = N / EXPERTS / 128; block = 128; args = logits, expert, share, N / EXPERTS
//! reference: kernel = choose; grid = N / EXPERTS / 128; block = 128; args = logits, expert, share, N / EXPERTS
//! tolerance: 1e-6 1e-5
//! flops:     N
//! note:      a router's eight best of 64 experts for each token, best first, and their softmax; logits lie expert by expert

//! id:        router-every-place
//! parent:    router-insert
//! change:    each of the eight places looks for itself whether it keeps its expert, takes its neighbour's or the new one
//! predicts:  time < 0.8x; dram_bytes within 10%
//! step:      kernel = every_place; grid = N / EXPERTS / 128; block = 128; args = logits, expert, share, N / EXPERTS

__device__ void write_out(const float (&best)[TOP], const int (&who)[TOP], int *expert, float *share, int token,
                          int tokens) {
  float weight[TOP], sum = 0;
#pragma unroll
  for (int k = 0; k < TOP; k++)
    sum += weight[k] = __expf(best[k] - best[0]);
#pragma unroll
  for (int k = 0; k < TOP; k++) {
    expert[k * tokens + token] = who[k];
    share[k * tokens + token] = weight[k] / sum;
  }
}

extern "C" __global__ void insert(const float *__restrict__ logits, int *__restrict__ expert, float *__restrict__ share,
                                  int tokens) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  float best[TOP], some[8];
  int who[TOP];
  for (int k = 0; k < TOP; k++) {
    best[k] = -2;
    who[k] = 0;
  }
#pragma unroll 1
  for (int first = 0; first < EXPERTS; first += 8) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      some[i] = logits[(first + i) * tokens + token];
#pragma unroll
    for (int i = 0; i < 8; i++)
      if (some[i] > best[TOP - 1]) {
        int k = TOP - 1;
        for (; k > 0 && some[i] > best[k - 1]; k--) {
          best[k] = best[k - 1];
          who[k] = who[k - 1];
        }
        best[k] = some[i];
        who[k] = first + i;
      }
  }
  write_out(best, who, expert, share, token, tokens);
}

extern "C" __global__ void every_place(const float *__restrict__ logits, int *__restrict__ expert,
                                       float *__restrict__ share, int tokens) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  float best[TOP], some[8];
  int who[TOP];
  for (int k = 0; k < TOP; k++) {
    best[k] = -2;
    who[k] = 0;
  }
#pragma unroll 1
  for (int first = 0; first < EXPERTS; first += 8) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      some[i] = logits[(first + i) * tokens + token];
#pragma unroll
    for (int i = 0; i < 8; i++)
      if (some[i] > best[TOP - 1]) {
#pragma unroll
        for (int k = TOP - 1; k > 0; k--)
          if (some[i] > best[k]) {
            bool neighbour = some[i] > best[k - 1];
            best[k] = neighbour ? best[k - 1] : some[i];
            who[k] = neighbour ? who[k - 1] : first + i;
          }
        if (some[i] > best[0]) {
          best[0] = some[i];
          who[0] = first + i;
        }
      }
  }
  write_out(best, who, expert, share, token, tokens);
}

extern "C" __global__ void choose(const float *logits, int *expert, float *share, int tokens) {
  int token = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long taken = 0;
  double weight[TOP], sum = 0;
  float top = 0;
  for (int k = 0; k < TOP; k++) {
    int best = -1;
    for (int e = 0; e < EXPERTS; e++)
      if (!(taken >> e & 1) && (best < 0 || logits[e * tokens + token] > logits[best * tokens + token]))
        best = e;
    taken |= 1ull << best;
    if (k == 0)
      top = logits[best * tokens + token];
    sum += weight[k] = exp((double)logits[best * tokens + token] - top);
    expert[k * tokens + token] = best;
  }
  for (int k = 0; k < TOP; k++)
    share[k * tokens + token] = weight[k] / sum;
}
