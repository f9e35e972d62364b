/* The count that says most of what moved in a group of a step's work: each by itself, with its
 * words and its scale. */
#include "analysis/ladder/moved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define VALUE(field)  offsetof(struct finding, field), false
#define NUMBER(field) offsetof(struct finding, field), true
#define SAME                                                                                                           \
  { VALUE(bounds.work.inst), 4e6, 4e6 }

static const struct moved_case {
  enum step_group group;
  struct moved_field {
    size_t offset;
    bool number; /* a double; else a struct value */
    double before, after;
  } field[2];
  double sign;      /* of the share */
  const char *says; /* "": the time does not feel the count the way of the share, or it hardly moved */
} CASES[] = {
#define DRAM(before, after)                                                                                            \
  GROUP_DRAM, {                                                                                                        \
    {VALUE(dram_bytes), before, after}, {                                                                              \
      VALUE(bounds.work.dram_read), before, after                                                                      \
    }                                                                                                                  \
  }
    {DRAM(80e6, 40e6), -1, " (80 → 40 MB)"},
    {DRAM(80e6, 40e6), 1, ""},
    {DRAM(40e6, 80e6), 1, " (40 → 80 MB)"},
    {DRAM(80e6, 79.7e6), -1, ""}, /* less than half a percent */
    {DRAM(80e6, 79.5e6), -1, " (80 → 79.5 MB)"},
    {DRAM(2.25e6, 0.1234e6), -1, " (2.25 → 0.123 MB)"},
    {DRAM(123.4e6, 0), -1, " (123 → 0 MB)"},
    {DRAM(0, 0), -1, ""},
    {GROUP_CACHE, {{VALUE(bounds.work.l2_read), 80e6, 40e6}, SAME}, -1, " (L2 reads 80 → 40 MB)"},
    {GROUP_CACHE, {{NUMBER(bounds.work.read_fill), 1, 4}, SAME}, -1, " (1 → 4 sectors per L2 read)"},
    {GROUP_CACHE, {{VALUE(bounds.work.l2_write), 80e6, 40e6}, SAME}, -1, " (L2 writes 80 → 40 MB)"},
    {GROUP_CACHE,
     {{NUMBER(bounds.work.partial_share), 0.5, 0.25}, SAME},
     -1,
     " (partly written sectors 50 → 25 % of the L2 writes)"},
    {GROUP_CACHE, {{VALUE(bounds.work.l1_wavefronts), 80e6, 40e6}, SAME}, -1, " (80 → 40 M L1 wavefronts)"},
    {GROUP_CACHE, {{VALUE(bounds.work.atomic_sectors), 80e6, 40e6}, SAME}, -1, " (80 → 40 M atomic sectors)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.inst), 80e6, 40e6}, {VALUE(dram_bytes), 0, 0}}, -1, " (80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.alu), 80e6, 40e6}, SAME}, -1, " (ALU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.fma), 80e6, 40e6}, SAME}, -1, " (FMA pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.lsu), 80e6, 40e6}, SAME}, -1, " (LSU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.xu), 80e6, 40e6}, SAME}, -1, " (XU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.tensor), 80e6, 40e6}, SAME}, -1, " (tensor pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, {{VALUE(bounds.work.fp64), 80e6, 40e6}, SAME}, -1, " (fp64 pipe 80 → 40 M)"},
#define WAITS(field, before, after)                                                                                    \
  GROUP_LOADS, {                                                                                                       \
    {field, before, after}, {                                                                                          \
      VALUE(bounds.work.loads_s), 80e-6, 40e-6                                                                         \
    }                                                                                                                  \
  }
    {WAITS(VALUE(bounds.flight.warp_bytes), 512, 1024), -1, " (16 → 32 B in flight per thread)"},
    {WAITS(VALUE(bounds.flight.warp_bytes), 512, 1024), 1, ""},
    {WAITS(VALUE(bounds.flight.requests), 80e6, 40e6), -1, " (80 → 40 M warp-level loads)"},
    {WAITS(VALUE(bounds.flight.latency_s), 80e-9, 40e-9), -1, " (unloaded load latency 80 → 40 ns)"},
    {WAITS(NUMBER(bounds.work.async_share), 0.25, 0.5), -1, " (plain loads 75 → 50 % of the bytes)"},
    /* ln(512 / 608) is a quarter of ln 2, less is none; 80 us of 1000 warps at 1 GHz. */
    {WAITS(VALUE(bounds.flight.warp_bytes), 512, 610), -1, " (16 → 19.1 B in flight per thread)"},
    {WAITS(VALUE(bounds.flight.warp_bytes), 512, 606), -1, " (80 → 40 M warp cycles of waits for loads)"},
    {WAITS(VALUE(bounds.flight.warp_bytes), 1024, 512), -1, " (80 → 40 M warp cycles of waits for loads)"},
    {GROUP_LOADS,
     {{VALUE(bounds.work.smem_block), 512, 1024}, {NUMBER(bounds.work.async_share), 0.5, 0.5}},
     -1,
     " (4.10 → 8.19 KB per SM for copies in flight)"},
    {GROUP_LOADS, {{VALUE(bounds.work.smem_block), 512, 1024}, SAME}, -1, ""}, /* nothing is copied */
    {GROUP_DEPENDENCIES,
     {{VALUE(bounds.work.dependencies_s), 80e-6, 40e-6}, SAME},
     -1,
     " (80 → 40 M warp cycles of short waits)"},
    {GROUP_DEPENDENCIES,
     {{VALUE(bounds.work.barriers_s), 80e-6, 40e-6}, SAME},
     -1,
     " (80 → 40 M warp cycles at barriers)"},
    {GROUP_DEPENDENCIES, {{VALUE(bounds.work.barriers_s), 80e-6, 40e-6}, SAME}, 1, ""},
    {GROUP_GEOMETRY, {{VALUE(bounds.work.warps), 1000, 2000}, SAME}, -1, " (1000 → 2000 resident warps)"},
    {GROUP_GEOMETRY, {{VALUE(bounds.work.warps), 1000, 2000}, SAME}, 1, ""},
    /* Of 100 SMs that hold 8 blocks each 1200 take a wave and a half; 10 hold the 1000 in one. */
    {GROUP_GEOMETRY, {{VALUE(bounds.work.blocks), 1200, 800}, SAME}, -1, " (1200 → 800 blocks)"},
    {GROUP_GEOMETRY, {{VALUE(bounds.work.blocks_per_sm), 8, 10}, SAME}, -1, " (8 → 10 blocks per SM)"},
    {GROUP_LAUNCH,
     {{NUMBER(bounds.work.launches), 4, 1}, {VALUE(bounds.work.empty_s), 8e-6, 2e-6}},
     -1,
     " (4 → 1 launches)"},
    {GROUP_LAUNCH,
     {{VALUE(bounds.work.blocks), 1200, 800}, {VALUE(bounds.work.empty_s), 80e-6, 40e-6}},
     -1,
     " (1200 → 800 blocks)"},
    {GROUP_LAUNCH, {{VALUE(bounds.work.empty_s), 80e-6, 40e-6}, SAME}, -1, " (an empty kernel 80 → 40 µs)"},
    {GROUP_BALANCE, {{NUMBER(bounds.work.balance), 0.5, 0.75}, SAME}, -1, " (50 → 75 %)"},
    {GROUP_BALANCE, {{NUMBER(bounds.work.balance), 0.5, 1}, {VALUE(bounds.work.blocks), 50, 100}}, -1, ""},
    {GROUP_CLOCK, {{VALUE(bounds.work.clock_hz), 1e9, 1.5e9}, SAME}, -1, " (1 → 1.50 GHz)"},
};

/* 100 SMs; 1 TB/s of all bytes, sectors one a request at a third of that; 1 µs a launch. */
static struct rates rates_made(void) {
  static const enum rate_kind bytes[] = {RATE_DRAM, RATE_DRAM_LOAD, RATE_L2_READ, RATE_L2_WRITE},
                              lanes[] = {RATE_ALU, RATE_FFMA, RATE_IMAD,   RATE_IMAD_HI,
                                         RATE_LSU, RATE_XU,   RATE_TENSOR, RATE_FP64};
  struct rates r = {.sms = 100, .clock_max_hz = 1e9};
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
    r.of[bytes[i]].value = 1e12;
  for (size_t i = 0; i < sizeof lanes / sizeof lanes[0]; i++)
    r.of[lanes[i]].value = 64;
  r.of[RATE_ISSUE].value = 4;
  r.of[RATE_L2_LINES].value = r.of[RATE_L2_PARTIAL].value = r.of[RATE_L2_LINE_PARTIAL].value = 1e10;
  r.of[RATE_ATOMIC_SECTORS].value = 1e12;
  r.of[RATE_DRAM_LATENCY].value = 1000;
  r.of[RATE_LAUNCH].value = 1000;
  return r;
}

static void field_set(struct finding *f, const struct moved_field *field, double v) {
  if (field->number)
    memcpy((char *)f + field->offset, &v, sizeof v);
  else
    *(struct value *)((char *)f + field->offset) = value_of(v);
}

/* 10 µs of issue slots, 40 µs of waits for loads in each of 1000 warps. */
static void finding_make(struct finding *f) {
  static const struct run_result result;
  *f = (struct finding){.result = &result};
  f->bounds.work = (struct workload){
      .inst = value_of(4e6),
      .l2_read = value_of(1e6),
      .l2_write = value_of(1e6),
      .loads_s = value_of(40e-6),
      .launches = 1,
      .balance = 1,
      .blocks = value_of(1000),
      .warps_per_block = value_of(1),
      .blocks_per_sm = value_of(8),
      .warps = value_of(1000),
      .clock_hz = value_of(1e9),
  };
}

static void each_by_itself(void **state) {
  static const double TINY = 1e-12; /* a share of which any count makes enough */
  struct rates r = rates_made();
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const struct moved_case *c = &CASES[i];
    struct finding parent, child;
    struct step_at at = {.parent = &parent, .child = &child, .rates = &r};
    struct text out = {0};
    finding_make(&parent);
    finding_make(&child);
    for (size_t k = 0; k < 2; k++) {
      field_set(&parent, &c->field[k], c->field[k].before);
      field_set(&child, &c->field[k], c->field[k].after);
    }
    at.shares.seconds[c->group] = c->sign * TINY;
    moved_add(&out, &at, c->group);
    if (strcmp(text_str(&out), c->says) != 0)
      fail_msg("case %zu: \"%s\", wanted \"%s\"", i, text_str(&out), c->says);
    assert_int_equal(moved_any(&at, c->group), *c->says != '\0');
    text_release(&out);
  }
}

/* Of 80 M instructions of the ALU half go, and of as many of the XU five eighths: the time feels the slower pipe. */
static void the_count_that_the_time_feels_is_named(void **state) {
  struct rates r = rates_made();
  struct finding parent, child;
  struct step_at at = {.parent = &parent, .child = &child, .rates = &r};
  struct text out = {0};
  (void)state;
  finding_make(&parent);
  finding_make(&child);
  parent.bounds.work.alu = parent.bounds.work.xu = value_of(80e6);
  child.bounds.work.alu = value_of(40e6);
  child.bounds.work.xu = value_of(30e6);
  at.shares.seconds[GROUP_INSTRUCTIONS] = -1e-6;
  moved_add(&out, &at, GROUP_INSTRUCTIONS);
  r.of[RATE_ALU].value = 16;
  moved_add(&out, &at, GROUP_INSTRUCTIONS);
  at.shares.seconds[GROUP_INSTRUCTIONS] = -20e-3; /* all of both took 2 ms: less than a tenth */
  moved_add(&out, &at, GROUP_INSTRUCTIONS);
  assert_string_equal(text_str(&out), " (XU pipe 80 → 30 M) (ALU pipe 80 → 40 M)");
  text_release(&out);
}

/* The loads that are outstanding at once are no fact of the code: the compiler's order of the same loads moves them. */
static void what_changed_in_the_code(void **state) {
  (void)state;
  struct run_result results[2] = {{.path = (char *)"mma"}, {.path = (char *)"wgmma"}};
  struct run_launch launches[2] = {{.block = {128, 1, 1}}, {.block = {256, 1, 1}}};
  struct finding ends[2];
  struct step_at at = {.parent = &ends[0], .child = &ends[1]};
  struct text out = {0};
  for (int i = 0; i < 2; i++) {
    finding_make(&ends[i]);
    ends[i].bounds.work.smem_block = value_of(i ? 2048 : 1024);
    ends[i].result = &results[i];
    ends[i].launch = &launches[i];
    ends[i].bounds.flight.warp_bytes = value_of(1024);
    ends[i].bounds.flight.warp_requests = value_of(i ? 2 : 4);
  }
  at.registers = (struct step_change){.before = value_of(32), .after = value_of(40)};
  moved_code_add(&out, &at);
  assert_string_equal(text_str(&out), "; path: wgmma, registers 32 → 40, 128 → 256 threads per block, "
                                      "1024 → 2048 B of shared memory per block");
  text_release(&out);
  results[1].path = NULL;
  at.registers.after = value_of(32);
  launches[1].block[0] = 128;
  ends[1].bounds.flight.warp_requests = value_of(4);
  ends[1].bounds.work.smem_block = value_of(1040); /* less than 2 % */
  moved_code_add(&out, &at);
  assert_string_equal(text_str(&out), "");
  at.registers.after = value_absent("unknown");
  ends[1].bounds.work.smem_block = value_of(1060);
  moved_code_add(&out, &at);
  assert_string_equal(text_str(&out), "; 1024 → 1060 B of shared memory per block");
  text_release(&out);
}

/* 80 to 100 M instructions in 28 and 24 of 32 lanes: ln(24/28) is over half of ln(80/100); of 200 M it is less. */
static void idle_lanes_say_why_instructions_grew(void **state) {
  (void)state;
  static const struct run_result result;
  struct derived active[2] = {{.name = "lanes_active", .value = value_of(28.0 / 32)},
                              {.name = "lanes_active", .value = value_of(24.0 / 32)}};
  struct finding ends[2];
  struct step_at at = {.parent = &ends[0], .child = &ends[1]};
  for (int far = 0; far < 2; far++) {
    struct text out = {0};
    for (int i = 0; i < 2; i++) {
      finding_make(&ends[i]);
      ends[i].result = &result;
      ends[i].derived = &active[i];
      ends[i].n_derived = 1;
      ends[i].bounds.work.inst = value_of(i ? far ? 200e6 : 100e6 : 80e6);
    }
    moved_code_add(&out, &at);
    assert_string_equal(text_str(&out), far ? "" : "; 28 → 24 lanes active");
    text_release(&out);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_by_itself), cmocka_unit_test(the_count_that_the_time_feels_is_named),
      cmocka_unit_test(what_changed_in_the_code), cmocka_unit_test(idle_lanes_say_why_instructions_grew)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
