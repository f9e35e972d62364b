/* A kernel in one struct, with and without counts; the buffers that its loads read. */
#include "unit/made_sass.h"

#include "analysis/idioms/buffers.h"

#include <stdlib.h>

/* Two loops side by side: 4 instructions and 20 bytes a turn, then 3 and 8. */
static const char *const TWO_LOOPS[] = {
    "LDL R4, [R1]",
    "STL [R1], R4",
    "LDG.E R5, desc[UR4][R2.64]", /* 0x20 */
    "LDG.E.128 R8, desc[UR4][R2.64]",
    "FADD R6, R5, R8",
    "@P0 BRA 0x20",
    "LDG.E.64 R12, desc[UR4][R2.64]", /* 0x60 */
    "FADD R6, R12, R6",
    "@P1 BRA 0x60",
    "FROB R4",
    "EXIT",
    "NOP",
    NULL,
};

static void without_counts(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_summary u;
  made_kernel(&m, TWO_LOOPS);
  sass_summarise(&m.sass, &u);
  assert_int_equal(u.insts, 11); /* all but the NOP */
  assert_int_equal(u.unknown, 1);
  assert_int_equal(u.widest_load, 16);
  assert_int_equal(u.narrowest_load, 4);
  assert_int_equal(u.spill_loads, 1);
  assert_int_equal(u.spill_stores, 1);
  assert_int_equal(u.classes[SASS_LOAD_GLOBAL].insts, 3);
  assert_false(u.classes[SASS_LOAD_GLOBAL].executed.present);
  assert_int_equal(u.pipes[PIPE_FMA], 2);
  assert_int_equal(m.sass.blocks[m.sass.loops[u.hot].header].first, 2);
  assert_int_equal(u.stream, u.hot);
  assert_int_equal(u.hot_insts, 4);
  assert_int_equal(u.hot_classes[SASS_LOAD_GLOBAL], 2);
  assert_true(u.stream_bytes.v == 20);
  assert_true(u.insts_per_byte.v == 4. / 20);
  sass_release(&m.sass);
}

static void by_counts(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_summary u;
  static const double executed[] = {100, 100, 700, 700, 700, 700, 1000, 1000, 1000, 100, 100, 0};
  made_kernel(&m, TWO_LOOPS);
  made_counts(&m, executed);
  sass_summarise(&m.sass, &u);
  assert_int_equal(m.sass.blocks[m.sass.loops[u.hot].header].first, 6); /* 3000 of it, 2800 of the other */
  assert_int_equal(u.hot_insts, 3);
  assert_true(u.classes[SASS_LOAD_GLOBAL].executed.v == 2400);
  assert_true(u.classes[SASS_FP32].executed.v == 1700);
  assert_true(u.classes[SASS_LOAD_LOCAL].executed.v == 100);
  assert_true(u.classes[SASS_ATOMIC].executed.present && u.classes[SASS_ATOMIC].executed.v == 0);
  assert_true(u.stream_bytes.v == 8);
  assert_true(u.insts_per_byte.v == 3. / 8);
  assert_true(m.sass.loops[u.hot].trips.v == 10); /* 1000 turns of 100 warps */
  sass_release(&m.sass);
}

static void the_first_of_equal_loops(void **state) {
  (void)state;
  static const char *const lines[] = {
      "FADD R4, R4, R5",
      "LDG.E R6, desc[UR4][R2.64]",
      "@P0 BRA 0x10",
      "LDG.E R7, desc[UR4][R2.64]",
      "@P1 BRA 0x30",
      "EXIT",
      NULL,
  };
  static struct made_sass m;
  struct sass_summary u;
  made_kernel(&m, lines);
  sass_summarise(&m.sass, &u);
  assert_int_equal(m.sass.blocks[m.sass.loops[u.hot].header].first, 1);
  sass_release(&m.sass);
}

/* 50 turns of 10 warps; none; and turns of a loop that no warp came to. */
static void turns_and_what_contradicts_them(void **state) {
  (void)state;
  static const char *const lines[] = {
      "FADD R4, R4, R5", "LDG.E R6, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT", NULL,
  };
  static struct made_sass m;
  made_kernel(&m, lines);
  made_counts(&m, (const double[]){10, 50, 50, 10});
  assert_true(m.sass.loops[0].trips.present && m.sass.loops[0].trips.v == 5);
  m.result.n_counts = 0;
  made_counts(&m, (const double[]){10, 0, 0, 10});
  assert_string_equal(m.sass.loops[0].trips.reason, "the loop was not executed");
  m.result.n_counts = 0;
  made_counts(&m, (const double[]){0, 50, 50, 10});
  assert_string_equal(m.sass.loops[0].trips.reason,
                      "the counts contradict each other: the loop iterates but is never entered");
  sass_release(&m.sass);
}

/* R9 comes to instruction 3 from before the loop, and round the loop from 4. */
static void a_producer_round_the_loop(void **state) {
  (void)state;
  static const char *const lines[] = {
      "MOV R9, 0x1", "FADD R4, R4, R5", "@P0 BRA 0x40", "FADD R6, R9, R7", "MOV R9, R4", "@P1 BRA 0x10", "EXIT", NULL,
  };
  static struct made_sass m;
  struct sass_producer from[4];
  made_kernel(&m, lines);
  assert_int_equal(sass_producers(&m.sass, 3, from, 4), 2);
  assert_int_equal(from[0].inst + from[1].inst, 4 + 0);
  assert_true(from[0].inst == 4 || from[1].inst == 4);
  sass_release(&m.sass);
}

/* A kernel is walked once: its last load is not under way when it begins. */
static void a_kernel_in_one_pass(void **state) {
  (void)state;
  static const char *const lines[] = {
      "LDG.E R4, desc[UR4][R2.64]", "FADD R6, R4, R4", "LDG.E.128 R8, desc[UR4][R2.64]", "EXIT", NULL,
  };
  static struct made_sass m;
  struct sass_flight f;
  made_kernel(&m, lines);
  sass_flight_of(&m.sass, SASS_NONE, &f);
  assert_true(f.bytes_thread.present && f.bytes_thread.v == 16);
  assert_int_equal(f.loads, 1);
  sass_release(&m.sass);
}

static const char *const ONE_LOAD[] = {"LDC.64 R2, c[0x0][0x160]", "LDG.E R4, [R2.64]", "EXIT", NULL};

/* Ways of a region: one after another, though it jumps, or two. */
static void jumps_and_branches(void **state) {
  (void)state;
  static const struct {
    const char *lines[8];
    bool branches;
  } rows[] = {{{"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R4", "EXIT"}, false},
              {{"LDG.E R4, desc[UR4][R2.64]", "BRA 0x20", "FADD R5, R4, R4", "EXIT"}, false},
              {{"LDG.E R4, desc[UR4][R2.64]", "@P0 BRA 0x30", "FADD R5, R4, R4", "EXIT"}, true},
              {{"LDG.E R4, desc[UR4][R2.64]", "@P0 EXIT", "FADD R5, R4, R4", "EXIT"}, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_sass m;
    struct sass_summary s;
    made_kernel(&m, rows[i].lines);
    sass_summarise(&m.sass, &s);
    if (s.flight.branches != rows[i].branches)
      fail_msg("row %zu", i);
    assert_int_equal(s.flight.known_bytes, 4);
    sass_release(&m.sass);
  }
}

static void nothing_is_loaded(void **state) {
  (void)state;
  static struct made_sass m;
  struct sass_summary s;
  made_kernel(&m, (const char *const[]){"FADD R5, R4, R4", "STG.E desc[UR4][R2.64], R5", "EXIT", NULL});
  sass_summarise(&m.sass, &s);
  assert_false(s.insts_per_byte.present);
  assert_string_equal(s.insts_per_byte.reason, "nothing is loaded from global memory");
  assert_int_equal(s.widest_load, 0);
  assert_int_equal(s.narrowest_load, 0);
  sass_release(&m.sass);
}

static bool begins(struct buffers *b, struct made_sass *m, struct run_key *keys, size_t n, int sm) {
  const struct run_variant v = {.keys = keys, .n_keys = n};
  return buffers_begin(b, &m->sass, &v, sm);
}

static void where_parameters_begin(void **state) {
  (void)state;
  static struct made_sass m;
  static const struct {
    int sm;
    unsigned base;
  } rows[] = {{80, 0x160}, {89, 0x160}, {90, 0x210}, {99, 0x210}, {100, 0x380}, {120, 0x380}};
  static const enum buffer usual[] = {BUFFER_A, BUFFER_B, BUFFER_SFA, BUFFER_SFB, BUFFER_OTHER};
  struct run_key step = {(char *)"step", (char *)"kernel = made; grid = 1"};
  struct buffers b;
  made_kernel(&m, ONE_LOAD);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    assert_true(begins(&b, &m, &step, 1, rows[k].sm));
    assert_int_equal(b.n_params, 8); /* with M, K and L */
    for (unsigned p = 0; p < 5; p++) {
      assert_int_equal(b.params[p].offset, rows[k].base + 8 * p);
      assert_int_equal(b.params[p].buffer, usual[p]);
    }
    assert_int_equal(buffers_load(&b, 1), rows[k].base == 0x160 ? BUFFER_A : BUFFER_UNKNOWN);
    buffers_release(&b);
  }
  sass_release(&m.sass);
}

/* A word of each argument at 40x64x3: numbers have their values, pointers stand 2^32 apart, by their places. */
static void words_of_arguments(void **state) {
  (void)state;
  static struct made_sass m;
  struct run_key step = {(char *)"step", (char *)"kernel = made; args = a, M, b, i64(M * L), other, K / 2; grid = 1"};
  static const struct shape shape = {.m = 40, .k = 64, .l = 3};
  static const struct {
    unsigned offset;
    bool known;
    uint32_t value;
  } words[] = {{0x210, true, 0},  {0x214, true, 1},   {0x218, true, 40}, {0x220, true, 0},
               {0x224, true, 3},  {0x228, true, 120}, {0x22c, true, 0},  {0x230, false, 0},
               {0x234, true, 32}, {0x238, false, 0},  {0x21c, false, 0}, {0x216, false, 0}};
  struct buffers b;
  made_kernel(&m, ONE_LOAD);
  assert_true(begins(&b, &m, &step, 1, 90));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    uint32_t value = 0;
    if (buffers_word(&b, &shape, words[i].offset, &value) != words[i].known ||
        (words[i].known && value != words[i].value))
      fail_msg("%x: %x", words[i].offset, value);
  }
  assert_int_equal(buffers_at(&b, 0x100000010), BUFFER_A);
  assert_int_equal(buffers_at(&b, 0x3ffffffff), BUFFER_B);
  assert_int_equal(buffers_at(&b, 0x200000000), BUFFER_UNKNOWN); /* M is no pointer */
  assert_int_equal(buffers_at(&b, 0x10), BUFFER_UNKNOWN);
  buffers_release(&b);
  sass_release(&m.sass);
}

static void arguments_in_their_order(void **state) {
  (void)state;
  static struct made_sass m;
  struct run_key keys[] = {
      {(char *)"step", (char *)"kernel = other; args = c"},
      {(char *)"scratch", (char *)"sums = 4"},
      {(char *)"step", (char *)"kernel = made; args = M, b ,K, i64(M, 2), f64(1), L, sums, sum, a; grid = 1"},
      {(char *)"tensormap", (char *)"map a"},
  };
  /* M 0x160, b 0x168, K 0x170, i64 0x178, f64 0x180, L 0x188, sums 0x190, sum 0x198 (a number), a 0x1a0 */
  static const unsigned at[] = {0x160, 0x168, 0x170, 0x178, 0x180, 0x188, 0x190, 0x198, 0x1a0};
  static const enum buffer buffers[] = {[1] = BUFFER_B, [6] = BUFFER_OTHER, [8] = BUFFER_A};
  struct buffers b;
  made_kernel(&m, ONE_LOAD);
  assert_true(begins(&b, &m, keys, 4, 80));
  assert_int_equal(b.n_params, 9);
  for (size_t p = 0; p < 9; p++) {
    assert_int_equal(b.params[p].offset, at[p]);
    assert_int_equal(b.params[p].buffer, buffers[p]);
  }
  assert_int_equal(buffers_load(&b, 1), BUFFER_UNKNOWN);
  buffers_release(&b);
  keys[3].value = (char *)"sum = a"; /* where what follows a tensor map lies is not said */
  assert_false(begins(&b, &m, keys, 4, 80));
  buffers_release(&b);
  assert_false(begins(&b, &m, keys, 2, 80)); /* no step launches it */
  buffers_release(&b);
  keys[3] = (struct run_key){(char *)"problem", (char *)"generic"};
  assert_false(begins(&b, &m, keys, 4, 80));
  buffers_release(&b);
  sass_release(&m.sass);
}

/* What a's address is made of: an element of b, at most, which is a's index and no address of it. */
static void an_index_is_no_buffer(void **state) {
  (void)state;
  static struct made_sass m;
  static const char *const lines[] = {"LDC.64 R2, c[0x0][0x218]",
                                      "LDC.64 R4, c[0x0][0x210]",
                                      "LDG.E R6, desc[UR4][R2.64]",
                                      "IMAD.WIDE R8, R6, 0x4, R4",
                                      "LDG.E R10, desc[UR4][R8.64]",
                                      "IADD3 R12, R2, R4, RZ",
                                      "LDG.E R14, desc[UR4][R12.64]",
                                      "EXIT",
                                      NULL};
  struct run_key step = {(char *)"step", (char *)"kernel = made; grid = 1"};
  struct buffers b;
  made_kernel(&m, lines);
  assert_true(begins(&b, &m, &step, 1, 90));
  assert_int_equal(buffers_load(&b, 2), BUFFER_B);
  assert_int_equal(buffers_load(&b, 4), BUFFER_A);
  assert_int_equal(buffers_load(&b, 6), BUFFER_UNKNOWN); /* of both */
  buffers_release(&b);
  sass_release(&m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_counts),           cmocka_unit_test(a_producer_round_the_loop),
      cmocka_unit_test(a_kernel_in_one_pass),     cmocka_unit_test(by_counts),
      cmocka_unit_test(the_first_of_equal_loops), cmocka_unit_test(turns_and_what_contradicts_them),
      cmocka_unit_test(where_parameters_begin),   cmocka_unit_test(words_of_arguments),
      cmocka_unit_test(arguments_in_their_order), cmocka_unit_test(an_index_is_no_buffer),
      cmocka_unit_test(jumps_and_branches),       cmocka_unit_test(nothing_is_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
