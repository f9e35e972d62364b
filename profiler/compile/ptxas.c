/* What ptxas -v says of each entry function. */
#include "base/array.h"
#include "profiler/compile/toolchain.h"

#include <stdlib.h>
#include <string.h>

static struct run_kernel *add_kernel(struct run_module *m, const char *name, size_t n) {
  struct run_kernel *k = array_add(&m->kernels, &m->n_kernels, sizeof *k);
  k->name = str_printf("%.*s", (int)n, name);
  k->spill_store_bytes = k->spill_load_bytes = -1;
  return k;
}

/* The number before `what` on this line ("128 bytes smem": 128 for "bytes smem"), or `absent`. */
static long number_before(const char *line, const char *end, const char *what, long absent) {
  const char *at = memmem(line, (size_t)(end - line), what, strlen(what));
  if (!at)
    return absent;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtol(at, NULL, 10);
}

void ptxas_parse(struct run_module *m, const char *log) {
  static const char entry[] = "Compiling entry function '", properties[] = "Function properties for ";
  struct run_kernel *k = NULL;
  bool of_kernel = false; /* the properties that follow are the kernel's own, not those of a function that it calls */
  for (const char *line = log; *line;) {
    const char *end = line + strcspn(line, "\n");
    const char *at = memmem(line, (size_t)(end - line), entry, sizeof entry - 1);
    if (at) {
      const char *name = at + sizeof entry - 1;
      k = add_kernel(m, name, strcspn(name, "'\n"));
    } else if (k && (at = memmem(line, (size_t)(end - line), properties, sizeof properties - 1))) {
      const char *name = at + sizeof properties - 1;
      of_kernel = strlen(k->name) == (size_t)(end - name) && memcmp(k->name, name, (size_t)(end - name)) == 0;
    } else if (k && of_kernel && memmem(line, (size_t)(end - line), "bytes stack frame", 17)) {
      k->local_bytes = number_before(line, end, "bytes stack frame", 0);
      k->spill_store_bytes = number_before(line, end, "bytes spill stores", -1);
      k->spill_load_bytes = number_before(line, end, "bytes spill loads", -1);
    } else if (k && memmem(line, (size_t)(end - line), "registers", 9)) {
      k->registers = (int)number_before(line, end, "registers", 0);
      k->smem_static = number_before(line, end, "bytes smem", 0);
      k->const_bytes = number_before(line, end, "bytes cmem[0]", 0);
    }
    line = *end ? end + 1 : end;
  }
}
