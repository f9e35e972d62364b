//! problem:   generic
//! id:        buckets-small-blocks
//! ladder:    feature-buckets
//! size:      N = 16M
//! param:     THREADS = 64
//! param:     BUCKETS = 12288
//! buffer:    value = fp32[N / 4]; init = random
//! buffer:    table = fp32[N]; init = random
//! buffer:    weight = fp32[N / 4]
//! output:    weight
//! scratch:   bounds = 4 * BUCKETS
//! setup:     kernel = make_bounds; grid = BUCKETS / 256; block = 256; args = bounds
//! step:      kernel = look_up; grid = 528; block = THREADS; args = value, table, bounds, weight, N / 4, N
//! reference: kernel = look_up_plain; grid = N / 4 / 256; block = 256; args = value, table, bounds, weight, N
//! note:      a recommender's dense features: quantised by 12288 learned bounds, crossed with the item's hash, looked up

//! id:        buckets-large-blocks
//! parent:    buckets-small-blocks
//! change:    512 threads share one copy of the bounds
//! param:     THREADS = 512
//! predicts:  occupancy > 3x; time < 0.5x

extern "C" __global__ void make_bounds(float *bounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = 2.0f * i / BUCKETS - 1; // closer together around zero
  bounds[i] = 0.5f * x + 0.5f * x * fabsf(x);
}

// How many of the bounds are not above x.
__device__ int bucket_of(const float *bounds, float x) {
  int from = 0, n = BUCKETS;
  while (n > 0) {
    int half = n / 2;
    bool above = bounds[from + half] > x;
    from = above ? from : from + half + 1;
    n = above ? half : n - half - 1;
  }
  return from;
}

__device__ unsigned cross(unsigned bucket, unsigned item) {
  unsigned h = bucket * 2654435761u ^ item * 2246822519u;
  return (h ^ h >> 15) * 3266489917u >> 4;
}

extern "C" __global__ void __launch_bounds__(THREADS, 4) look_up(const float *__restrict__ value, const float *__restrict__ table,
    const float4 *__restrict__ bounds, float *__restrict__ weight, int n, int rows) {
  __shared__ float4 mine[BUCKETS / 4];
  for (int i = threadIdx.x; i < BUCKETS / 4; i += THREADS)
    mine[i] = bounds[i];
  __syncthreads();
#pragma unroll 1
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    weight[i] = table[cross(bucket_of((const float *)mine, value[i]), i) & (rows - 1)];
}

extern "C" __global__ void look_up_plain(const float *value, const float *table, const float *bounds, float *weight, int rows) {
  int i = blockIdx.x * 256 + threadIdx.x, low = -1, high = BUCKETS; // bounds[low] <= value < bounds[high]
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (bounds[middle] <= value[i])
      low = middle;
    else
      high = middle;
  }
  weight[i] = table[cross(high, i) % rows];
}
