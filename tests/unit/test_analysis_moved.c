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

static const struct moved_case {
  enum step_group group;
  size_t offset;
  bool number; /* a double; else a struct value */
  double before, after, share_s;
  const char *says; /* "": the count went against the share, or by too little */
} CASES[] = {
    {GROUP_DRAM, VALUE(dram_bytes), 80e6, 40e6, -1, " (80 → 40 MB)"},
    {GROUP_DRAM, VALUE(dram_bytes), 80e6, 40e6, 1, ""},
    {GROUP_DRAM, VALUE(dram_bytes), 40e6, 80e6, 1, " (40 → 80 MB)"},
    {GROUP_DRAM, VALUE(dram_bytes), 80e6, 79.7e6, -1, ""}, /* less than half a percent */
    {GROUP_DRAM, VALUE(dram_bytes), 80e6, 79.5e6, -1, " (80 → 79.5 MB)"},
    {GROUP_DRAM, VALUE(dram_bytes), 2.25e6, 0.1234e6, -1, " (2.25 → 0.123 MB)"},
    {GROUP_DRAM, VALUE(dram_bytes), 123.4e6, 0, -1, " (123 → 0 MB)"},
    {GROUP_DRAM, VALUE(dram_bytes), 0, 0, -1, ""},
    {GROUP_CACHE, VALUE(bounds.work.l2_read), 80e6, 40e6, -1, " (L2 reads 80 → 40 MB)"},
    {GROUP_CACHE, VALUE(bounds.work.l2_write), 80e6, 40e6, -1, " (L2 writes 80 → 40 MB)"},
    {GROUP_CACHE, VALUE(bounds.work.l1_wavefronts), 80e6, 40e6, -1, " (80 → 40 M L1 wavefronts)"},
    {GROUP_CACHE, VALUE(bounds.work.atomic_sectors), 80e6, 40e6, -1, " (80 → 40 M atomic sectors)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.inst), 80e6, 40e6, -1, " (80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.alu), 80e6, 40e6, -1, " (ALU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.fma), 80e6, 40e6, -1, " (FMA pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.lsu), 80e6, 40e6, -1, " (LSU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.xu), 80e6, 40e6, -1, " (XU pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.tensor), 80e6, 40e6, -1, " (tensor pipe 80 → 40 M)"},
    {GROUP_INSTRUCTIONS, VALUE(bounds.work.fp64), 80e6, 40e6, -1, " (fp64 pipe 80 → 40 M)"},
    {GROUP_LOADS, VALUE(bounds.flight.warp_bytes), 512, 1024, -1, " (16 → 32 B in flight per thread)"},
    {GROUP_LOADS, VALUE(bounds.flight.warp_bytes), 1024, 512, -1, ""},
    {GROUP_LOADS, VALUE(bounds.flight.requests), 80e6, 40e6, -1, " (80 → 40 M warp-level loads)"},
    {GROUP_LOADS, VALUE(bounds.flight.latency_s), 80e-9, 40e-9, -1, " (batch latency 80 → 40 ns)"},
    {GROUP_LOADS, NUMBER(bounds.work.async_share), 0.25, 0.5, -1, " (copied asynchronously 25 → 50 % of the bytes)"},
    {GROUP_DEPENDENCIES, VALUE(bounds.work.dependencies_s), 80e-6, 40e-6, -1,
     " (80 → 40 M warp cycles of short waits)"},
    {GROUP_DEPENDENCIES, VALUE(bounds.work.barriers_s), 80e-6, 40e-6, -1, " (80 → 40 M warp cycles at barriers)"},
    {GROUP_DEPENDENCIES, VALUE(bounds.work.barriers_s), 80e-6, 40e-6, 1, " (80 → 40 M warp cycles at barriers)"},
    {GROUP_GEOMETRY, VALUE(bounds.work.warps), 1000, 2000, -1, " (1000 → 2000 resident warps)"},
    {GROUP_GEOMETRY, VALUE(bounds.work.blocks), 80, 40, 1, " (80 → 40 blocks)"},
    {GROUP_GEOMETRY, VALUE(bounds.work.blocks_per_sm), 8, 4, 1, " (8 → 4 blocks per SM)"},
    {GROUP_LAUNCH, NUMBER(bounds.work.launches), 4, 1, -1, " (4 → 1 launches)"},
    {GROUP_LAUNCH, VALUE(bounds.work.blocks), 80, 40, -1, " (80 → 40 blocks)"},
    {GROUP_BALANCE, NUMBER(bounds.work.balance), 0.5, 0.75, -1, " (50 → 75 %)"},
    {GROUP_CLOCK, VALUE(bounds.work.clock_hz), 1e9, 1.5e9, -1, " (1 → 1.50 GHz)"},
};

/* 1e9 warps at 1 kHz: a microsecond of each is a million cycles. */
static void finding_make(struct finding *f, const struct moved_case *c, double v) {
  static const struct run_result result;
  *f = (struct finding){.result = &result};
  for (int k = 0; k < RESOURCES; k++)
    f->bounds.model.share[k] = 1;
  f->bounds.work.warps = value_of(1e9);
  f->bounds.work.clock_hz = value_of(1e3);
  if (c->number)
    memcpy((char *)f + c->offset, &v, sizeof v);
  else
    *(struct value *)((char *)f + c->offset) = value_of(v);
}

static void each_by_itself(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const struct moved_case *c = &CASES[i];
    struct finding parent, child;
    struct step_at at = {.parent = &parent, .child = &child};
    struct text out = {0};
    finding_make(&parent, c, c->before);
    finding_make(&child, c, c->after);
    at.shares.seconds[c->group] = c->share_s;
    moved_add(&out, &at, c->group);
    if (strcmp(text_str(&out), c->says) != 0)
      fail_msg("case %zu: \"%s\", wanted \"%s\"", i, text_str(&out), c->says);
    assert_int_equal(moved_any(&at, c->group), *c->says != '\0');
    text_release(&out);
  }
}

/* Twice as far, or of a resource with twice the share, says more; what may go either way says
 * half as much. */
static void which_says_most(void **state) {
  (void)state;
  struct moved_case none = {.offset = offsetof(struct finding, bounds.work.alu)};
  struct finding parent, child;
  struct step_at at = {.parent = &parent, .child = &child};
  struct text out = {0};
  finding_make(&parent, &none, 80e6);
  finding_make(&child, &none, 40e6);
  parent.bounds.work.xu = value_of(80e6);
  child.bounds.work.xu = value_of(30e6);
  at.shares.seconds[GROUP_INSTRUCTIONS] = at.shares.seconds[GROUP_GEOMETRY] = -1;
  moved_add(&out, &at, GROUP_INSTRUCTIONS);
  parent.bounds.model.share[RESOURCE_XU] = child.bounds.model.share[RESOURCE_XU] = 0.5;
  moved_add(&out, &at, GROUP_INSTRUCTIONS);
  child.bounds.work.warps = value_of(2e9);
  parent.bounds.work.blocks = value_of(10);
  child.bounds.work.blocks = value_of(30);
  moved_add(&out, &at, GROUP_GEOMETRY);
  child.bounds.work.blocks = value_of(50);
  moved_add(&out, &at, GROUP_GEOMETRY);
  assert_string_equal(text_str(&out),
                      " (XU pipe 80 → 30 M) (ALU pipe 80 → 40 M) (1000000000 → 2000000000 resident warps)"
                      " (10 → 50 blocks)");
  text_release(&out);
}

static void what_changed_in_the_code(void **state) {
  (void)state;
  struct moved_case none = {.offset = offsetof(struct finding, bounds.work.smem_block)};
  struct run_result results[2] = {{.path = (char *)"mma"}, {.path = (char *)"wgmma"}};
  struct run_launch launches[2] = {{.block = {128, 1, 1}}, {.block = {256, 1, 1}}};
  struct finding ends[2];
  struct step_at at = {.parent = &ends[0], .child = &ends[1]};
  struct text out = {0};
  for (int i = 0; i < 2; i++) {
    finding_make(&ends[i], &none, i ? 2048 : 1024);
    ends[i].result = &results[i];
    ends[i].launch = &launches[i];
    ends[i].bounds.flight.warp_bytes = value_of(1024);
    ends[i].bounds.flight.warp_requests = value_of(i ? 2 : 4);
  }
  at.registers = (struct step_change){.before = value_of(32), .after = value_of(40)};
  moved_code_add(&out, &at);
  assert_string_equal(text_str(&out),
                      "; path: wgmma, registers 32 → 40, 128 → 256 threads per block, mean load 8 → 16 B "
                      "per thread, 1024 → 2048 B of shared memory per block");
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_by_itself), cmocka_unit_test(which_says_most),
                                     cmocka_unit_test(what_changed_in_the_code)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
