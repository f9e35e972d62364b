/* A type of mma by its name and its sum. */
#pragma once

#include "profiler/mma/mma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline const struct mma_type *mma_type_named(const char *name, enum mma_sum sum) {
  for (size_t i = 0; i < n_mma_types; i++)
    if (strcmp(mma_types[i].name, name) == 0 && mma_types[i].sum == sum)
      return &mma_types[i];
  fail_msg("no type %s", name);
  return NULL;
}
