//! problem:   generic
//! id:        blosum-constant
//! ladder:    blosum-ungapped
//! size:      N = 16M
//! param:     PAIRS = 131072
//! buffer:    query = u8[N]; init = random
//! buffer:    target = u8[N]; init = random
//! buffer:    best = i32[PAIRS]
//! output:    best
//! step:      kernel = score_constant; grid = PAIRS / 256; block = 256; args = query, target, best
//! reference: kernel = score_plain; grid = PAIRS / 256; block = 256; args = query, target, best
//! note:      the best ungapped local score of 131072 pairs of protein segments of 128 residues, by BLOSUM62

//! id:        blosum-shared
//! parent:    blosum-constant
//! change:    the substitution matrix in shared memory
//! step:      kernel = score_shared; grid = PAIRS / 256; block = 256; args = query, target, best
//! predicts:  time < 0.6x

enum { LENGTH = 128, KINDS = 20 };

// A R N D C Q E G H I L K M F P S T W Y V
__constant__ int blosum[KINDS * KINDS] = {
    4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1, -1, -1, -2, -1, 1, 0, -3, -2, 0, //
    -1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2, 2, -1, -3, -2, -1, -1, -3, -2, -3, //
    -2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3, 0, -2, -3, -2, 1, 0, -4, -2, -3, //
    -2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4, -1, -3, -3, -1, 0, -1, -4, -3, -3, //
    0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, //
    -1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2, 1, 0, -3, -1, 0, -1, -2, -1, -2, //
    -1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3, 1, -2, -3, -1, 0, -1, -3, -2, -2, //
    0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4, -2, -3, -3, -2, 0, -2, -2, -3, -3, //
    -2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3, -1, -2, -1, -2, -1, -2, -2, 2, -3, //
    -1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2, -3, 1, 0, -3, -2, -1, -3, -1, 3, //
    -1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4, -2, 2, 0, -3, -2, -1, -2, -1, 1, //
    -1, 2, 0, -1, -3, 1, 1, -2, -1, -3, -2, 5, -1, -3, -1, 0, -1, -3, -2, -2, //
    -1, -1, -2, -3, -1, 0, -2, -3, -2, 1, 2, -1, 5, 0, -2, -1, -1, -1, -1, 1, //
    -2, -3, -3, -3, -2, -3, -3, -3, -1, 0, 0, -3, 0, 6, -4, -2, -2, 1, 3, -1, //
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4, 7, -1, -1, -4, -3, -2, //
    1, -1, 1, 0, -1, 0, 0, 0, -1, -2, -2, 0, -1, -2, -1, 4, 1, -3, -2, -2, //
    0, -1, 0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1, 1, 5, -2, -2, 0, //
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1, 1, -4, -3, -2, 11, 2, -3, //
    -2, -2, -2, -3, -2, -1, -2, -3, 2, -1, -1, -2, -1, 3, -3, -2, -2, 2, 7, -1, //
    0, -3, -3, -3, -1, -2, -2, -3, -3, 3, 1, -2, 1, -1, -2, -2, 0, -3, -1, 4};

// Residue k of all pairs, then k + 1.
__device__ int best_segment(const unsigned char *query, const unsigned char *target, const int *matrix, int pair) {
  int run = 0, best = 0;
#pragma unroll 8
  for (int k = 0; k < LENGTH; k++) {
    int q = query[k * PAIRS + pair] % KINDS, t = target[k * PAIRS + pair] % KINDS;
    run = max(run + matrix[q * KINDS + t], 0);
    best = max(best, run);
  }
  return best;
}

extern "C" __global__ void __launch_bounds__(256)
    score_constant(const unsigned char *__restrict__ query, const unsigned char *__restrict__ target, int *__restrict__ best) {
  int pair = blockIdx.x * 256 + threadIdx.x;
  best[pair] = best_segment(query, target, blosum, pair);
}

extern "C" __global__ void __launch_bounds__(256)
    score_shared(const unsigned char *__restrict__ query, const unsigned char *__restrict__ target, int *__restrict__ best) {
  __shared__ int matrix[KINDS * KINDS];
  for (int i = threadIdx.x; i < KINDS * KINDS; i += 256)
    matrix[i] = blosum[i];
  __syncthreads();
  int pair = blockIdx.x * 256 + threadIdx.x;
  best[pair] = best_segment(query, target, matrix, pair);
}

extern "C" __global__ void score_plain(const unsigned char *query, const unsigned char *target, int *best) {
  int pair = blockIdx.x * 256 + threadIdx.x, sum = 0, lowest = 0, most = 0; // differences of running sums
  for (int k = 0; k < 128; k++) {
    sum += blosum[query[k * PAIRS + pair] % 20 * 20 + target[k * PAIRS + pair] % 20];
    lowest = min(lowest, sum);
    most = max(most, sum - lowest);
  }
  best[pair] = most;
}
