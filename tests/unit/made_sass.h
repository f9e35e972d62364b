/* Kernels made of lines of SASS for the tests of its analysis: 16 bytes an instruction, as the chips have it. */
#ifndef TESTS_UNIT_MADE_SASS_H
#define TESTS_UNIT_MADE_SASS_H

#include "analysis/sass/sass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MADE_INSTS = 128 };

struct made_sass {
  struct run_instruction insts[MADE_INSTS];
  struct run_kernel kernel;
  struct run_count counts[MADE_INSTS];
  struct run_result result;
  struct sass sass;
};

static inline void made_kernel(struct made_sass *m, const char *const *lines) {
  memset(m, 0, sizeof *m);
  m->kernel.name = (char *)"made";
  m->kernel.sass = m->insts;
  for (size_t i = 0; lines[i]; i++) {
    m->insts[i].offset = (uint32_t)(16 * i);
    m->insts[i].text = (char *)lines[i];
    m->kernel.n_sass++;
  }
  struct err e = {0};
  if (sass_make(&m->sass, &m->kernel, &e))
    fail_msg("%s", e.text);
}

/* Executed counts in the order of the lines; one of 0 has no entry. */
static inline void made_counts(struct made_sass *m, const double *executed) {
  m->result.counts = m->counts;
  for (size_t i = 0; i < m->kernel.n_sass; i++)
    if (executed[i] > 0)
      m->counts[m->result.n_counts++] =
          (struct run_count){.module = 2, .kernel = 1, .offset = (uint32_t)(16 * i), .executed = executed[i]};
  sass_count(&m->sass, &m->result, 2, 1);
}

/* "R4-7 UR6" */
static inline void made_ranges(char *out, size_t size, const struct sass_range *r, size_t n) {
  static const char *const files[SASS_FILES] = {"R", "UR", "P", "UP", "B"};
  size_t used = 0;
  out[0] = '\0';
  for (size_t k = 0; k < n && used < size; k++) {
    used += (size_t)snprintf(out + used, size - used, "%s%s%u", k ? " " : "", files[r[k].file], r[k].first);
    if (r[k].count != 1 && used < size)
      used += (size_t)snprintf(out + used, size - used, "-%u", r[k].first + r[k].count - 1U);
  }
}

#endif
