//! problem:   generic
//! id:        image-gamma-literals
//! ladder:    image-gamma
//! size:      N = 16M
//! buffer:    linear = fp32[N]; init = random
//! buffer:    encoded = fp32[N]
//! output:    encoded
//! step:      kernel = encode_literals; grid = N / 1024; block = 256; args = linear, encoded
//! reference: kernel = encode_plain; grid = N / 256; block = 256; args = linear, encoded
//! tolerance: 1e-5 1e-5
//! note:      the sRGB curve; pixels are the absolute values of the input

//! id:        image-gamma-float
//! parent:    image-gamma-literals
//! change:    literals of single precision, and so powf
//! predicts:  inst < 0.6x; time < 0.6x; dram_bytes within 10%
//! step:      kernel = encode_float; grid = N / 1024; block = 256; args = linear, encoded

struct Literals {
  static __device__ float encode(float v) {
    return v <= 0.0031308 ? 12.92 * v : 1.055 * pow((double)v, 1.0 / 2.4) - 0.055;
  }
};
struct Float {
  static __device__ float encode(float v) {
    return v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1.0f / 2.4f) - 0.055f;
  }
};

template <class Curve> __device__ void encode_pixels(const float4 *linear, float4 *encoded) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float4 v = linear[i];
  encoded[i] = make_float4(Curve::encode(fabsf(v.x)), Curve::encode(fabsf(v.y)), Curve::encode(fabsf(v.z)),
                           Curve::encode(fabsf(v.w)));
}

extern "C" __global__ void encode_literals(const float4 *linear, float4 *encoded) {
  encode_pixels<Literals>(linear, encoded);
}
extern "C" __global__ void encode_float(const float4 *linear, float4 *encoded) {
  encode_pixels<Float>(linear, encoded);
}

extern "C" __global__ void encode_plain(const float *linear, float *encoded) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double v = fabs((double)linear[i]);
  encoded[i] = v <= 0.0031308 ? 12.92 * v : 1.055 * exp(log(v) / 2.4) - 0.055;
}
