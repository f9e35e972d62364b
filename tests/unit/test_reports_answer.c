/* What the first screen says of runs made by hand: of several variants, of one and its step, of a first advice, of what must not be missed. */
#include "reports/text/report.h"
#include "reports/words/view.h"
#include "unit/answered.h"

/* a1: sqrt(50 * 200) = 100 us; 10 of 50 and of 200 us are 20 and 5 %, in the mean 10; of a read's 25 and 100 us half. */
static void several_variants(void **state) {
  static const struct report_answer_options named = {.run_file = "r.json"}, unnamed = {0};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  tell(&x, &named, &out);
  has(&out, "\n3 variants, geometric mean of 2 shapes\nvariant   time       ±   SOL  read\n");
  has(&out, "\na1       100.0   0.016  10.0  50.0\n");
  has(&out, "\nb1       120.0   0.014  8.33  41.7\n");
  has(&out, "\na0       400.0  0.0041  2.50  12.5\n");
  has(&out, "\nfastest   a1, 100.0 µs, geometric mean of 2 shapes\n");
  has(&out, "\nhow close 10 % of the speed of light, 50 % of a pure read of the same bytes\n");
  has(&out, "\nbound     unknown: no counters, or no rates of this device\n");
  has(&out, "\nnext      nvfp4-prof explain r.json --ladder a\n");
  lacks(&out, "Notes");
  tell(&x, &unnamed, &out);
  has(&out, "\nnext      nvfp4-prof explain --ladder a\n");
  tell(&x, &(struct report_answer_options){.quiet = true}, &out);
  assert_memory_equal(text_str(&out), "fastest   a1, ", 14);
  end(&x);
  x.m.run.variants[2].ladder = (char *)"a"; /* without a parent of its own there is no step to explain */
  x.m.run.variants[1].parent = NULL;
  find(&x, NULL);
  tell(&x, &unnamed, &out);
  has(&out, "\nnext      nvfp4-prof diagnose --variant a1\n");
  end(&x);
  text_release(&out);
}

/* b's kernels are of a problem of twice the bytes: what takes the longest is named, of each ladder the best. */
static void ladders_of_several_problems(void **state) {
  static const bool of_a[MADE_VARIANTS] = {true, true};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  for (size_t i = 0; i < x.m.run.n_results; i++)
    x.m.run.results[i].bytes_minimal *= x.m.run.results[i].variant == 2 ? 2 : 1;
  find(&x, NULL);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nThe best of each ladder (3 rungs timed), geometric mean of 2 shapes\n");
  has(&out, "\nb1      120.0 ");
  has(&out, "\na1      100.0 ");
  lacks(&out, "\na0 ");
  has(&out, "\nlongest   b1, 120.0 µs, geometric mean of 2 shapes\n");
  text_release(&out);
  view_sol(&x.findings, ONE, &out);
  is(&out, "SOL: the minimal bytes of each variant's problem / 1.000 TB/s DRAM (datasheet)");
  end(&x);
  find(&x, of_a); /* the other problem is not asked about */
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nfastest   a1, 100.0 µs, ");
  has(&out, "\na0       400.0 ");
  end(&x);
  text_release(&out);
}

static void ties_are_named(void **state) {
  static const char *const ids[] = {"t1", "t2", "t3"};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  for (size_t i = 0; i < 3; i++) {
    made_variant(&x.m, ids[i], "t", NULL)->side = i == 0;
    at_both(&x, ids[i], 50.01, 200.01);
    find(&x, NULL);
    tell(&x, &(struct report_answer_options){0}, &out);
    has(&out, i == 0   ? "\nfastest   a1, 100.0 µs, geometric mean of 2 shapes; tied with t1\n"
              : i == 1 ? "\nfastest   a1, 100.0 µs, geometric mean of 2 shapes; tied with t1, t2\n"
                       : "\nfastest   a1, 100.0 µs, geometric mean of 2 shapes; tied with t1, t2 and 1 more\n");
    has(&out, "  tied, side step\n");
    end(&x);
  }
  text_release(&out);
}

/* a1 is four times as fast as a0 at both shapes. */
static void one_variant_and_its_step(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true}, b1[MADE_VARIANTS] = {[2] = true}, a0[MADE_VARIANTS] = {true};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, a1);
  tell(&x, &(struct report_answer_options){.run_file = "r.json"}, &out);
  has(&out, "\na1, a step from a0: unroll by 4\nshape       time       ±   SOL  read\n");
  has(&out, "\n128×256×1  50.00   0.032  20.0  50.0\n");
  has(&out, "\n256×256×1  200.0  0.0080  5.00  50.0\n");
  has(&out, "\ntime      a1, 100.0 µs, geometric mean of 2 shapes; check: pass\n");
  has(&out, "\nstep      400.0 µs → 100.0 µs against a0: 4.0 times faster.");
  has(&out, "\nnext      nvfp4-prof diagnose r.json --variant a1\n");
  tell(&x, &(struct report_answer_options){.quiet = true}, &out);
  lacks(&out, "\nstep ");
  end(&x);
  find(&x, b1);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nb1, a step from gone\n");
  has(&out, "\nstep      unknown: gone was not measured in this run\n");
  end(&x);
  find(&x, a0);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\na0\n");
  lacks(&out, "\nstep ");
  end(&x);
  begin(&x);
  x.m.run.n_results = 0;
  timed(&x, "a0", ONE, 200);
  timed(&x, "a1", ONE, 50);
  find(&x, a1);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ntime      a1, 50.00 µs at 128×256×1; check: pass\n");
  has(&out, "\nstep      128×256×1: a1 is 4.0× faster than a0 (200 → 50.0 µs): ");
  end(&x);
  text_release(&out);
}

/* What binds is the model's word for it, and its trust: 0.5 to 2 times the measured time. */
static void how_far_the_model_is_trusted(void **state) {
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  find(&x, NULL);
  x.answer.rows[0].binding = BOUND_DRAM;
  x.answer.rows[0].bound_share = 0.75;
  x.answer.rows[0].explained = value_of(2);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "75 % of the time (model: 100 % above the measured time)\n");
  has(&out, "dram 75 %\n");
  x.answer.rows[0].explained = value_of(0.5);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "(model: 50 % below the measured time)\n");
  x.answer.rows[0].explained = value_of(2.5);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "by the model, which does not fit this kernel: modelled 2.5 times\n          the measured time\n");
  x.answer.rows[0].explained = value_of(0.4);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "by the model, which does not fit this kernel: modelled 0.40 times\n          the measured time\n");
  end(&x);
  text_release(&out);
}

static void a_first_advice(void **state) {
  static const bool a1[MADE_VARIANTS] = {[1] = true};
  static const struct rule rule = {.name = "made", .title = "a made cause"};
  static struct advice advice = {
      .rule = &rule,
      .told.evidence = {{"grid", "block", {true, 56, NULL}}, {"hits", "ratio", {true, 0.2, NULL}}},
      .told.n_evidence = 2,
      .told.sentence = "what is wrong",
      .told.remedy = "do this",
      .price.saves_s = 20e-6};
  static struct run_source source = {(char *)"k.cu", (char *)"one\n  two;\n"};
  static struct hot_line line = {.source = 0, .line = 2, .samples = 30, .waits = 30};
  struct answered x;
  struct diagnosis d = {.items = &advice, .n = 1};
  struct text out = {0};
  (void)state;
  begin(&x);
  x.m.run.sources = &source;
  x.m.run.n_sources = 1;
  find(&x, a1);
  d.finding = findings_at(&x.findings, "a1", TWO);
  d.hot = (struct hot){.run = &x.m.run, .lines = &line, .n_lines = 1, .samples = 40};
  x.answer.first = &d;
  x.answer.first_share = 0.1;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ndo        a made cause: may save 10 % of the time at 256×256×1; do this\n");
  has(&out, "\nevidence  grid 56 blocks; hits 20 %\n");
  has(&out, "\nhottest   k.cu:2, 75 % of the samples: two;\n");
  source.text = (char *)"";
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nhottest   k.cu:2 (text not found), 75 % of the samples\n");
  line.source = -1;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nhottest   line 2 of a file that the run does not name, 75 % of the samples\n");
  line.source = 0;
  d.hot.issued_on = "the ALU pipe";
  line.issued = 0.6;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nhottest   k.cu:2 (text not found), 60 % of the instructions\n");
  d.hot.issued_on = NULL;
  d.hot.samples = 301; /* of which 30 are under a tenth */
  tell(&x, &(struct report_answer_options){0}, &out);
  lacks(&out, "\nhottest");
  d.hot.samples = 0;
  advice.told.n_evidence = 0;
  tell(&x, &(struct report_answer_options){0}, &out);
  lacks(&out, "\nhottest");
  lacks(&out, "\nevidence");
  end(&x);
  find(&x, NULL); /* of several, the advice alone; and what follows is to look at it */
  d.finding = findings_at(&x.findings, "a1", TWO);
  x.answer.first = &d;
  advice.told.n_evidence = 2;
  d.hot.samples = 40;
  tell(&x, &(struct report_answer_options){0}, &out);
  lacks(&out, "\nhottest");
  lacks(&out, "\nevidence");
  has(&out, "\nnext      nvfp4-prof diagnose --variant a1\n");
  x.answer.first = NULL;
  x.answer.no_advice = NULL;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ndo        no remaining cause worth 2 % or more\n");
  x.answer.no_advice = "no counters";
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ndo        collect counters: without them no bound is known\n");
  x.answer.named = &advice;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ndo        a made cause: do this\n");
  /* At its roof; and another kernel is the one to begin with. */
  struct diagnosis *own = x.answer.diagnoses;
  size_t n_own = x.answer.n_diagnoses;
  advice.told.stop = true;
  x.answer.diagnoses = &d;
  x.answer.n_diagnoses = 1;
  x.answer.gain = (struct answer_gain){&x.answer.rows[1], d, 0.5, 0.2};
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\ndo        do this; it is a made cause\n"
            "more gain b1: a made cause: may save 50 % of its time, 20 % of the program's GPU\n"
            "          time; do this\n"
            "next      nvfp4-prof diagnose --variant b1\n");
  advice.told.stop = false;
  x.answer.diagnoses = own;
  x.answer.n_diagnoses = n_own;
  x.answer.gain = (struct answer_gain){0};
  end(&x);
  text_release(&out);
}

static void many_variants_have_a_row_a_ladder(void **state) {
  static char ids[11][16];
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  for (int i = 0; i < 10; i++) {
    snprintf(ids[i], sizeof ids[i], "m%d", i);
    made_variant(&x.m, ids[i], "m", NULL);
    at_both(&x, ids[i], 300 + i, 1200 + i);
  }
  find(&x, NULL);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\nThe best of each ladder (13 rungs timed), geometric mean of 2 shapes\n");
  has(&out, "\nm0 ");
  lacks(&out, "\nm1 ");
  end(&x);
  text_release(&out);
}

static void what_must_not_be_missed(void **state) {
  static char *notes[] = {(char *)"note 1", (char *)"note 2", (char *)"note 3", (char *)"note 4"};
  static char ids[6][16];
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  x.m.run.partial = true;
  x.m.run.notes = notes;
  x.m.run.n_notes = 2;
  for (int i = 0; i < 6; i++) {
    struct run_result *r;
    snprintf(ids[i], sizeof ids[i], "f%d", i);
    made_variant(&x.m, ids[i], "f", NULL);
    for (int k = 0; k < 1 + (i == 1); k++) {
      r = made_result(&x.m, ids[i], k ? TWO : ONE);
      r->check.verdict = i ? VERDICT_FAILED : VERDICT_WRONG;
      r->check.cause = (char *)(i ? NULL : "nibbles");
      r->check.reason = (char *)"it crashed";
    }
  }
  find(&x, NULL);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\n\nNotes\n- the run is partial: it was interrupted\n"
            "- f0: wrong: nibbles at 1 shape: it crashed\n- f1: failed at 2 shapes: it crashed\n"
            "- f2: failed at 1 shape: it crashed\n- f3: failed at 1 shape: it crashed\n"
            "- 2 more variants with a note of their own\n- note 1\n- note 2\n");
  lacks(&out, "--table shows them");
  x.m.run.partial_reason = (char *)"the GPU fell off the bus";
  x.m.run.n_notes = 4;
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\n- the run is partial: the GPU fell off the bus\n");
  has(&out, "- note 2\n- 2 more: --table shows them\n");
  lacks(&out, "note 3");
  tell(&x, &(struct report_answer_options){.quiet = true}, &out);
  lacks(&out, "Notes");
  end(&x);
  text_release(&out);
}

/* A control that computes no C is unchecked, for which there is a reason, and nothing is wrong. */
static void a_control_that_is_not_checked(void **state) {
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  for (size_t i = 0; i < x.m.run.n_results; i++) {
    struct run_check *c = &x.m.run.results[i].check;
    c->verdict = VERDICT_UNCHECKED;
    c->reason = (char *)"it computes no C";
  }
  find(&x, (const bool[]){false, false, false, true});
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "control-read");
  lacks(&out, "unchecked at");
  lacks(&out, "null");
  end(&x);
  text_release(&out);
}

static void nothing_was_timed(void **state) {
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  x.m.run.n_results = 0;
  made_result(&x.m, "a0", ONE)->check.verdict = VERDICT_FAILED;
  made_result(&x.m, "a1", ONE)->check.verdict = VERDICT_FAILED;
  find(&x, NULL);
  tell(&x, &(struct report_answer_options){0}, &out);
  has(&out, "\n0 variants at 128×256×1\n\nNo variant has a time at every shape.\n");
  end(&x);
  text_release(&out);
}

static void faults_and_notes_below_the_tables(void **state) {
  static char *notes[] = {(char *)"note 1"};
  struct answered x;
  struct text out = {0};
  (void)state;
  begin(&x);
  x.m.run.partial = true;
  x.m.run.notes = notes;
  x.m.run.n_notes = 1;
  made_variant(&x.m, "f", "a", NULL);
  for (int k = 0; k < 2; k++) {
    struct run_result *r = made_result(&x.m, "f", k ? TWO : ONE);
    r->check.verdict = VERDICT_FAILED;
    r->check.reason = (char *)"it crashed";
  }
  made_variant(&x.m, "w", "wrong", NULL)->wrong = true;
  made_result(&x.m, "w", ONE)->check.verdict = VERDICT_PASS;
  find(&x, NULL);
  report_tables_term(&x.findings, &(struct report_term_options){.width = 0}, &out);
  has(&out, "\n1 more shape: --all-shapes\n");
  has(&out, "\n\nWithout a result\n- f: failed at 128×256×1, 256×256×1: it crashed\n");
  has(&out,
      "\n\nRungs that must be refused\n- w: NOT REFUSED at 128×256×1: the check let a wrong result pass: do not trust this "
      "run's verdicts\n");
  has(&out, "\n\nNotes\n- the run is partial: it was interrupted\n- note 1\n");
  text_release(&out);
  x.m.run.partial = false;
  x.m.run.n_notes = 0;
  report_tables_term(&x.findings, &(struct report_term_options){.all_shapes = true}, &out);
  lacks(&out, "Notes");
  lacks(&out, "--all-shapes");
  text_release(&out);
  end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(several_variants),
      cmocka_unit_test(ladders_of_several_problems),
      cmocka_unit_test(ties_are_named),
      cmocka_unit_test(one_variant_and_its_step),
      cmocka_unit_test(how_far_the_model_is_trusted),
      cmocka_unit_test(a_first_advice),
      cmocka_unit_test(many_variants_have_a_row_a_ladder),
      cmocka_unit_test(what_must_not_be_missed),
      cmocka_unit_test(a_control_that_is_not_checked),
      cmocka_unit_test(nothing_was_timed),
      cmocka_unit_test(faults_and_notes_below_the_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
