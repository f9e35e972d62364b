/* Which accesses of shared memory meet in a bank, and why. */
#include "analysis/signs/bank_places.h"
#include "unit/judged_lines.h"

/* Neighbours 8 bytes apart meet in pairs, 16 bytes apart in fours; the lane's square is a step that no number tells. */
#define LANE    "S2R R0, SR_TID.X", "IMAD R1, R0, 0x8, RZ", "IMAD R2, R0, 0x10, RZ", "IMAD R3, R0, R0, RZ"
#define TWO     "LDS R8, [R1]"
#define FOUR    "STS [R2], R9"
#define SQUARE  "LDS R10, [R3]"
#define BY_DATA "LDS R11, [R4]"
#define LOADED  "LDG.E R4, desc[UR4][R12.64]"

#define CONFLICTS(n) .set = {{"shared_bank_conflicts", n}}

static const struct {
  struct judged_case kernel;
  int line, turns; /* line: 10 and the instruction's number; 0: none */
  long step;
  bool by_data;
} ROWS[] = {
    {{.rule = NULL}, 0, 1, 0, false}, /* no code is known */
    {{.lines = {"S2R R0, SR_TID.X", "IMAD R1, R0, 0x4, RZ", TWO, "EXIT"}, .executed = {9, 9, 9, 9}}, 0, 1, 0, false},
    {{.lines = {LANE, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9}}, 14, 2, 8, false},
    {{.lines = {LANE, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9}}, 14, 4, 16, false},
    /* one turn too many of 40, three of 10, of 13 and of 14: the line with the most of them, and its step */
    {{.lines = {LANE, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 40, 10, 9}}, 14, 2, 8, false},
    {{.lines = {LANE, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 40, 13, 9}}, 14, 2, 8, false},
    {{.lines = {LANE, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 40, 14, 9}}, 15, 4, 16, false},
    {{.lines = {LANE, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 30, 10, 9}},
     14,
     2,
     8,
     false}, /* of equals the first */
    {{.lines = {LANE, FOUR, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 10, 30, 9}}, 14, 4, 16, false},
    {{.lines = {LANE, FOUR, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 14, 40, 9}}, 14, 4, 16, false},
    /* what did not run, or never does */
    {{.lines = {LANE, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 5, 0, 9}}, 14, 2, 8, false},
    {{.lines = {LANE, TWO, "@!PT STS [R2], R9", "EXIT"}, .executed = {9, 9, 9, 9, 5, 5, 9}}, 14, 2, 8, false},
    /* a place that is not known, beside one that is */
    {{.lines = {LANE, TWO, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 1, 50, 9}}, 14, 2, 8, false},
    {{.lines = {LANE, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9}}, 14, 1, 0, false},
    /* 40 of 100 that were counted: the place that is not known has most of them, or is there none */
    {{.lines = {LANE, TWO, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 40, 10, 9}, CONFLICTS(100)}, 15, 1, 0, false},
    {{.lines = {LANE, TWO, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 50, 10, 9}, CONFLICTS(100)}, 14, 2, 8, false},
    {{.lines = {LANE, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 40, 9}, CONFLICTS(100)}, 14, 2, 8, false},
    /* 40 by the steps: of 20 that were counted it may be, of 19 lanes are left out, and how many meet is not told */
    {{.lines = {LANE, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 40, 9}, CONFLICTS(20)}, 14, 2, 8, false},
    {{.lines = {LANE, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 40, 9}, CONFLICTS(19)}, 14, 1, 8, false},
    /* (lane + 3) & 63 of rows of 24 words */
    {{.lines = {"S2R R0, SR_TID.X", "IADD3 R1, R0, 0x3, RZ", "LOP3.LUT R2, R1, 0x3f, RZ, 0xc0, !PT",
                "IMAD R3, R2, 0x60, RZ", "LDS R8, [R3]", "EXIT"},
      .executed = {9, 9, 9, 9, 9, 9}},
     14,
     8,
     96,
     false},
    /* made of what was loaded, most of them or half */
    {{.lines = {LOADED, BY_DATA, "EXIT"}, .executed = {9, 9, 9}}, 11, 1, 0, true},
    {{.lines = {LOADED, LANE, BY_DATA, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 9, 10, 9, 9}}, 15, 1, 0, true},
    {{.lines = {LOADED, LANE, BY_DATA, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9, 9, 9}}, 15, 1, 0, false},
    {{.lines = {LOADED, LANE, BY_DATA, SQUARE, "EXIT"}, .executed = {9, 9, 9, 9, 9, 9, 10, 9}}, 16, 1, 0, false},
    {{.lines = {LOADED, LANE, BY_DATA, TWO, "EXIT"}, .executed = {9, 9, 9, 9, 9, 10, 9, 9}}, 16, 2, 8, false},
    {{.lines = {LOADED, BY_DATA, "EXIT"}, .executed = {9, 0, 9}}, 0, 1, 0, false},
};

static void where_accesses_meet(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct bank_places x;
    struct judged_case c = ROWS[i].kernel;
    c.also = a_line_each;
    judged_make(&j, &c, NULL);
    bank_places_of(&x, &j.in);
    int line = x.at ? x.at->lines[0].line : 0;
    if (line != ROWS[i].line || x.turns != ROWS[i].turns || x.lanes.x != ROWS[i].step || x.by_data != ROWS[i].by_data)
      fail_msg("row %zu: line %d, %d turns, step %ld, by data %d", i, line, x.turns, x.lanes.x, x.by_data);
    judged_release(&j);
  }
}

/* Each access counts once: three turns too many are more than one. */
static void of_code_alone(void **state) {
  (void)state;
  static const struct judged_case kernel = {
      .lines = {LANE, TWO, TWO, FOUR, "EXIT"}, .executed = {9, 9, 9, 9, 40, 40, 1, 9}, .also = a_line_each};
  static struct judged j;
  struct bank_places x;
  judged_make(&j, &kernel, NULL);
  j.in.sass->counted = false;
  bank_places_of(&x, &j.in);
  assert_int_equal(x.turns, 4);
  assert_int_equal(x.lanes.x, 16);
  assert_non_null(x.at);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(where_accesses_meet), cmocka_unit_test(of_code_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
