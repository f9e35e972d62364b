/* What reports are given of a run made by hand: every rung's step or why it has none, made once. */
#include "analysis/story/story.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"

#include <math.h>

static const struct shape SHAPE = {128, 256, 1};

struct made_story {
  struct made_run m;
  struct findings findings;
  struct story story;
};

static struct run_key cures[] = {{(char *)"cures", (char *)"bank-conflicts"}};
static struct run_source sources[] = {{(char *)"a.cu", (char *)"//! id: a\nint x;\n"},
                                      {(char *)"b.cu", (char *)"//! id: b\nint y;\nint z;\n"}};

/* Of the cycles of shared memory, which take the time, this part repeats an access. */
static void rung(struct made_run *m, const char *id, double time_us, double conflicts) {
  struct run_result *r = made_result(m, id, SHAPE);

  r->bytes_minimal = 10e6;
  made_metric(r, "sm_clock_hz", 1e9);
  made_metric(r, "sm_cycles_active", 1e6);
  made_metric(r, "warps_active", 32e6);
  made_metric(r, "l1_wavefronts", 1e6);
  made_metric(r, "shared_wavefronts", conflicts * 1e6);
  made_metric(r, "shared_bank_conflicts", conflicts * 1e6);
  made_time(r, time_us * 1e3, 5);
}

/* a: 100 us; b cures its conflicts, 80 us; c's prediction cannot be read; d's parent was not run. */
static int setup(void **state) {
  static struct made_story x;
  struct err e = {0};

  made_begin(&x.m);
  x.m.device.sms = 10;
  made_ceiling(&x.m, "dram_bw", 1e12, CEILING_MEASURED);
  x.m.run.sources = sources;
  x.m.run.n_sources = 2;
  made_variant(&x.m, "a", "l", NULL)->file = (char *)"a.cu";
  struct run_variant *b = made_variant(&x.m, "b", "l", "a");
  b->file = (char *)"b.cu";
  b->keys = cures;
  b->n_keys = 1;
  made_variant(&x.m, "c", "l", "a")->predicts = (char *)"time is less";
  made_variant(&x.m, "d", "m", "gone");
  rung(&x.m, "a", 100, 0.25);
  rung(&x.m, "b", 80, 0);
  rung(&x.m, "c", 120, 0);
  rung(&x.m, "d", 50, 0);
  *state = &x;
  if (findings_make(&x.findings, &x.m.run, &x.m.device, &e) != 0) {
    print_error("%s\n", e.text);
    return -1;
  }
  story_make(&x.story, &x.findings, NULL);
  return 0;
}

static int teardown(void **state) {
  struct made_story *x = *state;

  story_release(&x->story);
  findings_release(&x->findings);
  return 0;
}

static const struct story_rung *rung_of(const struct made_story *x, const char *id) {
  return story_rung_of(&x->story, run_variant_find(&x->m.run, id));
}

static void a_step_stands_with_its_advice_and_code(void **state) {
  const struct made_story *x = *state;
  const struct story_rung *b = rung_of(x, "b");

  assert_null(b->untold);
  assert_ptr_equal(b->parent, &x->m.variants[0]);
  assert_int_equal(b->told.step.n, 1);
  assert_true(fabs(b->told.step.at[0].ratio.v - 0.8) < 1e-9);
  assert_string_equal(b->told.advised[0].first->rule->name, "bank-conflicts");
  assert_int_equal(b->told.advised[0].n_cures, 1);
  assert_int_equal(b->code.diff.removed, 1);
  assert_int_equal(b->code.diff.added, 2);
  assert_int_equal(b->climb.outcome, CLIMB_FASTER);
  assert_true(fabs(b->climb.over_parent.v - 1.25) < 1e-9);
}

static void where_there_is_no_step_it_says_why(void **state) {
  const struct made_story *x = *state;
  const struct story_rung *c = rung_of(x, "c");

  assert_string_equal(rung_of(x, "a")->untold, "it has no parent");
  assert_string_equal(rung_of(x, "d")->untold, "its parent is not in this run");
  assert_null(rung_of(x, "d")->parent);
  assert_non_null(strstr(c->untold, "time is less"));
  assert_int_equal(c->told.step.n, 0);
  assert_ptr_equal(c->parent, &x->m.variants[0]); /* its code can be compared all the same */
  assert_string_equal(c->code.reason, "the run does not hold the source of both rungs");
}

static void the_run_as_a_whole(void **state) {
  const struct made_story *x = *state;

  assert_int_equal(x->story.n_rungs, 4);
  assert_int_equal(x->story.diagnoses.n, 4);
  assert_ptr_equal(x->story.gains.findings, &x->findings); /* of no program: nothing to gain there */
  assert_int_equal(x->story.gains.n, 0);
  assert_string_equal(x->story.headline.best->id, "d");
  assert_int_equal(story_cures_of(&x->story, "l")->n, 1);
  assert_true(fabs(story_cures_of(&x->story, "l")->entries[0].gained - 0.2) < 1e-9);
  assert_int_equal(story_cures_of(&x->story, "m")->n, 0);
  assert_null(story_cures_of(&x->story, "none"));
}

static void a_step_without_diagnoses_has_no_advice(void **state) {
  const struct made_story *x = *state;
  struct story_step s;
  struct err e = {0};

  assert_int_equal(
      story_step_make(&s, &x->findings, NULL, &x->m.variants[0], &x->m.variants[1], x->findings.shapes, 1, &e), 0);
  assert_null(s.advised);
  assert_int_equal(s.step.n, 1);
  story_step_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_step_stands_with_its_advice_and_code, setup, teardown),
      cmocka_unit_test_setup_teardown(where_there_is_no_step_it_says_why, setup, teardown),
      cmocka_unit_test_setup_teardown(the_run_as_a_whole, setup, teardown),
      cmocka_unit_test_setup_teardown(a_step_without_diagnoses_has_no_advice, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
