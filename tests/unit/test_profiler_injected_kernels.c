/* Launches told apart by kernel and geometry, and the durations that are kept of them. */
#include "injected.h"

#include <stdio.h>

static void test_told_apart(void **state) {
  (void)state;
  struct kernel_key key = key_of("apart", 100, 128);
  size_t n = injection.n_kernels;
  struct kernel *first = kernel_of(&key, 0);
  assert_ptr_equal(first, kernel_of(&key, 0));
  assert_int_equal(injection.n_kernels, n + 1);
  assert_ptr_not_equal(first, kernel_of(&key, 1));
  key.block[2] = 2;
  assert_ptr_not_equal(first, kernel_of(&key, 0));
  key.block[2] = 1;
  key.smem_dynamic = 1024;
  assert_ptr_not_equal(first, kernel_of(&key, 0));
  key.smem_dynamic = 0;
  key.range = 1;
  assert_ptr_not_equal(first, kernel_of(&key, 0));
  key.range = 0;
  key.name = "another";
  struct kernel *another = kernel_of(&key, 0);
  assert_ptr_not_equal(first, another);
  assert_string_equal(another->key.name, "another");
  key.name = "apart";
  assert_ptr_equal(first, kernel_of(&key, 0));
  assert_int_equal(injection.n_kernels, n + 6);
  assert_int_equal(injection.focus.n, n + 6);
  assert_int_equal(focus_index(another), n + 5);
  assert_ptr_equal(focus_of(another), &injection.focus.kernels[n + 5]);
  assert_int_equal(injection.kernels[n + 1].device, 1);
}

/* Grids that differ by less than a tenth are one row, whose key is the first of them. */
static void test_alike(void **state) {
  (void)state;
  struct kernel_key key = key_of("alike", 100, 128);
  struct kernel *first = kernel_of(&key, 0);
  assert_int_equal(first->blocks_least, 100);
  assert_int_equal(first->blocks_most, 100);
  key.grid[0] = 109;
  assert_ptr_equal(first, kernel_of(&key, 0));
  key.grid[0] = 95;
  assert_ptr_equal(first, kernel_of(&key, 0));
  key.grid[0] = 104;
  assert_ptr_equal(first, kernel_of(&key, 0));
  assert_int_equal(first->blocks_least, 95);
  assert_int_equal(first->blocks_most, 109);
  assert_int_equal(first->key.grid[0], 100);
  key.grid[0] = 120;
  struct kernel *larger = kernel_of(&key, 0);
  assert_ptr_not_equal(first, larger);
  assert_int_equal(larger->blocks_least, 120);
  key.grid[0] = 10;
  key.grid[1] = 10;
  assert_ptr_not_equal(first, kernel_of(&key, 0)); /* as many blocks, of another shape */
}

/* Where code was unloaded another kernel's name may have the address. */
static void test_name_of_address(void **state) {
  (void)state;
  char name[16] = "before";
  struct kernel_key key = key_of(name, 1, 1);
  struct kernel *before = kernel_of(&key, 0);
  snprintf(name, sizeof name, "after");
  struct kernel *after = kernel_of(&key, 0);
  assert_ptr_not_equal(before, after);
  assert_string_equal(before->key.name, "before");
  assert_string_equal(after->key.name, "after");
  snprintf(name, sizeof name, "before");
  assert_ptr_equal(before, kernel_of(&key, 0));
}

static void test_full(void **state) {
  (void)state;
  char name[32];
  struct kernel_key key = key_of(name, 1, 1);
  for (size_t i = injection.n_kernels; i < KERNELS_MAX; i++) {
    snprintf(name, sizeof name, "of many %zu", i);
    assert_ptr_equal(kernel_of(&key, 0), &injection.kernels[i]);
  }
  snprintf(name, sizeof name, "one too many");
  assert_null(kernel_of(&key, 0));
  snprintf(name, sizeof name, "of many 777");
  assert_ptr_equal(kernel_of(&key, 0), &injection.kernels[777]);
  assert_int_equal(injection.focus.n, KERNELS_MAX);
}

static void test_range(void **state) {
  (void)state;
  const int16_t in[NVTX_RANGES] = {4, 7}, none[NVTX_RANGES] = {-1, 3};
  injection.by_range = true;
  assert_int_equal(kernel_range(in), 5);
  assert_int_equal(kernel_range(none), 0);
  injection.by_range = false;
  assert_int_equal(kernel_range(in), 0);
}

/* 10 launches, 2 of them counted and without a time: 8 of 4 ms in all are 0.5 ms each, and all ten 5 ms. */
static void test_tell(void **state) {
  (void)state;
  struct kernel *k = kernel_named("told"), *asked = kernel_named("asked"), *graphs = kernel_named("graphs"),
                *mixed = kernel_named("mixed"), *nccl = kernel_named("ncclDevKernel_AllReduce"),
                *elsewhere = kernel_named("elsewhere"), *fresh = kernel_named("fresh"),
                *counted = kernel_named("counted");
  k->launches = 10, k->disturbed = 2, k->total_ns = 4e6;
  asked->launches = 2, asked->total_ns = 2e6;
  focus_of(asked)->asked = 6; /* four have not run yet */
  graphs->launches = graphs->in_graphs = 3, graphs->total_ns = 3e6;
  mixed->launches = 5, mixed->in_graphs = 3, mixed->total_ns = 5e6;
  elsewhere->elsewhere = true;
  counted->launches = counted->disturbed = 2;
  focus_tell();
  assert_float_equal(focus_of(k)->mean_s, 5e-4, 1e-12);
  assert_float_equal(focus_of(k)->total_s, 5e-3, 1e-12);
  assert_float_equal(focus_of(asked)->mean_s, 1e-3, 1e-12);
  assert_float_equal(focus_of(asked)->total_s, 6e-3, 1e-12);
  assert_float_equal(focus_of(mixed)->total_s, 2e-3, 1e-12);
  assert_float_equal(focus_of(graphs)->total_s, 0, 0);
  assert_float_equal(focus_of(counted)->mean_s, 0, 0);
  assert_true(focus_of(graphs)->barred && focus_of(nccl)->barred && focus_of(elsewhere)->barred);
  assert_false(focus_of(k)->barred || focus_of(mixed)->barred || focus_of(fresh)->barred);
  injection.focus.set.named = true; /* who names a kernel means it */
  focus_tell();
  assert_false(focus_of(graphs)->barred || focus_of(nccl)->barred || focus_of(elsewhere)->barred);
  injection.focus.set.named = false;
}

static void time_one(struct kernel *k, double ns) {
  k->launches++;
  kernel_time(k, ns);
}

/* 1,024 durations are kept in their order.  Then splitmix64 from 0 chooses: its first five values modulo 1025 to 1029 are 310, 54, 924, 972 and 121. */
static void test_reservoir(void **state) {
  (void)state;
  struct kernel *k = kernel_named("long");
  static const size_t changed[] = {310, 54, 924, 972, 121};
  k->launches = k->disturbed = 3;
  for (int i = 0; i < RESERVOIR_MAX; i++) {
    time_one(k, i);
    assert_int_equal(k->n_samples, i + 1);
    assert_true(k->n_samples <= k->cap_samples);
  }
  for (int i = 0; i < 5; i++)
    time_one(k, 10000 + i);
  assert_int_equal(k->n_samples, RESERVOIR_MAX);
  assert_int_equal(k->cap_samples, RESERVOIR_MAX);
  for (size_t i = 0; i < 5; i++)
    assert_float_equal(k->samples_ns[changed[i]], 10000 + (double)i, 0);
  size_t same = 0;
  for (size_t i = 0; i < RESERVOIR_MAX; i++)
    same += k->samples_ns[i] == (double)i;
  assert_int_equal(same, RESERVOIR_MAX - 5);
}

/* Of 4,096 launches a quarter of the later 3,072 or so is kept; 2,048 launches more would keep half of them. */
static void test_reservoir_is_even(void **state) {
  (void)state;
  struct kernel *k = kernel_named("even");
  for (int i = 0; i < 4 * RESERVOIR_MAX; i++)
    time_one(k, i);
  size_t early = 0;
  for (size_t i = 0; i < RESERVOIR_MAX; i++)
    early += k->samples_ns[i] < 2 * RESERVOIR_MAX;
  assert_in_range(early, 430, 600); /* the half of 1,024 give or take five times 16 */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_told_apart),
      cmocka_unit_test(test_alike),
      cmocka_unit_test(test_name_of_address),
      cmocka_unit_test(test_range),
      cmocka_unit_test(test_tell),
      cmocka_unit_test(test_reservoir),
      cmocka_unit_test(test_reservoir_is_even),
      cmocka_unit_test(test_full),
  };
  return cmocka_run_group_tests(tests, tables_begin, NULL);
}
