//! problem:   generic
//! id:        raycast-warp-tiles
//! ladder:    tsdf-raycast
//! size:      N = 16M
//! param:     SIDE = 512
//! param:     WIDTH = 1024
//! param:     HEIGHT = 768
//! param:     WARPS = 1
//! buffer:    depth = fp32[WIDTH * HEIGHT]
//! output:    depth
//! scratch:   volume = 4 * SIDE * SIDE * SIDE
//! setup:     kernel = make_scene; grid = SIDE * SIDE * SIDE / 256; block = 256; args = volume
//! step:      kernel = cast_rays; grid = WIDTH * HEIGHT / 32 / WARPS; block = 32 * WARPS; args = volume, depth
//! reference: kernel = cast_rays; grid = WIDTH * HEIGHT / 128; block = 128; args = volume, depth
//! tolerance: 1e-3 1e-3
//! note:      a depth image from a volume of distances: a ray goes on by what the volume says, until it is inside

//! id:        raycast-eight-tiles
//! parent:    raycast-warp-tiles
//! change:    eight tiles of 8 x 4 pixels a block instead of one
//! param:     WARPS = 8
//! predicts:  time < 0.9x; inst within 5%

#define TRUNCATION 8.0f

// A wall, a floor and a grid of balls; distances in voxels, cut off at TRUNCATION and scaled to 1.
extern "C" __global__ void make_scene(float *volume) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
  float d = fminf(SIDE - 16 - z, SIDE - 12 - y);
  float u = x - 64 * floorf(x / 64) - 32, v = y - 64 * floorf(y / 64) - 32, w = z - 64 * floorf(z / 64) - 32;
  if (z > 64)
    d = fminf(d, sqrtf(u * u + v * v + w * w) - 12);
  volume[i] = fmaxf(fminf(d / TRUNCATION, 1), -1);
}

extern "C" __global__ void __launch_bounds__(256, 8)
    cast_rays(const float *__restrict__ volume, float *__restrict__ depth) {
  int tile = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  int px = tile % (WIDTH / 8) * 8 + lane % 8, py = tile / (WIDTH / 8) * 4 + lane / 8;
  float dx = (px + 0.5f) / WIDTH - 0.5f, dy = (py + 0.5f) / HEIGHT - 0.5f;
  float scale = rsqrtf(dx * dx + dy * dy + 1);
  float x = SIDE / 2 + dx * 16, y = SIDE / 2 + dy * 16, z = 2;
  float t = 0, before = 1, step = 0, found = 0;
  dx *= scale, dy *= scale;
  for (;;) {
    int ix = (int)(x + t * dx), iy = (int)(y + t * dy), iz = (int)(z + t * scale);
    if ((ix | iy | iz) < 0 || max(max(ix, iy), iz) >= SIDE)
      break;
    float d = volume[(iz * SIDE + iy) * SIDE + ix];
    if (d <= 0) {
      found = t - step * d / (d - before);
      break;
    }
    before = d;
    step = fmaxf(0.5f * TRUNCATION * d, 0.5f);
    t += step;
  }
  depth[py * WIDTH + px] = found;
}
