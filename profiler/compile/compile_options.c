#include "profiler/compile/compile.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

const char *compile_arch(int sm, char buffer[16]) {
  /* Architecture-specific targets begin with Hopper. */
  snprintf(buffer, 16, "sm_%d%s", sm, sm >= 90 ? "a" : "");
  return buffer;
}

char **compile_options(const struct rung_plan *plan, size_t *n) {
  const struct rung *r = plan->rung;
  size_t max = plan->n_defines + r->n_options + 3, count = 0;
  char **list = calloc(max + 1, sizeof *list);
  for (size_t i = 0; i < plan->n_defines; i++)
    list[count++] = str_copy(plan->defines[i]);
  if (r->max_registers)
    list[count++] = str_printf("--maxrregcount=%d", r->max_registers);
  if (r->fast_math)
    list[count++] = str_copy("--use_fast_math");
  if (r->ftz)
    list[count++] = str_copy("--ftz=true");
  for (size_t i = 0; i < r->n_options; i++)
    list[count++] = str_copy(r->options[i]);
  *n = count;
  return list;
}
