/* Occupancy: blocks worked out by hand, then every launch of the recorded run against what its driver said. */
#include "analysis/model/occupancy.h"
#include "analysis/rules/static.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>

static struct occupancy occupancy(const char *device, struct occupancy_block b) {
  struct device d = {0};
  struct err e = {0};
  struct occupancy o = {0};
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

static void the_block_of_a_launch(void **state) {
  (void)state;
  struct run_launch l = {.block = {32, 4, 2}, .registers = 40, .smem_static = 1024, .smem_dynamic = 2048};
  struct occupancy_block b = occupancy_block_of(&l);
  assert_int_equal(b.threads, 256); /* 32 x 4 x 2 */
  assert_int_equal(b.registers, 40);
  assert_int_equal(b.smem_static, 1024);
  assert_int_equal(b.smem_dynamic, 2048);
  assert_int_equal(b.barriers, 0);
  assert_true(launch_block_threads(NULL) == 0);
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

/* NVIDIA, CUDA C++ Programming Guide, technical specifications per compute capability. */
static void every_chip(void **state) {
  (void)state;
  static const struct {
    int sm, warps;
    long smem_kib;
    int blocks, barriers_per_block;
  } chips[] = {{80, 64, 164, 32, 2},  {86, 48, 100, 16, 1},  {87, 48, 164, 16, 1},
               {89, 48, 100, 24, 1},  {90, 64, 228, 32, 2},  {100, 64, 228, 32, 2},
               {103, 64, 228, 32, 2}, {120, 48, 100, 24, 1}, {121, 48, 100, 24, 1}};
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
    struct device d = {0};
    struct occupancy o;
    struct err e = {0};
    assert_true(occupancy_chip(&d, chips[i].sm));
    assert_int_equal(d.sm, chips[i].sm);
    assert_int_equal(d.regs_per_sm, 65536);
    assert_int_equal(d.warps_per_sm, chips[i].warps);
    assert_int_equal(d.smem_per_sm, chips[i].smem_kib * 1024);
    assert_int_equal(d.smem_optin, (chips[i].smem_kib - 1) * 1024);
    assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 32, .barriers = 1}, &e), 0);
    assert_int_equal(o.blocks[LIMIT_BLOCKS], chips[i].blocks);
    assert_int_equal(o.blocks[LIMIT_BARRIERS], chips[i].blocks * chips[i].barriers_per_block);
    assert_int_equal(o.blocks[LIMIT_REGISTERS], INT_MAX); /* none are asked for */
    assert_int_equal(o.blocks_per_sm, chips[i].blocks);
  }
  /* What the device says stays. */
  struct device d = {.regs_per_sm = 1, .warps_per_sm = 2, .smem_per_sm = 3, .smem_optin = 4};
  assert_true(occupancy_chip(&d, 90));
  assert_true(d.regs_per_sm == 1 && d.warps_per_sm == 2 && d.smem_per_sm == 3 && d.smem_optin == 4);
}

/* Those of Thor, which were renamed, and of the chips without a description. */
static void blocks_of_other_chips(void **state) {
  (void)state;
  static const struct {
    int sm, blocks, barriers;
  } chips[] = {{88, 16, 16}, {101, 24, 24}, {110, 24, 24}, {107, 32, 64}, {119, 32, 64}, {130, 24, 24}};
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
    struct device d = {.sm = chips[i].sm, .regs_per_sm = 65536, .smem_per_sm = 102400, .warps_per_sm = 48};
    struct occupancy o;
    assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 32, .barriers = 1}, &(struct err){0}),
                     0);
    assert_int_equal(o.blocks[LIMIT_BLOCKS], chips[i].blocks);
    assert_int_equal(o.blocks[LIMIT_BARRIERS], chips[i].barriers);
  }
}

/* Each of these alone cannot be. */
static void what_no_block_has(void **state) {
  (void)state;
  static const struct occupancy_block blocks[] = {{.threads = 0},
                                                  {.threads = -1},
                                                  {.threads = 32, .registers = -1},
                                                  {.threads = 32, .smem_static = -1},
                                                  {.threads = 32, .smem_dynamic = -1}};
  static const struct device chips[] = {{.sm = 90, .smem_per_sm = 1, .warps_per_sm = 1},
                                        {.sm = 90, .regs_per_sm = 1, .warps_per_sm = 1},
                                        {.sm = 90, .regs_per_sm = 1, .smem_per_sm = 1}};
  struct device d = {.sm = 90, .regs_per_sm = 65536, .smem_per_sm = 233472, .warps_per_sm = 64};
  struct occupancy o;
  struct err e = {0};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    assert_int_equal(occupancy_of(&o, &d, &blocks[i], &e), ERR_DATA);
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
    assert_int_equal(occupancy_of(&o, &chips[i], &(struct occupancy_block){.threads = 32}, &e), ERR_DATA);
  /* 255 registers a thread and 1,024 threads are the most; 65,536 registers are a block's too. */
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 1024, .registers = 64}, &e), 0);
  assert_int_equal(o.blocks[LIMIT_REGISTERS], 1);
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 32, .registers = 255}, &e), 0);
  assert_int_equal(o.blocks[LIMIT_REGISTERS], 8);
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 32, .registers = 256}, &e), 0);
  assert_int_equal(o.blocks[LIMIT_REGISTERS], 0);
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 1}, &e), 0); /* a warp of one lane */
  assert_int_equal(o.warps_per_block, 1);
  d.smem_optin = 232448;
  assert_int_equal(occupancy_of(&o, &d, &(struct occupancy_block){.threads = 32, .smem_static = 232448}, &e), 0);
  assert_int_equal(o.blocks[LIMIT_SMEM], 1);
  assert_string_equal(occupancy_limit_name(OCCUPANCY_LIMITS), "unknown");
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
      cmocka_unit_test(each_limit),        cmocka_unit_test(the_block_of_a_launch),
      cmocka_unit_test(what_it_refuses),   cmocka_unit_test(a_chip_that_is_not_described),
      cmocka_unit_test(every_chip),        cmocka_unit_test(blocks_of_other_chips),
      cmocka_unit_test(what_no_block_has), cmocka_unit_test(the_driver_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
