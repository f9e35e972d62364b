//! problem:   generic
//! id:        sea-density-double
//! ladder:    sea-density
//! size:      N = 16M
//! param:     COLUMNS = 131072
//! param:     WIDE = 1
//! buffer:    temp = fp32[N / 2]; init = random
//! buffer:    salt = fp32[N / 2]; init = random
//! buffer:    sigma = fp32[N / 2]
//! output:    sigma
//! step:      kernel = density; grid = N / 2 / 256; block = 256; args = temp, salt, sigma
//! reference: kernel = density_plain; grid = N / 2 / 256; block = 256; args = temp, salt, sigma
//! tolerance: 1e-2 1e-3
//! note:      the UNESCO equation of state of sea water (EOS-80), at 64 levels of 131072 columns of an ocean model

//! id:        sea-density-single
//! parent:    sea-density-double
//! change:    the polynomials in single precision, for fields that are stored in it
//! param:     WIDE = 0
//! predicts:  time < 0.7x

#if WIDE
typedef double real;
#else
typedef float real;
#endif

// Anomaly of fresh water's density, minus 1000, at the surface.
__device__ real fresh(real t) {
  return real(-0.157406) + t * (real(6.793952e-2) + t * (real(-9.095290e-3) + t * (real(1.001685e-4) +
         t * (real(-1.120083e-6) + t * real(6.536332e-9)))));
}

__device__ real salted(real t, real s, real root) {
  real a = real(0.824493) + t * (real(-4.0899e-3) + t * (real(7.6438e-5) + t * (real(-8.2467e-7) + t * real(5.3875e-9))));
  real b = real(-5.72466e-3) + t * (real(1.0227e-4) + t * real(-1.6546e-6));
  return s * (a + b * root + s * real(4.8314e-4));
}

// The secant bulk modulus, in bar.
__device__ real modulus(real t, real s, real root, real p) {
  real k = real(19652.21) + t * (real(148.4206) + t * (real(-2.327105) + t * (real(1.360477e-2) + t * real(-5.155288e-5))));
  k += s * (real(54.6746) + t * (real(-0.603459) + t * (real(1.09987e-2) + t * real(-6.1670e-5))));
  k += s * root * (real(7.944e-2) + t * (real(1.6483e-2) + t * real(-5.3009e-4)));
  real a = real(3.239908) + t * (real(1.43713e-3) + t * (real(1.16092e-4) + t * real(-5.77905e-7)));
  a += s * (real(2.2838e-3) + t * (real(-1.0981e-5) + t * real(-1.6078e-6))) + s * root * real(1.91075e-4);
  real b = real(8.50935e-5) + t * (real(-6.12293e-6) + t * real(5.2787e-8));
  b += s * (real(-9.9348e-7) + t * (real(2.0816e-8) + t * real(9.1697e-10)));
  return k + p * (a + p * b);
}

extern "C" __global__ void __launch_bounds__(256)
    density(const float *__restrict__ temp, const float *__restrict__ salt, float *__restrict__ sigma) {
  int i = blockIdx.x * 256 + threadIdx.x, level = i / COLUMNS;
  real t = real(14) + real(12) * temp[i], s = real(34) + real(3) * salt[i], p = real(8) * level; // bar
  real root = sqrt(s), surface = fresh(t) + salted(t, s, root);
  real k = modulus(t, s, root, p);
  // (1000 + surface) / (1 - p / k) - 1000, without the difference of two large numbers
  sigma[i] = float((surface * k + real(1000) * p) / (k - p));
}

extern "C" __global__ void density_plain(const float *temp, const float *salt, float *sigma) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double t = 14 + 12 * (double)temp[i], s = 34 + 3 * (double)salt[i], p = 8.0 * (i / COLUMNS), r = sqrt(s);
  double t2 = t * t, t3 = t2 * t, t4 = t3 * t, t5 = t4 * t;
  double rho = 999.842594 + 6.793952e-2 * t - 9.095290e-3 * t2 + 1.001685e-4 * t3 - 1.120083e-6 * t4 + 6.536332e-9 * t5;
  rho += (0.824493 - 4.0899e-3 * t + 7.6438e-5 * t2 - 8.2467e-7 * t3 + 5.3875e-9 * t4) * s;
  rho += (-5.72466e-3 + 1.0227e-4 * t - 1.6546e-6 * t2) * s * r + 4.8314e-4 * s * s;
  double k = 19652.21 + 148.4206 * t - 2.327105 * t2 + 1.360477e-2 * t3 - 5.155288e-5 * t4;
  k += s * (54.6746 - 0.603459 * t + 1.09987e-2 * t2 - 6.1670e-5 * t3) + s * r * (7.944e-2 + 1.6483e-2 * t - 5.3009e-4 * t2);
  double a = 3.239908 + 1.43713e-3 * t + 1.16092e-4 * t2 - 5.77905e-7 * t3 + s * (2.2838e-3 - 1.0981e-5 * t - 1.6078e-6 * t2);
  a += 1.91075e-4 * s * r;
  double b = 8.50935e-5 - 6.12293e-6 * t + 5.2787e-8 * t2 + s * (-9.9348e-7 + 2.0816e-8 * t + 9.1697e-10 * t2);
  k += p * a + p * p * b;
  sigma[i] = (float)(rho / (1 - p / k) - 1000);
}
