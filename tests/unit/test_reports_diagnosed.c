/* What of a diagnosis is shown unless all is asked for: bounds, source lines, instructions and shapes, of tests/golden/small.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/text/diagnose.h"
#include "unit/small_run.h"

#include <stdio.h>
#include <string.h>

enum { SHAPES = 2 };

struct shown { /* a variant at both shapes: at 7168x16384x1 at 43 % of the speed of light, at 4096x7168x8 at 38 % */
  struct finding findings[SHAPES];
  struct diagnosis diagnoses[SHAPES];
  struct report_diagnosis items[SHAPES];
};

static void begin(struct shown *s, const struct small_run *x) {
  static const struct shape shapes[] = {{7168, 16384, 1}, {4096, 7168, 8}};
  for (size_t i = 0; i < SHAPES; i++) {
    s->findings[i] = *findings_at(&x->findings, "cuda-2-intrinsics", shapes[i]);
    diagnosis_make(&s->diagnoses[i], &x->findings, &s->findings[i]);
    s->items[i] = (struct report_diagnosis){&x->findings, &s->findings[i], &s->diagnoses[i]};
  }
}

static void end(struct shown *s) {
  for (size_t i = 0; i < SHAPES; i++)
    diagnosis_release(&s->diagnoses[i]);
}

static void told(struct text *out, const struct shown *s, size_t n, struct report_diagnose_options o) {
  text_release(out);
  report_diagnose_term(s->items, n, &o, out);
}

static void has(const struct text *t, const char *s) {
  if (!strstr(text_str(t), s))
    fail_msg("it does not say: %s\n%s", s, text_str(t));
}

static void has_not(const struct text *t, const char *s) {
  if (strstr(text_str(t), s))
    fail_msg("it says: %s\n%s", s, text_str(t));
}

/* The whole of the shape with the most to gain, and two lines for the other. */
static void shapes(void **state) {
  struct shown s;
  struct text out = {0};
  begin(&s, *state);
  told(&out, &s, 2, (struct report_diagnose_options){.lines = 8});
  assert_int_equal(strncmp(text_str(&out), "cuda-2-intrinsics at 4096×7168×8: ", 35), 0);
  has(&out, "\nmost to gain of 2 shapes: 62 % of its time is above the speed of light\n");
  has(&out, "\n\nthe other shape (whole: --shape 7168x16384x1, or --all)\n"
            "7168×16384×1: 32.00 µs, 43 % of the speed of light\n"
            "  bound: latency, 91 % of the time; [occupancy]: may save 39 % of the time\n");
  has_not(&out, "cuda-2-intrinsics at 7168");

  /* The other way round, of three. */
  struct report_diagnosis three[] = {s.items[0], s.items[1], s.items[0]};
  s.findings[0].of_sol = value_of(0.3);
  text_release(&out);
  report_diagnose_term(three, 3, &(struct report_diagnose_options){.lines = 8}, &out);
  assert_int_equal(strncmp(text_str(&out), "cuda-2-intrinsics at 7168×16384×1: ", 36), 0);
  has(&out, "\nmost to gain of 3 shapes: 70 % of its time is above the speed of light\n");
  has(&out, "\n\nother shapes (whole: --shape 4096x7168x8, or --all)\n4096×7168×8: 72.00 µs, ");

  /* Without a speed of light the longest: 72 µs, not 32; neither what binds nor advice is known of the other. */
  s.findings[0].of_sol = s.findings[1].of_sol = value_absent("no problem is declared");
  s.findings[0].bounds.binding = BOUND_KINDS;
  s.diagnoses[0].n = 0;
  told(&out, &s, 2, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nthe longest of 2 shapes, as no speed of light is known\n");
  has(&out, "\n7168×16384×1: 32.00 µs\n  no remaining cause worth 2 % or more\n");

  /* One alone, or each. */
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has_not(&out, "of 2 shapes");
  has_not(&out, "other shape");
  for (int all = 0; all < 2; all++) {
    told(&out, &s, 2, (struct report_diagnose_options){.lines = 8, .all = all, .shapes_whole = !all});
    has(&out, "cuda-2-intrinsics at 7168×16384×1: ");
    has(&out, "cuda-2-intrinsics at 4096×7168×8: ");
    has_not(&out, " of 2 shapes");
    has_not(&out, "other shape");
  }
  text_release(&out);
  end(&s);
}

/* Rows of a tenth of the time and more, what binds and no other; with all each. */
static void bounds(void **state) {
  struct shown s;
  struct text out = {0};
  begin(&s, *state);
  struct bounds *b = &s.findings[0].bounds;
  double whole = b->whole.v;
  for (int k = 0; k < BOUND_KINDS; k++)
    b->seconds[k] = value_of(0);
  b->seconds[BOUND_LATENCY] = value_of(0.2 * whole);
  b->seconds[BOUND_DRAM] = value_of(0.1 * whole);
  b->seconds[BOUND_L2] = value_of(0.099 * whole);
  b->seconds[BOUND_FMA] = value_of(0.005 * whole);
  b->seconds[BOUND_L1] = value_absent("l1_wavefronts was not collected");
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\ndram  ");
  has_not(&out, "\nl2  ");
  has_not(&out, "\nl1  ");
  has(&out,
      "\nbelow 10 %: l2 9.9 %, fma 0.50 %; none: atomics, issue, alu, lsu, xu, tensor, fp64, adu, texture, launch; "
      "unknown: l1\n");
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8, .all = true});
  has(&out, "\nl2  ");
  has(&out, "\nxu  ");
  has(&out, "  l1_wavefronts was not collected\n");
  has_not(&out, "below 10 %");

  /* What binds is shown however little it is; without a bound the rows say why. */
  b->binding = BOUND_FMA;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nfma  ");
  has(&out, "\nbelow 10 %: l2 9.9 %; none: ");
  b->binding = BOUND_KINDS;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "  l1_wavefronts was not collected\n");
  has_not(&out, "unknown: l1");
  text_release(&out);
  end(&s);
}

/* At two lines 70 and 20 % of 1000 samples wait; 10 % do not. */
static void source_lines(void **state) {
  static const char second[] = "sum = __hfma2(p, scale, sum);\n";
  struct shown s;
  struct text out = {0};
  begin(&s, *state);
  struct hot_line *lines = s.diagnoses[0].hot.lines;
  assert_in_range(s.diagnoses[0].hot.n_lines, 2, 3);
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, second); /* 78 % of the waits are not most */
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 1});
  has_not(&out, second);
  lines[0].waits = 800;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has_not(&out, second);
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 1, .all = true});
  has(&out, second);
  lines[0].waits = 500;
  lines[1].waits = 29;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has_not(&out, second);
  s.diagnoses[0].hot.issued_on = "the ALU pipe"; /* 3 % of the instructions are worth a line, whatever waits there */
  lines[0].issued = 0.75;
  lines[1].issued = 0.03;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nthe ALU pipe binds: lines are ordered by the instructions that they issue there\n");
  has(&out, "\n          75     50  ");
  has(&out, second);
  text_release(&out);
  end(&s);
}

/* Of 1000 samples at five instructions 600 wait at the first, 200 at the second. */
static void instructions(void **state) {
  static const char none[] = "\nno instruction has 3 % of the samples (all: --all)\n";
  struct shown s;
  struct text out = {0};
  begin(&s, *state);
  struct hot *h = &s.diagnoses[0].hot;
  assert_int_equal(h->n_insts, 5);
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nhottest instructions, 80 % of the samples (more: --all), and what they wait for\n"
            "  60 % long_scoreboard 0x0030 PRMT R14, R4, 0x7770, RZ (cuda/2-intrinsics.cu:6)\n"
            "       for LDG.E.128.CONSTANT R4, desc[UR4][R2.64] (16 bytes per lane) at common/load.cuh:2 in "
            "cuda/2-intrinsics.cu:4\n"
            "  20 % wait 0x0050 HFMA2 R17, R15, R18, R17 (cuda/2-intrinsics.cu:7)\n");
  has_not(&out, "HMUL2");
  has_not(&out, "kernel gemv");
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8, .all = true});
  has(&out, "\nhottest instructions, 80 % of the samples, and what they wait for\n");
  has(&out, "\nkernel gemv: all instructions\n");
  has(&out, "HMUL2");

  /* Down to 3 %; where that is not reached, none. */
  static const uint64_t samples[] = {300, 30, 29, 10, 1};
  for (size_t i = 0; i < 5; i++)
    h->insts[i].waits = samples[i];
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nhottest instructions, 33 % of the samples (more: --all)");
  has_not(&out, "  3 % not_selected");
  h->insts[0].waits = 29;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, none);
  for (size_t i = 0; i < 5; i++)
    h->insts[i].waits = 30;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "\nhottest instructions, 15 % of the samples");

  /* Of several kernels, whose. */
  struct hot_kernel *kernels = h->kernels, two[] = {kernels[0], kernels[0]};
  h->kernels = two;
  h->n_kernels = 2;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "0x0030 PRMT R14, R4, 0x7770, RZ (cuda/2-intrinsics.cu:6, kernel gemv)\n");
  two[1].samples = 0;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "0x0030 PRMT R14, R4, 0x7770, RZ (cuda/2-intrinsics.cu:6)\n");
  h->kernels = kernels;
  h->n_kernels = 1;

  /* Samples behind the EXIT are of warps that have ended: it is the EXIT that is shown, with its line. */
  struct sass_inst *sass = kernels[0].sass.insts, before = sass[4];
  snprintf(sass[4].opcode, sizeof sass[4].opcode, "EXIT");
  h->insts[1].feeds[0] = (struct sass_feed){.inst = 3, .wait = WAIT_STORES};
  h->insts[1].n_feeds = 1;
  told(&out, &s, 1, (struct report_diagnose_options){.lines = 8});
  has(&out, "% wait 0x0040 HMUL2 R15, R14, R16 (cuda/2-intrinsics.cu:6)\n       for ");
  sass[4] = before;
  text_release(&out);
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(bounds), cmocka_unit_test(source_lines),
                                     cmocka_unit_test(instructions)};
  return cmocka_run_group_tests(tests, small_run_setup, small_run_teardown);
}
