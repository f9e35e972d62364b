#include "reports/text/export.h"

#include "base/plain.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void shape_add(struct text *out, struct shape s) {
  char buffer[SHAPE_TEXT_MAX];
  text_add(out, shape_none(s) ? "problem not declared" : shape_text(s, buffer));
}

/* --- trace --- */

static void event_begin(struct text *out, bool *first) {
  text_add(out, *first ? "\n" : ",\n");
  *first = false;
}

static void track_name(const struct run *r, const struct run_result *x, size_t track, struct text *out) {
  struct text name = {0};
  text_printf(&name, "%s ", r->variants[x->variant].id);
  shape_add(&name, x->shape);
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

/* --- folded stacks --- */

/* A frame: what separates frames, or a stack from its count, is not part of one. */
static void frame_add(struct text *out, const char *s) {
  for (; *s; s++)
    text_add_n(out, *s == ';' ? "," : *s == '\n' || *s == '\r' ? " " : s, 1);
}

static int by_offset(const void *key, const void *element) {
  uint32_t offset = *(const uint32_t *)key;
  const struct run_instruction *x = element;
  return offset < x->offset ? -1 : offset > x->offset;
}

static void line_frames(const struct run *r, const struct run_kernel *k, uint32_t offset, struct text *out) {
  const struct run_instruction *x = k->n_sass ? bsearch(&offset, k->sass, k->n_sass, sizeof *k->sass, by_offset) : NULL;
  if (!x || x->n_lines == 0) {
    text_printf(out, ";+0x%" PRIx32, offset);
    return;
  }
  /* The chain is kept innermost first. */
  for (size_t i = x->n_lines; i-- > 0;) {
    text_add(out, ";");
    frame_add(out, x->lines[i].source >= 0 ? r->sources[x->lines[i].source].name : "(file not kept)");
    text_printf(out, ":%d", x->lines[i].line);
  }
}

struct stack {
  char *frames;
  uint64_t samples;
};

static int by_frames(const void *a, const void *b) {
  const struct stack *x = a, *y = b;
  return strcmp(x->frames, y->frames);
}

static char *stack_text(const struct run *r, const struct run_result *x, const struct run_sample *s) {
  const struct run_kernel *k = &r->modules[s->module].kernels[s->kernel];
  struct text t = {0};
  frame_add(&t, r->variants[x->variant].id);
  text_add(&t, ";");
  shape_add(&t, x->shape);
  text_add(&t, ";");
  frame_add(&t, k->name);
  line_frames(r, k, s->offset, &t);
  text_add(&t, ";");
  frame_add(&t, s->reason);
  return text_take(&t);
}

/* Instructions of one line share a stack. */
static size_t result_folded(const struct run *r, const struct run_result *x, struct text *out) {
  struct stack *stacks = calloc(x->n_samples + 1, sizeof *stacks);
  size_t lines = 0, n = 0;
  if (!stacks) {
    out->failed = true;
    return 0;
  }
  for (size_t i = 0; i < x->n_samples; i++) {
    stacks[n] = (struct stack){stack_text(r, x, &x->samples[i]), x->samples[i].samples};
    out->failed |= !stacks[n].frames;
    n += stacks[n].frames != NULL;
  }
  qsort(stacks, n, sizeof *stacks, by_frames);
  for (size_t i = 0; i < n;) {
    uint64_t sum = 0;
    size_t same = i;
    for (; same < n && strcmp(stacks[same].frames, stacks[i].frames) == 0; same++)
      sum += stacks[same].samples;
    if (sum > 0) {
      text_printf(out, "%s %" PRIu64 "\n", stacks[i].frames, sum);
      lines++;
    }
    i = same;
  }
  for (size_t i = 0; i < n; i++)
    free(stacks[i].frames);
  free(stacks);
  return lines;
}

size_t export_folded(const struct run *r, struct text *out) {
  size_t lines = 0;
  for (size_t i = 0; i < r->n_results; i++)
    lines += result_folded(r, &r->results[i], out);
  return lines;
}

/* --- counters --- */

void export_metrics(const struct run *r, struct text *out) {
  static const char *const columns[] = {"variant", "shape", "metric", "unit", "value", "source", "reason"};
  struct table *t = table_new();
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    table_column(t, columns[i], "", columns[i], TABLE_LEFT);
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
