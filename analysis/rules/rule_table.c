/* All rules, and who they are by name. */
#include "analysis/rules/rule_tools.h"

#include "rule_rows.h"

#include <string.h>

#define RULE_DECLARED(number, id, named, titled, of_flags, by_code)                                                    \
  rule_judge rule_##id;                                                                                                \
  rule_change change_##id;
RULE_ROWS(RULE_DECLARED)

#define RULE_ELEMENT(number, id, named, titled, of_flags, by_code)                                                     \
  {.name = (named),                                                                                                    \
   .title = (titled),                                                                                                  \
   .judge = rule_##id,                                                                                                 \
   .change = change_##id,                                                                                              \
   .judge_static = (by_code),                                                                                          \
   .flags = (of_flags)},
const struct rule rules[] = {RULE_ROWS(RULE_ELEMENT)};
const size_t n_rules = sizeof rules / sizeof rules[0];

struct told told_of(const struct rule *rule) {
  return (struct told){.general = rule->flags & RULE_GENERAL};
}

const struct rule *rule_find(const char *name) {
  static const struct { const char *former, *name; } renamed[] = {{"redundant-b-loads", "redundant-loads"}};
  for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
    if (strcmp(renamed[i].former, name) == 0)
      name = renamed[i].name;
  for (size_t i = 0; i < n_rules; i++)
    if (strcmp(rules[i].name, name) == 0)
      return &rules[i];
  return NULL;
}
