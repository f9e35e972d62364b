#include "profiler/measure/host.h"

#include "base/text.h"

#include <stdlib.h>

CUdeviceptr host_buffer(const struct ready *r, const struct plan_launch *l, size_t nth) {
  return session_buffer(r, l->args[nth].name);
}

int host_name_path(const struct ready *r, const char *library, size_t version, struct err *e) {
  struct run_result *out = r->trial->result;
  free(out->path);
  out->path = str_printf("%s %zu.%zu.%zu", library, version / 10000, version / 100 % 100, version % 100);
  return out->path ? 0 : err_nomem(e, "a path");
}
