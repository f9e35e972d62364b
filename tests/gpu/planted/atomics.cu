//! id:         planted-atomics
//! ladder:     control
//! change:     plants atomics: every warp adds to one address
//! param:      TURNS = 16
//! scratch:    total = 4; fill = 0
//! reset:      fill total = 0
//! step:       kernel = one_address; grid = sms * 8; block = 256; args = total, TURNS
//! output:     none
//! bytes:      0
//! flops:      sms * 8 * 256 * TURNS
//! id:         planted-atomics-large
//! param:      TURNS = 64

extern "C" __global__ void one_address(float *total, int turns) {
#pragma unroll 1
  for (int t = 0; t < turns; t++)
    atomicAdd(total, float(threadIdx.x + t));
}
