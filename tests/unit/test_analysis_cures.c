/* The score of what rungs say they cure, on a run made by hand. */
#include "analysis/ladder/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_climb.h"

#include <math.h>
#include <stdlib.h>

static void score_cures(struct score *out, const struct findings *f, const char *ladder) {
  struct label *labels;
  size_t n;
  labels_of_cures(&labels, &n, f->run, ladder);
  score_make(out, f, labels, n);
  free(labels);
}

static void promised_against_gained(void **state) {
  (void)state;
  static struct made_run m;
  static struct run_key cures = {(char *)"cures", (char *)"bank-conflicts"},
                        unknown = {(char *)"cures", (char *)"luck"};
  made_begin(&m);
  m.device.sms = 10;
  made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
  made_variant(&m, "a", "l", NULL);
  struct run_variant *b = made_variant(&m, "b", "l", "a"), *c = made_variant(&m, "c", "l", "b");
  b->keys = c->keys = &cures;
  b->n_keys = c->n_keys = 1;
  struct run_variant *d = made_variant(&m, "d", "l", "c");
  d->keys = &unknown;
  d->n_keys = 1;
  rung(&m, "a", SHAPE, 100, 0.25);  /* promises 25 us */
  rung(&m, "b", SHAPE, 80, 0.1875); /* gained 20; promises 15 us */
  rung(&m, "c", SHAPE, 60, 0);      /* gained 20 */
  rung(&m, "a", OTHER, 100, 0);     /* keeps silent */
  rung(&m, "b", OTHER, 110, 0);     /* lost 10 */
  struct findings f;
  struct score x;
  struct err e = {0};
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  score_cures(&x, &f, NULL);
  assert_int_equal(x.n, 3);
  assert_string_equal(x.entries[0].parent->variant->id, "a");
  assert_true(x.entries[0].place == 1 && fabs(x.entries[0].promised.v - 0.25) < 1e-9 &&
              fabs(x.entries[0].gained - 0.2) < 1e-9);
  assert_int_equal(x.entries[1].place, 0);
  assert_true(!x.entries[1].promised.present && fabs(x.entries[1].gained + 0.1) < 1e-9);
  assert_true(fabs(x.entries[2].promised.v - 0.1875) < 1e-9 && fabs(x.entries[2].gained - 0.25) < 1e-9);
  assert_int_equal(x.n_causes, 1);
  const struct score_row *s = &x.causes[0];
  assert_string_equal(s->cause->name, "bank-conflicts");
  assert_int_equal(s->n, 3);
  assert_int_equal(s->fired, 2);
  assert_int_equal(s->first, 2);
  assert_int_equal(s->three, 2);
  assert_false(s->correlation.present);                      /* two steps are no rank */
  assert_true(fabs(s->median_error.v + 0.00625) < 1e-9);     /* of 0.05 and -0.0625: the silent step is none of them */
  assert_true(fabs(s->median_abs_error.v - 0.05625) < 1e-9); /* of 0.05 and 0.0625 */
  assert_null(x.all.cause);
  assert_int_equal(x.all.n, 3);
  assert_int_equal(x.n_unknown, 1);
  assert_string_equal(x.unknown[0], "luck");
  score_release(&x);
  score_cures(&x, &f, "other");
  assert_int_equal(x.n, 0);
  assert_int_equal(x.n_causes, 0);
  assert_false(x.all.correlation.present);
  score_release(&x);
  findings_release(&f);
}

/* Three steps that cure, of promises 25, 18.75 and 10 % and gains of 20, 25 and 16.7 %: of ranks 3 2 1 and 2 3 1, Spearman's is 1 - 6 * 2 / 24. */
static void ranks_of_three_steps(void **state) {
  (void)state;
  static struct made_run m;
  static struct run_key cures[] = {{(char *)"cures", (char *)"bank-conflicts"},
                                   {(char *)"cures", (char *)"luck"},
                                   {(char *)"cures", (char *)"charm"},
                                   {(char *)"note", (char *)"bank-conflicts"}};
  static const double time_us[] = {100, 80, 60, 50}, conflicts[] = {0.25, 0.1875, 0.1, 0};
  static const char *const ids[] = {"a", "b", "c", "d"};
  made_begin(&m);
  m.device.sms = 10;
  made_ceiling(&m, "dram_bw", 1e12, CEILING_MEASURED);
  for (size_t i = 0; i < 4; i++) {
    struct run_variant *v = made_variant(&m, ids[i], i == 3 ? "k" : "l", i ? ids[i - 1] : NULL);
    v->keys = cures;
    v->n_keys = 4;
    rung(&m, ids[i], SHAPE, time_us[i], conflicts[i]);
  }
  struct findings f;
  struct score x;
  struct err e = {0};
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  score_cures(&x, &f, NULL);
  assert_int_equal(x.n, 3); /* a has no parent, a note is no cure */
  assert_int_equal(x.n_unknown, 2);
  assert_string_equal(x.unknown[1], "charm");
  assert_int_equal(x.n_causes, 1);
  assert_int_equal(x.all.n, 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(x.entries[i].place == 1);
  assert_true(fabs(x.entries[2].promised.v - 0.1) < 1e-9 && fabs(x.entries[2].gained - 1 / 6.0) < 1e-9);
  assert_true(x.causes[0].correlation.present && fabs(x.causes[0].correlation.v - 0.5) < 1e-9);
  assert_true(x.all.correlation.present && fabs(x.all.correlation.v - 0.5) < 1e-9);
  score_release(&x);
  score_cures(&x, &f, "l");
  assert_int_equal(x.n, 2);
  assert_string_equal(x.all.correlation.reason, "it fired at fewer than three steps");
  score_release(&x);
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(promised_against_gained), cmocka_unit_test(ranks_of_three_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
