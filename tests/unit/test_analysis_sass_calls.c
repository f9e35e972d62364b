/* Which code behind a kernel's is the compiler's own, where functions of the program stand there, too. */
#include "unit/made_sass.h"

/* Two returns, and one name: the compiler's function has no lines but what the code before it ended with. */
static const char *const LINES[] = {"CALL.REL.NOINC `($_Z4kern$_Z5otheri)",
                                    "CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rd_f64_v2)",
                                    "EXIT",
                                    "FADD R4, R4, R6",
                                    "RET.REL.NODEC R20 `(_Z4kern)",
                                    "MUFU.RCP64H R3, R5",
                                    "RET.REL.NODEC R20 `(_Z4kern)",
                                    NULL};

static size_t functions_of(struct made_sass *m, const int *lines, size_t *entry) {
  static struct run_line places[MADE_INSTS];
  struct err e = {0};
  made_kernel(m, LINES);
  sass_release(&m->sass);
  for (size_t i = 0; lines && i < m->kernel.n_sass; i++) {
    places[i] = (struct run_line){.source = 0, .line = lines[i]};
    m->insts[i].lines = &places[i];
    m->insts[i].n_lines = 1;
  }
  assert_int_equal(sass_make(&m->sass, &m->kernel, &e), 0);
  size_t n = m->sass.n_functions;
  *entry = n ? m->sass.blocks[m->sass.functions[0].entry].first : SASS_NONE;
  sass_release(&m->sass);
  return n;
}

static void beside_the_programs(void **state) {
  (void)state;
  static struct made_sass m;
  static const struct {
    int lines[7];
    size_t n, entry;
  } rows[] = {
      {{1, 2, 3, 11, 12, 12, 12}, 1, 5},
      {{1, 2, 3, 3, 3, 12, 12}, 1, 3},           /* the other way round */
      {{1, 2, 3, 11, 12, 13, 12}, 0, SASS_NONE}, /* both have lines */
      {{1, 2, 3, 3, 3, 3, 3}, 0, SASS_NONE},     /* neither has */
  };
  size_t entry;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (functions_of(&m, rows[i].lines, &entry) != rows[i].n || entry != rows[i].entry)
      fail_msg("row %zu: at %zu", i, entry);
  assert_int_equal(functions_of(&m, NULL, &entry), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beside_the_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
