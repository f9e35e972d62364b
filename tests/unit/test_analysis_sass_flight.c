/* Loads in flight and summaries, worked by hand; then all SASS of the recorded run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_sass.h"

#include <math.h>

static const char *const UNROLLED[] = {
    "LDG.E.128 R4, desc[UR4][R2.64]",       /* 16 */
    "LDG.E.128 R8, desc[UR4][R2.64+0x200]", /* 32 */
    "LDG.E R12, desc[UR4][R16.64]",         /* 36 */
    "FADD R20, R20, R4",                    /* waits */
    "FADD R20, R20, R8",
    "FADD R20, R20, R12",
    "@P0 BRA 0x0",
    "EXIT",
    NULL,
};

static struct sass_flight flight_of(struct made_sass *m, const char *const *lines, size_t loop) {
  struct sass_flight f;
  made_kernel(m, lines);
  sass_flight_of(&m->sass, loop, &f);
  sass_release(&m->sass);
  return f;
}

static void assert_flight(const struct sass_flight *f, double bytes, size_t loads, size_t first_use) {
  assert_true(f->bytes_thread.present);
  if (f->bytes_thread.v != bytes || f->loads != loads || f->first_use != first_use)
    fail_msg("%g bytes of %zu loads until %zu", f->bytes_thread.v, f->loads, f->first_use);
  assert_true(f->bytes_warp.v == 32 * bytes);
}

static void an_unrolled_loop(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, UNROLLED, 0);
  assert_flight(&f, 36, 3, 3);
  assert_false(f.guarded || f.branches);
}

/* The 16 bytes asked for at the end of a turn are still on their way when the next asks for 4 more; one turn alone shows 16. */
static void a_pipelined_loop(void **state) {
  (void)state;
  static const char *const lines[] = {
      "LDG.E.128 R4, desc[UR4][R2.64]",
      "LDG.E R12, desc[UR4][R16.64]", /* 0x10: 16 + 4 */
      "FMUL R20, R12, R4",
      "LDG.E.128 R4, desc[UR4][R2.64+0x10]",
      "@P0 BRA 0x10",
      "EXIT",
      NULL,
  };
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, lines, 0);
  assert_flight(&f, 20, 2, 2);
}

/* A load into registers that nobody read is waited for where they are written again. */
static void an_overwritten_load(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "MOV R4, RZ", "LDG.E.64 R6, desc[UR4][R2.64]",
                                      "EXIT", NULL};
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, lines, SASS_NONE);
  assert_flight(&f, 8, 1, SASS_NONE);
}

static const char *const COPIES[] = {
    "MOV R5, RZ",
    "DEPBAR.LE SB0, 0x1", /* 0x10: of 40 bytes in two groups, one may stay */
    "LDS R4, [R5]",
    "LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]",
    "@P1 LDGSTS.E [R26], desc[UR10][R12.64]",
    "LDGDEPBAR",
    "@P0 BRA 0x10",
    "EXIT",
    NULL,
};

static void groups_of_async_copies(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, COPIES, 0);
  assert_flight(&f, 40, 4, 1); /* two groups of 16 + 4 */
  assert_true(f.guarded);
  struct sass_feed feeds[4];
  made_kernel(&m, COPIES);
  assert_int_equal(sass_waited_for(&m.sass, 1, feeds, 4), 2);
  assert_true(feeds[0].inst == 4 && feeds[1].inst == 3);
  sass_release(&m.sass);
}

static void bulk_copies_do_not_say_their_bytes(void **state) {
  (void)state;
  static const char *const lines[] = {
      "LDG.E R8, desc[UR4][R2.64]",
      "UBLKCP.S.G [UR22], [UR20], UR10, desc[UR4]",
      "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R5+URZ], R4",
      "@!P0 BRA 0x20",
      "FADD R9, R9, R8",
      "@P1 BRA 0x0",
      "EXIT",
      NULL,
  };
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, lines, 0);
  made_kernel(&m, lines);
  size_t outer = m.sass.blocks[0].loop;
  sass_flight_of(&m.sass, outer, &f);
  assert_false(f.bytes_thread.present || f.bytes_warp.present);
  assert_string_equal(f.bytes_thread.reason,
                      "bulk copies (UBLKCP, UTMALDG) move bytes that their instructions do not name");
  assert_int_equal(f.known_bytes, 4);
  assert_int_equal(f.bulk_copies, 1);
  struct sass_feed feed;
  assert_int_equal(sass_waited_for(&m.sass, 2, &feed, 1), 1);
  assert_int_equal(feed.inst, 1);
  assert_int_equal(sass_waited_for(&m.sass, 3, &feed, 1), 1); /* the branch waits for the poll */
  assert_int_equal(feed.inst, 2);
  struct sass_summary u;
  sass_summarise(&m.sass, &u);
  assert_int_equal(u.hot, outer); /* not the loop that only polls */
  assert_false(u.insts_per_byte.present);
  sass_release(&m.sass);
}

static void both_ways_of_a_branch(void **state) {
  (void)state;
  static const char *const lines[] = {"@P0 BRA 0x30",
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "BRA 0x40",
                                      "LDG.E.64 R6, desc[UR4][R2.64]",
                                      "FADD R4, R4, R6",
                                      "EXIT",
                                      NULL};
  static struct made_sass m;
  struct sass_flight f = flight_of(&m, lines, SASS_NONE);
  assert_flight(&f, 12, 2, 4);
  assert_true(f.branches);
}

static void summary_without_counts(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_summary u;
  made_kernel(&m, UNROLLED);
  sass_summarise(&m.sass, &u);
  assert_int_equal(u.insts, 8);
  assert_int_equal(u.classes[SASS_LOAD_GLOBAL].insts, 3);
  assert_int_equal(u.classes[SASS_FP32].insts, 3);
  assert_int_equal(u.classes[SASS_CONTROL].insts, 2);
  assert_false(u.classes[SASS_FP32].executed.present);
  assert_string_equal(u.classes[SASS_FP32].executed.reason, "no executed counts");
  assert_int_equal(u.pipes[PIPE_LSU], 3);
  assert_int_equal(u.hot, 0);
  assert_int_equal(u.stream, 0);
  assert_int_equal(u.hot_insts, 7);
  assert_true(u.stream_bytes.v == 36);
  assert_true(fabs(u.insts_per_byte.v - 7.0 / 36) < 1e-15);
  assert_int_equal(u.widest_load, 16);
  assert_int_equal(u.narrowest_load, 4);
  assert_int_equal(u.spill_loads + u.spill_stores, 0);
  assert_flight(&u.flight, 36, 3, 3);
  sass_release(&m.sass);
}

/* Loads around the loop that works on them: what a byte costs needs to know how often that turns. */
static void summary_of_loads_outside_the_hot_loop(void **state) {
  (void)state;
  static const char *const lines[] = {
      "MOV R0, RZ",
      "LDG.E.128 R4, desc[UR4][R2.64]", /* 0x10 */
      "STL [R1], R4",
      "NOP",
      "FFMA R9, R4, R5, R9", /* 0x40 */
      "@P0 BRA 0x40",
      "@P1 BRA 0x10",
      "EXIT",
      NULL,
  };
  static const double executed[] = {10, 20, 20, 20, 160, 160, 20, 10};
  static struct made_sass m;
  struct sass_summary u;
  made_kernel(&m, lines);
  sass_summarise(&m.sass, &u);
  assert_int_equal(m.sass.loops[u.hot].depth, 2);
  assert_int_equal(m.sass.loops[u.stream].depth, 1);
  assert_int_equal(u.hot_insts, 2);
  assert_false(u.insts_per_byte.present);
  assert_string_equal(u.insts_per_byte.reason, "the loads stand outside the hottest loop, and there are no counts");
  made_counts(&m, executed);
  sass_summarise(&m.sass, &u);
  assert_true(m.sass.loops[u.hot].trips.v == 8);    /* 160 / 20 */
  assert_true(m.sass.loops[u.stream].trips.v == 2); /* 20 / 10 */
  assert_true(fabs(u.insts_per_byte.v - 380.0 / 320) <
              1e-15); /* 20 + 20 + 160 + 160 + 20, without NOP; 20 loads of 16 bytes */
  assert_true(u.classes[SASS_FP32].executed.v == 160);
  assert_int_equal(u.insts, 7);
  assert_int_equal(u.spill_stores, 1);
  assert_int_equal(u.spill_loads, 0);
  sass_release(&m.sass);
}

static void check_kernel(const struct run_module *module, const struct run_kernel *k) {
  struct sass s;
  struct err e = {0};
  if (sass_make(&s, k, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < s.n; i++)
    if (!s.insts[i].known || s.insts[i].malformed)
      fail_msg("%s: %s: 0x%x: unknown: %s", module->key, k->name, s.insts[i].offset, s.insts[i].text);
  struct sass_summary u;
  sass_summarise(&s, &u);
  if (s.n_irreducible || s.indirect || u.unknown || !u.insts)
    fail_msg("%s: %s: %zu irreducible, %d indirect", module->key, k->name, s.n_irreducible, s.indirect);
  for (size_t b = 1; b < s.n_blocks; b++) /* a block that is reached has one that dominates it */
    assert_int_equal(s.blocks[b].reachable, s.blocks[b].idom != SASS_NONE);
  for (size_t i = 0; i < s.n; i++)
    if (s.insts[i].access == ACCESS_LOAD && s.insts[i].space == SPACE_GLOBAL && !s.insts[i].never) {
      size_t registers = 0; /* what a load writes is as wide as what it moves */
      for (size_t w = 0; w < s.insts[i].n_writes; w++)
        registers += s.insts[i].writes[w].count;
      assert_int_equal(registers, (s.insts[i].bytes + 3) / 4);
    }
  sass_release(&s);
}

static const struct run_kernel *recorded_kernel(const struct run *r, const char *variant, struct shape shape) {
  const struct run_result *result = run_result_find(r, variant, shape);
  assert_non_null(result);
  assert_true(result->module >= 0);
  return &r->modules[result->module].kernels[0];
}

static void assert_recorded(const struct run *r, const char *variant, size_t hot_insts, double bytes, double flight) {
  struct shape shape = {7168, 16384, 1};
  struct sass s;
  struct sass_summary u;
  assert_int_equal(sass_make(&s, recorded_kernel(r, variant, shape), NULL), 0);
  sass_summarise(&s, &u);
  if (u.hot_insts != hot_insts || u.stream_bytes.v != bytes || u.flight.bytes_thread.v != flight)
    fail_msg("%s: %zu instructions, %g bytes, %g in flight", variant, u.hot_insts, u.stream_bytes.v,
             u.flight.bytes_thread.v);
  sass_release(&s);
}

/* Read by eye.  cuda-3: the loop is 0x380 to 0x1540, 285 instructions; it asks for 2 x 16 bytes (0x3c0, 0x3e0), uses them, asks for two more
 * (0xa00, 0xa80) and then for two scales of 4.  cuda-4: 0x390 to 0x1550; all of its 4 x 16 and 2 x 4 bytes come before the first use. */
static void the_recorded_run(void **state) {
  (void)state;
  struct run r = {0};
  struct err e = {0};
  size_t insts = 0;
  if (run_load(&r, TEST_SOURCE_DIR "/recorded/h200.json.gz", &e))
    fail_msg("%s", e.text);
  for (size_t m = 0; m < r.n_modules; m++)
    for (size_t k = 0; k < r.modules[m].n_kernels; k++) {
      check_kernel(&r.modules[m], &r.modules[m].kernels[k]);
      insts += r.modules[m].kernels[k].n_sass;
    }
  assert_true(insts > 50000);
  assert_recorded(&r, "cuda-3-ptx-decode", 285, 72, 32);
  assert_recorded(&r, "cuda-4-tuned", 285, 72, 72);
  run_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_unrolled_loop),
      cmocka_unit_test(a_pipelined_loop),
      cmocka_unit_test(an_overwritten_load),
      cmocka_unit_test(groups_of_async_copies),
      cmocka_unit_test(bulk_copies_do_not_say_their_bytes),
      cmocka_unit_test(both_ways_of_a_branch),
      cmocka_unit_test(summary_without_counts),
      cmocka_unit_test(summary_of_loads_outside_the_hot_loop),
      cmocka_unit_test(the_recorded_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
