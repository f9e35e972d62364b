//! problem:   generic
//! id:        search-halves
//! ladder:    search-sorted
//! size:      N = 16M
//! param:     QUERIES = 262144
//! buffer:    queries = u32[QUERIES]; init = random
//! buffer:    place = i32[QUERIES]
//! output:    place
//! scratch:   sorted = 4 * N
//! setup:     kernel = make_sorted; grid = N / 256; block = 256; args = sorted
//! step:      kernel = halves; grid = sms; block = 128; args = queries, sorted, place, N
//! reference: kernel = place_plain; grid = QUERIES / 256; block = 256; args = queries, place, N
//! bytes:     32 * 24 * QUERIES
//! flops:     0

//! id:        search-quarters
//! parent:    search-halves
//! change:    three pivots loaded together and a quarter kept: 12 loads that wait for each other instead of 24
//! predicts:  time < 0.8x
//! step:      kernel = quarters; grid = sms; block = 128; args = queries, sorted, place, N

extern "C" __global__ void make_sorted(unsigned *sorted) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  sorted[i] = 7 * i;
}

__device__ unsigned query(const unsigned *queries, int i, int n) {
  return ((queries[i] + i) * 2654435761u >> 3) % (7u * n - 7);
}

// The last place whose number is not above the query; n is a power of four.
extern "C" __global__ void halves(const unsigned *__restrict__ queries, const unsigned *__restrict__ sorted,
                                  int *__restrict__ place, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < QUERIES; i += gridDim.x * blockDim.x) {
    unsigned q = query(queries, i, n);
    int at = 0;
#pragma unroll 1
    for (int part = n / 2; part; part /= 2)
      if (sorted[at + part] <= q)
        at += part;
    place[i] = at;
  }
}

extern "C" __global__ void quarters(const unsigned *__restrict__ queries, const unsigned *__restrict__ sorted,
                                    int *__restrict__ place, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < QUERIES; i += gridDim.x * blockDim.x) {
    unsigned q = query(queries, i, n);
    int at = 0;
#pragma unroll 1
    for (int part = n / 4; part; part /= 4) {
      unsigned a = sorted[at + part], b = sorted[at + 2 * part], c = sorted[at + 3 * part];
      at += part * ((a <= q) + (b <= q) + (c <= q));
    }
    place[i] = at;
  }
}

extern "C" __global__ void place_plain(const unsigned *queries, int *place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  place[i] = query(queries, i, n) / 7;
}
