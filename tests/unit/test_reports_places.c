/* How reports name a place in the source, a line and what warps wait for there; each sentence worked out by hand. */
#include "reports/text/annotate.h"
#include "reports/text/diagnose.h"
#include "reports/words/place_text.h"
#include "reports/words/view.h"
#include "unit/text_is.h"

/* A load into uniform registers is the warp's: no lane has a part of it. */
static void what_a_wait_is_for(void **state) {
  static const struct {
    const char *text, *want;
  } rows[] = {
      {"LDG.E.64 R4, desc[UR4][R2.64]", "LDG.E.64 R4, desc[UR4][R2.64] (8 bytes per lane) at no source line"},
      {"ULDC.64 UR8, c[0x0][0x208]", "ULDC.64 UR8, c[0x0][0x208] (8 bytes) at no source line"},
      {"@UP0 LDCU.64 UR8, c[0x0][0x208]", "@UP0 LDCU.64 UR8, c[0x0][0x208] (8 bytes, under a guard) at no source line"},
      {"STG.E desc[UR4][R2.64], R0", "STG.E desc[UR4][R2.64], R0 (4 bytes per lane) at no source line"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run_instruction code = {.text = (char *)rows[i].text};
    struct run_kernel kernel = {.sass = &code, .n_sass = 1};
    struct sass_inst inst;
    struct hot_kernel k = {.kernel = &kernel, .sass = {.insts = &inst, .n = 1}};
    struct hot h = {.kernels = &k, .n_kernels = 1};
    struct text out = {0};
    sass_inst_parse(&inst, code.text, 0);
    report_feed(&h, &(struct hot_inst){0}, &(struct sass_feed){0}, &out);
    is(&out, rows[i].want);
  }
}

/* All of an asm statement has the number of its last line, which says less than where it is. */
static void a_line_of_source(void **state) {
  static char text[] =
      "int a;\n  asm volatile(\"mov;\"\n      \"add;\"\n      : \"=r\"(x)\n      : \"r\"(y));\n}\n: alone\n\n"
      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
      "\n"
      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789+"
      "\n"
      "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567×+"
      "\n"
      "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678×"
      "\n";
  struct run_source source = {(char *)"a.cu", text};
  struct run r = {.sources = &source, .n_sources = 1};
  static const struct {
    int source, line;
    const char *want;
  } rows[] = {
      {0, 1, "int a;"},
      {0, 2, "asm volatile(\"mov;\""},
      {0, 4, "inline PTX, lines 2 to 4"},
      {0, 5, "inline PTX, lines 2 to 5"},
      {0, 7, ": alone"}, /* a block ended before it */
      {0, 8, ""},
      {0, 9, "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"},
      {0, 10, "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789…"},
      {0, 11, "01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567×…"},
      {0, 12, "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678…"},
      {0, 99, ""},
      {1, 1, ""},
      {-1, 1, ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    report_source_line(&r, rows[i].source, rows[i].line, &out);
    is(&out, rows[i].want);
  }
}

/* Triton gives an argument on a line of its own that line: what it is an argument of stands before it. */
static void a_statement_of_python(void **state) {
  static char text[] = "def f(a,\n      b):\n" /* 1, 2 */
                       "  tl.atomic_add(  # a (sum\n"
                       "      p + [i\n"
                       "           ],\n"
                       "      \"(\", '\\'(', v)\n"
                       "  x = 1\n" /* 7 */
                       "  \"\"\"of (\n"
                       "  lines\n"
                       "  \"\"\"\n"
                       "  y = 'it\n" /* 11: it does not end */
                       "  z = ((2)\n"
                       "       + 3)\n"
                       "  w = tl.load(0123456789012345678901234567890123456789,\n"
                       "              0123456789012345678901234567890123456789012345678901234567890)\n"
                       "  u)\n  t\n";
  struct run_source sources[] = {{(char *)"a.py", text}, {(char *)"a.cu", text}, {(char *)".py", text}};
  struct run r = {.sources = sources, .n_sources = 3};
  static const struct {
    int source, line;
    const char *want;
  } rows[] = {
      {0, 1, "def f(a,"},
      {0, 2, "def f(a, … b):"},
      {0, 3, "tl.atomic_add(  # a (sum"},
      {0, 4, "tl.atomic_add(  # a (sum … p + [i"},
      {0, 5, "tl.atomic_add(  # a (sum … ],"},
      {0, 6, "tl.atomic_add(  # a (sum … \"(\", '\\'(', v)"},
      {0, 7, "x = 1"},
      {0, 11, "y = 'it"},
      {0, 12, "z = ((2)"},
      {0, 13, "z = ((2) … + 3)"},
      {0, 15,
       "w = tl.load(01234567890123456789012345678901234567… … 01234567890123456789012345678901234567890123456789…"},
      {0, 17, "t"}, /* a bracket too many */
      {0, 99, ""},
      {1, 4, "p + [i"}, /* in C++ the compiler's lines are statements' */
      {2, 4, "p + [i"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    report_source_line(&r, rows[i].source, rows[i].line, &out);
    is(&out, rows[i].want);
  }
}

static void a_place(void **state) {
  struct run_source sources[] = {{(char *)"a.cu", (char *)""},
                                 {(char *)"b.cuh", (char *)""},
                                 {(char *)"/usr/local/cuda/include/cuda_fp16.hpp", (char *)""},
                                 {(char *)"/usr/local/cuda/include/cuda_bf16.hpp", (char *)""}};
  struct run r = {.sources = sources, .n_sources = 4};
  struct run_line inlined[] = {{-1, 3}, {1, 7}, {-1, 4}, {0, 9}}, unkept[] = {{-1, 3}, {-1, 4}},
                  toolkits[] = {{3, 5}, {2, 6}, {1, 7}, {0, 9}, {2, 8}};
  struct text out = {0};
  (void)state;
  report_place(&r, &(struct run_instruction){.lines = inlined, .n_lines = 4}, PLACE_SHORT, &out);
  is(&out, "b.cuh:7 in a.cu:9");
  report_place(&r, &(struct run_instruction){.lines = inlined, .n_lines = 2}, PLACE_SHORT, &out);
  is(&out, "b.cuh:7");
  report_place(&r, &(struct run_instruction){.lines = unkept, .n_lines = 1}, PLACE_SHORT, &out);
  is(&out, "line 3 of a file that the run does not name");
  report_place(&r, &(struct run_instruction){.lines = unkept, .n_lines = 2}, PLACE_SHORT, &out);
  is(&out, "line 4 of a file that the run does not name, with line 3 inlined");
  report_place(&r, &(struct run_instruction){.lines = unkept, .n_lines = 2}, PLACE_CELL, &out);
  is(&out, "line 4, file unknown, with line 3 inlined");
  report_place(&r,
               &(struct run_instruction){.lines = (struct run_line[]){{-1, 60}, {-1, 101}, {-1, 215}}, .n_lines = 3},
               false, &out);
  is(&out, "line 215 of a file that the run does not name, with line 101 inlined, there line 60");
  report_place(
      &r, &(struct run_instruction){.lines = (struct run_line[]){{-1, 60}, {2, 7}, {-1, 60}, {-1, 60}}, .n_lines = 4},
      false, &out);
  is(&out, "line 60 of a file that the run does not name with cuda_fp16.hpp:7 inlined, with line 60 inlined");
  report_place(&r, &(struct run_instruction){.lines = toolkits, .n_lines = 2}, PLACE_SHORT, &out);
  is(&out, "cuda_bf16.hpp:5 in cuda_fp16.hpp:6");
  report_place(&r, &(struct run_instruction){.lines = toolkits, .n_lines = 3}, PLACE_SHORT, &out);
  is(&out, "b.cuh:7 with cuda_bf16.hpp:5 inlined");
  report_place(&r, &(struct run_instruction){.lines = toolkits, .n_lines = 5}, PLACE_CELL, &out);
  is(&out, "b.cuh:7 in a.cu:9 with cuda_bf16.hpp:5 inlined");
  report_place(&r, &(struct run_instruction){.lines = &toolkits[2], .n_lines = 3}, PLACE_SHORT, &out);
  is(&out, "b.cuh:7 in a.cu:9"); /* a toolkit's function that was given this one inlined nothing here */
  report_place(&r, &(struct run_instruction){.lines = (struct run_line[]){{0, 9}, {1, 7}, {0, 9}}, .n_lines = 3}, false,
               &out);
  is(&out, "a.cu:9"); /* a function that came to its own line again */
  report_place(&r, &(struct run_instruction){0}, PLACE_SHORT, &out);
  is(&out, "no source line");
}

/* Of a file without text, and of files without a name, the lines alone, the hottest first. */
static void lines_without_text(void **state) {
  struct run_source source = {(char *)"/p/lost.cu", (char *)""};
  struct run r = {.sources = &source, .n_sources = 1};
  struct hot_line lines[] = {{.source = 0, .line = 45, .samples = 60, .top = {"wait", 30, 0}},
                             {.source = -1, .line = 9, .samples = 30, .top = {"barrier", 30, 0}},
                             {.source = 0, .line = 7, .samples = 10}};
  struct hot h = {.run = &r, .lines = lines, .n_lines = 3, .samples = 100};
  struct text out = {0};
  (void)state;
  report_annotate(&h, &(struct report_annotate_options){.width = 100}, &out);
  static const char *const want[] = {
      "\n/p/lost.cu: 70 % of 100 samples\n", "\n   60.0  wait 50 %        45  (text not found)\n",
      "\n   10.0                    7  (text not found)\n", "\nfiles that the run does not name: 30 % of 100 samples\n",
      "\n   30.0  barrier 100 %     9\n"};
  const char *at = text_str(&out);
  for (size_t i = 0; i < sizeof want / sizeof *want && at; i++)
    at = strstr(at, want[i]);
  assert_non_null(at);
  text_release(&out);
}

/* As much of an absolute path as tells it from the others; whole where it is asked for. */
static void a_short_place(void **state) {
  static const char *const names[] = {"/p/one/gemv.cu", "/p/two/gemv.cu", "/p/two/b.cuh",
                                      "cuda/2.cu",      "/gemv.cu",       "/q/two/gemv.cu"},
                           *const want[] = {"one/gemv.cu", "p/two/gemv.cu", "b.cuh",
                                            "cuda/2.cu",   "/gemv.cu",      "q/two/gemv.cu"};
  struct run_source sources[6];
  struct run r = {.sources = sources, .n_sources = 6};
  struct run_line lines[] = {{2, 7}, {0, 9}};
  struct text out = {0};
  (void)state;
  for (size_t i = 0; i < 6; i++)
    sources[i] = (struct run_source){(char *)names[i], (char *)""};
  for (int i = 0; i < 6; i++)
    assert_string_equal(report_source_name(&r, i), want[i]);
  report_place(&r, &(struct run_instruction){.lines = lines, .n_lines = 2}, PLACE_SHORT, &out);
  is(&out, "b.cuh:7 in one/gemv.cu:9");
  report_place(&r, &(struct run_instruction){.lines = lines, .n_lines = 2}, PLACE_WHOLE, &out);
  is(&out, "/p/two/b.cuh:7 in /p/one/gemv.cu:9");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_of_source), cmocka_unit_test(a_statement_of_python), cmocka_unit_test(what_a_wait_is_for),
      cmocka_unit_test(a_place),          cmocka_unit_test(lines_without_text),    cmocka_unit_test(a_short_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
