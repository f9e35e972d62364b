//! problem:   generic
//! id:        rig-each-point
//! ladder:    rig-project
//! size:      N = 16M
//! param:     POINTS = 4194304
//! buffer:    pose = fp32[16]; init = random
//! buffer:    point = fp32[3 * POINTS]; init = random
//! buffer:    pixel = fp32[2 * POINTS]
//! output:    pixel
//! scratch:   camera = 64
//! step:      kernel = project_posed; grid = POINTS / 256; block = 256; args = pose, point, pixel
//! reference: kernel = project_plain; grid = POINTS / 256; block = 256; args = pose, point, pixel
//! tolerance: 0.02 1e-4
//! note:      a lidar's map seen by a camera on a vehicle: where each point falls on the picture

//! id:        rig-one-matrix
//! parent:    rig-each-point
//! change:    one thread makes the matrix of all points before they are projected
//! predicts:  time < 0.7x; inst < 0.5x
//! step:      kernel = make_camera; grid = 1; block = 32; args = pose, camera
//! step:      kernel = project_matrix; grid = POINTS / 256; block = 256; args = camera, point, pixel

struct rigid {
  float turn[3][3], at[3];
};

// Yaw, pitch and roll, then a place.
__device__ rigid from_pose(const float *__restrict__ pose) {
  float sy, cy, sp, cp, sr, cr;
  sincosf(pose[0], &sy, &cy);
  sincosf(pose[1] * 0.2f, &sp, &cp);
  sincosf(pose[2] * 0.2f, &sr, &cr);
  return {{{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
           {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
           {-sp, cp * sr, cp * cr}},
          {pose[3], pose[4], pose[5]}};
}

__device__ rigid inverse(const rigid &r) {
  rigid out;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    out.at[i] = 0;
#pragma unroll
    for (int j = 0; j < 3; j++) {
      out.turn[i][j] = r.turn[j][i];
      out.at[i] -= r.turn[j][i] * r.at[j];
    }
  }
  return out;
}

// b first, then a.
__device__ rigid after(const rigid &a, const rigid &b) {
  rigid out;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    out.at[i] = a.at[i];
#pragma unroll
    for (int j = 0; j < 3; j++) {
      out.at[i] += a.turn[i][j] * b.at[j];
      out.turn[i][j] = 0;
#pragma unroll
      for (int k = 0; k < 3; k++)
        out.turn[i][j] += a.turn[i][k] * b.turn[k][j];
    }
  }
  return out;
}

// From the map to the vehicle, half way on to where it will be, and to the camera; the lens comes last.
__device__ rigid map_to_camera(const float *__restrict__ pose) {
  rigid vehicle = from_pose(pose), mount = from_pose(pose + 6);
  float moved[6] = {pose[12] * 0.01f, pose[13] * 0.01f, 0, pose[14] * 0.1f, pose[15] * 0.1f, 0};
  rigid to = after(inverse(mount), after(inverse(from_pose(moved)), inverse(vehicle)));
  const float focal = 900, centre[2] = {960, 540};
#pragma unroll
  for (int i = 0; i < 2; i++) {
#pragma unroll
    for (int j = 0; j < 3; j++)
      to.turn[i][j] = focal * to.turn[i][j] + centre[i] * to.turn[2][j];
    to.at[i] = focal * to.at[i] + centre[i] * to.at[2];
  }
  return to;
}

__device__ void project(const rigid &to, const float *__restrict__ point, float2 *__restrict__ pixel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = point[i], y = point[POINTS + i], z = point[2 * POINTS + i], w[3];
#pragma unroll
  for (int k = 0; k < 3; k++)
    w[k] = to.turn[k][0] * x + to.turn[k][1] * y + to.turn[k][2] * z + to.at[k];
  float depth = fmaxf(fabsf(w[2]), 0.5f);
  pixel[i] = make_float2(__fdividef(w[0], depth), __fdividef(w[1], depth));
}

extern "C" __global__ void project_posed(const float *__restrict__ pose, const float *__restrict__ point,
                                         float2 *__restrict__ pixel) {
  project(map_to_camera(pose), point, pixel);
}

extern "C" __global__ void make_camera(const float *__restrict__ pose, float *__restrict__ camera) {
  if (threadIdx.x)
    return;
  *(rigid *)camera = map_to_camera(pose);
}

extern "C" __global__ void project_matrix(const float *__restrict__ camera, const float *__restrict__ point,
                                          float2 *__restrict__ pixel) {
  rigid to;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    to.at[i] = camera[9 + i];
#pragma unroll
    for (int j = 0; j < 3; j++)
      to.turn[i][j] = camera[3 * i + j];
  }
  project(to, point, pixel);
}

// p back out of a pose, in double precision: a turn about each axis for itself.
__device__ void back(double yaw, double pitch, double roll, double x, double y, double z, double *p) {
  double v[3] = {p[0] - x, p[1] - y, p[2] - z}, t;
  t = cos(yaw) * v[0] + sin(yaw) * v[1];
  v[1] = cos(yaw) * v[1] - sin(yaw) * v[0];
  v[0] = t;
  t = cos(pitch) * v[0] - sin(pitch) * v[2];
  v[2] = cos(pitch) * v[2] + sin(pitch) * v[0];
  v[0] = t;
  t = cos(roll) * v[1] + sin(roll) * v[2];
  p[2] = cos(roll) * v[2] - sin(roll) * v[1];
  p[1] = t;
  p[0] = v[0];
}

extern "C" __global__ void project_plain(const float *pose, const float *point, float *pixel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double p[3] = {point[i], point[POINTS + i], point[2 * POINTS + i]};
  const float *q = pose;
  back(q[0], q[1] * 0.2, q[2] * 0.2, q[3], q[4], q[5], p);
  back(q[12] * 0.01, q[13] * 0.01 * 0.2, 0, q[14] * 0.1, q[15] * 0.1, 0, p);
  q += 6;
  back(q[0], q[1] * 0.2, q[2] * 0.2, q[3], q[4], q[5], p);
  double depth = fmax(fabs(p[2]), 0.5);
  pixel[2 * i] = (900 * p[0] + 960 * p[2]) / depth;
  pixel[2 * i + 1] = (900 * p[1] + 540 * p[2]) / depth;
}
