//! problem:   generic
//! id:        records-in-two-kernels
//! ladder:    record-halves
//! size:      N = 16M
//! buffer:    x = fp32[N / 2]; init = random
//! buffer:    records = fp32[4 * N]
//! output:    records
//! step:      kernel = write_half; grid = N / 2 / 256; block = 256; args = x, records, 0
//! step:      kernel = write_half; grid = N / 2 / 256; block = 256; args = x, records, 1
//! reference: kernel = write_plain; grid = N / 2 / 256; block = 256; args = x, records
//! flops:     8 * N / 2
//! note:      features of eight floats, the first four by one kernel and the last four by another

//! id:        records-whole
//! parent:    records-in-two-kernels
//! change:    one kernel writes both halves of a record, which are one sector
//! predicts:  time < 0.8x
//! step:      kernel = write_whole; grid = N / 2 / 256; block = 256; args = x, records

__device__ float4 half_record(float v, int half) {
  float s = half ? v * v : v;
  return make_float4(s, 1 - s, s * 2, s * s);
}

extern "C" __global__ void write_half(const float *x, float4 *records, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  records[2 * i + half] = half_record(x[i], half);
}

extern "C" __global__ void write_whole(const float *x, float4 *records) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  records[2 * i] = half_record(v, 0);
  records[2 * i + 1] = half_record(v, 1);
}

extern "C" __global__ void write_plain(const float *x, float *records) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++) {
    float s = k < 4 ? x[i] : x[i] * x[i], values[4] = {s, 1 - s, s * 2, s * s};
    records[(size_t)i * 8 + k] = values[k % 4];
  }
}
