/* Occupancy: blocks worked out by hand, then every launch of the recorded run against what its driver said. */
#include "analysis/advice/static.h"
#include "analysis/model/occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>

static struct occupancy occupancy(const char *device, struct occupancy_block b) {
  struct device d = {0};
  struct err e = {0};
  struct occupancy o;
  if (device_load(&d, device, &e) || occupancy_of(&o, &d, &b, &e))
    fail_msg("%s", e.text);
  device_release(&d);
  return o;
}

static void assert_limit(struct occupancy_block b, int blocks, enum occupancy_limit limit) {
  struct occupancy o = occupancy("h200", b);
  assert_int_equal(o.blocks_per_sm, blocks);
  assert_string_equal(occupancy_limit_name(o.limit), occupancy_limit_name(limit));
}

static void each_limit(void **state) {
  (void)state;
  /* 8 warps a block of 64: 8. */
  assert_limit((struct occupancy_block){.registers = 32, .threads = 256}, 8, LIMIT_WARPS);
  /* 33 threads are 2 warps: 64 / 2 = 32 blocks by warps; by registers 16 x 32 = 512 a warp, 32 warps a partition. */
  assert_limit((struct occupancy_block){.registers = 16, .threads = 33}, 32, LIMIT_WARPS);
  /* One warp a block: 64 by warps, and an SM takes 32. */
  assert_limit((struct occupancy_block){.registers = 16, .threads = 32}, 32, LIMIT_BLOCKS);
  /* 33 registers are 1056 a warp, up to 1280: 12 warps in a partition's 16384, 48 in all, 6 blocks of 8. */
  assert_limit((struct occupancy_block){.registers = 33, .threads = 256}, 6, LIMIT_REGISTERS);
  /* 255 registers, up to 8192 a warp: 2 warps a partition, and 16 warps would need 131072. */
  assert_limit((struct occupancy_block){.registers = 255, .threads = 512}, 0, LIMIT_REGISTERS);
  /* 100000 + 1024, up to 101120: 2 in 233472. */
  assert_limit((struct occupancy_block){.registers = 32, .threads = 64, .smem_dynamic = 100000}, 2, LIMIT_SMEM);
  /* One byte more than a block may ask for. */
  assert_limit((struct occupancy_block){.registers = 32, .threads = 64, .smem_dynamic = 232449}, 0, LIMIT_SMEM);
  /* 64 barriers for 32 blocks; 16 a block leave 4. */
  assert_limit((struct occupancy_block){.registers = 32, .threads = 64, .barriers = 16}, 4, LIMIT_BARRIERS);
  assert_true(occupancy("b200", (struct occupancy_block){.registers = 64, .threads = 256}).share == 0.5);
}

static void what_it_refuses(void **state) {
  (void)state;
  struct occupancy o;
  struct err e = {0};
  struct device none = {.sm = 90}, old = {.sm = 75};
  struct occupancy_block b = {.threads = 32};
  assert_int_equal(occupancy_of(&o, &none, &b, &e), ERR_DATA);
  assert_string_equal(e.text, "the registers, shared memory or warps of an SM are not known");
  assert_int_equal(occupancy_of(&o, &old, &b, &e), ERR_DATA);
  assert_string_equal(e.text, "sm_75: occupancy is known for sm_80 and later");
  struct device d = {.sm = 90, .regs_per_sm = 65536, .smem_per_sm = 233472, .warps_per_sm = 64};
  b.threads = 1025;
  assert_int_equal(occupancy_of(&o, &d, &b, &e), ERR_DATA);
  assert_string_equal(e.text, "a block of 1025 threads: 1 to 1024 can be launched");
}

/* By its compute capability alone an RTX 4090's SM has 48 warps: 6 blocks of 8, 3 of 16 (1536 threads). */
static void a_chip_that_is_not_described(void **state) {
  (void)state;
  struct device d = {0};
  struct occupancy o;
  struct err e = {0};
  assert_true(occupancy_chip(&d, 89));
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.registers = 32, .threads = 256}, &e), 0);
  assert_int_equal(o.blocks_per_sm, 6);
  assert_true(o.share == 1);
  /* 4 KiB + 1 KiB are 5120 bytes: 20 of 102400; 24 blocks an SM at most, and 48 warps are 48 blocks of one. */
  assert_int_equal(
      occupancy_of(&o, &d, &(struct occupancy_block){.registers = 16, .threads = 32, .smem_static = 4096}, &e), 0);
  assert_int_equal(o.blocks_per_sm, 20);
  assert_int_equal(o.blocks[LIMIT_BLOCKS], 24);
  assert_int_equal(o.blocks[LIMIT_WARPS], 48);
  assert_false(occupancy_chip(&d, 75));
}

/* What the driver of an H200 said of each launch, library kernels (of which no code is kept) left out. */
static void the_driver_agrees(void **state) {
  (void)state;
  struct run r = {0};
  struct device d = {0};
  struct err e = {0};
  size_t compared = 0;
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e) || device_from_run(&d, &r.device, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < r.n_results; i++)
    for (size_t l = 0; l < r.results[i].n_launches; l++) {
      const struct run_launch *launch = &r.results[i].launches[l];
      struct static_code c;
      if (launch->blocks_per_sm <= 0 || r.results[i].module < 0)
        continue;
      if (static_code_make(&c, &r, &r.results[i], launch, &d, &e))
        fail_msg("%s", e.text);
      assert_true(c.occupied.present);
      if (c.occupancy.blocks_per_sm != launch->blocks_per_sm)
        fail_msg("%s, result %zu: %d blocks, and the driver says %d", r.variants[r.results[i].variant].id, i,
                 c.occupancy.blocks_per_sm, launch->blocks_per_sm);
      static_code_release(&c);
      compared++;
    }
  assert_true(compared >= 200);
  run_release(&r);
  device_release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_limit),
      cmocka_unit_test(what_it_refuses),
      cmocka_unit_test(a_chip_that_is_not_described),
      cmocka_unit_test(the_driver_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
