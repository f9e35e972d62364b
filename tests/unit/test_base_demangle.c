/* C++'s names. */
#include "base/demangle.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* libstdc++ takes 1024 characters.  Of 1300 ones the beginning is there, whole arguments only, and its brackets are closed. */
static void test_a_long_name(void **state) {
  (void)state;
  void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (!library)
    skip();
  dlclose(library);
  char mangled[2048];
  size_t at = (size_t)snprintf(mangled, sizeof mangled, "_Z6kernelI5tupleIJ");
  for (int i = 0; i < 260; i++)
    at += (size_t)snprintf(mangled + at, sizeof mangled - at, "Li12E");
  snprintf(mangled + at, sizeof mangled - at, "EEEvPf");
  char *name = demangle(mangled);
  assert_int_equal(strncmp(name, "void kernel<tuple<12, 12, 12, ", 30), 0);
  size_t n = strlen(name);
  assert_true(n > 500);
  assert_string_equal(name + n - 15, "12, 12, ...>>()");
  free(name);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_a_long_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
