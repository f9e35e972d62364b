//! problem:   generic
//! id:        shade-in-ray-order
//! ladder:    shade-materials
//! size:      N = 16M
//! buffer:    material = u8[N / 4]; init = random
//! buffer:    cosine = fp32[N / 4]; init = random
//! buffer:    rough = fp32[N / 4]; init = random
//! buffer:    light = fp32[N / 4]
//! output:    light
//! step:      kernel = shade_as_hit; grid = N / 4 / 256; block = 256; args = material, cosine, rough, light
//! reference: kernel = shade_plain; grid = N / 4 / 128; block = 128; args = material, cosine, rough, light
//! tolerance: 1e-4 1e-4
//! note:      a path tracer's shading of secondary hits, which meet eight materials in no order

//! id:        shade-by-material
//! parent:    shade-in-ray-order
//! change:    the hits of a block are sorted by their material before they are shaded
//! step:      kernel = shade_sorted; grid = N / 4 / 256; block = 256; args = material, cosine, rough, light
//! predicts:  time < 0.6x

enum { MATERIALS = 8, BLOCK = 256 };

__device__ float ggx(float c, float r) {
  float a2 = r * r * r * r + 1e-3f, d = c * c * (a2 - 1) + 1; // a2: squared width of the lobe
  return 0.318f * a2 / (d * d) / (c + sqrtf(a2 + (1 - a2) * c * c));
}

__device__ float thin_film(float c, float r) {
  float sum = 0;
#pragma unroll 1
  for (int band = 0; band < 8; band++)
    sum += (1 + __cosf((5 + band) * (1 + r) * c)) * (0.2f - 0.02f * band);
  return sum;
}

__device__ float wood(float c, float r) { // eight octaves of rings
  float sum = 0, scale = 0.5f;
#pragma unroll 1
  for (int octave = 0; octave < 8; octave++, scale *= 0.6f)
    sum += scale * __sinf(9 * r + (octave + 1) * c + sum);
  return 0.5f + sum;
}

__device__ float glass(float c, float r) {
  float n = 1.3f + 0.4f * r, sum = 0;
#pragma unroll 1
  for (int colour = 0; colour < 4; colour++, n += 0.02f) {
    float g = sqrtf(n * n - 1 + c * c), s = (g - c) / (g + c), t = (c * (g + c) - 1) / (c * (g - c) + 1);
    sum += 0.125f * s * s * (1 + t * t);
  }
  return sum;
}

__device__ float lamp(float c, float r) {
  float sum = 0;
#pragma unroll 1
  for (int band = 1; band <= 8; band++)
    sum += band * band * __expf(-band * (0.4f + r)) * 0.1f;
  return c * sum;
}

__device__ float cloth(float c, float r) {
  float sheen = 1 - c, sum = 0;
#pragma unroll 1
  for (int thread = 1; thread <= 9; thread++) {
    sum += sheen * rsqrtf(thread + r);
    sheen *= 1 - c * r;
  }
  return sum;
}

__device__ float skin(float c, float r) { // diffusion profile, a sum of Gaussians
  float sum = 0, width = 0.1f;
#pragma unroll 1
  for (int layer = 0; layer < 7; layer++, width *= 2)
    sum += __expf(-c * c / (width + r)) * 0.15f;
  return sum;
}

__device__ float paint(float c, float r) { return 0.7f * c + 0.3f * ggx(c, 0.5f * r) + 0.1f * ggx(c, 0.1f + r); }

__device__ float shade(int material, float c, float r) {
  switch (material) {
  case 0: return paint(c, r);
  case 1: return ggx(c, r); // bare metal
  case 2: return thin_film(c, r);
  case 3: return wood(c, r);
  case 4: return glass(c, r);
  case 5: return lamp(c, r);
  case 6: return cloth(c, r);
  default: return skin(c, r);
  }
}

__device__ float positive(float x) { return 0.05f + 0.9f * fabsf(x); }

extern "C" __global__ void __launch_bounds__(BLOCK) shade_as_hit(const unsigned char *__restrict__ material,
    const float *__restrict__ cosine, const float *__restrict__ rough, float *__restrict__ light) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  light[i] = shade(material[i] % MATERIALS, positive(cosine[i]), positive(rough[i]));
}

extern "C" __global__ void __launch_bounds__(BLOCK) shade_sorted(const unsigned char *__restrict__ material,
    const float *__restrict__ cosine, const float *__restrict__ rough, float *__restrict__ light) {
  __shared__ float c[BLOCK], r[BLOCK];
  __shared__ unsigned char who[BLOCK], what[BLOCK];
  __shared__ int count[MATERIALS];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t, m = material[i] % MATERIALS;
  c[t] = positive(cosine[i]), r[t] = positive(rough[i]);
  if (t < MATERIALS)
    count[t] = 0;
  __syncthreads();
  int at = atomicAdd(count + m, 1);
  __syncthreads();
  for (int before = 0; before < MATERIALS; before++)
    at += before < m ? count[before] : 0;
  who[at] = t, what[at] = m;
  __syncthreads();
  int hit = who[t];
  c[hit] = shade(what[t], c[hit], r[hit]); // nobody else reads this hit any more
  __syncthreads();
  light[i] = c[t];
}

extern "C" __global__ void shade_plain(const unsigned char *material, const float *cosine, const float *rough, float *light) {
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int m = 0; m < MATERIALS; m++)
    if (material[i] % MATERIALS == m)
      light[i] = shade(m, 0.9f * fabsf(cosine[i]) + 0.05f, 0.9f * fabsf(rough[i]) + 0.05f);
}
