#include "reports/compare/diff_words.h"

#include "base/markdown.h"

#include <stdio.h>
#include <string.h>

const char *words_variant(char buffer[WORDS_VARIANT_MAX], const char *id_a, const char *id_b) {
  char a[WORDS_VARIANT_MAX], b[WORDS_VARIANT_MAX];
  if (!id_a || !id_b || strcmp(id_a, id_b) == 0)
    snprintf(buffer, WORDS_VARIANT_MAX, "%s", str_middle_cut(a, sizeof a, id_a ? id_a : id_b, WORDS_NAME_CHARS));
  else
    snprintf(buffer, WORDS_VARIANT_MAX, "%s → %s", str_middle_cut(a, sizeof a, id_a, WORDS_NAME_CHARS / 2),
             str_middle_cut(b, sizeof b, id_b, WORDS_NAME_CHARS / 2));
  return buffer;
}

const char *words_change(char buffer[VIEW_NUMBER_MAX], double ratio) {
  snprintf(buffer, VIEW_NUMBER_MAX, "%+.2f", (ratio - 1) * 100);
  return buffer;
}

void words_side(const char *name, struct diff_side s, const char *files, struct text *out) {
  const struct run *r = s.runs[0].run;
  text_printf(out, "%s: %s: ", name, files);
  if (s.n > 1)
    text_printf(out, "%zu runs, the first ", s.n);
  view_origin(&s.runs[0], out);
  text_printf(out, ", git %s", r->git ? r->git : "unknown");
}

static void words_source(const struct diff_noise *n, struct text *out) {
  double percent = n->between * 100;
  switch (n->source) {
  case NOISE_RUNS:
    text_printf(
        out,
        "Between runs a ratio varies by %.2f %% (standard deviation), measured over the runs of %zu pairs; each pair's own variation is included.",
        percent, n->pairs);
    break;
  case NOISE_SAME_CODE:
    text_printf(out,
                "Between runs a ratio varies by %.2f %% (standard deviation), estimated from the scatter of %zu pairs "
                "whose machine code is the same.",
                percent, n->pairs);
    break;
  case NOISE_ALL_PAIRS:
    text_printf(out,
                "Between runs a ratio varies by %.2f %% (standard deviation), estimated from the scatter of all %zu "
                "pairs: too few have the same machine code.",
                percent, n->pairs);
    break;
  case NOISE_FLOOR:
    text_printf(
        out,
        "Between runs a ratio is taken to vary by %.2f %% (standard deviation), as it did on an H200: %zu timed pairs are too few to estimate it.",
        percent, n->pairs);
    break;
  case NOISE_CHIPS:
    text_printf(
        out,
        "A and B are two chips, so a ratio is of a chip and its build. Between runs it is taken to vary by %.2f %% (standard deviation), as it did on an H200: the pairs scatter by what the chips differ in.",
        percent);
    break;
  case NOISE_ONE_RUN:
    text_add(
        out,
        "Both files hold the same run (its time, command and card, or every sample): variation between runs is taken as 0.");
    break;
  }
}

void words_noise(const struct diff *d, struct text *out) {
  const struct diff_noise *n = &d->noise;
  char shift[VIEW_NUMBER_MAX];
  text_add(out, "Times are medians. ");
  words_source(n, out);
  words_change(shift, n->shift);
  if (n->shift_removed)
    text_printf(
        out,
        " The %zu pairs of the same machine code moved by %s %% (median)%s; this shift is removed from every ratio, B vs A included (--raw keeps it).",
        n->shift_pairs, shift, n->shift_large ? ": a clock, a card or a driver, not a kernel" : "");
  else if (n->shift_all.present)
    text_printf(out, " All pairs moved by %s %% (median); no shift is removed from the ratios%s.",
                WORDS_CHANGE(n->shift_all.v),
                !n->shift_pairs ? ", since none has the same machine code on both sides"
                : d->one_chip   ? ""
                                : ", since the chips differ");
  for (size_t i = 0; i < d->n_conditions; i++)
    if (strcmp(d->conditions[i].what, "device") == 0)
      text_add(out, " The GPUs differ, and diff compares builds: nvfp4-prof report A B shows two GPUs side by side.");
}

struct count_word {
  int verdict;
  const char *word;
};

static void counts_add(struct text *out, const size_t *counts, const struct count_word *order, size_t n) {
  const char *comma = "";
  for (size_t i = 0; i < n; i++) {
    if (counts[order[i].verdict] == 0)
      continue;
    text_printf(out, "%s%zu %s", comma, counts[order[i].verdict], order[i].word);
    comma = ", ";
  }
  if (!*comma)
    text_add(out, "nothing to compare");
}

void words_counts(const struct diff *d, struct text *out) {
  static const struct count_word order[] = {
      {DIFF_BROKEN, "broken"}, {DIFF_SLOWER, "slower"},   {DIFF_FASTER, "faster"},
      {DIFF_MENDED, "mended"}, {DIFF_SAME, "same"},       {DIFF_UNCLEAR, "unclear"},
      {DIFF_ADDED, "added"},   {DIFF_REMOVED, "removed"}, {DIFF_UNTIMED, "without a time"},
  };
  counts_add(out, d->counts, order, sizeof order / sizeof *order);
}

void words_static_counts(const struct static_diff *d, struct text *out) {
  static const struct count_word order[] = {
      {STATIC_BROKEN, "broken"}, {STATIC_WORSE, "worse"}, {STATIC_CHANGED, "changed"}, {STATIC_MENDED, "mended"},
      {STATIC_SAME, "same"},     {STATIC_ADDED, "added"}, {STATIC_REMOVED, "removed"}, {STATIC_ABSENT, "not compiled"},
  };
  counts_add(out, d->counts, order, sizeof order / sizeof *order);
}

void words_markdown(struct text *out, struct text *lines) {
  for (const char *s = text_str(lines); *s; s += *s == '\n') {
    size_t item = strncmp(s, "- ", 2) == 0 ? 2 : 0, n = strcspn(s + item, "\n");
    text_add_n(out, s, item);
    markdown_text_n(out, s + item, n);
    text_add(out, "\n");
    s += item + n;
  }
  out->failed |= lines->failed;
  text_release(lines);
}
