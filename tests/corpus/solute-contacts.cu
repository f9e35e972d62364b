//! problem:   generic
//! id:        solute-contacts-nearest
//! ladder:    solute-contacts
//! size:      N = 16M
//! param:     SITES = 1024
//! buffer:    solvent = fp32[N / 128 * 4]; init = random
//! buffer:    solute = fp32[SITES * 4]; init = random
//! buffer:    contacts = i32[N / 128]
//! output:    contacts
//! step:      kernel = count_contacts; grid = N / 128 / 512; block = 256; args = solvent, solute, contacts
//! reference: kernel = contacts_plain; grid = N / 128 / 256; block = 256; args = solvent, solute, contacts
//! note:      for each atom of the solvent the sites of the solute within a cutoff, in a periodic box of edge 1

//! id:        solute-contacts
//! parent:    solute-contacts-nearest
//! change:    the nearest image by adding and taking away 1.5 * 2^23
//! predicts:  time < 0.85x
//! step:      kernel = count_contacts_shifted; grid = N / 128 / 512; block = 256; args = solvent, solute, contacts

#define CUTOFF 0.15f

struct by_rint {
  __device__ static float image(float d) { return d - rintf(d); }
};

struct by_shift {
  __device__ static float image(float d) { return d - __fsub_rn(__fadd_rn(d, 12582912.f), 12582912.f); }
};

template <class Box> __device__ bool near(float4 a, float4 b) {
  float x = Box::image(a.x - b.x), y = Box::image(a.y - b.y), z = Box::image(a.z - b.z);
  return fmaf(z, z, fmaf(y, y, x * x)) < CUTOFF * CUTOFF;
}

// two atoms a thread; the sites lie in shared memory
template <class Box> __device__ void count(const float4 *solvent, const float4 *solute, int *contacts) {
  __shared__ float4 site[SITES];
  for (int i = threadIdx.x; i < SITES; i += 256)
    site[i] = solute[i];
  __syncthreads();
  int i = blockIdx.x * 512 + threadIdx.x;
  float4 a = solvent[i], b = solvent[i + 256];
  int at_a = 0, at_b = 0;
#pragma unroll 8
  for (int k = 0; k < SITES; k++) {
    float4 s = site[k];
    at_a += near<Box>(a, s);
    at_b += near<Box>(b, s);
  }
  contacts[i] = at_a;
  contacts[i + 256] = at_b;
}

extern "C" __global__ void __launch_bounds__(256) count_contacts(const float4 *solvent, const float4 *solute,
                                                                 int *contacts) {
  count<by_rint>(solvent, solute, contacts);
}

extern "C" __global__ void __launch_bounds__(256) count_contacts_shifted(const float4 *solvent, const float4 *solute,
                                                                         int *contacts) {
  count<by_shift>(solvent, solute, contacts);
}

extern "C" __global__ void contacts_plain(const float4 *solvent, const float4 *solute, int *contacts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < SITES; k++)
    sum += near<by_rint>(solvent[i], solute[k]);
  contacts[i] = sum;
}
