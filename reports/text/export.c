#include "reports/text/report.h"

#include "base/plain.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>

/* --- trace --- */

static void event_begin(struct text *out, bool *first) {
  text_add(out, *first ? "\n" : ",\n");
  *first = false;
}

static void track_name(const struct run *r, const struct run_result *x, size_t track, struct text *out) {
  struct text name = {0};
  char shape[SHAPE_TEXT_MAX];
  text_add(&name, r->variants[x->variant].id);
  if (!shape_none(x->shape))
    text_printf(&name, " %s", shape_text(x->shape, shape));
  text_printf(out, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%zu,\"args\":{\"name\":", track);
  json_text(out, text_str(&name));
  text_add(out, "}}");
  text_end(&name, out);
}

static size_t track_add(const struct run *r, const struct run_result *x, size_t track, struct text *out, bool *first) {
  static const double us_per_ns = 1e-3;
  double start_ns = 0;
  if (x->timing.n == 0)
    return 0;
  event_begin(out, first);
  track_name(r, x, track, out);
  for (size_t i = 0; i < x->timing.n; i++) {
    event_begin(out, first);
    text_add(out, "{\"ph\":\"X\",\"cat\":\"launch\",\"name\":");
    json_text(out, r->variants[x->variant].id);
    text_printf(out, ",\"pid\":1,\"tid\":%zu,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"sample\":%zu}}", track,
                start_ns * us_per_ns, x->timing.samples_ns[i] * us_per_ns, i);
    start_ns += x->timing.samples_ns[i];
  }
  return x->timing.n;
}

size_t export_trace(const struct run *r, struct text *out) {
  size_t launches = 0;
  bool first = true;
  text_add(
      out,
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"note\":\"durations are measured; starts are not: each track has its "
      "launches one after another from 0\",\"device\":");
  json_text(out, r->device.name ? r->device.name : "");
  text_add(out, ",\"origin\":");
  json_text(out, run_origin_name(r->origin));
  text_add(out, "},\"traceEvents\":[");
  event_begin(out, &first);
  text_add(out, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":"
                "\"nvfp4-prof: durations only, one launch after another\"}}");
  for (size_t i = 0; i < r->n_results; i++)
    launches += track_add(r, &r->results[i], i + 1, out, &first);
  text_add(out, "\n]}\n");
  return launches;
}

/* --- counters --- */

void export_metrics(const struct run *r, struct text *out) {
  struct table *t = table_of("variant | shape | metric | unit | value | source | reason");
  for (size_t i = 0; i < r->n_results; i++) {
    const struct run_result *x = &r->results[i];
    char shape[SHAPE_TEXT_MAX];
    for (size_t j = 0; j < x->n_metrics; j++) {
      const struct run_metric *m = &x->metrics[j];
      table_line(t, "s s s s 6 s s", r->variants[x->variant].id,
                 shape_none(x->shape) ? "" : shape_text(x->shape, shape), m->name, m->unit, m->present ? m->value : NAN,
                 m->source, m->reason);
    }
  }
  table_csv(t, out);
  table_free(t);
}
