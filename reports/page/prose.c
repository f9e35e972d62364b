#include "reports/page/page.h"

#include "analysis/story/program.h"
#include "reports/text/score_text.h"

#include <string.h>

/* A line of the method, and the runs that have what it speaks of. */
struct method_line {
  enum method_of { OF_ALL, OF_STEPS, OF_GEMV, OF_OTHERS } of;
  const char *text;
};

static const struct method_line method[] = {
    {OF_ALL,
     "- **Time** is the mid-distribution median of the samples (the mean of those between the quartiles); ± is half of its 95 % "
     "bootstrap interval, shown where it is wide and never under half of the clock's 32 ns tick. A variant that fails the check is "
     "not timed.\n"},
    {OF_STEPS,
     "- **× parent** and **speed-up** are the parent's time over this time; intervals that overlap are no measurable "
     "change.\n"},
    {OF_GEMV,
     "- **SOL** (speed of light) is the minimal bytes A + SFA + B + SFB + C, each once, over the DRAM bandwidth that the "
     "table names; **SOL %** is that time over the measured one. **read %** is the time of the control that "
     "only reads the same bytes over the measured one.\n"},
    {OF_OTHERS,
     "- **SOL** (speed of light) is the bytes that the table names over its DRAM bandwidth; **SOL %** is that time over "
     "the measured one.\n"},
    {OF_ALL,
     "- **DRAM** is read and written bytes by counters; **× min** is their ratio to the minimal bytes.\n"
     "- **bound** is the resource with the largest share of the modelled time, and the part of the time that it needs by itself (docs/model.md).\n"},
    {OF_GEMV,
     "- **inst** is warp instructions per element of A; **issue** is issue slots used; **occup** is achieved occupancy.\n"},
    {OF_OTHERS, "- **issue** is issue slots used; **occup** is achieved occupancy.\n"},
    {OF_ALL, "- **Means** over the shapes are geometric, and stand only where every shape has a value.\n"},
    {OF_STEPS,
     "- **Explained steps**: the model replaces the parent's work by the child's, one kind of work at a time, averaged over all orders; a cause's share is the change in modelled time, and the unexplained rest is stated. Predictions are the rung's own; a time prediction is UNCLEAR where the 95 % interval "
     "of the ratio holds the threshold. A stall reason in a prediction stands for all warp cycles spent on it.\n"},
    {OF_ALL,
     "- **Advice** comes from rules over counters, SASS and PC samples; its saving is an estimate (modelled), capped by the "
     "speed of light."},
    {OF_STEPS, " A rung names the rule that its change targets: the promise is that rule's estimate at the parent."},
    {OF_ALL,
     "\n- **Bytes in flight**: *needed* is the best known DRAM bandwidth × DRAM's idle latency, *possible* what the resident warps' loads can have in flight by the SASS, *achieved* the measured bandwidth × the same latency.\n"
     "- **Origins**: *measured* on this GPU in this run; *recorded* in a shipped run; *modelled* for a chip that was not there; "
     "*published* by the source named. They are never mixed in one column.\n"},
};

void prose_method(const struct findings *f, struct text *out) {
  bool steps = view_words(f, NULL).climb, gemv = !view_of_others(f);
  for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
    enum method_of of = method[i].of;
    if (of == OF_ALL || (of == OF_STEPS && steps) || of == (gemv ? OF_GEMV : OF_OTHERS))
      text_add(out, method[i].text);
  }
}

/* What a cause of a step's change is about, by enum step_group. */
static const char *const cause_words[STEP_GROUPS] = {
    [GROUP_DRAM] = "bytes that DRAM moves",
    [GROUP_CACHE] = "L2 bytes, L1 wavefronts (cycles of its data stage) and atomics",
    [GROUP_INSTRUCTIONS] = "instructions issued, by pipe",
    [GROUP_LOADS] = "what a warp waits for global loads and copies, one batch after the other",
    [GROUP_DEPENDENCIES] = "waits for results of arithmetic, shared memory, constants and fetch; waits at barriers",
    [GROUP_GEOMETRY] = "how many warps share the work, in which blocks; SMs without a block count here",
    [GROUP_LAUNCH] = "launches, and an empty kernel of the same grid",
    [GROUP_BALANCE] = "mean over longest cycles of the SMs that have a block; the metric SM balance is of all SMs",
    [GROUP_CLOCK] = "the clock that the SMs ran at",
};

void prose_cause_words(struct text *out) {
  for (int g = 0; g < STEP_GROUPS; g++)
    text_printf(out, "- **%s**: %s.\n", step_group_rows[g].title, cause_words[g]);
  text_add(
      out,
      "\nCauses that undo each other, or that alone exceed the time there was, are one cause: \"a + b\". Percentages "
      "are of the change in time; a cause that is offset by another may exceed 100 %.\n");
}

static void add_fact(struct table *t, const char *name, const char *value) {
  if (!value || !*value)
    return;
  table_row(t);
  table_cell(t, name, NULL);
  table_cell(t, value, NULL);
}

/* "NVIDIA H200 (132 SMs, 1980 MHz at most, ...)": what the run knows of it. */
static void device_add(const struct run_device *d, struct text *out) {
  struct text facts = {0};
  if (d->sms > 0)
    text_printf(&facts, ", %d SMs", d->sms);
  if (d->clock_max_hz > 0)
    text_printf(&facts, ", %.0f MHz at most", d->clock_max_hz / 1e6);
  if (d->l2_bytes > 0)
    text_printf(&facts, ", L2 %.1f MB", d->l2_bytes / 1e6);
  if (d->memory_bus_bits > 0)
    text_printf(&facts, ", memory %d bit", d->memory_bus_bits);
  if (d->memory_clock_hz > 0)
    text_printf(&facts, "%s at %.0f MHz", d->memory_bus_bits > 0 ? "" : ", memory", d->memory_clock_hz / 1e6);
  text_add(out, d->name ? d->name : "unnamed");
  if (facts.n)
    text_printf(out, " (%s)", text_str(&facts) + strlen(", "));
  text_end(&facts, out);
}

struct table *prose_setting(const struct findings *f) {
  const struct run *r = f->run;
  const struct run_device *d = &r->device;
  struct table *t = table_new();
  struct text line = {0};
  table_head(t, "what | as it was =value");
  device_add(d, &line);
  add_fact(t, "device", text_str(&line));
  text_release(&line);
  add_fact(t, "origin of the numbers", run_origin_name(r->origin));
  add_fact(t, "driver", d->driver);
  add_fact(t, "CUDA of the driver", d->cuda_driver);
  add_fact(t, "CUPTI", d->cupti);
  add_fact(t, "NVRTC", d->nvrtc);
  add_fact(t, "when", r->created);
  add_fact(t, "tool", r->tool);
  add_fact(t, "git", r->git);
  add_fact(t, "command", r->command);
  text_printf(&line, "%s", r->l2 ? r->l2 : "not stated");
  if (r->flush_bytes > 0)
    text_printf(&line, " (%.0f MB read before each launch)", r->flush_bytes / 1e6);
  add_fact(t, "L2", text_str(&line));
  text_release(&line);
  text_add(&line, r->inputs ? r->inputs : "not stated");
  if (r->seed) /* the inputs of a program of others have none */
    text_printf(&line, ", seed %llu", (unsigned long long)r->seed);
  add_fact(t, "inputs", text_str(&line));
  text_release(&line);
  add_fact(t, "collected", view_tier(f));
  return t;
}

void prose_limits(const struct findings *f, void (*item)(void *context, const char *line), void *context) {
  const struct run *r = f->run;
  struct text line = {0};
  if (r->origin != ORIGIN_MEASURED) {
    text_printf(&line, "These numbers are %s: nothing was measured on this machine.", run_origin_name(r->origin));
    item(context, text_str(&line));
  }
  text_release(&line);
  if (view_partial(r)) {
    text_printf(&line, "The run is partial: %s.", view_partial(r));
    item(context, text_str(&line));
  }
  text_release(&line);
  view_notes(r, item, context);
  view_doubts(f, item, context);
  if (!program_is(r))
    item(context,
         "Percentages of SOL against another bandwidth (datasheet, driver-derived, measured) are not comparable.");
}

const struct report_note *prose_note(const struct report_parts *parts, const char *variant) {
  for (size_t i = 0; i < parts->n_notes; i++)
    if (strcmp(parts->notes[i].variant, variant) == 0)
      return &parts->notes[i];
  return NULL;
}

bool prose_has_refused(const struct view *v) {
  for (size_t i = 0; i < v->n; i++)
    if (v->items[i].group == VIEW_WRONG)
      return true;
  return false;
}

bool prose_headline(const struct story *s, struct text *out) {
  const struct findings *f = s->findings;
  const struct headline *h = &s->headline;
  const struct answer_row *most = s->answer.program && !s->answer.only ? s->answer.best : NULL;
  if (!h->best)
    return false;
  if (most && most->share.present) {
    text_printf(out, "%s takes %.0f %% of the GPU time: %.0f call%s of %s in the mean", VIEW_NAME(most->variant),
                100 * most->share.v, most->calls, most->calls == 1 ? "" : "s",
                VIEW_SPAN(most->total_s / most->calls, 4));
    return true;
  }
  text_add(out, VIEW_NAME(h->best));
  if (!headline_of_one_problem(f, NULL)) {
    text_printf(out, " takes %s per launch", VIEW_SPAN(h->best_s.v, 4));
    if (headline_of_rivals(f))
      text_printf(out, ", the longest of the best of %zu ladders", f->n_ladders);
    else if (f->run->n_variants > 1)
      text_printf(out, ", the longest of %zu kernels", f->run->n_variants);
    return true;
  }
  if (h->of_read.present)
    text_printf(out, " runs at %s %% of the read control", VIEW_NUMBER(h->of_read.v * 100, 3));
  else if (h->of_sol.present)
    text_printf(out, " runs at %s %% of the speed of light", VIEW_NUMBER(h->of_sol.v * 100, 3));
  else
    text_printf(out, " is the fastest %s", view_words(f, NULL).one);
  text_printf(out, ": %s µs", VIEW_NUMBER(h->best_s.v * 1e6, 4));
  if (h->from)
    text_printf(out, ", from %s µs", VIEW_NUMBER(h->from_s.v * 1e6, 4));
  return true;
}

const char prose_cures_words[] =
    "What each rule promised at a rung against what the step that applies its remedy gained, at each shape. Fired: the rule gave advice at the step's parent; first, in three: it stood first, or among the first three. Error: promised minus gained, of the parent's time, where the rule fired.";

struct table *prose_cures(const struct story *s, const char *ladder) {
  const struct score *x = story_cures_of(s, ladder);
  return x && x->n ? score_causes(x) : NULL;
}
