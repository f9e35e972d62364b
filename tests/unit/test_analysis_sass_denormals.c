/* What handles denormals around approximations. */
#include "analysis/idioms/denormals.h"
#include "unit/made_sass.h"

#include <stdlib.h>

#define TEST "FSETP.GEU.AND P3, PT, |R5|, 1.175494350822287508e-38, PT"

static const struct {
  const char *lines[10];
  const char *marked; /* an x for each instruction that is */
} CASES[] = {
    {{TEST, "@!P3 FMUL R5, R5, 16777216", "MUFU.RSQ R4, R5", "@!P3 FMUL R4, R4, 4096", "EXIT"}, "xx.x."},
    {{TEST, "@!P3 FMUL R5, R5, 16777216", "MUFU.LG2 R4, R5", "@!P3 FADD R4, R4, -24", "EXIT"}, "xx.x."},
    {{"FSETP.GEU.AND P3, PT, R5, -126, PT", "@!P3 FMUL R5, R5, 0.5", "MUFU.EX2 R4, R5", "@!P3 FMUL R4, R4, R4", "EXIT"},
     "xx.x."},
    /* the scaled value is chosen */
    {{"FMUL R6, R5, 16777216", TEST, "FSEL R5, R6, R5, !P3", "MUFU.RSQ R4, R5", "@!P3 FMUL R4, R4, 4096", "EXIT"},
     "xxx.x."},
    /* the predicate is another's behind the second test */
    {{TEST, "@!P3 FMUL R5, R5, 16777216", "MUFU.RSQ R4, R5", "ISETP.NE.AND P3, PT, R8, RZ, PT", "@!P3 FMUL R4, R4, R8",
      "EXIT"},
     "xx...."},
    /* no approximation; another bound; a branch asks, too; nothing does */
    {{TEST, "@!P3 FMUL R5, R5, 16777216", "FADD R4, R5, R5", "EXIT"}, "...."},
    {{"FSETP.GEU.AND P3, PT, |R5|, 1, PT", "@!P3 FMUL R5, R5, 16777216", "MUFU.RSQ R4, R5", "EXIT"}, "...."},
    {{TEST, "@!P3 FMUL R5, R5, 16777216", "MUFU.RSQ R4, R5", "@P3 BRA 0x0", "EXIT"}, "....."},
    {{TEST, "MUFU.RSQ R4, R5", "EXIT"}, "..."},
};

static void what_goes(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct made_sass m;
    double executed[10], n, times = 0;
    for (size_t k = 0; k < 10; k++)
      executed[k] = 7;
    made_kernel(&m, CASES[i].lines);
    made_counts(&m, executed);
    bool *marked = sass_denormals_make(&m.sass, &n);
    for (size_t k = 0; k < m.sass.n; k++)
      if (marked[k] != (CASES[i].marked[k] == 'x'))
        fail_msg("row %zu: instruction %zu", i, k);
    times = strchr(CASES[i].marked, 'x') ? 7 : 0;
    assert_true(n == times);
    free(marked);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
