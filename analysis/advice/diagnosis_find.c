#include "analysis/advice/diagnosis.h"

const struct advice *diagnosis_find(const struct diagnosis *d, const char *rule) {
  const struct rule *wanted = rule_find(rule);
  for (size_t i = 0; i < d->n && wanted; i++)
    if (d->items[i].rule == wanted)
      return &d->items[i];
  return NULL;
}
