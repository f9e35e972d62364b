/* Samples of instructions and lines: how they are added up, sorted, and shown where a function is called. */
#include "analysis/model/hot.h"
#include "unit/long_kernel.h"

#include <math.h>

/* Line 7: instructions 0 and 1 wait 5 + 4 for loads, instruction 1 alone 6 at a barrier: 9 against 6 and 2, though no instruction has loads first
 * but one.  Line 8 only issues; at line 9 issuing is more than its one stall. */
static void a_lines_reason_is_summed_over_its_instructions(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  long_add(&k, "FADD R1, R2, R3", 7);
  long_add(&k, "FADD R4, R5, R6", 7);
  long_add(&k, "FADD R7, R8, R9", 8);
  long_add(&k, "EXIT", 9);
  long_sample(&k, 0, "long_scoreboard", 5);
  long_sample(&k, 0, "wait", 2);
  long_sample(&k, 1, "barrier", 6);
  long_sample(&k, 1, "long_scoreboard", 4);
  long_sample(&k, 2, "selected", 3);
  long_sample(&k, 3, "selected", 1);
  long_sample(&k, 3, "wait", 1);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.n_lines, 3);
  assert_int_equal(h.lines[0].line, 7);
  assert_int_equal(h.lines[0].samples, 17);
  assert_string_equal(h.lines[0].top.reason, "long_scoreboard");
  assert_int_equal(h.lines[0].top.samples, 9);
  assert_int_equal(h.lines[1].line, 9); /* of its two samples one waits, of line 8's three none */
  assert_string_equal(h.lines[1].top.reason, "wait");
  assert_int_equal(h.lines[1].waits, 1);
  assert_string_equal(h.lines[2].top.reason, "selected");
  assert_int_equal(h.lines[2].waits, 0);
  assert_int_equal(h.insts[0].at, 1); /* 10 samples, and 7 at the one before it: each is found by its place */
  assert_int_equal(h.kernels[0].insts[0], 1);
  assert_int_equal(h.kernels[0].insts[1], 0);
  hot_release(&h);
  long_release(&k);
}

/* A function of the compiler's is shown at the line that calls it, of two the one with more samples; what stands where it begins, of warps that
 * have ended, is not. */
static void functions_are_shown_at_their_calls(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  static const char call[] = "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)";
  long_init(&k, 16);
  long_add(&k, call, 7);
  long_add(&k, "@P0 BRA 0x30", 7);
  long_add(&k, call, 8);
  long_add(&k, "EXIT", 9);
  long_add(&k, "FADD R4, R5, R6", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "RET.REL.NODEC R2 `(k)", 9);
  long_sample(&k, 0, "wait", 1);
  long_sample(&k, 2, "wait", 2);
  long_sample(&k, 4, "drain", 9);
  long_sample(&k, 4, "wait", 1);
  long_sample(&k, 5, "wait", 4);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.n_lines, 3);
  assert_int_equal(h.lines[0].line, 9);
  assert_int_equal(h.lines[0].samples, 10);
  assert_int_equal(h.lines[1].line, 8);
  assert_int_equal(h.lines[1].samples, 6);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[2]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 4), &k.insts[4]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 0), &k.insts[0]);
  assert_true(fabs(hot_function_share(&h, &h.kernels[0], 0) - 5 / 17.0) < 1e-9);
  hot_release(&h);
  k.result.n_samples = 3; /* it did not run */
  hot_make(&h, &k.run, &k.result);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[5]);
  hot_release(&h);
  long_release(&k);
}

/* The only call of a function stands behind the kernel's first block, which has more samples. */
static void a_function_called_once(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  long_add(&k, "FADD R4, R5, R6", 7);
  long_add(&k, "@P0 BRA 0x30", 7);
  long_add(&k, "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", 8);
  long_add(&k, "EXIT", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "RET.REL.NODEC R2 `(k)", 9);
  long_sample(&k, 0, "wait", 9);
  long_sample(&k, 2, "wait", 1);
  long_sample(&k, 5, "wait", 4);
  hot_make(&h, &k.run, &k.result);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[2]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 3), &k.insts[3]);
  hot_release(&h);
  long_release(&k);
}

/* Samples at no instruction and in no kernel of the result are counted apart; of an instruction
 * four reasons are kept, in order. */
static void samples_are_added_up_and_sorted(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  static const struct {
    const char *reason;
    uint64_t samples;
  } at_first[] = {{"wait", 3},
                  {"selected", 1},
                  {"barrier", 7},
                  {"long_scoreboard", 5},
                  {"dispatch", 5}}; /* as many as of long_scoreboard, and later */
  long_init(&k, 16);
  long_add(&k, "FADD R1, R2, R3", 7);
  long_add(&k, "FADD R4, R5, R6", 9);
  long_add(&k, "FADD R4, R5, R6", 8);
  long_add(&k, "EXIT", 9);
  for (size_t i = 0; i < sizeof at_first / sizeof at_first[0]; i++)
    long_sample(&k, 0, at_first[i].reason, at_first[i].samples);
  long_sample(&k, 2, "wait", 6);
  long_sample(&k, 1, "wait", 6);
  long_sample(&k, 40, "wait", 9); /* behind the code */
  long_sample(&k, 0, "wait", 11);
  for (size_t i = 0; i < k.result.n_samples; i++)
    k.samples[i].not_issued = 1;
  k.samples[k.result.n_samples - 1].module = 1; /* of another module */
  k.insts[1].lines[0].source = 1;
  struct run_line inlined[2] = {{.source = -1, .line = 3}, {.source = 0, .line = 5}};
  k.insts[3].lines = inlined; /* the first is in no file that the run holds */
  k.insts[3].n_lines = 2;
  long_sample(&k, 3, "wait", 2);
  struct run_count counts[] = {{.offset = 0, .global_sectors = 8, .global_sectors_ideal = 4},
                               {.offset = 640, .global_sectors = 9, .global_sectors_ideal = 9}};
  k.result.counts = counts;
  k.result.n_counts = 2;
  hot_make(&h, &k.run, &k.result);
  assert_null(h.reason);
  assert_int_equal(h.samples, 55);
  assert_int_equal(h.unplaced, 20);
  assert_int_equal(h.kernels[0].samples, 35);
  assert_int_equal(h.n_insts, 4);
  const struct hot_inst *x = &h.insts[0];
  assert_true(x->at == 0 && x->samples == 21 && x->not_issued == 5 && x->n_reasons == HOT_REASONS);
  assert_string_equal(x->reasons[0].reason, "barrier");
  assert_string_equal(x->reasons[1].reason, "long_scoreboard");
  assert_string_equal(x->reasons[2].reason, "dispatch");
  assert_string_equal(x->reasons[3].reason, "wait");
  assert_true(h.insts[1].at == 1 && h.insts[2].at == 2); /* as many samples: in the order of the code */
  for (size_t i = 0; i < h.n_insts; i++)
    assert_int_equal(h.kernels[0].insts[h.insts[i].at], i);
  static const int sources[] = {0, 0, 1, 0}, lines[] = {7, 8, 9, 5}, samples[] = {21, 6, 6, 2};
  assert_int_equal(h.n_lines, 4);
  for (size_t i = 0; i < h.n_lines; i++) {
    assert_int_equal(h.lines[i].source, sources[i]);
    assert_int_equal(h.lines[i].line, lines[i]);
    assert_int_equal(h.lines[i].samples, samples[i]);
  }
  assert_int_equal(h.lines[0].not_issued, 5);
  assert_int_equal(h.lines[0].top.not_issued, 1);
  hot_release(&h);
  k.result.n_samples = 0;
  hot_make(&h, &k.run, &k.result);
  assert_string_equal(h.reason, "no PC samples were taken");
  hot_release(&h);
  k.result.sampling.reason = (char *)"not permitted";
  k.result.module = -1;
  hot_make(&h, &k.run, &k.result);
  assert_string_equal(h.reason, "not permitted");
  assert_int_equal(h.n_kernels, 0);
  hot_release(&h);
  k.insts[3].lines = &k.lines[3];
  long_release(&k);
}

/* SASS that no compiler wrote, two instructions at one place: its samples are counted, and placed nowhere. */
static void code_that_cannot_be_read_has_no_place(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 4);
  long_add(&k, "FADD R1, R2, R3", 1);
  long_add(&k, "EXIT", 1);
  k.insts[1].offset = 0;
  long_sample(&k, 0, "wait", 5);
  hot_make(&h, &k.run, &k.result);
  assert_int_equal(h.n_kernels, 0);
  assert_int_equal(h.samples, 5);
  assert_int_equal(h.unplaced, 5);
  hot_release(&h);
  long_release(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lines_reason_is_summed_over_its_instructions),
      cmocka_unit_test(functions_are_shown_at_their_calls),
      cmocka_unit_test(a_function_called_once),
      cmocka_unit_test(samples_are_added_up_and_sorted),
      cmocka_unit_test(code_that_cannot_be_read_has_no_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
