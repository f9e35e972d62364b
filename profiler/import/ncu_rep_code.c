/* The code of a report's kernels: SASS from the cubin that it carries, with the samples and counts of each instruction. */
#include "base/array.h"
#include "base/text.h"
#include "base/wire.h"
#include "profiler/import/ncu_rep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRIC_ELEMENT = 3 };

/* --- which metrics are shown at instructions --- */

static const char SAMPLES[] = "smsp__pcsamp_warps_issue_stalled_", NOT_ISSUED[] = "_not_issued";

/* As ncu's metrics name what its source view calls otherwise. */
static const char *const COUNT_METRICS[COUNTS] = {
    [COUNT_EXECUTED] = "inst_executed",
    [COUNT_THREADS] = "thread_inst_executed_true",
    [COUNT_GLOBAL_SECTORS] = "memory_l2_theoretical_sectors_global",
    [COUNT_GLOBAL_IDEAL] = "memory_l2_theoretical_sectors_global_ideal",
    [COUNT_SHARED_WAVEFRONTS] = "memory_l1_wavefronts_shared",
    [COUNT_SHARED_IDEAL] = "memory_l1_wavefronts_shared_ideal",
};
static const struct {
  const char *metric, *reason;
} RENAMED[] = {{"dispatch_stall", "dispatch"}, {"no_instructions", "no_instruction"}};

static bool stall_find(const char *name, size_t n, int *out) {
  char reason[64];
  snprintf(reason, sizeof reason, "%.*s", (int)n, name);
  for (size_t i = 0; i < sizeof RENAMED / sizeof RENAMED[0]; i++)
    if (strcmp(reason, RENAMED[i].metric) == 0)
      snprintf(reason, sizeof reason, "%s", RENAMED[i].reason);
  for (int i = 0; i < SOURCE_STALLS; i++) {
    if (strcmp(reason, ncu_source_reason(i)) == 0) {
      *out = i;
      return true;
    }
  }
  return false;
}

bool rep_series_of(const char *metric, struct rep_series *out) {
  *out = (struct rep_series){.kind = SERIES_COUNT};
  for (int i = 0; i < COUNTS; i++) {
    if (strcmp(metric, COUNT_METRICS[i]) == 0) {
      out->index = i;
      return true;
    }
  }
  if (strncmp(metric, SAMPLES, sizeof SAMPLES - 1) != 0)
    return false;
  const char *name = metric + sizeof SAMPLES - 1;
  bool not_issued = str_ends(name, NOT_ISSUED);
  out->kind = not_issued ? SERIES_NOT_ISSUED : SERIES_SAMPLES;
  return stall_find(name, strlen(name) - (not_issued ? strlen(NOT_ISSUED) : 0), &out->index);
}

/* --- a launch's block --- */

static void places_copy(struct source_instruction *out, const struct run_instruction *from,
                        const struct rep_source *s) {
  out->places = from->n_lines ? calloc(from->n_lines, sizeof *out->places) : NULL;
  for (size_t i = 0; i < from->n_lines; i++) {
    const struct run_line *l = &from->lines[i];
    if (l->source < 0 || (size_t)l->source >= s->n_texts || l->line < 1 || l->line > SOURCE_LINES_MAX)
      continue;
    const struct run_source *of = &s->texts[l->source];
    out->places[out->n_places++] = (struct source_place){of->name, l->line, .whole = !of->text[0]};
  }
}

static void instructions_copy(struct source_block *b, const struct run_kernel *k, const struct rep_source *s) {
  b->items = calloc(k->n_sass + 1, sizeof *b->items);
  for (size_t i = 0; i < k->n_sass; i++) {
    struct source_instruction *x = &b->items[b->n++];
    *x = (struct source_instruction){.address = k->sass[i].offset, .text = k->sass[i].text};
    for (int c = 0; c < COUNTS; c++)
      x->counts[c] = -1;
    places_copy(x, &k->sass[i], s);
  }
}

static int by_address(const void *offset, const void *item) {
  uint64_t at = *(const uint64_t *)offset, of = ((const struct source_instruction *)item)->address;
  return (at > of) - (at < of);
}

static struct source_instruction *instruction_at(struct source_block *b, uint64_t offset) {
  return bsearch(&offset, b->items, b->n, sizeof *b->items, by_address);
}

/* The next of a series; false: there is no more. */
static bool element_next(struct wire *w, uint64_t *address, double *value) {
  struct wire_field f;
  while (wire_next(w, &f))
    if (f.number == METRIC_ELEMENT && f.type == WIRE_BYTES && rep_element(f.bytes, f.n, address, value))
      return true;
  return false;
}

/* Where the kernel lay: its first instruction is executed by every warp. */
static bool kernel_start(const struct rep_launch *l, uint64_t *out) {
  bool found = false;
  for (size_t i = 0; i < l->n_series; i++) {
    struct wire w = wire_open(l->series[i].message, l->series[i].n);
    uint64_t address;
    double value;
    if (l->series[i].kind != SERIES_COUNT || l->series[i].index != COUNT_EXECUTED)
      continue;
    while (element_next(&w, &address, &value)) {
      *out = found && *out < address ? *out : address;
      found = true;
    }
  }
  return found;
}

static void series_put(struct source_block *b, const struct rep_series *s, uint64_t start) {
  static const double samples_max = 9007199254740992.0; /* 2^53: a double is whole up to there */
  struct wire w = wire_open(s->message, s->n);
  uint64_t address;
  double value;
  for (size_t i = 0; i < b->n && s->kind == SERIES_COUNT; i++)
    b->items[i].counts[s->index] = 0;
  while (element_next(&w, &address, &value)) {
    struct source_instruction *x = instruction_at(b, address - start);
    if (!x || !(value >= 0 && value <= samples_max))
      continue;
    if (s->kind == SERIES_COUNT)
      x->counts[s->index] = value;
    else if (s->kind == SERIES_SAMPLES)
      x->samples[s->index] = (uint64_t)value;
    else
      x->not_issued[s->index] = (uint64_t)value;
  }
}

static void lines_copy(struct ncu_source *code, const struct rep_source *s) {
  for (size_t i = 0; i < s->n_texts; i++) {
    int number = 1;
    for (const char *at = s->texts[i].text; *at && number <= SOURCE_LINES_MAX; number++) {
      size_t n = strcspn(at, "\n");
      struct source_line *line = array_add(&code->lines, &code->n_lines, sizeof *line);
      *line = (struct source_line){s->texts[i].name, number, strndup(at, n)};
      at += n + (at[n] == '\n');
    }
  }
}

static const struct run_kernel *kernel_of(const struct rep_source *s, const char *mangled) {
  long at = mangled ? name_index_find(&s->kernels, mangled) : NAME_NEW;
  return at == NAME_NEW ? NULL : &s->module.kernels[at];
}

static void block_add(struct ncu_source *code, const struct rep_launch *l, const struct rep_source *s,
                      const struct run_kernel *k, const struct ncu_launch *of, uint64_t start) {
  struct source_block *b = array_add(&code->blocks, &code->n, sizeof *b);
  *b = (struct source_block){.kernel = of->kernel, .of = of};
  instructions_copy(b, k, s);
  for (size_t i = 0; i < l->n_series; i++)
    series_put(b, &l->series[i], start);
}

/* *why: what keeps its code from being shown; NULL: nothing. */
static void launch_add(struct ncu_source *code, const struct rep_launch *l, const struct ncu_launch *of,
                       const char **why) {
  struct rep_source *source = rep_source_find(code, l->reference);
  const struct run_kernel *k = source ? kernel_of(source, l->mangled) : NULL;
  uint64_t start = 0;
  *why = !source ? "the report holds no code: ncu --set full or --section SourceCounters keeps it"
         : !kernel_start(l, &start)
             ? "the report has no counts at instructions: ncu --section SourceCounters collects them"
         : source->why    ? source->why
         : !k             ? "the report's cubin lacks a kernel that was launched"
         : k->n_sass      ? NULL
         : k->sass_reason ? k->sass_reason
                          : "the report's cubin lacks a kernel that was launched";
  if (*why)
    return;
  if (!source->shown)
    lines_copy(code, source);
  source->shown = true;
  block_add(code, l, source, k, of, start);
}

void rep_code_add(struct ncu_source *code, const struct rep_launch *launches, const struct ncu_launch *of, size_t n,
                  char **note) {
  rep_sources_sort(code);
  for (size_t i = 0; i < n; i++) {
    struct rep_source *source = rep_source_find(code, launches[i].reference);
    uint64_t start;
    if (source && !source->wanted)
      source->wanted = kernel_start(&launches[i], &start);
  }
  rep_sources_open(code);
  for (size_t i = 0; i < n; i++) {
    const char *why;
    launch_add(code, &launches[i], &of[i], &why);
    if (why && !*note)
      *note = str_copy(why);
  }
}
