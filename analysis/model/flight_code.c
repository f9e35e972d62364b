/* What the SASS says of loads under way. */
#include "analysis/model/flight.h"

#include "analysis/sass/sass.h"

#include <string.h>

static const char NO_SASS[] = "the run holds no SASS of its kernel";

static void requests_add(struct value *sum, const struct sass *s) {
  if (!s->counted)
    return;
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].class == SASS_LOAD_GLOBAL || s->insts[i].class == SASS_ASYNC_COPY)
      *sum = value_of((sum->present ? sum->v : 0) + s->executed[i]);
}

static void kernel_read(struct flight_code *out, struct sass *s) {
  struct sass_summary summary;
  sass_summarise(s, &summary);
  out->thread_bytes = summary.flight.bytes_thread;
  out->warp_requests = summary.flight.bytes_thread.present && summary.flight.loads
                           ? value_of((double)summary.flight.loads)
                           : value_absent(summary.flight.bytes_thread.reason ? summary.flight.bytes_thread.reason
                                                                             : "its SASS holds no global load");
}

int flight_code_of(struct flight_code *out, const struct run *run, const struct run_result *r, const char *kernel,
                   struct err *e) {
  *out = (struct flight_code){value_absent(NO_SASS), value_absent(NO_SASS), value_absent("it was not counted")};
  const struct run_module *m = r->module >= 0 ? &run->modules[r->module] : NULL;
  int rc = 0;
  for (size_t i = 0; m && i < m->n_kernels && !rc; i++) {
    struct sass s;
    if (m->kernels[i].n_sass == 0)
      continue;
    rc = sass_make(&s, &m->kernels[i], e);
    if (rc == ERR_DATA) { /* SASS that no compiler wrote costs what rests on it */
      rc = 0;
      continue;
    }
    if (rc)
      break;
    rc = sass_count(&s, r, r->module, (int)i, e);
    requests_add(&out->requests, &s);
    if (kernel && strcmp(m->kernels[i].name, kernel) == 0)
      kernel_read(out, &s);
    sass_release(&s);
  }
  return rc;
}
