//! problem:   generic
//! id:        forest-one-tree
//! ladder:    forest-inference
//! size:      N = 16M
//! param:     TREES = 64
//! param:     DEPTH = 12
//! param:     TOGETHER = 1
//! let:       NODES = TREES * 4096
//! buffer:    x = fp32[16 * 128 * sms]; init = random
//! buffer:    threshold = fp32[NODES]; init = random
//! buffer:    feature = u8[NODES]; init = random
//! buffer:    leaf = fp32[NODES]; init = random
//! buffer:    y = fp32[128 * sms]
//! output:    y
//! scratch:   node = 8 * NODES
//! setup:     kernel = pack; grid = NODES / 256; block = 256; args = threshold, feature, node
//! step:      kernel = forest; grid = sms; block = 128; args = x, node, leaf, y
//! reference: kernel = forest_plain; grid = sms; block = 128; args = x, threshold, feature, leaf, y
//! tolerance: 1e-4 1e-5
//! note:      64 trees of depth 12 on a small batch of rows with 16 features; node i has children 2 i and 2 i + 1

//! id:        forest-four-trees
//! parent:    forest-one-tree
//! change:    a thread goes down four trees at a time, instead of one after the other
//! param:     TOGETHER = 4
//! predicts:  time < 0.6x; dram_bytes within 10%

struct __align__(8) node {
  float threshold;
  int feature;
};

enum { LEAVES = 1 << DEPTH };

extern "C" __global__ void pack(const float *threshold, const unsigned char *feature, node *nodes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  nodes[i] = {threshold[i], feature[i] % 16};
}

extern "C" __global__ void forest(const float *__restrict__ x, const node *__restrict__ nodes,
                                  const float *__restrict__ leaf, float *__restrict__ y) {
  __shared__ float features[16][128];
  int row = blockIdx.x * 128 + threadIdx.x;
  for (int f = 0; f < 16; f++)
    features[f][threadIdx.x] = x[row * 16 + f];
  float s = 0;
#pragma unroll 1
  for (int tree = 0; tree < TREES; tree += TOGETHER) {
    int at[TOGETHER];
#pragma unroll
    for (int k = 0; k < TOGETHER; k++)
      at[k] = 1;
    for (int level = 0; level < DEPTH; level++) {
#pragma unroll
      for (int k = 0; k < TOGETHER; k++) {
        node n = nodes[(tree + k) * LEAVES + at[k]];
        at[k] = 2 * at[k] + (features[n.feature][threadIdx.x] > n.threshold);
      }
    }
#pragma unroll
    for (int k = 0; k < TOGETHER; k++)
      s += leaf[(tree + k) * LEAVES + at[k] - LEAVES];
  }
  y[row] = s;
}

extern "C" __global__ void forest_plain(const float *x, const float *threshold, const unsigned char *feature,
                                        const float *leaf, float *y) {
  int row = blockIdx.x * 128 + threadIdx.x;
  double s = 0;
  for (int tree = 0; tree < TREES; tree++) {
    int at = 1;
    while (at < LEAVES)
      at = 2 * at + (x[row * 16 + feature[tree * LEAVES + at] % 16] > threshold[tree * LEAVES + at] ? 1 : 0);
    s += leaf[(tree - 1) * LEAVES + at];
  }
  y[row] = s;
}
