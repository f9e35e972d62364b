/* C++'s names. */
#include "base/demangle.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void is(const char *mangled, const char *written) {
  char *name = demangle(mangled);
  assert_string_equal(name, written);
  free(name);
}

static void test_names(void **state) {
  (void)state;
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    skip();
  dlclose(library);
  is("_Z3addPfi", "add(float*, int)");
  is("_Z4workILi4EEvPfi", "void work<4>(float*, int)");
  is("gemv", "gemv");                       /* extern "C" */
  is("_Znothing", "_Znothing");             /* begins like one, and is none */
  is("_GLOBAL__I_gemv", "_GLOBAL__I_gemv"); /* a linker's own, which the library would read */
  is("", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
