/* What the SASS says of loads under way. */
#include "analysis/model/flight.h"

#include "analysis/sass/sass.h"

#include <string.h>

static const char NO_SASS[] = "the run holds no SASS of its kernel";

static void executed_add(struct flight_code *out, const struct sass *s) {
  for (size_t i = 0; i < s->n && s->counted; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = s->executed[i];
    if (x->class == SASS_LOAD_GLOBAL || x->class == SASS_ASYNC_COPY)
      out->requests = value_of((out->requests.present ? out->requests.v : 0) + n);
    if (x->never || x->malformed || n <= 0)
      continue;
    out->bulk_copies += x->access == ACCESS_BULK_COPY ? n : 0;
    out->async_copies += x->access == ACCESS_ASYNC_COPY ? n : 0;
    out->global_loads += x->class == SASS_LOAD_GLOBAL ? n : 0;
    bool in_loop = s->blocks[s->block_of[i]].loop != SASS_NONE;
    out->loop_barriers += in_loop && strcmp(x->opcode, "BAR") == 0 ? n : 0;
  }
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
  *out = (struct flight_code){.warp_requests = value_absent(NO_SASS),
                              .thread_bytes = value_absent(NO_SASS),
                              .requests = value_absent("it was not counted")};
  for (size_t i = 0; i < r->n_counts; i++)
    out->shared_wavefronts += r->counts[i].shared_wavefronts > 0 ? r->counts[i].shared_wavefronts : 0;
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
    executed_add(out, &s);
    if (kernel && strcmp(m->kernels[i].name, kernel) == 0)
      kernel_read(out, &s);
    sass_release(&s);
  }
  return rc;
}
