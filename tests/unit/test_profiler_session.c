/* A session on the fake GPU: what is launched with what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collected.h"

/* --- the session --- */

static void the_device_is_the_one_that_was_chosen(void **state) {
  const char *const files[] = {good};
  (void)state;
  bench_libraries("whole");
  assert_int_equal(bench_plan(&b, files, 1, shape), 0);
  b.gpu.index = 1;
  assert_int_equal(session_open(&b.s, &b.compiled, &b.problem, 1, &e), 0);
  assert_int_equal(b.s.device, 1);
}

static void buffers_hold_the_problem(void **state) {
  (void)state;
  OPEN(good);
  const struct device_shape *d = &b.s.shapes[0];
  assert_memory_equal((void *)d->a, b.problem.a, 256 * 64 * 2);
  assert_memory_equal((void *)d->b, b.problem.b, 128 * 64 * 2);
  assert_memory_equal((void *)d->sfa, b.problem.sfa, 256 * 8 * 2);
  assert_memory_equal((void *)d->sfb, b.problem.sfb, 128 * 8 * 2);
  assert_int_equal(d->c_bytes, 2 * 256 * 2);
  assert_int_equal(b.s.flush_bytes, 8 << 20); /* eight times the L2 */
  assert_int_equal(session_buffer(&b.ready[0], "c"), d->c);
  assert_int_equal(session_buffer(&b.ready[0], "sfb"), d->sfb);
  assert_int_equal(session_buffer(&b.ready[0], "q"), 0);
}

static void the_flush_reads_eight_times_the_l2(void **state) {
  (void)state;
  OPEN(good);
  n_launched = 0;
  n_args = 3;
  assert_int_equal(session_prepare(&b.s, &b.ready[0], &e), 0);
  n_args = 0;
  assert_int_equal(n_launched, 1);
  assert_int_equal(session_prepare_kernels(&b.s, &b.ready[0]), 1);
  const struct launched *l = launched;
  assert_int_equal(l->config.gridDimX, 16); /* four blocks an SM */
  assert_int_equal(l->config.gridDimY * l->config.gridDimZ, 1);
  assert_int_equal(l->config.blockDimX, 512);
  assert_int_equal(l->config.blockDimY * l->config.blockDimZ, 1);
  assert_int_equal(l->config.numAttrs, 0);
  assert_int_equal(l->args[0], b.s.flush_buffer);
  assert_int_equal(l->args[1], (8 << 20) / 16); /* of 16 bytes */
  assert_int_equal(l->args[2], b.s.flush_buffer + (8 << 20));
}

static void other_policies_launch_no_flush(void **state) {
  (void)state;
  OPEN(good);
  n_launched = 0;
  b.options.l2 = L2_WARM;
  assert_int_equal(session_prepare(&b.s, &b.ready[0], &e), 0);
  assert_int_equal(session_prepare_kernels(&b.s, &b.ready[0]), 0);
  b.options.l2 = L2_DIRTY;
  unsigned char *flush = (unsigned char *)b.s.flush_buffer;
  flush[0] = flush[(8 << 20) - 1] = flush[8 << 20] = 5;
  assert_int_equal(session_prepare(&b.s, &b.ready[0], &e), 0);
  assert_int_equal(n_launched, 0);
  assert_int_equal(flush[0] | flush[(8 << 20) - 1], 0); /* written */
  assert_int_equal(flush[8 << 20], 5);                  /* and no more than it */
  assert_int_equal(session_prepare_kernels(&b.s, &b.ready[0]), 0);
}

static void a_launch_has_its_geometry_and_arguments(void **state) {
  float f32 = 1.5f;
  double f64 = 2.5;
  (void)state;
  n_args = 0;
  OPEN(rich);
  assert_int_equal(n_launched, 1); /* the setup */
  assert_int_equal(launched[0].config.blockDimX, 32);
  struct ready *r = &b.ready[0];
  assert_int_equal(r->step_kernels, 2);
  n_launched = 0;
  n_args = 7;
  assert_int_equal(session_launch(&b.s, r, &e), 0);
  n_args = 0;
  assert_int_equal(n_launched, 2);
  const struct launched *first = &launched[0], *l = &launched[1];
  assert_int_equal(first->config.gridDimX, 2);
  assert_int_equal(first->config.gridDimY, 2);
  assert_int_equal(first->config.gridDimZ, 1);
  assert_int_equal(first->config.sharedMemBytes, 0);
  assert_int_equal(first->config.numAttrs, 0);
  assert_int_equal(first->args[1], b.s.shapes[0].b);
  assert_int_equal((int)first->args[5], 256);
  assert_int_equal(l->config.gridDimX, 3);
  assert_int_equal(l->config.gridDimY, 5);
  assert_int_equal(l->config.gridDimZ, 7);
  assert_int_equal(l->config.blockDimX, 32);
  assert_int_equal(l->config.blockDimY, 2);
  assert_int_equal(l->config.blockDimZ, 4);
  assert_int_equal(l->config.sharedMemBytes, 60000);
  assert_int_equal(l->config.numAttrs, 1);
  assert_int_equal(l->attribute.id, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  assert_int_equal(l->attribute.value.clusterDim.x, 3);
  assert_int_equal(l->attribute.value.clusterDim.y, 5);
  assert_int_equal(l->attribute.value.clusterDim.z, 1);
  assert_int_equal(l->args[0], r->scratch[0]);
  assert_memory_equal(&l->args[1], &r->tensormaps[0], 8);
  assert_int_equal((int)l->args[2], 257);
  assert_int_equal(l->args[3], 128);
  assert_memory_equal(&l->args[4], &f32, sizeof f32);
  assert_memory_equal(&l->args[5], &f64, sizeof f64);
  assert_int_equal(l->args[6], b.s.shapes[0].sfb);
}

static void resets_fill_and_launch(void **state) {
  (void)state;
  OPEN(rich);
  struct ready *r = &b.ready[0];
  const unsigned char *t = (const unsigned char *)r->scratch[0];
  assert_int_equal(t[0], 7); /* as its front matter says */
  assert_int_equal(t[4 * 256 - 1], 7);
  assert_int_equal(*(const unsigned char *)r->scratch[1], 0xff); /* the poison */
  n_launched = 0;
  n_args = 1;
  assert_int_equal(session_prepare(&b.s, r, &e), 0);
  n_args = 0;
  assert_int_equal(n_launched, 2); /* the reset's, and the flush */
  assert_int_equal(session_prepare_kernels(&b.s, r), 2);
  assert_int_equal(launched[0].config.gridDimX, 2);
  assert_int_equal(launched[0].args[0], r->scratch[1]);
  assert_int_equal(launched[1].config.blockDimX, 512);
  assert_int_equal(t[0], 9);
  assert_int_equal(t[4 * 256 - 1], 9);
  assert_int_equal(((const unsigned char *)b.s.shapes[0].c)[0], 3);
  assert_int_equal(((const unsigned char *)b.s.shapes[0].c)[1023], 3);
  assert_int_equal(buffers_bytes(r, "t"), 1024);
  assert_int_equal(buffers_bytes(r, "u"), 32);
  assert_int_equal(buffers_bytes(r, "c"), 1024);
}

static struct {
  CUtensorMapDataType type;
  cuuint32_t rank, box[2], steps[2];
  cuuint64_t dims[2], strides[1];
  void *address;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion l2;
} encoded;

static CUresult encode(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                       const cuuint64_t *dims, const cuuint64_t *strides, const cuuint32_t *box,
                       const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                       CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  memset(map, 1, sizeof *map);
  encoded.type = type;
  encoded.rank = rank;
  encoded.address = address;
  encoded.swizzle = swizzle;
  encoded.l2 = l2;
  memcpy(encoded.dims, dims, sizeof encoded.dims);
  memcpy(encoded.strides, strides, sizeof encoded.strides);
  memcpy(encoded.box, box, sizeof encoded.box);
  memcpy(encoded.steps, steps, sizeof encoded.steps);
  return interleave || fill ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static void a_tensor_map_is_encoded_as_it_is_written(void **state) {
  static const struct {
    int bytes;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion l2;
  } rows[] = {{0, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE},
              {32, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_L2_PROMOTION_NONE},
              {64, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_64B},
              {128, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B},
              {256, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B}};
  struct ready again;
  (void)state;
  OPEN(rich);
  b.s.driver.cuTensorMapEncodeTiled = encode;
  struct rung_tensormap *map = (struct rung_tensormap *)(size_t)b.trials[0].plan.tensormaps[0].map;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    map->swizzle = map->l2_promotion = rows[i].bytes;
    assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), 0);
    assert_int_equal(encoded.swizzle, rows[i].swizzle);
    assert_int_equal(encoded.l2, rows[i].l2);
  }
  assert_int_equal(encoded.type, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  assert_int_equal(encoded.rank, 2);
  assert_ptr_equal(encoded.address, (void *)b.s.shapes[0].a);
  assert_int_equal(encoded.dims[0], 32);
  assert_int_equal(encoded.dims[1], 256);
  assert_int_equal(encoded.strides[0], 64);
  assert_int_equal(encoded.box[0], 32);
  assert_int_equal(encoded.box[1], 8);
  assert_int_equal(encoded.steps[0] * encoded.steps[1], 1);
  b.s.driver.cuTensorMapEncodeTiled = NULL;
  assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), ERR_MACHINE);
  assert_string_equal(e.text, "tensormap map: this driver lacks cuTensorMapEncodeTiled (new in CUDA 12.0)");
}

static struct {
  CUfunction_attribute attribute;
  int value;
} asked[8];
static size_t n_asked;
static CUresult set_attribute(CUfunction f, CUfunction_attribute attribute, int value) {
  (void)f;
  if (n_asked < 8) {
    asked[n_asked].attribute = attribute;
    asked[n_asked++].value = value;
  }
  return CUDA_SUCCESS;
}

static void shared_memory_and_large_clusters_are_asked_for(void **state) {
  struct ready again;
  (void)state;
  OPEN(rich);
  b.s.driver.cuFuncSetAttribute = set_attribute;
  n_asked = 0;
  assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), 0);
  assert_int_equal(n_asked, 2); /* the other three kernels need neither */
  assert_int_equal(asked[0].attribute, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  assert_int_equal(asked[0].value, 60000);
  assert_int_equal(asked[1].attribute, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  assert_int_equal(asked[1].value, 1);
  OPEN(clusters);
  b.s.driver.cuFuncSetAttribute = set_attribute;
  n_asked = 0;
  assert_int_equal(session_load(&b.s, &b.trials[0], &again, &e), 0);
  assert_int_equal(n_asked, 1); /* eight blocks are portable, twelve are not */
  CUfunction f;
  n_asked = 0;
  assert_int_equal(session_empty_kernel(&b.s, 40, &f, &e), 0);
  assert_int_equal(n_asked, 2);
  assert_int_equal(asked[0].value, 232448);
  b.gpu.sm = 89; /* which has no clusters */
  n_asked = 0;
  assert_int_equal(session_empty_kernel(&b.s, 40, &f, &e), 0);
  assert_int_equal(n_asked, 1);
}

static void scales_are_uploaded_in_tiles_once(void **state) {
  (void)state;
  OPEN(good);
  assert_int_equal(b.s.shapes[0].sfa_blocked, 0);
  assert_int_equal(buffers_need_blocked(&b.s, 0, &e), 0);
  CUdeviceptr at = b.s.shapes[0].sfa_blocked;
  /* Row 33 of batch 1, scale 5: batches of 2 x 2 tiles, tile row 0, tile 1, in it (33 % 32) * 16 + (33 / 32) * 4 + 1. */
  assert_int_equal(((const uint8_t *)at)[4 * 512 + 512 + 16 + 4 + 1], b.problem.sfa[(256 + 33) * 8 + 5]);
  assert_int_equal(((const uint8_t *)b.s.shapes[0].sfb_blocked)[2 * 512], b.problem.sfb[128 * 8]);
  assert_int_equal(buffers_need_blocked(&b.s, 0, &e), 0);
  assert_int_equal(b.s.shapes[0].sfa_blocked, at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_device_is_the_one_that_was_chosen),
      cmocka_unit_test(buffers_hold_the_problem),
      cmocka_unit_test(the_flush_reads_eight_times_the_l2),
      cmocka_unit_test(other_policies_launch_no_flush),
      cmocka_unit_test(a_launch_has_its_geometry_and_arguments),
      cmocka_unit_test(resets_fill_and_launch),
      cmocka_unit_test(a_tensor_map_is_encoded_as_it_is_written),
      cmocka_unit_test(shared_memory_and_large_clusters_are_asked_for),
      cmocka_unit_test(scales_are_uploaded_in_tiles_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
