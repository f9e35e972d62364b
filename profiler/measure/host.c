#include "profiler/measure/host.h"

#include "base/text.h"

#include <stdlib.h>

CUdeviceptr host_buffer(const struct ready *r, const struct plan_launch *l, size_t nth) {
  return session_buffer(r, l->args[nth].name);
}

void host_name_path(const struct ready *r, const char *library, size_t version) {
  struct run_result *out = r->trial->result;
  free(out->path);
  out->path = str_printf("%s %zu.%zu.%zu", library, version / 10000, version / 100 % 100, version % 100);
}
