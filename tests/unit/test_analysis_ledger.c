/* The ledger on a run made by hand. */
#include "analysis/ladder/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_climb.h"

#include <math.h>

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
  struct ledger l;
  struct err e = {0};
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  assert_int_equal(ledger_make(&l, &f, NULL, &e), 0);
  assert_int_equal(l.n, 3);
  assert_string_equal(l.entries[0].parent->variant->id, "a");
  assert_true(l.entries[0].spoke && fabs(l.entries[0].promised - 0.25) < 1e-9 &&
              fabs(l.entries[0].gained - 0.2) < 1e-9);
  assert_false(l.entries[1].spoke);
  assert_true(l.entries[1].promised == 0 && fabs(l.entries[1].gained + 0.1) < 1e-9);
  assert_true(fabs(l.entries[2].promised - 0.1875) < 1e-9 && fabs(l.entries[2].gained - 0.25) < 1e-9);
  assert_int_equal(l.n_scores, 2);
  const struct ledger_score *s = &l.scores[0];
  assert_string_equal(s->rule->name, "bank-conflicts");
  assert_int_equal(s->n, 3);
  assert_int_equal(s->spoke, 2);
  assert_int_equal(s->first, 2);
  assert_int_equal(s->three, 2);
  assert_false(s->correlation.present);                      /* two steps are no rank */
  assert_true(fabs(s->median_error.v + 0.00625) < 1e-9);     /* of 0.05 and -0.0625: the silent step is none of them */
  assert_true(fabs(s->median_abs_error.v - 0.05625) < 1e-9); /* of 0.05 and 0.0625 */
  assert_null(l.scores[1].rule);
  assert_int_equal(l.n_unknown, 1);
  assert_string_equal(l.unknown[0], "luck");
  ledger_release(&l);
  assert_int_equal(ledger_make(&l, &f, "other", &e), 0);
  assert_int_equal(l.n, 0);
  assert_false(l.scores[0].correlation.present);
  ledger_release(&l);
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
  struct ledger l;
  struct err e = {0};
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  assert_int_equal(ledger_make(&l, &f, NULL, &e), 0);
  assert_int_equal(l.n, 3); /* a has no parent, a note is no cure */
  assert_int_equal(l.n_unknown, 2);
  assert_string_equal(l.unknown[1], "charm");
  assert_int_equal(l.n_scores, 2);
  assert_int_equal(l.scores[1].n, 3);
  for (size_t i = 0; i < 3; i++)
    assert_true(l.entries[i].spoke && l.entries[i].place == 1);
  assert_true(fabs(l.entries[2].promised_s - 6e-6) < 1e-12 && fabs(l.entries[2].gained_s - 10e-6) < 1e-12);
  assert_true(l.scores[0].correlation.present && fabs(l.scores[0].correlation.v - 0.5) < 1e-9);
  assert_true(l.scores[1].correlation.present && fabs(l.scores[1].correlation.v - 0.5) < 1e-9);
  ledger_release(&l);
  assert_int_equal(ledger_make(&l, &f, "l", &e), 0);
  assert_int_equal(l.n, 2);
  assert_string_equal(l.scores[1].correlation.reason, "it fired at fewer than three steps");
  ledger_release(&l);
  findings_release(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(promised_against_gained), cmocka_unit_test(ranks_of_three_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
