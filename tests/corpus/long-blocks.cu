//! problem:   generic
//! id:        blocks-of-eight-rounds
//! ladder:    long-blocks
//! size:      N = 16M
//! param:     ROUNDS = 8
//! buffer:    x = fp32[(2 * sms + 8) * 8192]; init = random
//! buffer:    y = fp32[(2 * sms + 8) * 8192]
//! output:    y
//! step:      kernel = rounds; grid = (2 * sms + 8) * 8 / ROUNDS; block = 1024; args = x, y
//! reference: kernel = rounds; grid = (2 * sms + 8) * 8 / ROUNDS; block = 1024; args = x, y
//! flops:     2 * 512 * (2 * sms + 8) * 8192
//! note:      eight blocks more than the chip holds, each as long as the others

//! id:        blocks-of-one-round
//! parent:    blocks-of-eight-rounds
//! change:    eight times as many blocks, each an eighth as long
//! param:     ROUNDS = 1
//! predicts:  time < 0.7x; inst within 10%

extern "C" __global__ void __launch_bounds__(1024, 2) rounds(const float *x, float *y) {
#pragma unroll 1
  for (int r = 0; r < ROUNDS; r++) {
    int i = (blockIdx.x * ROUNDS + r) * 1024 + threadIdx.x;
    float v = x[i], s = v;
#pragma unroll 32
    for (int k = 0; k < 512; k++)
      s = fmaf(s, 0.75f, v);
    y[i] = s;
  }
}
