/* Code that stands in several branches. */
#include "analysis/signs/same_code.h"
#include "unit/judged.h"

/* Two products of one source line, called from lines 20 and `other`; of 32 lanes so many run each. */
static const struct {
  double part; /* of six instructions that run as often */
  int source, other;
  double lanes;
  const char *first, *between;
  const char *second; /* in place of the second product; NULL: that */
  bool twice;         /* the second branch calls the line once more */
  bool turns;         /* the second branch is a loop */
} CASES[] = {
    {2 / 6.0, 0, 21, 16, "@P0 BRA 0x30", "BRA 0x50"},
    {0, 0, 20, 16, "@P0 BRA 0x30", "BRA 0x50"},                             /* of one place */
    {0, 0, 21, 32, "@P0 BRA 0x30", "BRA 0x50"},                             /* all lanes run both, or each warp one */
    {0, 0, 21, 16, "NOP", "NOP"},                                           /* in turn */
    {0, -1, 21, 16, "@P0 BRA 0x30", "BRA 0x50"},                            /* of a file that is not known */
    {0, 0, 21, 16, "@P0 BRA 0x30", "BRA 0x50", .twice = true},              /* once in one branch, twice in the other */
    {0, 0, 21, 16, "@P0 BRA 0x30", "BRA 0x50", .second = "FADD R4, R4, 3"}, /* another instruction of the line */
    {0, 0, 21, 16, "@P0 BRA 0x30", "BRA 0x50", .turns = true},              /* in a loop of its branch */
};

static struct run_line lines_of[3][2];

static void inline_both(struct made_diagnosis *d, size_t row) {
  static const size_t AT[] = {1, 3, 4};
  for (int k = 0; k < (CASES[row].twice ? 3 : 2); k++) {
    lines_of[k][0] = (struct run_line){CASES[row].source, 10};
    lines_of[k][1] = (struct run_line){0, k ? CASES[row].other + k - 1 : 20};
    d->sass[AT[k]].lines = lines_of[k];
    d->sass[AT[k]].n_lines = 2;
    d->counts[AT[k]].threads = CASES[row].lanes * 100;
  }
}

static size_t row_now;
static void inlined(struct made_diagnosis *d) {
  inline_both(d, row_now);
}

static void what_branches_share(void **state) {
  (void)state;
  for (row_now = 0; row_now < sizeof CASES / sizeof *CASES; row_now++) {
    static struct judged j;
    const struct judged_case c = {.also = inlined,
                                  .lines = {CASES[row_now].first, "FMUL R4, R4, 2", CASES[row_now].between,
                                            CASES[row_now].second ? CASES[row_now].second : "FMUL R4, R4, 3",
                                            CASES[row_now].turns ? "@P1 BRA 0x30" : "FMUL R4, R4, 5", "EXIT"},
                                  .executed = {100, 100, 100, 100, 100, 100}};
    judged_make(&j, &c, NULL);
    if (fabs(same_code_part(&j.in) - CASES[row_now].part) > 1e-9)
      fail_msg("row %zu: %g", row_now, same_code_part(&j.in));
    judged_release(&j);
  }
}

/* Both products, and little else. */
static void most_of_it(struct made_diagnosis *d) {
  row_now = 0;
  inlined(d);
}

static void what_is_said_of_it(void **state) {
  (void)state;
  static struct judged j;
  const struct rule *rule = rule_find("divergence");
  for (int most = 0; most < 2; most++) {
    const struct judged_case c = {.also = most_of_it,
                                  .lines = {"@P0 BRA 0x30", "FMUL R4, R4, 2", "BRA 0x40", "FMUL R4, R4, 3", "EXIT"},
                                  .executed = {most ? 10 : 100, 100, most ? 10 : 100, 100, most ? 10 : 100},
                                  .set = {{"inst_executed", 1000}, {"thread_inst_executed", 12000}}};
    struct told a = told_of(rule);
    judged_make(&j, &c, NULL);
    assert_true(rule->judge(&j.in, &a));
    assert_int_equal(strstr(a.remedy, "the branches run the same lines") != NULL, most);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_branches_share), cmocka_unit_test(what_is_said_of_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
