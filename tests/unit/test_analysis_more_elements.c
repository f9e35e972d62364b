/* The work of threads with several elements each, term by term. */
#include "analysis/rules/more_elements.h"
#include "analysis/signs/elements.h"
#include "unit/made_input.h"

#include <math.h>

static struct run_metric metrics[] = {{.name = (char *)"stall_wait", .present = true, .value = 0.4},
                                      {.name = (char *)"shared_wavefronts", .present = true, .value = 0.5}};
static struct run_result result = {.metrics = metrics, .n_metrics = 2};

/* 80 blocks where 20 are resident; one of each resource, of which 0.4 s are fixed latencies and half of the L1's cycles are shared memory's. */
static struct rule_input *made(struct made_input *x, const char *const *lines) {
  struct rule_input *in = input(x, lines, NULL);
  static struct run_variant variant = {.id = (char *)"made"};
  static struct run_source source = {.name = (char *)"ops.py"};
  static struct run run = {.sources = &source, .n_sources = 1};
  x->launch.grid[0] = 80;
  x->f.result = &result;
  x->f.variant = &variant;
  x->all.run = &run;
  const struct value one = value_of(1);
  in->work = (struct workload){.inst = one,
                               .alu = one,
                               .fma = one,
                               .fma_heavy = one,
                               .lsu = one,
                               .xu = one,
                               .fp64 = one,
                               .l1_wavefronts = one,
                               .loads_s = one,
                               .own_issue_s = one,
                               .dependencies_s = one,
                               .barriers_s = one,
                               .empty_s = one,
                               .blocks = value_of(80),
                               .blocks_per_sm = value_of(2),
                               .warps = one,
                               .clock_hz = one};
  x->f.bounds.work = in->work;
  return in;
}

static void is(const char *what, struct value v, double want) {
  if (fabs(v.v - want) > 1e-9)
    fail_msg("%s: %g, not %g", what, v.v, want);
}

/* A wide load is each element's, and one result of four is; of pipes that only do what is done once a quarter stays.  Batches of loads are halved at most where
 * the code does not say how many there are. */
static void term_by_term(void **state) {
  (void)state;
  static const char *const lines[] = {"S2R R5, SR_TID.X",
                                      "LOP3.LUT R9, R5, R7, RZ, 0xc0, !PT",
                                      "MUFU.RCP R8, R7",
                                      "DADD R10, R12, R14",
                                      "IMAD.WIDE R2, R5, 0x10, R16",
                                      "LDG.E.128 R4, desc[UR4][R2.64]",
                                      "FADD R6, R4, R4",
                                      "STG.E.128 desc[UR4][R2.64], R4",
                                      "EXIT",
                                      NULL};
  static struct made_input x;
  const struct rule_input *in = made(&x, lines);
  struct workload w = in->work;
  assert_true(more_elements_known(in));
  change_more_elements(in, &w);
  is("instructions", w.inst, (6 * 0.25 + 3) / 9);
  is("a warp's own", w.own_issue_s, (6 * 0.25 + 3) / 9);
  is("ALU", w.alu, 0.25);
  is("FMA", w.fma, 0.625);
  is("FMA, heavy", w.fma_heavy, 0.625);
  is("LSU", w.lsu, (0.25 + 2) / 3); /* with S2R */
  is("XU", w.xu, 0.25);
  is("fp64", w.fp64, 0.25);
  is("loads", w.loads_s, 0.5);
  is("dependencies", w.dependencies_s, 0.4 * 0.25 + 0.6 * 0.75);
  is("barriers", w.barriers_s, 0.25);
  is("L1", w.l1_wavefronts, 1 - 0.75 * 0.5);
  is("empty", w.empty_s, 0.25);
  is("blocks", w.blocks, 20);
  w = in->work;
  w.dependencies_s = value_absent("not counted");
  change_more_elements(in, &w);
  assert_false(w.dependencies_s.present);
  sass_release(&x.m.sass);
}

/* A tile of Triton's has an offset for each element, whatever a program has of them. */
static void triton_shares_nothing(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64], R4", "EXIT", NULL};
  static struct run_line line = {0, 1};
  static struct made_input x;
  const struct rule_input *in = made(&x, lines);
  assert_true(more_elements_known(in));
  x.m.insts[0].lines = &line;
  x.m.insts[0].n_lines = 1;
  assert_false(more_elements_known(in));
  sass_release(&x.m.sass);
}

/* A tile's accesses and barriers are the elements' own; what is no such kernel is left as it is. */
static void what_is_left(void **state) {
  (void)state;
  static const char *const tile[] = {"LDG.E R4, desc[UR4][R2.64]",
                                     "STS [R5], R4",
                                     "BAR.SYNC.DEFER_BLOCKING 0x0",
                                     "LDS R6, [R7]",
                                     "STG.E desc[UR4][R8.64], R6",
                                     "EXIT",
                                     NULL},
                           *const none[] = {"FADD R6, R4, R4", "EXIT", NULL};
  static struct made_input x;
  const struct rule_input *in = made(&x, tile);
  struct workload w = in->work;
  change_more_elements(in, &w);
  is("barriers", w.barriers_s, 1);
  is("L1", w.l1_wavefronts, 1);
  is("blocks", w.blocks, 20);
  sass_release(&x.m.sass);
  in = made(&x, none);
  w = in->work;
  change_more_elements(in, &w);
  is("blocks", w.blocks, 80);
  is("instructions", w.inst, 1);
  assert_false(more_elements_known(in));
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(term_by_term), cmocka_unit_test(what_is_left),
                                     cmocka_unit_test(triton_shares_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
