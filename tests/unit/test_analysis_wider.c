/* Which global accesses could be wider, and by what. */
#include "analysis/signs/wider.h"
#include "unit/made_input.h"

#include <stdlib.h>

/* Of every line: '.' it could not be wider, or what is beside it is not known, 'b' the lane's next elements lie beside it, 'l' the neighbouring lane's, 'r'
 * the same, and a turn of the loop goes to another row. */
static void wider_text(char *out, const struct rule_input *in) {
  unsigned char *of = wider_make(in);
  assert_non_null(of);
  size_t i = 0;
  for (; i < in->sass->n; i++)
    out[i] = ".blr"[of[i]];
  out[i] = '\0';
  free(of);
}

#define LANE(address) "LDC.64 R8, c[0x0][0x210]", "S2R R5, SR_TID.X", address

static const struct {
  const char *is;
  const char *lines[10];
} CASES[] = {
    {"...l.", {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    {"...l.", {LANE("IMAD.WIDE R2, R5, 0x8, R8"), "LDG.E.64 R10, desc[UR4][R2.64]", "EXIT"}},
    {".....", {LANE("IMAD.WIDE R2, R5, 0x10, R8"), "LDG.E.128 R12, desc[UR4][R2.64]", "EXIT"}},
    {"...l.", {LANE("IMAD.WIDE R2, R5, 0x2, R8"), "STG.E.U16 desc[UR4][R2.64], R7", "EXIT"}},
    {".....", {LANE("IMAD.WIDE R2, R5, 0x8, R8"), "LDG.E R4, desc[UR4][R2.64]", "EXIT"}}, /* every second element */
    {".....", {LANE("IMAD.WIDE R2, R5, 0x0, R8"), "LDG.E R4, desc[UR4][R2.64]", "EXIT"}}, /* one for all lanes */
    {".....", {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDS R4, [R2]", "EXIT"}},               /* of shared memory */
    {".....", {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "@!PT LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    /* an element beside it, by the same width, in the same block of code, and of the same kind */
    {"bb.", {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x4]", "EXIT"}},
    {"bb.", {"LDG.E.64 R4, desc[UR4][R2.64+0x20]", "LDG.E.64 R6, desc[UR4][R2.64+0x18]", "EXIT"}},
    {"bb.", {"STG.E desc[UR4][R2.64+0x8], R4", "STG.E desc[UR4][R2.64+0x4], R5", "EXIT"}},
    {"...", {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R2.64+0x8]", "EXIT"}},
    {"...", {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R5, desc[UR4][R6.64+0x4]", "EXIT"}},
    {"...", {"LDG.E R4, desc[UR4][R2.64]", "LDG.E.U16 R5, desc[UR4][R2.64+0x4]", "EXIT"}},
    {"...", {"LDG.E.128 R4, desc[UR4][R2.64]", "LDG.E.128 R8, desc[UR4][R2.64+0x10]", "EXIT"}},
    {"...", {"LDG.E R4, desc[UR4][R2.64]", "STG.E desc[UR4][R2.64+0x4], R4", "EXIT"}},
    /* or in the next one, which runs as often */
    {"b.b.", {"LDG.E R4, desc[UR4][R2.64]", "@P0 BRA 0x30", "LDG.E R5, desc[UR4][R2.64+0x4]", "EXIT"}},
    {".....", {"LDG.E R4, desc[UR4][R2.64]", "MOV R2, R6", "@P0 BRA 0x40", "LDG.E R5, desc[UR4][R2.64+0x4]", "EXIT"}},
    {".bb.", {"@P0 BRA 0x30", "LDG.E R5, desc[UR4][R2.64+0x4]", "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    /* looked up, in line or not: by an index of the lane's that was loaded.  A store's may be read and still be in line */
    {"...l...",
     {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]", "IMAD.WIDE R6, R4, 0x4, R10",
      "LDG.E R7, desc[UR4][R6.64]", "EXIT"}},
    {".....",
     {"LDG.E.128 R12, desc[UR4][R14.64]", "S2R R5, SR_TID.X", "IMAD.WIDE R2, R5, 0x4, R12",
      "LDG.E R4, desc[UR4][R2.64]", "EXIT"}},
    /* a turn of the loop takes the lane to its next element, over the grid, or to another row */
    {"...b...",
     {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "@P0 BRA 0x30",
      "EXIT"}},
    {"b....",
     {"LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x4, RZ", "IADD3 R6, R6, 0x1, RZ", "@P0 BRA 0x0", "EXIT"}},
    {"...l...",
     {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x400, RZ",
      "@P0 BRA 0x30", "EXIT"}},
    {"...r...",
     {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x600, RZ",
      "@P0 BRA 0x30", "EXIT"}},
    {".......",
     {LANE("IMAD.WIDE R2, R5, 0x8, R8"), "LDG.E R4, desc[UR4][R2.64]", "IADD3 R2, P1, PT, R2, 0x600, RZ",
      "@P0 BRA 0x30", "EXIT"}},
};

static void what_could_be_wider(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_input x;
    char text[MADE_INSTS + 1];
    wider_text(text, input(&x, CASES[i].lines, NULL));
    if (strcmp(text, CASES[i].is) != 0)
      fail_msg("row %zu: %s", i, text);
    sass_release(&x.m.sass);
  }
}

/* A block that 9 of 10 warps pass may be one that all do, by samples; of 100 that 89 pass is not. */
static void pieces_in_two_blocks(void **state) {
  (void)state;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "@P0 BRA 0x30", "LDG.E R5, desc[UR4][R2.64+0x4]",
                                      "EXIT", NULL};
  for (int passed = 89; passed <= 90; passed++) {
    static struct made_input x;
    char text[MADE_INSTS + 1];
    const double executed[] = {100, 100, passed, 100};
    wider_text(text, input(&x, lines, executed));
    assert_string_equal(text, passed == 90 ? "b.b." : "....");
    sass_release(&x.m.sass);
  }
}

static const char *const IN_LINE[] = {LANE("IMAD.WIDE R2, R5, 0x4, R8"), "LDG.E R4, desc[UR4][R2.64]",
                                      "STG.E.64 desc[UR4][R6.64], R10", "EXIT", NULL};

/* 10 SMs hold 4 blocks each: a quarter of 160 blocks still fills them, a quarter of 159 does not. */
static void lanes_that_can_be_spared(void **state) {
  (void)state;
  static const struct {
    double blocks, blocks_per_sm;
    const char *is;
  } rows[] = {{160, 4, "...l.."}, {159, 4, "......"}, {0, 4, "...l.."},   {1, 0, "...l.."},
              {4, 0.1, "...l.."}, {3, 0.1, "......"}, {1, 0.01, "...l.."}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    char text[MADE_INSTS + 1];
    struct rule_input *in = input(&x, IN_LINE, NULL);
    in->work.blocks = value_of(rows[i].blocks);
    in->work.blocks_per_sm = value_of(rows[i].blocks_per_sm);
    wider_text(text, in);
    if (strcmp(text, rows[i].is) != 0)
      fail_msg("row %zu: %s", i, text);
    sass_release(&x.m.sass);
  }
}

/* A loop over the grid makes fewer turns: of 10 a warp there are enough for a quarter of 16 blocks of 8 warps to fill 40, of 9 there are not. */
static void turns_that_can_be_spared(void **state) {
  (void)state;
  static const char *const lines[] = {LANE("IMAD.WIDE R2, R5, 0x4, R8"),
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "IADD3 R2, P1, PT, R2, 0x400, RZ",
                                      "@P0 BRA 0x30",
                                      "EXIT",
                                      NULL};
  for (int turns = 9; turns <= 10; turns++) {
    static struct made_input x;
    char text[MADE_INSTS + 1];
    const double n = turns * 128, executed[] = {128, 128, 128, n, n, n, 128};
    struct rule_input *in = input(&x, lines, executed);
    in->work.blocks = value_of(16);
    in->work.warps_per_block = value_of(8);
    in->work.blocks_per_sm = value_of(4);
    wider_text(text, in);
    assert_string_equal(text, turns == 10 ? "...l..." : ".......");
    sass_release(&x.m.sass);
  }
}

/* Lanes whose bytes lie side by side, and other loads. */
static void bytes_that_lie_in_line(void **state) {
  (void)state;
  static const struct {
    const char *place, *load;
    int bytes;
  } rows[] = {{"IMAD.WIDE R2, R5, 0x1, R8", "LDG.E.S8 R4, desc[UR4][R2.64]", 1},
              {"IMAD.WIDE R2, R5, 0x2, R8", "LDG.E.U16 R4, desc[UR4][R2.64]", 2},
              {"IMAD.WIDE R2, R5, 0x4, R8", "LDG.E R4, desc[UR4][R2.64]", 0},
              {"IMAD.WIDE R2, R5, 0x3, R8", "LDG.E.U8 R4, desc[UR4][R2.64]", 0},
              {"IMAD.WIDE R2, R5, 0x1, R8", "LDS.U8 R4, [R2]", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    const char *const lines[] = {LANE(rows[i].place), rows[i].load, "EXIT", NULL};
    struct rule_input *in = input(&x, lines, NULL);
    assert_int_equal(bytes_in_line(in, &x.m.insts[3]), rows[i].bytes);
    assert_int_equal(bytes_in_line(in, NULL), 0);
    sass_release(&x.m.sass);
  }
}

/* Stores of 4 bytes side by side, so many bytes from lane to lane: what one store of them all would be wide. */
static void pieces_that_can_be_one(void **state) {
  (void)state;
  static const struct {
    const char *apart;
    size_t n;
    int wide;
  } rows[] = {{"IMAD.WIDE R2, R5, 0x8, R8", 2, 8},   {"IMAD.WIDE R2, R5, 0x10, R8", 4, 16},
              {"IMAD.WIDE R2, R5, 0x20, R8", 8, 16}, {"IMAD.WIDE R2, R5, 0xc, R8", 3, 0},
              {"IMAD.WIDE R2, R5, 0x10, R8", 2, 0},  {"IMAD.WIDE R2, R5, 0x4, R8", 2, 0},
              {"IMAD.WIDE R2, R5, 0x4, R8", 1, 0},   {"LDG.E.64 R2, desc[UR4][R8.64]", 2, 0}};
  static const char *const stores[] = {"STG.E desc[UR4][R2.64+0x4], R4",  "STG.E desc[UR4][R2.64], R4",
                                       "STG.E desc[UR4][R2.64+0x8], R4",  "STG.E desc[UR4][R2.64+0xc], R4",
                                       "STG.E desc[UR4][R2.64+0x10], R4", "STG.E desc[UR4][R2.64+0x14], R4",
                                       "STG.E desc[UR4][R2.64+0x18], R4", "STG.E desc[UR4][R2.64+0x1c], R4"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    const char *lines[13] = {LANE(rows[i].apart)};
    memcpy(lines + 3, stores, rows[i].n * sizeof *stores);
    lines[3 + rows[i].n] = "EXIT";
    assert_int_equal(pieces_wide(input(&x, lines, NULL), 3), rows[i].wide);
    sass_release(&x.m.sass);
  }
}

/* Rows of 16 threads: a warp's lanes are in two of them.  Where the launch is not known, whole warps are taken for one row. */
static void blocks_of_other_forms(void **state) {
  (void)state;
  static struct made_input x;
  char text[MADE_INSTS + 1];
  input(&x, IN_LINE, NULL);
  x.launch.block[0] = 16;
  wider_text(text, &x.in);
  assert_string_equal(text, "......");
  x.f.launch = NULL;
  wider_text(text, &x.in);
  assert_string_equal(text, "...l..");
  sass_release(&x.m.sass);
}

static void what_was_not_counted(void **state) {
  (void)state;
  static struct made_input x;
  static const double executed[] = {1, 1, 1, 0, 1, 1};
  char text[MADE_INSTS + 1];
  bool known = true;
  wider_text(text, input(&x, IN_LINE, executed)); /* it was not executed */
  assert_string_equal(text, "......");
  x.m.sass.counted = false;
  assert_null(wider_make(&x.in));
  assert_int_equal(wider_loads(&x.in, &known), WIDER_NOT);
  assert_false(known);
  sass_release(&x.m.sass);
  x.in.sass = NULL;
  assert_null(wider_make(&x.in));
}

/* By how often they run; stores do not count. */
static void what_most_loads_are(void **state) {
  (void)state;
  static const char *const lines[] = {LANE("IMAD.WIDE R2, R5, 0x4, R8"),
                                      "LDG.E R4, desc[UR4][R2.64]",
                                      "LDG.E R6, desc[UR4][R10.64]",
                                      "LDG.E R7, desc[UR4][R10.64+0x4]",
                                      "LDG.E R12, desc[UR4][R14.64]",
                                      "STG.E desc[UR4][R18.64], R5",
                                      "STG.E desc[UR4][R18.64+0x4], R5",
                                      "EXIT",
                                      NULL};
  static const struct {
    double in_line, beside, neither;
    enum wider is;
  } rows[] = {{9, 4, 8, WIDER_LANES},
              {7, 4, 7, WIDER_BESIDE},
              {6, 4, 9, WIDER_NOT},
              {9, 4, 9, WIDER_NOT},
              {0, 0, 0, WIDER_NOT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_input x;
    bool known = false;
    const double executed[] = {1, 1, 1, rows[i].in_line, rows[i].beside, rows[i].beside, rows[i].neither, 99, 99, 1};
    input(&x, lines, executed);
    assert_int_equal(wider_loads(&x.in, &known), rows[i].is);
    assert_true(known);
    sass_release(&x.m.sass);
  }
}

static void where_addresses_begin(void **state) {
  (void)state;
  static const struct {
    const char *text, *base;
    long offset;
  } rows[] = {{"LDG.E R4, desc[UR4][R2.64+0x18]", "[R2.64", 0x18},
              {"LDG.E R4, desc[UR4][R2.64+-0x8]", "[R2.64", -8},
              {"LDG.E R4, desc[UR4][R2.64]", "[R2.64", 0},
              {"LDS R4, [R2+UR4+0x8]", "[R2", 0},
              {"FADD R4, R5, R6", "", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *at;
    long offset;
    size_t n = sass_address_base(&(struct sass_inst){.text = rows[i].text}, &at, &offset);
    assert_int_equal(n, strlen(rows[i].base));
    assert_int_equal(offset, rows[i].offset);
    if (n)
      assert_memory_equal(at, rows[i].base, n);
  }
}

static void how_far_accesses_lie_apart(void **state) {
  (void)state;
  static const char FROM[] = "LDG.E R4, desc[UR4][R2.64+0x18]";
  static const struct {
    const char *text;
    bool one_base;
    long between;
  } rows[] = {{"STG.E desc[UR4][R2.64+0x1c], R4", true, 4},
              {"LDG.E R4, desc[UR4][R2.64]", true, -0x18},
              {"LDG.E R4, desc[UR4][R20.64+0x1c]", false, 0},
              {"LDG.E R4, desc[UR4][R2+0x1c]", false, 0},
              {"FADD R4, R5, R6", false, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct sass_inst from = {.text = FROM}, to = {.text = rows[i].text};
    long between;
    assert_int_equal(sass_bytes_between(&from, &to, &between), rows[i].one_base);
    if (rows[i].one_base)
      assert_int_equal(between, rows[i].between);
  }
  long between; /* without brackets nothing is alike */
  struct sass_inst none = {.text = "FADD R4, R5, R6"};
  assert_false(sass_bytes_between(&none, &none, &between));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_could_be_wider),        cmocka_unit_test(pieces_in_two_blocks),
      cmocka_unit_test(lanes_that_can_be_spared),   cmocka_unit_test(turns_that_can_be_spared),
      cmocka_unit_test(pieces_that_can_be_one),     cmocka_unit_test(blocks_of_other_forms),
      cmocka_unit_test(what_was_not_counted),       cmocka_unit_test(what_most_loads_are),
      cmocka_unit_test(where_addresses_begin),      cmocka_unit_test(bytes_that_lie_in_line),
      cmocka_unit_test(how_far_accesses_lie_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
