/* What was advised before a step, on a run made by hand. */
#include "analysis/ladder/advised.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_climb.h"

#include <math.h>

struct made_advised {
  struct made_run m;
  struct findings findings;
  struct diagnoses diagnoses;
};

static struct run_key cures[] = {{(char *)"cures", (char *)"bank-conflicts"}, {(char *)"cures", (char *)"luck"}};

/* a: 100 us, a quarter of the cycles conflict; b: 80 us, 3/16 of them; c: 60 us, none; d fails. */
static void make(struct made_advised *x) {
  struct err e = {0};

  made_begin(&x->m);
  x->m.device.sms = 10;
  made_ceiling(&x->m, "dram_bw", 1e12, CEILING_MEASURED);
  made_variant(&x->m, "a", "l", NULL);
  struct run_variant *b = made_variant(&x->m, "b", "l", "a"), *c = made_variant(&x->m, "c", "l", "b"),
                     *d = made_variant(&x->m, "d", "l", "a");
  b->keys = c->keys = d->keys = cures;
  b->n_keys = c->n_keys = d->n_keys = 2;
  rung(&x->m, "a", SHAPE, 100, 0.25);
  rung(&x->m, "b", SHAPE, 80, 0.1875);
  rung(&x->m, "c", SHAPE, 60, 0);
  rung(&x->m, "d", SHAPE, 60, 0);
  rung(&x->m, "a", OTHER, 100, 0);
  x->m.run.results[3].check.verdict = VERDICT_FAILED;
  assert_int_equal(findings_make(&x->findings, &x->m.run, &x->m.device, &e), 0);
  diagnoses_make(&x->diagnoses, &x->findings);
}

static void release(struct made_advised *x) {
  diagnoses_release(&x->diagnoses);
  findings_release(&x->findings);
}

/* The step's advice at SHAPE, or at OTHER. */
static struct advised advised(const struct made_advised *x, const char *from, const char *to, struct shape shape) {
  struct step s;
  struct advised out;
  struct err e = {0};

  assert_int_equal(
      step_make(&s, &x->findings, run_variant_find(&x->m.run, from), run_variant_find(&x->m.run, to), &shape, 1, &e),
      0);
  advised_of(&out, &x->diagnoses, &s, &s.at[0]);
  step_release(&s);
  return out;
}

static bool at_other(const void *context, const struct findings *f, size_t i) {
  const struct shape *shape = context;
  return f->items[i].result->shape.m != shape->m;
}

/* What is not wanted says nothing, the others what they say among all. */
static void some_diagnoses(void **state) {
  static struct made_advised x;
  struct diagnoses some;
  size_t silent = 0;
  (void)state;
  make(&x);
  const struct shape shape = SHAPE;
  diagnoses_make_of(&some, &x.findings, at_other, &shape);
  assert_int_equal(some.n, x.findings.n);
  for (size_t i = 0; i < some.n; i++) {
    const struct diagnosis *all = &x.diagnoses.items[i];
    bool wanted = at_other(&shape, &x.findings, i);
    assert_int_equal(some.items[i].n, wanted ? all->n : 0);
    assert_true(wanted ? (some.items[i].reason != NULL) == (all->reason != NULL) : !some.items[i].reason);
    silent += !wanted && all->n > 0;
  }
  assert_int_equal(silent, 3); /* of a, b and c; d failed */
  diagnoses_release(&some);
  release(&x);
}

static void a_cure_that_leaves_the_cause(void **state) {
  static struct made_advised x;
  (void)state;
  make(&x);
  struct advised a = advised(&x, "a", "b", SHAPE);
  assert_null(a.reason);
  assert_string_equal(a.first->rule->name, "bank-conflicts");
  assert_int_equal(a.n_cures, 1); /* "luck" is no rule */
  const struct cure *c = &a.cures[0];
  assert_ptr_equal(c->before, a.first);
  assert_true(fabs(c->promised_s - 25e-6) < 1e-12); /* a quarter of 100 us */
  assert_true(fabs(c->gained_s - 20e-6) < 1e-12 && fabs(c->gained - 0.2) < 1e-9);
  assert_false(c->silent_after); /* 3/16 of b's cycles conflict still */
  release(&x);
}

static void a_cure_that_silences_the_rule(void **state) {
  static struct made_advised x;
  (void)state;
  make(&x);
  struct advised a = advised(&x, "b", "c", SHAPE);
  assert_int_equal(a.n_cures, 1);
  assert_true(fabs(a.cures[0].promised - 0.1875) < 1e-9);
  assert_true(fabs(a.cures[0].gained - 0.25) < 1e-9);
  assert_true(a.cures[0].silent_after);
  release(&x);
}

static void only_a_rung_against_its_parent_cures(void **state) {
  static struct made_advised x;
  (void)state;
  make(&x);
  struct advised a = advised(&x, "a", "c", SHAPE);
  assert_string_equal(a.first->rule->name, "bank-conflicts");
  assert_int_equal(a.n_cures, 0); /* c's parent is b */
  a = advised(&x, "a", "d", SHAPE);
  assert_int_equal(a.n_cures, 0); /* d has no time that could be gained */
  a = advised(&x, "a", "b", OTHER);
  assert_null(a.first);
  assert_string_equal(a.reason, "not run at this shape");
  assert_int_equal(a.n_cures, 0);
  release(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_diagnoses),
      cmocka_unit_test(a_cure_that_leaves_the_cause),
      cmocka_unit_test(a_cure_that_silences_the_rule),
      cmocka_unit_test(only_a_rung_against_its_parent_cures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
