/* Of a test of written-out C++ names: they come from libstdc++, which a machine need not have. */
#pragma once

#include "base/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void skip_without_demangler(void) {
  char *name = demangle("_Z1fv");
  int differs = strcmp(name, "f()");
  free(name);
  if (differs)
    skip();
}
