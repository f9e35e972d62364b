/* What fills the ALU pipe: small enough to count by hand. */
#include "analysis/signs/pipe_work.h"
#include "unit/assert_float.h"
#include "unit/judged_lines.h"

static const struct {
  struct judged_case kernel;
  bool found;
  enum pipe_kind first;
  double part;
  size_t line; /* the instruction whose line is told */
  bool carried, bytes, words;
  double rotations;
} ROWS[] = {
    /* 60 and 20 of 100 shift and mask; FFMA is none of this pipe's */
    {{.also = a_line_each,
      .lines = {"SHF.R.U32.HI R3, RZ, 0x1, R2", "LOP3.LUT R5, R4, 0x1, RZ, 0xc0, !PT", "IADD3 R9, R9, R4, RZ",
                "FFMA R6, R6, R6, R6", "EXIT"},
      .executed = {60, 20, 20, 500, 1}},
     true,
     PIPE_BITS,
     0.8,
     0},
    /* 90 of 100 combine or rotate whole words, a tenth masks; with a shift in place of the rotation they are none */
    {{.also = a_line_each,
      .lines = {"LOP3.LUT R3, R3, R2, R4, 0x96, !PT", "SHF.L.W.U32.HI R8, R6, 0x14, R5",
                "LOP3.LUT R5, R4, 0xff, RZ, 0xc0, !PT", "EXIT"},
      .executed = {60, 30, 10, 1}},
     true,
     PIPE_BITS,
     1,
     0,
     .words = true,
     .rotations = 0.3},
    {{.also = a_line_each,
      .lines = {"LOP3.LUT R3, R3, R2, R4, 0x96, !PT", "SHF.R.U32.HI R8, RZ, 0x14, R5",
                "LOP3.LUT R5, R4, 0xff, RZ, 0xc0, !PT", "EXIT"},
      .executed = {60, 30, 10, 1}},
     true,
     PIPE_BITS,
     1,
     0},
    /* a predicate that was kept in a register is no comparison of a value: 30 of 50 */
    {{.also = a_line_each,
      .lines = {"P2R R27, PR, RZ, 0x4", "ISETP.NE.AND P2, PT, R27, RZ, PT", "ISETP.NE.AND P3, PT, R9, RZ, PT", "EXIT"},
      .executed = {30, 30, 20, 1}},
     true,
     PIPE_PREDICATES,
     0.6,
     1},
    /* what no high word takes up compares 32 bits */
    {{.also = a_line_each,
      .lines = {"ISETP.LT.U32.AND P0, PT, R2, R3, PT", "ISETP.LT.U32.AND P1, PT, R4, R5, PT",
                "ISETP.LT.AND.EX P2, PT, R6, R7, PT, P1", "EXIT"},
      .executed = {50, 20, 20, 1}},
     true,
     PIPE_COMPARES,
     50 / 90.0,
     0},
    /* xorshift: the state, shifted, is put to itself by an exclusive or */
    {{.also = a_line_each,
      .lines = {"IMAD.SHL.U32 R3, R2, 0x2000, RZ", "LOP3.LUT R2, R3, R2, RZ, 0x3c, !PT", "LDG.E R9, desc[UR4][R6.64]",
                "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 BRA 0x0", "EXIT"},
      .executed = {60, 60, 60, 20, 60, 1}},
     true,
     PIPE_BITS,
     60 / 80.0,
     1,
     true,
     false},
    /* what is shifted is loaded anew each time, and the sum of it is no shift */
    {{.also = a_line_each,
      .lines = {"LDG.E R2, desc[UR4][R6.64]", "SHF.R.U32.HI R3, RZ, 0xd, R2", "LOP3.LUT R4, R3, 0xff, RZ, 0xc0, !PT",
                "IADD3 R9, R9, R4, RZ", "@P0 BRA 0x0", "EXIT"},
      .executed = {60, 60, 60, 60, 60, 1}},
     true,
     PIPE_BITS,
     120 / 180.0,
     1,
     false,
     false},
    /* two of three loads are of a byte */
    {{.also = a_line_each,
      .lines = {"LDS.U8 R3, [R2]", "LDS.U8 R4, [R2+0x1]", "LDS R5, [R2+0x4]", "LOP3.LUT R7, R3, R4, R5, 0xc0, !PT",
                "ISETP.NE.AND P0, PT, R7, RZ, PT", "@P0 BRA 0x0", "EXIT"},
      .executed = {60, 60, 60, 60, 20, 60, 1}},
     true,
     PIPE_BITS,
     60 / 80.0,
     3,
     false,
     true},
    {{.lines = {"FFMA R6, R6, R6, R6", "EXIT"}, .executed = {500, 1}}, false, 0, 0, 0},
    {{.lines = {"MOV R6, R5", "EXIT"}, .executed = {500, 1}}, false, 0, 0, 0}, /* of no kind */
    {{.rule = NULL}, false, 0, 0, 0},                                          /* no code is known */
};

static void what_fills_it(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct judged j;
    struct pipe_work x;
    judged_make(&j, &ROWS[i].kernel, NULL);
    assert_int_equal(pipe_work_of(&x, &j.in), ROWS[i].found);
    if (ROWS[i].found) {
      assert_int_equal(x.first, ROWS[i].first);
      assert_float_equal(x.part[x.first], ROWS[i].part, 1e-9);
      assert_ptr_equal(x.at, &j.d.sass[ROWS[i].line]);
      assert_true(x.carried == ROWS[i].carried && x.bytes == ROWS[i].bytes && x.words == ROWS[i].words);
      assert_float_equal(x.rotations, ROWS[i].rotations, 1e-9);
    }
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_fills_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
