//! problem:   generic
//! id:        groupby-two-adds
//! ladder:    basket-groupby
//! size:      N = 16M
//! param:     CUSTOMERS = 1048576
//! buffer:    units = u8[N]; init = random
//! buffer:    totals = u32[2 * CUSTOMERS]; init = zero
//! output:    totals
//! scratch:   customer = 4 * N
//! setup:     kernel = make_customers; grid = N / 256; block = 256; args = customer
//! reset:     init totals
//! step:      kernel = add_separately; grid = N / 1024; block = 256; args = customer, units, totals
//! reference: kernel = add_plain; grid = N / 256; block = 256; args = customer, units, totals
//! note:      SELECT customer, sum(units), count(*) ... GROUP BY customer, over the sales that were not returned

//! id:        groupby-one-add
//! parent:    groupby-two-adds
//! change:    sum and count of a customer are neighbours: one addition of 64 bits serves both
//! step:      kernel = add_together; grid = N / 1024; block = 256; args = customer, units, totals
//! predicts:  time < 0.8x

enum { RETURNED = 0 };

extern "C" __global__ void make_customers(unsigned *customer) {
  unsigned i = blockIdx.x * 256 + threadIdx.x, v = i * 2654435761u;
  v = (v ^ v >> 15) * 2246822519u;
  customer[i] = (v ^ v >> 13) % CUSTOMERS;
}

struct sales {
  unsigned customer[4], units[4];
};

// Four sales of a thread, neighbours in memory.
__device__ sales load(const uint4 *customer, const uchar4 *units, int i) {
  uint4 c = customer[i];
  uchar4 u = units[i];
  return {{c.x, c.y, c.z, c.w}, {u.x, u.y, u.z, u.w}};
}

extern "C" __global__ void __launch_bounds__(256)
    add_separately(const uint4 *__restrict__ customer, const uchar4 *__restrict__ units, unsigned *totals) {
  sales s = load(customer, units, blockIdx.x * 256 + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (s.units[k] != RETURNED) {
      atomicAdd(totals + 2 * s.customer[k], s.units[k]);
      atomicAdd(totals + 2 * s.customer[k] + 1, 1u);
    }
}

extern "C" __global__ void __launch_bounds__(256)
    add_together(const uint4 *__restrict__ customer, const uchar4 *__restrict__ units, unsigned long long *totals) {
  sales s = load(customer, units, blockIdx.x * 256 + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (s.units[k] != RETURNED) // no customer's units reach 2^32, so nothing is carried into the count
      atomicAdd(totals + s.customer[k], 1ull << 32 | s.units[k]);
}

extern "C" __global__ void add_plain(const unsigned *customer, const unsigned char *units, unsigned *totals) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (!units[i])
    return;
  unsigned *mine = totals + 2 * customer[i];
  atomicAdd(&mine[0], units[i]);
  atomicAdd(&mine[1], 1u);
}
