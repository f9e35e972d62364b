//! problem:   generic
//! id:        phi4-site-division
//! ladder:    lattice-phi4
//! size:      N = 16M
//! param:     NX = 48
//! param:     NY = 56
//! param:     NZ = 64
//! param:     NT = 96
//! buffer:    phi = fp32[NX * NY * NZ * NT]; init = random
//! buffer:    force = fp32[NX * NY * NZ * NT]
//! output:    force
//! step:      kernel = force_by_site; grid = NX * NY * NZ * NT / 256; block = 256; args = phi, force, NX, NY, NZ, NT
//! reference: kernel = force_plain; grid = NY, NZ, NT; block = NX; args = phi, force
//! tolerance: 3e-5 1e-5
//! note:      the force of a scalar field on a periodic lattice of four dimensions, whose extents come with the run

//! id:        phi4-launched-coordinates
//! parent:    phi4-site-division
//! change:    y, z and t come from the launch and wrap by comparison
//! step:      kernel = force_by_launch; grid = NY / 8, NZ, NT; block = NX, 8; args = phi, force, NX, NY, NZ, NT
//! predicts:  inst < 0.5x; time < 0.75x

__device__ float equation(float here, float around) {
  const float mass = -0.5f, lambda = 0.1f;
  return around - (8.0f + mass) * here - lambda * here * here * here;
}

extern "C" __global__ void __launch_bounds__(256)
    force_by_site(const float *__restrict__ phi, float *__restrict__ force, int nx, int ny, int nz, int nt) {
  int site = blockIdx.x * 256 + threadIdx.x;
  int extent[4] = {nx, ny, nz, nt}, step = 1, rest = site;
  float around = 0;
#pragma unroll
  for (int mu = 0; mu < 4; mu++) {
    int n = extent[mu], c = rest % n;
    rest /= n;
    int up = (c + 1) % n, down = (c + n - 1) % n;
    around += phi[site + (up - c) * step] + phi[site + (down - c) * step];
    step *= n;
  }
  force[site] = equation(phi[site], around);
}

__device__ int up(int c, int n) { return c + 1 == n ? 1 - n : 1; }
__device__ int down(int c, int n) { return c == 0 ? n - 1 : -1; }

extern "C" __global__ void force_by_launch(const float *__restrict__ phi, float *__restrict__ force, int nx, int ny, int nz, int nt) {
  int x = threadIdx.x, y = blockIdx.x * 8 + threadIdx.y, z = blockIdx.y, t = blockIdx.z;
  int plane = nx * ny, cube = plane * nz, site = x + nx * y + plane * z + cube * t;
  float around = phi[site + up(x, nx)] + phi[site + down(x, nx)];
  around += phi[site + nx * up(y, ny)] + phi[site + nx * down(y, ny)];
  around += phi[site + plane * up(z, nz)] + phi[site + plane * down(z, nz)];
  around += phi[site + cube * up(t, nt)] + phi[site + cube * down(t, nt)];
  force[site] = equation(phi[site], around);
}

extern "C" __global__ void force_plain(const float *phi, float *force) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, t = blockIdx.z;
#define AT(x, y, z, t) phi[(((t + NT) % NT * NZ + (z + NZ) % NZ) * NY + (y + NY) % NY) * NX + (x + NX) % NX]
  float f = AT(x, y, z, t);
  double sum = -7.5 * f - 0.1 * f * f * f;
  for (int d = -1; d <= 1; d += 2)
    sum += (double)AT(x + d, y, z, t) + AT(x, y + d, z, t) + AT(x, y, z + d, t) + AT(x, y, z, t + d);
  force[((t * NZ + z) * NY + y) * NX + x] = (float)sum;
}
