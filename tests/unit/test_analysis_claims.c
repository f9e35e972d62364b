#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/claims.h"
#include "unit/made_run.h"

#include <stdio.h>
#include <stdlib.h>

static const struct shape ONE = {128, 1000, 1};

/* 100 µs and 50 loads before; the child's as given. */
static void pair(struct made_run *m, double child_us, double child_inst, long child_local) {
  const double us[] = {100, child_us}, inst[] = {50, child_inst};
  made_begin(m);
  for (int i = 0; i < 2; i++) {
    made_variant(m, i ? "c" : "p", "made", i ? "p" : NULL);
    struct run_result *r = made_result(m, i ? "c" : "p", ONE);
    made_time(r, us[i] * 1e3, 4);
    made_metric(r, "inst_executed", inst[i]);
    r->n_launches = 1;
    r->launches[0] = (struct run_launch){.grid = {1, 1, 1}, .block = {32, 1, 1}, .local_bytes = i ? child_local : 0};
  }
}

/* Returns whether the test is of the time. */
static bool judged(struct made_run *m, const char *claim, enum judgement_verdict verdict, const char *found) {
  struct run_key key = {(char *)"claim", (char *)claim};
  struct findings f = {0};
  struct claims c = {0};
  struct claim_judgement j;
  struct err e = {0};
  m->variants[1].keys = &key, m->variants[1].n_keys = 1;
  assert_int_equal(findings_make(&f, &m->run, &m->device, &e), 0);
  assert_int_equal(claims_parse(&c, &m->variants[1], &e), 0);
  assert_int_equal(c.n, 1);
  assert_string_equal(c.items[0].words, "it helps");
  claim_judge(&j, &c.items[0], &f, &f.items[0], &f.items[1]);
  assert_string_equal(j.found, found);
  assert_int_equal(j.verdict, verdict);
  free(j.found);
  claims_release(&c);
  findings_release(&f);
  m->variants[1].keys = NULL, m->variants[1].n_keys = 0;
  return j.of_time;
}

static void claims_are_judged_by_ratios(void **state) {
  struct made_run m;
  (void)state;
  pair(&m, 90, 40, 0); /* ratios 0.9 and 0.8 */
  judged(&m, "it helps [test: inst < 0.85 && time < 0.95]", JUDGED_CONFIRMED, "inst ×0.80, time ×0.90");
  judged(&m, "it helps [test: inst < 0.75]", JUDGED_REFUTED, "inst ×0.80");
  judged(&m, "it helps [test: local_bytes > 0]", JUDGED_REFUTED, "local_bytes 0");
  judged(&m, "it helps", JUDGED_UNKNOWN, "the claim has no test");
  judged(&m, "it helps [test: no_such_value > 1]", JUDGED_UNKNOWN, "not collected");
  pair(&m, 90, 40, 8);
  judged(&m, "it helps [test: local_bytes > 0]", JUDGED_CONFIRMED, "local_bytes 8");
  made_metric(&m.results[0], "hit_rate", 0);
  made_metric(&m.results[1], "hit_rate", 0.288);
  judged(&m, "it helps [test: hit_rate > 0.2]", JUDGED_CONFIRMED, "hit_rate 0.29");
  pair(&m, 99.99, 40, 0); /* ±16 ns on 100 µs: the ratio is 0.9996 to 1.0002 */
  judged(&m, "it helps [test: time < 1]", JUDGED_UNCLEAR, "time ×1.00");
}

/* What grows with the time is told with it; a stall's share does not grow. */
static void a_test_of_the_time_is_one_of_all_that_changed(void **state) {
  struct made_run m;
  (void)state;
  pair(&m, 90, 40, 0);
  for (int i = 0; i < 2; i++) {
    made_metric(&m.results[i], "stall_long_scoreboard", i ? 30 : 20);
    made_metric(&m.results[i], "stall_long_scoreboard_share", 0.5);
  }
  assert_true(judged(&m, "it helps [test: time < 0.95]", JUDGED_CONFIRMED, "time ×0.90"));
  assert_true(
      judged(&m, "it helps [test: long_scoreboard > 1]", JUDGED_CONFIRMED, "long_scoreboard ×1.50, time ×0.90"));
  assert_false(judged(&m, "it helps [test: inst < 1]", JUDGED_CONFIRMED, "inst ×0.80"));
  assert_false(judged(&m, "it helps [test: stall_long_scoreboard_share > 1.05]", JUDGED_REFUTED,
                      "stall_long_scoreboard_share ×1.00"));
}

static void a_malformed_test_names_its_rung(void **state) {
  struct run_key keys[] = {{(char *)"claim", (char *)""}, {(char *)"claim", (char *)"it [test: a +]"}};
  struct run_variant v = {.id = (char *)"c", .keys = keys, .n_keys = 2};
  struct claims c;
  struct err e = {0};
  (void)state;
  assert_int_equal(claims_parse(&c, &v, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "c: claim: "));
  claims_release(&c);
  v.n_keys = 1; /* an empty one drops what was inherited */
  assert_int_equal(claims_parse(&c, &v, &e), 0);
  assert_int_equal(c.n, 0);
  claims_release(&c);
}

static void published_differs_from_measured(void **state) {
  struct made_run m;
  struct findings f = {0};
  struct err e = {0};
  struct run_published before = {.device = (char *)"B200", .what = (char *)"geomean", .time_ns = 443e3},
                       after = {.device = (char *)"B200", .what = (char *)"geomean", .time_ns = 39e3};
  struct run_key path = {(char *)"path", (char *)"sm >= 100: native"};
  (void)state;
  pair(&m, 64, 40, 0);
  m.variants[0].published = &before, m.variants[0].n_published = 1;
  m.variants[1].published = &after, m.variants[1].n_published = 1;
  m.variants[1].keys = &path, m.variants[1].n_keys = 1;
  m.results[1].path = (char *)"software";
  assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
  char *s = claims_published(&f, &m.variants[0], &m.variants[1]);
  assert_string_equal(s, "published ×0.09 (B200, geomean), here ×0.64; path here: software");
  free(s);
  after.time_ns = 443e3 * 0.66; /* ×0.66 against ×0.64 */
  assert_null(claims_published(&f, &m.variants[0], &m.variants[1]));
  findings_release(&f);
}

/* 100 and 64 µs here; of a shape that was not measured nothing is said. */
static void published_at_a_shape(void **state) {
  static const struct {
    const char *what; /* NULL: the shape that was measured */
    bool told;
  } rows[] = {{NULL, true}, {"7x7", false}};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    struct made_run m;
    struct findings f = {0};
    struct err e = {0};
    char shape[SHAPE_TEXT_MAX], told[120];
    char *what = rows[i].what ? (char *)rows[i].what : (char *)shape_text(ONE, shape);
    struct run_published before = {.device = (char *)"B200", .what = what, .time_ns = 400e3},
                         after = {.device = (char *)"B200", .what = what, .time_ns = 200e3};
    pair(&m, 64, 40, 0);
    m.variants[0].published = &before, m.variants[0].n_published = 1;
    m.variants[1].published = &after, m.variants[1].n_published = 1;
    assert_int_equal(findings_make(&f, &m.run, &m.device, &e), 0);
    char *s = claims_published(&f, &m.variants[0], &m.variants[1]);
    if (rows[i].told) {
      snprintf(told, sizeof told, "published ×0.50 (B200, %s), here ×0.64", what);
      assert_string_equal(s, told);
    } else {
      assert_null(s);
    }
    free(s);
    findings_release(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(claims_are_judged_by_ratios),
      cmocka_unit_test(a_test_of_the_time_is_one_of_all_that_changed),
      cmocka_unit_test(a_malformed_test_names_its_rung),
      cmocka_unit_test(published_differs_from_measured),
      cmocka_unit_test(published_at_a_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
