/* Explanations of the corpus' pairs, whose causes were planted: the largest share of the change should be the cause's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/ladder/cured.h"
#include "analysis/ladder/explain.h"
#include "analysis/ladder/score.h"
#include "base/file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G(name) (1U << GROUP_##name)

/* The work that a cause is about. */
static const struct cause_groups {
  const char *cause;
  unsigned groups;
} CAUSES[] = {
    {"atomics", G(CACHE)},
    {"bank-conflicts", G(CACHE)},
    {"barrier", G(DEPENDENCIES)},
    {"conversions", G(INSTRUCTIONS)},
    {"dependent-chain", G(DEPENDENCIES)},
    {"dependent-loads", G(LOADS)},
    {"divergence", G(INSTRUCTIONS)},
    {"dram-saturated", G(DRAM)},
    {"excess-dram-bytes", G(DRAM)},
    {"fp64", G(INSTRUCTIONS)},
    {"hot-atomics", G(CACHE)},
    {"imbalance", G(BALANCE)},
    {"instruction-cache", G(DEPENDENCIES)},
    {"integer-division", G(INSTRUCTIONS)},
    {"issue-slots", G(INSTRUCTIONS)},
    {"l2-rereads", G(CACHE)},
    {"latency", G(LOADS) | G(DEPENDENCIES)},
    {"launch-bound", G(LAUNCH)},
    {"long-scoreboard", G(LOADS)},
    {"non-fused-fp", G(INSTRUCTIONS)},
    {"occupancy", G(GEOMETRY)},
    {"partial-sectors", G(CACHE)},
    {"pipe", G(INSTRUCTIONS)},
    {"redundant-loads", G(CACHE)},
    {"shared-memory", G(CACHE)},
    {"small-blocks", G(LAUNCH)},
    {"small-grid", G(GEOMETRY)},
    {"spills", G(CACHE) | G(DRAM)},
    {"tail", G(BALANCE)},
    {"uncoalesced", G(CACHE)},
    {"write-back", G(DRAM)},
};

static unsigned groups_of(const struct label *l) {
  unsigned groups = 0;
  for (size_t i = 0; i < l->n_causes; i++)
    for (size_t k = 0; k < sizeof CAUSES / sizeof CAUSES[0]; k++)
      groups |= strcmp(l->causes[i], CAUSES[k].cause) == 0 ? CAUSES[k].groups : 0;
  assert_true(groups != 0);
  return groups;
}

/* The group that speaks most for the change. */
static enum step_group largest(const struct step_at *at) {
  double sign = at->time.after.v < at->time.before.v ? -1 : 1;
  enum step_group best = GROUP_DRAM;
  for (int g = 0; g < STEP_GROUPS; g++)
    if (sign * at->shares.seconds[g] > sign * at->shares.seconds[best])
      best = (enum step_group)g;
  return best;
}

static bool planted_is_largest(const struct findings *f, const struct label *l) {
  struct err e = {0};
  struct step s;
  const struct run_variant *from = run_variant_find(f->run, l->parent), *to = run_variant_find(f->run, l->child);
  if (step_make(&s, f, from, to, f->shapes, f->n_shapes, &e))
    fail_msg("%s", e.text);
  assert_true(s.at[0].shares.known);
  bool is = groups_of(l) >> largest(&s.at[0]) & 1;
  step_release(&s);
  return is;
}

static const struct planted_set {
  const char *title, *run, *half;
} SETS[] = {
    {"H200 corpus, training half", "h200", "train"},     {"H100 corpus, training half", "h100", "train"},
    {"H200 corpus, test half", "h200", "test"},          {"H100 corpus, test half", "h100", "test"},
    {"H200 corpus, fresh pairs", "h200-fresh", "fresh"},
};

/* Whether the document has its row. */
static bool set_check(const struct planted_set *set, char *labels_text, const char *doc) {
  struct run run = {0};
  struct device device = {0};
  struct findings f = {0};
  struct label *labels = NULL;
  struct err e = {0};
  struct text row = {0};
  char path[512];
  size_t n = 0, right = 0;
  snprintf(path, sizeof path, "%s/tests/corpus/%s.json.gz", TEST_SOURCE_DIR, set->run);
  if (run_load(&run, path, &e) || device_from_run(&device, &run.device, &e) || findings_make(&f, &run, &device, &e) ||
      labels_parse(&labels, &n, labels_text, set->half, &run, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < n; i++)
    right += planted_is_largest(&f, &labels[i]);
  text_printf(&row, "| %s | %zu | %.0f %% |", set->title, n, 100 * (double)right / (double)n);
  bool is = strstr(doc, row.s);
  if (!is)
    print_error("docs/model.md has no row %s\n", row.s);
  text_release(&row);
  free(labels);
  findings_release(&f);
  device_release(&device);
  run_release(&run);
  return is;
}

static void largest_share_is_the_planted_cause(void **state) {
  enum { TEXT_MAX = 1 << 20 };
  struct err e = {0};
  char *doc = NULL, *labels = NULL;
  size_t bytes = 0, rows = 0;
  (void)state;
  if (file_read(TEST_SOURCE_DIR "/docs/model.md", TEXT_MAX, &doc, &bytes, &e) ||
      file_read(TEST_SOURCE_DIR "/tests/corpus/labels.tsv", TEXT_MAX, &labels, &bytes, &e))
    fail_msg("%s", e.text);
  for (size_t i = 0; i < sizeof SETS / sizeof SETS[0]; i++) {
    char *own = str_copy(labels); /* parsed in place */
    rows += set_check(&SETS[i], own, doc);
    free(own);
  }
  free(labels);
  free(doc);
  assert_int_equal(rows, sizeof SETS / sizeof SETS[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(largest_share_is_the_planted_cause)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
