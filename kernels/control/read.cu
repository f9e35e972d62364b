//! id:         control-read
//! ladder:     control
//! change:     reads each input byte once and computes nothing: the time that any kernel must take here
//! param:      THREADS = 256 in {128, 256, 512}
//! param:      UNROLL = 8 in {2, 4, 8, 16}
//! param:      BLOCKS_PER_SM = 8 in {2, 4, 8, 16, 64}
//! step:       kernel = control_read; grid = min(sms * BLOCKS_PER_SM, ceil(M * K * L / (32 * THREADS * UNROLL)) + ceil(M * K * L / (256 * THREADS * UNROLL)) + 2 * L); block = THREADS
//! output:     none
//! bytes:      M * K * L / 2 + M * K * L / 16 + K * L / 2 + K * L / 16
//! flops:      0
//! needs:      sm >= 80
//! note:       A, SFA, row 0 of each batch of B and of SFB; the small ones go first, to blocks of their own

#include "common/read.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(THREADS, CHUNK_MIN_BLOCKS)
    control_read(const uint8_t *__restrict__ a, const uint8_t *__restrict__ b, const uint8_t *__restrict__ sfa,
                 const uint8_t *__restrict__ sfb, __half *__restrict__ c, int M, int K, int L) {
  const struct segment all_a = {a, int64_t(M) * L * (K / 8)};
  const struct segment all_sfa = {sfa, int64_t(M) * L * (K / 64)};
  const int64_t b_row_chunks = segment_chunks({b, K / 8}), b_chunks = L * b_row_chunks;
  const int64_t sfb_row_chunks = segment_chunks({sfb, K / 64}), sfb_chunks = L * sfb_row_chunks;
  const int64_t sfa_chunks = segment_chunks(all_sfa);
  const int64_t chunks = b_chunks + sfb_chunks + sfa_chunks + segment_chunks(all_a);

  uint4 folded = make_uint4(0, 0, 0, 0);
#pragma unroll 1
  for (int64_t item = blockIdx.x; item < chunks; item += gridDim.x) {
    int64_t chunk = item;
    struct segment s;
    if (chunk < b_chunks) {
      s = {b + chunk / b_row_chunks * PAD_ROWS * (K / 2), K / 8};
      chunk %= b_row_chunks;
    } else if ((chunk -= b_chunks) < sfb_chunks) {
      s = {sfb + chunk / sfb_row_chunks * PAD_ROWS * (K / 16), K / 64};
      chunk %= sfb_row_chunks;
    } else if ((chunk -= sfb_chunks) < sfa_chunks) {
      s = all_sfa;
    } else {
      chunk -= sfa_chunks;
      s = all_a;
    }
    chunk_read(s, chunk, folded);
  }
  keep(folded, c);
}
