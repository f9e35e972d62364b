/* Every place that a rule has: what of them is missing, or names a rule that is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/advice/triton_words.h"
#include "analysis/ladder/cured.h"
#include "analysis/rules/rules.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, WORDS_MAX = 160, PATH_LONGEST = 512 };

static char *text_of(const char *path) {
  char *text = NULL;
  size_t n;
  struct err e = {0};
  if (file_read(path, TEXT_MAX, &text, &n, &e))
    fail_msg("%s", e.text);
  return text;
}

static bool is_rule(const char *name) {
  const struct rule *rule = rule_find(name);
  return rule && strcmp(rule->name, name) == 0; /* and not by a former name */
}

static void a_file_of_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < n_rules; i++) {
    char path[PATH_LONGEST];
    int n = snprintf(path, sizeof path, TEST_SOURCE_DIR "/tests/unit/test_analysis_judge_%s.c", rules[i].name);
    for (char *c = path + n - (int)strlen(rules[i].name); *c; c++)
      *c = *c == '-' ? '_' : *c;
    free(text_of(path));
  }
}

/* A pair of the corpus, or the row's word that there is none; its README has it in the table, or in the sentence on those. */
static void a_pair_or_none(void **state) {
  char *labels = text_of(TEST_SOURCE_DIR "/tests/corpus/labels.tsv");
  char *readme = text_of(TEST_SOURCE_DIR "/tests/corpus/README.md");
  (void)state;
  for (size_t i = 0; i < n_rules; i++) {
    char cause[WORDS_MAX], row[WORDS_MAX], named[WORDS_MAX];
    snprintf(cause, sizeof cause, "\t%s\t", rules[i].name);
    snprintf(row, sizeof row, "\n| %s |", rules[i].name);
    snprintf(named, sizeof named, "`%s`", rules[i].name);
    bool pair = false, none = rules[i].flags & RULE_NO_PAIR;
    for (const char *line = labels; line && !pair; line = strchr(line + 1, '\n')) {
      const char *tab = strchr(line + 1, '\t');
      pair = tab && strncmp(tab, cause, strlen(cause)) == 0;
    }
    if (pair == none)
      fail_msg("%s: tests/corpus/labels.tsv has %s pair: RULE_NO_PAIR in its row says so", rules[i].name,
               pair ? "a" : "no");
    if (!strstr(readme, none ? named : row))
      fail_msg("%s: tests/corpus/README.md does not say what its pairs cure, or where it was read", rules[i].name);
  }
  free(labels);
  free(readme);
}

static void tables_name_rules(void **state) {
  (void)state;
  for (const struct triton_row *x = triton_rows; x->rule; x++)
    if (!is_rule(x->rule))
      fail_msg("triton_words.c: %s", x->rule);
  for (size_t i = 0; cured_rule(i); i++)
    if (!is_rule(cured_rule(i)))
      fail_msg("cured.c: %s", cured_rule(i));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_file_of_rows), cmocka_unit_test(a_pair_or_none),
                                     cmocka_unit_test(tables_name_rules)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
