//! problem:   generic
//! id:        tet-nodes-as-meshed
//! ladder:    tet-energy
//! size:      N = 16M
//! param:     NODES = 1048576
//! param:     RENUMBERED = 0
//! buffer:    value = fp32[NODES]; init = random
//! buffer:    energy = fp32[6 * NODES]
//! output:    energy
//! scratch:   place = 16 * NODES
//! scratch:   field = 4 * NODES
//! scratch:   tet = 16 * 6 * NODES
//! setup:     kernel = make_mesh; grid = NODES / 256; block = 256; args = value, place, field, tet
//! step:      kernel = energies; grid = 6 * NODES / 256; block = 256; args = place, field, tet, energy
//! reference: kernel = energies_double; grid = 6 * NODES / 256; block = 256; args = place, field, tet, energy
//! tolerance: 1e-4 1e-3
//! bytes:     20 * NODES + 20 * 6 * NODES
//! note:      the energy of a field in each tetrahedron of a mesh; its nodes have the numbers that the mesh came with

//! id:        tet-nodes-renumbered
//! parent:    tet-nodes-as-meshed
//! change:    the nodes renumbered beforehand, so that neighbours in space have numbers close to each other
//! param:     RENUMBERED = 1
//! predicts:  time < 0.7x; inst within 2%

enum { X = 128, Y = 128, Z = NODES / (X * Y) };

__device__ unsigned node_number(unsigned n) {
  if (RENUMBERED)
    return n;
  n = n * 0x9e3779b1u % NODES;
  n ^= n >> 10;
  return n * 0x846ca68bu % NODES;
}

__device__ unsigned corner_of(unsigned cell, int corner) {
  unsigned x = (cell + (corner & 1)) % X, y = (cell / X + (corner >> 1 & 1)) % Y;
  unsigned z = (cell / (X * Y) + (corner >> 2)) % Z;
  return (z * Y + y) * X + x;
}

// A cube of six tetrahedra about its long diagonal at every node; the mesh closes upon itself.
extern "C" __global__ void make_mesh(const float *value, float4 *place, float *field, int4 *tet) {
  unsigned n = blockIdx.x * 256 + threadIdx.x, h = n * 0x85ebca6bu ^ n >> 7;
  place[node_number(n)] = make_float4(n % X + (h >> 8 & 255) * 0x1p-11f, n / X % Y + (h >> 16 & 255) * 0x1p-11f,
                                      n / (X * Y) + (h >> 24) * 0x1p-11f, 0);
  field[node_number(n)] = value[n];
  for (int k = 0; k < 6; k++) {
    int a = 1 << k % 3, b = a | 1 << (k % 3 + 1 + k / 3) % 3;
    tet[k * NODES + n] = make_int4(node_number(n), node_number(corner_of(n, a)), node_number(corner_of(n, b)),
                                   node_number(corner_of(n, 7)));
  }
}

// |grad v|^2 / 2 times the volume, where v is linear and has its four values in `field`.
template <class T> __device__ float tet_energy(const float4 *place, const float *field, int4 t) {
  float4 p = place[t.x], q = place[t.y], r = place[t.z], s = place[t.w];
  T own = field[t.x], aw = field[t.y] - own, bw = field[t.z] - own, cw = field[t.w] - own;
  T ax = T(q.x) - p.x, ay = T(q.y) - p.y, az = T(q.z) - p.z;
  T bx = T(r.x) - p.x, by = T(r.y) - p.y, bz = T(r.z) - p.z;
  T cx = T(s.x) - p.x, cy = T(s.y) - p.y, cz = T(s.z) - p.z;
  T ux = by * cz - bz * cy, uy = bz * cx - bx * cz, uz = bx * cy - by * cx;
  T vx = cy * az - cz * ay, vy = cz * ax - cx * az, vz = cx * ay - cy * ax;
  T wx = ay * bz - az * by, wy = az * bx - ax * bz, wz = ax * by - ay * bx;
  T det = ax * ux + ay * uy + az * uz;
  T gx = aw * ux + bw * vx + cw * wx, gy = aw * uy + bw * vy + cw * wy, gz = aw * uz + bw * vz + cw * wz;
  return (gx * gx + gy * gy + gz * gz) / (12 * (det < 0 ? -det : det));
}

extern "C" __global__ void __launch_bounds__(256)
    energies(const float4 *__restrict__ place, const float *__restrict__ field, const int4 *__restrict__ tet,
             float *__restrict__ energy) {
  int i = blockIdx.x * 256 + threadIdx.x;
  energy[i] = tet_energy<float>(place, field, tet[i]);
}

extern "C" __global__ void energies_double(const float4 *place, const float *field, const int4 *tet, float *energy) {
  int i = blockIdx.x * 256 + threadIdx.x;
  energy[i] = tet_energy<double>(place, field, tet[i]);
}
