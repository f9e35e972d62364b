//! problem:   generic
//! id:        quote-places
//! ladder:    quote-compact
//! size:      N = 16M
//! buffer:    price = fp32[N]; init = random
//! buffer:    volume = fp32[N]; init = random
//! buffer:    packed = fp32[2 * N]
//! buffer:    kept = u32[N / 512]
//! output:    packed, kept
//! step:      kernel = compact_places; grid = N / 512; block = 512; args = price, volume, packed, kept
//! reference: kernel = compact_plain; grid = N / 512 / 64; block = 64; args = price, volume, packed, kept
//! note:      the quotes of a segment of 512 that pass a filter, in order, at the front of the segment; zeros behind

//! id:        quote-ballots
//! parent:    quote-places
//! change:    places by ballots in each warp and a scan of the 16 counts by shuffles
//! predicts:  time < 0.7x; dram_bytes within 5%
//! step:      kernel = compact_ballots; grid = N / 512; block = 512; args = price, volume, packed, kept

__device__ bool passes(float price, float volume) {
  return price > -0.75f && price < 0.5f && volume > -0.2f;
}

// The number of quotes before this one that pass; `sum` is that of all.
struct by_places {
  __device__ static int rank(bool in, int &sum) {
    __shared__ int place[512], total;
    place[threadIdx.x] = in;
    __syncthreads();
    if (threadIdx.x == 0) {
      int running = 0;
      for (int k = 0; k < 512; k++) {
        int flag = place[k];
        place[k] = running;
        running += flag;
      }
      total = running;
    }
    __syncthreads();
    sum = total;
    return place[threadIdx.x];
  }
};

struct by_ballots {
  __device__ static int rank(bool in, int &sum) {
    __shared__ int before[17];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned mask = __ballot_sync(0xffffffff, in);
    if (lane == 0)
      before[warp + 1] = __popc(mask);
    __syncthreads();
    if (warp == 0) {
      int v = lane > 0 && lane <= 16 ? before[lane] : 0;
      for (int step = 1; step < 32; step *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, step);
        v += lane >= step ? other : 0;
      }
      if (lane <= 16)
        before[lane] = v;
    }
    __syncthreads();
    sum = before[16];
    return before[warp] + __popc(mask & ((1u << lane) - 1));
  }
};

template <class Places>
__device__ void compact(const float *price, const float *volume, float2 *packed, unsigned *kept) {
  __shared__ float2 stage[512];
  int i = blockIdx.x * 512 + threadIdx.x, sum;
  float2 quote = make_float2(price[i], volume[i]);
  bool in = passes(quote.x, quote.y);
  int at = Places::rank(in, sum);
  if (in)
    stage[at] = quote;
  __syncthreads();
  packed[i] = threadIdx.x < sum ? stage[threadIdx.x] : make_float2(0, 0);
  if (threadIdx.x == 0)
    kept[blockIdx.x] = sum;
}

extern "C" __global__ void __launch_bounds__(512) compact_places(const float *price, const float *volume,
                                                                 float2 *packed, unsigned *kept) {
  compact<by_places>(price, volume, packed, kept);
}

extern "C" __global__ void __launch_bounds__(512) compact_ballots(const float *price, const float *volume,
                                                                  float2 *packed, unsigned *kept) {
  compact<by_ballots>(price, volume, packed, kept);
}

extern "C" __global__ void compact_plain(const float *price, const float *volume, float2 *packed, unsigned *kept) {
  int segment = blockIdx.x * blockDim.x + threadIdx.x, first = segment * 512, sum = 0;
  for (int i = first; i < first + 512; i++)
    if (passes(price[i], volume[i]))
      packed[first + sum++] = make_float2(price[i], volume[i]);
  kept[segment] = sum;
  for (; sum < 512; sum++)
    packed[first + sum] = make_float2(0, 0);
}
