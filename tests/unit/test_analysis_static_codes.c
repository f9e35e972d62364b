/* Static diagnoses of a whole run: which results and launches get one. */
#include "analysis/rules/static_codes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_run.h"
#include "unit/made_sass.h"

/* a of a.cu at two shapes, b of b.cu in two launches, c of no file, d that was not compiled. */
static void make(struct made_run *m, struct made_sass *sass, struct run_module *module) {
  static const char *const lines[] = {"LDG.E R8, desc[UR4][R2.64]", "EXIT", NULL};
  static struct run_launch two[2];
  static const char *const ids[] = {"a", "a", "b", "c", "d"};
  made_begin(m);
  made_kernel(sass, lines);
  *module = (struct run_module){.arch = (char *)"sm_90a", .kernels = &sass->kernel, .n_kernels = 1};
  m->run.modules = module;
  m->run.n_modules = 1;
  made_variant(m, "a", "l", NULL)->file = (char *)"a.cu";
  made_variant(m, "b", "l", NULL)->file = (char *)"b.cu";
  made_variant(m, "c", "l", NULL);
  made_variant(m, "d", "l", NULL)->file = (char *)"a.cu";
  for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
    made_result(m, ids[i], (struct shape){.m = 128 + (long)i, .k = 256, .l = 1})->module = i < 4 ? 0 : -1;
  for (int i = 0; i < 2; i++)
    two[i] = (struct run_launch){.kernel = (char *)"made", .grid = {1 + i, 1, 1}, .block = {32, 1, 1}};
  m->results[2].launches = two;
  m->results[2].n_launches = 2;
}

static void which_results_are_diagnosed(void **state) {
  (void)state;
  static const struct {
    const char *source;
    bool first;
    size_t n, results[8];
  } cases[] = {{NULL, false, 5, {0, 1, 2, 2, 3}}, {NULL, true, 4, {0, 2, 2, 3}},
               {"a.cu", false, 2, {0, 1}},        {"a.cu", true, 1, {0}},
               {"b.cu", false, 2, {2, 2}},        {"c.cu", false, 0, {0}}};
  static struct made_run m;
  static struct made_sass sass;
  struct run_module module;
  make(&m, &sass, &module);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct static_codes c;
    assert_int_equal(static_codes_make(&c, &m.run, cases[i].source, cases[i].first, &m.device, &(struct err){0}), 0);
    assert_int_equal(c.n, cases[i].n);
    for (size_t k = 0; k < c.n; k++)
      assert_ptr_equal(c.items[k].result, &m.results[cases[i].results[k]]);
    if (i == 4)
      assert_ptr_equal(c.items[1].launch, &m.results[2].launches[1]);
    assert_true(i == 4 || c.n == 0 || !c.items[0].launch); /* none was observed: the module's first kernel */
    static_codes_release(&c);
    assert_true(c.n == 0 && !c.items);
  }
  sass_release(&sass.sass);
}

static void a_kernel_that_is_not_there(void **state) {
  (void)state;
  static struct made_run m;
  static struct made_sass sass;
  struct run_module module;
  struct static_codes c;
  struct err e = {0};
  make(&m, &sass, &module);
  m.results[2].launches[1].kernel = (char *)"other";
  assert_int_equal(static_codes_make(&c, &m.run, NULL, false, &m.device, &e), ERR_DATA);
  assert_string_equal(e.text, "b: the compiled module holds no kernel other");
  static_codes_release(&c);
  module.n_kernels = 0;
  assert_int_equal(static_codes_make(&c, &m.run, NULL, false, &m.device, &e), ERR_DATA);
  static_codes_release(&c);
  sass_release(&sass.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(which_results_are_diagnosed),
                                     cmocka_unit_test(a_kernel_that_is_not_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
