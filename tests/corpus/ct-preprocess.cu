//! problem:   generic
//! id:        ct-three-passes
//! ladder:    ct-preprocess
//! size:      N = 16M
//! param:     COLUMNS = 1024
//! param:     ROWS = 512
//! buffer:    raw = u16[N]; init = random
//! buffer:    flat = u16[COLUMNS * ROWS]; init = random
//! buffer:    line = fp32[N]
//! output:    line
//! scratch:   share = 4 * N
//! scratch:   loss = 4 * N
//! step:      kernel = flat_field; grid = N / 1024; block = 256; args = raw, flat, share
//! step:      kernel = attenuation; grid = N / 1024; block = 256; args = share, loss
//! step:      kernel = hardening; grid = N / 1024; block = 256; args = loss, line
//! reference: kernel = ct_plain; grid = N / 256; block = 256; args = raw, flat, line
//! tolerance: 1e-4 1e-4
//! bytes:     6 * N + 2 * COLUMNS * ROWS
//! note:      32 projections of a cone-beam CT from counts to line integrals: flat field, logarithm, beam hardening, cone weight

//! id:        ct-one-pass
//! parent:    ct-three-passes
//! change:    the stages after one another in registers
//! step:      kernel = ct_fused; grid = N / 1024; block = 256; args = raw, flat, line
//! predicts:  dram_bytes < 0.5x; time < 0.5x

enum { PIXELS = COLUMNS * ROWS };

__device__ float share_of(unsigned short raw, unsigned short flat) { return (raw + 1.0f) / (flat + 102.0f); }
__device__ float loss_of(float share) { return -__logf(share); }

// Water-equivalent path of a polychromatic loss, then the cosine of the ray's angle to the axis.
__device__ float path_of(float loss, int i) {
  float x = (i % COLUMNS - COLUMNS / 2) * 1e-3f, y = (i / COLUMNS % ROWS - ROWS / 2) * 1e-3f;
  float water = loss * (1.02f + loss * (0.031f + loss * (-0.0017f + loss * 0.00021f)));
  return water * rsqrtf(1 + x * x + y * y);
}

__device__ int mine() { return 4 * (blockIdx.x * 256 + threadIdx.x); } // four neighbours a thread

__device__ float4 shares(const unsigned short *raw, const unsigned short *flat, int i) {
  ushort4 r = *(const ushort4 *)(raw + i), f = *(const ushort4 *)(flat + i % PIXELS);
  return make_float4(share_of(r.x, f.x), share_of(r.y, f.y), share_of(r.z, f.z), share_of(r.w, f.w));
}
__device__ float4 losses(float4 s) { return make_float4(loss_of(s.x), loss_of(s.y), loss_of(s.z), loss_of(s.w)); }
__device__ float4 paths(float4 l, int i) {
  return make_float4(path_of(l.x, i), path_of(l.y, i + 1), path_of(l.z, i + 2), path_of(l.w, i + 3));
}

extern "C" __global__ void flat_field(const unsigned short *__restrict__ raw, const unsigned short *__restrict__ flat, float *__restrict__ share) {
  *(float4 *)(share + mine()) = shares(raw, flat, mine());
}

extern "C" __global__ void attenuation(const float *__restrict__ share, float *__restrict__ loss) {
  *(float4 *)(loss + mine()) = losses(*(const float4 *)(share + mine()));
}

extern "C" __global__ void hardening(const float *__restrict__ loss, float *__restrict__ line) {
  *(float4 *)(line + mine()) = paths(*(const float4 *)(loss + mine()), mine());
}

extern "C" __global__ void ct_fused(const unsigned short *__restrict__ raw, const unsigned short *__restrict__ flat, float *__restrict__ line) {
  *(float4 *)(line + mine()) = paths(losses(shares(raw, flat, mine())), mine());
}

extern "C" __global__ void ct_plain(const unsigned short *raw, const unsigned short *flat, float *line) {
  int i = blockIdx.x * 256 + threadIdx.x, pixel = i % (1024 * 512), column = pixel % 1024, row = pixel / 1024;
  double loss = log((flat[pixel] + 102.0) / (raw[i] + 1.0)), x = (column - 512) / 1000.0, y = (row - 256) / 1000.0;
  double water = 1.02 * loss + 0.031 * loss * loss - 0.0017 * loss * loss * loss + 0.00021 * loss * loss * loss * loss;
  line[i] = (float)(water / sqrt(1 + x * x + y * y));
}
