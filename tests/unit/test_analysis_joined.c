/* Two runs in one: whose variants, modules and results are where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/joined.h"

static void the_later_run_comes_first(void **state) {
  struct run_variant va[] = {{.id = (char *)"x"}, {.id = (char *)"y"}, {.id = (char *)"z"}};
  struct run_variant vb[] = {{.id = (char *)"x"}, {.id = (char *)"w"}};
  struct run_module ma[] = {{.key = (char *)"a0"}, {.key = (char *)"a1"}};
  struct run_module mb[] = {{.key = (char *)"b0"}, {.key = (char *)"b1"}, {.key = (char *)"b2"}};
  struct run_result ra[] = {{.variant = 2, .module = 1, .n_samples = 3, .n_counts = 5}};
  struct run_result rb[] = {{.variant = 0, .module = -1}, {.variant = 1, .module = 0, .n_samples = 7, .n_counts = 9}};
  struct run after = {.variants = va, .n_variants = 3, .modules = ma, .n_modules = 2, .results = ra, .n_results = 1};
  struct run before = {.variants = vb, .n_variants = 2, .modules = mb, .n_modules = 3, .results = rb, .n_results = 2};
  static const char *const ids[] = {"x", "y", "z", "x before", "w before"};
  static const char *const keys[] = {"a0", "a1", "b0", "b1", "b2"};
  /* Of B, variants count on from 3 and modules from 2; a result without a module has none. */
  static const struct {
    int variant, module;
    size_t samples, counts;
  } results[] = {{2, 1, 3, 5}, {3, -1, 0, 0}, {4, 2, 0, 0}};
  struct joined j;
  (void)state;
  after.created = (char *)"later";
  joined_make(&j, &before, &after);
  assert_string_equal(j.run.created, "later");
  assert_int_equal(j.n_after, 3);
  assert_int_equal(j.run.n_variants, 5);
  assert_int_equal(j.run.n_modules, 5);
  assert_int_equal(j.run.n_results, 3);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(j.run.variants[i].id, ids[i]);
    assert_string_equal(j.run.modules[i].key, keys[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    const struct run_result *r = &j.run.results[i];
    assert_int_equal(r->variant, results[i].variant);
    assert_int_equal(r->module, results[i].module);
    assert_int_equal(r->n_samples, results[i].samples);
    assert_int_equal(r->n_counts, results[i].counts);
  }
  joined_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_later_run_comes_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
