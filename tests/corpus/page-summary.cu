//! problem:   generic
//! id:        page-summary
//! ladder:    page-summary
//! size:      N = 16M
//! param:     PAGES = 128
//! buffer:    pool = fp32[N]; init = random
//! buffer:    centre = fp32[N / PAGES]
//! output:    centre
//! scratch:   next = 4 * N / 256
//! scratch:   table = 4 * N / 256
//! setup:     kernel = allocate; grid = N / 256 / 256; block = 256; args = next, table, N / 256
//! step:      kernel = summary; grid = N / 256 / PAGES / 4; block = 128; args = pool, next, centre, N / 256
//! reference: kernel = summary_plain; grid = N / PAGES / 256; block = 256; args = pool, centre, N / 256
//! tolerance: 1e-4 1e-4
//! note:      the mean key of each sequence of a paged cache, with pages of 256 floats handed out in any order

//! id:        page-summary-b
//! parent:    page-summary
//! change:    a sequence's pages come from its row of a table
//! step:      kernel = summary_table; grid = N / 256 / PAGES / 4; block = 128; args = pool, table, centre, N / 256

// where the allocator put page k of sequence s
__device__ int page_of(int s, int k, int pages) { return ((unsigned)(s * PAGES + k) * 40503u + 977u) % (unsigned)pages; }

extern "C" __global__ void allocate(int *next, int *table, int pages) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = i / PAGES, k = i % PAGES;
  table[i] = page_of(s, k, pages);
  next[page_of(s, k, pages)] = k + 1 < PAGES ? page_of(s, k + 1, pages) : -1;
}

__device__ void add(float4 &sum, float4 v) {
  sum.x += v.x;
  sum.y += v.y;
  sum.z += v.z;
  sum.w += v.w;
}

__device__ void store(float4 *centre, int s, float4 sum, float4 more) {
  int lane = threadIdx.x % 32;
  float f = 1.f / PAGES;
  centre[s * 64 + lane] = make_float4(sum.x * f, sum.y * f, sum.z * f, sum.w * f);
  centre[s * 64 + 32 + lane] = make_float4(more.x * f, more.y * f, more.z * f, more.w * f);
}

// a warp a sequence
extern "C" __global__ void summary(const float4 *__restrict__ pool, const int *__restrict__ next, float4 *centre,
                                   int pages) {
  int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float4 sum = {}, more = {};
  for (int page = page_of(s, 0, pages); page >= 0; page = next[page]) {
    add(sum, pool[page * 64 + lane]);
    add(more, pool[page * 64 + 32 + lane]);
  }
  store(centre, s, sum, more);
}

extern "C" __global__ void summary_table(const float4 *__restrict__ pool, const int *__restrict__ table,
                                         float4 *centre, int pages) {
  int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float4 sum = {}, more = {};
#pragma unroll 8
  for (int k = 0; k < PAGES; k++) {
    int page = table[s * PAGES + k];
    add(sum, pool[page * 64 + lane]);
    add(more, pool[page * 64 + 32 + lane]);
  }
  store(centre, s, sum, more);
}

extern "C" __global__ void summary_plain(const float *pool, float *centre, int pages) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = i / 256, d = i % 256;
  double sum = 0;
  for (int k = 0; k < PAGES; k++)
    sum += pool[page_of(s, k, pages) * 256 + d];
  centre[i] = sum / PAGES;
}
