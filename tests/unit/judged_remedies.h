/* Of several remedies of a rule the one that the code and the counters of a kernel allow, and the instruction that the advice names. */
#ifndef TESTS_UNIT_JUDGED_REMEDIES_H
#define TESTS_UNIT_JUDGED_REMEDIES_H

#include "unit/judged.h"

struct remedy_case {
  struct judged_case kernel;
  const char *remedy; /* a part of it */
  const char *sentence;
};

struct line_case {
  struct judged_case kernel;
  size_t at;
};

/* "$": and nothing behind it. */
static inline bool has_words(const char *text, const char *words) {
  size_t n = strcspn(words, "$"), all = strlen(text);
  return words[n] ? all >= n && strncmp(text + all - n, words, n) == 0 : strstr(text, words) != NULL;
}

static inline void remedies_fit(const struct remedy_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    static struct judged j;
    struct told a = {0};
    const struct rule *rule = rule_find(cases[i].kernel.rule);
    judged_make(&j, &cases[i].kernel, NULL);
    if (!rule->judge(&j.in, &a) || !has_words(a.remedy, cases[i].remedy) ||
        (cases[i].sentence && !strstr(a.sentence, cases[i].sentence)))
      fail_msg("row %zu: %s / %s", i, a.sentence, a.remedy);
    assert_true(strlen(a.remedy) <= SENTENCE_MAX);
    judged_release(&j);
  }
}

static inline void lines_are(const struct line_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++) {
    static struct judged j;
    struct told a = {0};
    judged_make(&j, &cases[i].kernel, NULL);
    assert_true(rule_find(cases[i].kernel.rule)->judge(&j.in, &a));
    if (a.at != &j.d.sass[cases[i].at])
      fail_msg("row %zu: %td", i, a.at ? a.at - j.d.sass : -1);
    judged_release(&j);
  }
}

#define REMEDIES_FIT(cases) remedies_fit(cases, sizeof(cases) / sizeof(cases)[0])
#define LINES_ARE(cases)    lines_are(cases, sizeof(cases) / sizeof(cases)[0])

#endif
