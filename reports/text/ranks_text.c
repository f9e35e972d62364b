#include "reports/text/ranks_text.h"

#include "base/utf8.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"

#include <stdio.h>
#include <string.h>

/* Files of one folder differ at the end of their names. */
static void label_of_file(char buffer[RANK_LABEL_MAX], const char *file) {
  enum { COLUMNS = 23 };
  size_t all = utf8_columns(file, strlen(file));
  bool cut = all > COLUMNS;
  snprintf(buffer, RANK_LABEL_MAX, "%s%s", cut ? "…" : "", cut ? file + utf8_bytes(file, all - COLUMNS + 1) : file);
}

const char *rank_label(char buffer[RANK_LABEL_MAX], const struct ranks *r, int rank) {
  const struct run_merged_rank *m = &r->merge->ranks[rank];
  if (m->process.launcher)
    snprintf(buffer, RANK_LABEL_MAX, "rank %ld", m->process.rank);
  else
    label_of_file(buffer, m->file);
  return buffer;
}

enum { NAME_CHARS = 32, ROW_CHARS = 36 }; /* of a kernel in a sentence; in a table, which leaves room for the outlier */

/* "434 ms", "12.3 s" */
static const char *time_words(char buffer[VIEW_NUMBER_MAX], double seconds) {
  bool long_one = seconds >= 10;
  snprintf(buffer, VIEW_NUMBER_MAX, "%.32s %s", VIEW_NUMBER(long_one ? seconds : seconds * 1e3, 3),
           long_one ? "s" : "ms");
  return buffer;
}
#define TIME_WORDS(seconds) time_words((char[VIEW_NUMBER_MAX]){0}, seconds)

/* --- the answer --- */

/* "3, 5-7": at most eight pieces. */
static void missing_add(const struct ranks *r, struct text *out) {
  size_t pieces = 0;
  for (size_t i = 0, n; i < r->n_missing; i += n) {
    for (n = 1; i + n < r->n_missing && r->missing[i + n] == r->missing[i] + (long)n;)
      n++;
    if (pieces++ == 8) {
      text_printf(out, ", … (%zu in all)", r->n_missing);
      return;
    }
    text_printf(out, "%s%ld", i ? ", " : "", r->missing[i]);
    if (n > 1)
      text_printf(out, "–%ld", r->missing[i + n - 1]);
  }
}

static void say_ranks(const struct ranks *r, struct text *out) {
  double total_s = r->own.total_s + r->waits.total_s;
  if (r->merge->expected > 0)
    text_printf(out, "%zu of %ld ranks", r->merge->n_ranks, r->merge->expected);
  else
    text_printf(out, "%zu process%s", r->merge->n_ranks, r->merge->n_ranks == 1 ? "" : "es");
  if (r->n_missing) {
    text_add(out, " (missing: ");
    missing_add(r, out);
    text_add(out, ")");
  }
  if (r->n_hosts)
    text_printf(out, ", %zu host%s", r->n_hosts, r->n_hosts == 1 ? "" : "s");
  text_printf(out, ", %zu kernel%s, %s of GPU time per rank.", r->n_kernels, r->n_kernels == 1 ? "" : "s",
              TIME_WORDS(total_s / (double)r->merge->n_ranks));
}

static void own_add(const struct ranks *r, struct text *out) {
  const struct ranks_spread *s = &r->own;
  if (s->farthest < 0) {
    text_printf(out, "%s %s of GPU time outside collectives.",
                r->merge->n_ranks == 1 ? "One process:" : "Balanced: every rank has", TIME_WORDS(s->max_s));
    return;
  }
  const char *host = r->n_hosts > 1 ? r->merge->ranks[s->farthest].process.host : NULL;
  const char *label = RANK_LABEL(r, s->farthest);
  bool is_rank = r->merge->ranks[s->farthest].process.launcher != NULL; /* else nobody is known to wait for it */
  if (s->stands_out)
    text_printf(out, "Slowest: %s%s%s%s, %+.0f %%: %s outside collectives; %s %s.", label, host ? " (" : "",
                host ? host : "", host ? ")" : "", s->off * 100, TIME_WORDS(s->max_s),
                is_rank ? "the others wait" : "the median is",
                TIME_WORDS(is_rank ? s->max_s - s->median_s : s->median_s));
  else
    text_printf(out, "Balanced: the slowest, %s, has %s outside collectives, %.1f %% over the median.", label,
                TIME_WORDS(s->max_s), s->off * 100);
}

static void say_slowest(const struct ranks *r, struct text *out) {
  if (r->n_alone == r->merge->n_ranks) {
    text_add(out, "No two ranks have a kernel in common, so none is slow beside another: are they of one program?");
    return;
  }
  own_add(r, out);
  if (r->n_alone == 1)
    text_printf(out, " No other rank has a kernel of %s.", RANK_LABEL(r, r->alone));
  else if (r->n_alone)
    text_printf(out, " %zu ranks, the first %s, have no kernel in common with another.", r->n_alone,
                RANK_LABEL(r, r->alone));
}

static void say_cause(const struct ranks *r, struct text *out) {
  const struct ranks_spread *s = r->cause;
  char name[VIEW_NAME_MAX];
  if (!s) {
    text_add(out, "No kernel explains a difference between ranks.");
    return;
  }
  text_printf(out, "Largest difference: %s: %s on %s", str_middle_cut(name, sizeof name, s->name, NAME_CHARS),
              TIME_WORDS(r->cause_s), RANK_LABEL(r, r->own.farthest));
  if (s->n < r->merge->n_ranks)
    text_printf(out, "; %zu of %zu ranks have it.", s->n, r->merge->n_ranks);
  else
    text_printf(out, ", median %s.", TIME_WORDS(s->median_s));
}

static void say_range(const struct ranks *r, struct text *out) {
  const struct ranks_spread *s = r->range;
  char name[VIEW_NAME_MAX];
  if (!s) {
    text_add(out, "No NVTX range: the program marks none.");
    return;
  }
  text_printf(out, "NVTX range of largest imbalance: %s, %.1f %% (maximum %s, mean %s).",
              str_middle_cut(name, sizeof name, s->name, NAME_CHARS), s->imbalance * 100, TIME_WORDS(s->max_s),
              TIME_WORDS(s->mean_s));
}

static void say_collectives(const struct ranks *r, struct text *out) {
  const struct ranks_spread *s = &r->waits;
  if (s->n == 0) {
    text_add(out, "No kernel is a collective.");
    return;
  }
  text_printf(out, "Collectives: %.1f %% of the GPU time, median %s", s->total_s / (s->total_s + r->own.total_s) * 100,
              TIME_WORDS(s->median_s));
  if (s->stands_out)
    text_printf(out, "; %s, with %s, comes last.", RANK_LABEL(r, s->farthest), TIME_WORDS(s->min_s));
  else
    text_add(out, "; no rank comes last.");
}

/* Of ranks that divided the counters between them alone. */
static void say_counters(const struct ranks *r, struct text *out) {
  const struct ranks_split *s = &r->split;
  size_t missing = 0;
  text_printf(out, "Counters in %ld sets, one per rank (--split-passes): complete for %zu kernel%s", s->sets, s->whole,
              s->whole == 1 ? "" : "s");
  if (s->lack)
    text_printf(out, ", incomplete for %zu", s->lack);
  if (s->apart)
    text_printf(out, ", not joined for %zu whose launches differ in geometry", s->apart);
  for (long set = 1; set <= s->sets; set++)
    if (!s->has[set])
      text_printf(out, "%s %ld", missing++ ? "," : "; no rank has set", set);
  text_add(out, missing ? ": its counters are unknown." : ".");
}

void ranks_answer(const struct ranks *r, void (*item)(void *context, const char *sentence), void *context) {
  static void (*const sentences[])(const struct ranks *, struct text *) = {say_ranks, say_slowest,     say_cause,
                                                                           say_range, say_collectives, say_counters};
  size_t n = sizeof sentences / sizeof sentences[0] - !r->split.sets;
  for (size_t i = 0; i < n; i++) {
    struct text t = {0};
    sentences[i](r, &t);
    item(context, text_str(&t));
    text_release(&t);
  }
}

/* --- tables --- */

static void spread_row(struct table *t, const struct ranks *r, const struct ranks_spread *s, bool range) {
  char name[VIEW_NAME_MAX];
  table_row(t);
  table_cell(t, str_middle_cut(name, sizeof name, s->name, ROW_CHARS), s->name);
  if (s->n < r->merge->n_ranks)
    table_cellf(t, "%zu", s->n);
  else
    table_cell(t, "all", NULL);
  if (s->launches_min == s->launches_max)
    table_cellf(t, "%llu", (unsigned long long)s->launches_min);
  else
    table_cellf(t, "%llu–%llu", (unsigned long long)s->launches_min, (unsigned long long)s->launches_max);
  view_cell(t, value_of(s->min_s), 1e3, 4);
  view_cell(t, value_of(s->median_s), 1e3, 4);
  view_cell(t, value_of(s->max_s), 1e3, 4);
  if (range)
    table_cellf(t, "%.1f", s->imbalance * 100);
  if (!s->stands_out) {
    table_cell(t, " ", ""); /* not a dash: nothing is missing */
    return;
  }
  table_cellf(t, "%s %+.0f %%", RANK_LABEL(r, s->farthest), s->off * 100);
  table_style(t, 'b');
}

struct table *ranks_table(const struct ranks *r, bool ranges, size_t most) {
  const struct ranks_spread *spreads = ranges ? r->ranges : r->kernels;
  size_t n = ranges ? r->n_ranges : r->n_kernels;
  struct table *t = table_new();
  table_column(t, ranges ? "NVTX range" : "kernel", "", "name", TABLE_LEFT);
  table_cut(t);
  table_head(t, ">ranks -2 | >calls -1 | >min [ms] =least | >median [ms] | >max [ms] =most");
  if (ranges)
    table_head(t, ">imbal. [%] =imbalance");
  table_head(t, "outlier");
  for (size_t i = 0; i < n && i < most; i++)
    spread_row(t, r, &spreads[i], ranges);
  return t;
}

void ranks_left_out(const struct ranks *r, void (*item)(void *context, const char *sentence), void *context) {
  for (size_t i = 0; i < r->merge->n_left_out; i++) {
    struct text t = {0};
    text_printf(&t, "left out: %s: %s", r->merge->left_out[i].file, r->merge->left_out[i].reason);
    item(context, text_str(&t));
    text_release(&t);
  }
}

/* --- the terminal --- */

enum { TERM_KERNELS = 16, TERM_RANGES = 8, TERM_LEFT_OUT = 3, TERM_WIDTH = 80, LEFT_OUT_CHARS = 200 };

struct lines {
  struct text *out;
  size_t n, most;
};

static void sentence_add(void *context, const char *sentence) {
  wrap_add(context, sentence, TERM_WIDTH, 2);
}

/* Three lines each at most. */
static void line_add(void *context, const char *sentence) {
  struct lines *l = context;
  char cut[4 * LEFT_OUT_CHARS + 1];
  if (l->n++ < l->most)
    wrap_add(l->out, str_middle_cut(cut, sizeof cut, sentence, LEFT_OUT_CHARS), TERM_WIDTH, 2);
}

static void table_add(const struct ranks *r, bool ranges, struct text *out, int width, bool colour) {
  size_t n = ranges ? r->n_ranges : r->n_kernels, most = ranges ? TERM_RANGES : TERM_KERNELS;
  if (n == 0)
    return;
  text_add(out, "\n");
  table_print(ranks_table(r, ranges, most), out, width > 0 && width < TERM_WIDTH ? width : TERM_WIDTH, colour);
  if (n > most)
    text_printf(out, "and %zu more %s: --csv has all\n", n - most, ranges ? "ranges" : "kernels");
}

void report_ranks_term(const struct ranks *r, struct text *out, int width, bool colour) {
  ranks_answer(r, sentence_add, out);
  table_add(r, false, out, width, colour);
  table_add(r, true, out, width, colour);
  struct lines left = {.out = out, .most = TERM_LEFT_OUT};
  if (r->merge->n_left_out)
    text_add(out, "\n");
  ranks_left_out(r, line_add, &left);
  if (left.n > left.most)
    text_printf(out, "and %zu more files are left out: the merged run names them\n", left.n - left.most);
}
