#include "analysis/model/finding.h"

#include <string.h>

struct value finding_time(const struct finding *f) {
  return f->timed ? value_of(f->time.middle) : value_absent(f->time_reason);
}

struct value finding_value_named(const struct finding *f, const char *name, struct pool *pool) {
  const struct derived *d = derived_find(f->derived, f->n_derived, name);
  return d ? d->value : value_counter(f->result, name, pool);
}

struct value finding_value(const struct finding *f, const char *name) {
  const struct derived *d = derived_find(f->derived, f->n_derived, name);
  if (d)
    return d->value;
  const struct run_metric *m = run_metric_find(f->result, name);
  if (m && m->present)
    return value_of(m->value);
  return value_absent(m && m->reason ? m->reason : "not collected");
}

struct value finding_field(const struct finding *f, struct value_field field) {
  const char *at = (const char *)f + field.offset;
  return field.is_value ? *(const struct value *)at : value_of(*(const double *)at);
}

bool finding_doubts_title(const struct finding *f, const char *title) {
  for (size_t i = 0; i < f->n_derived; i++)
    for (size_t k = 0; k < f->n_doubted && strcmp(f->derived[i].title, title) == 0; k++)
      if (strncmp(f->derived[i].name, f->doubted[k], strlen(f->doubted[k])) == 0)
        return true;
  return false;
}

struct value finding_dram_roof(const struct finding *f) {
  return value_ratio(f->dram_bytes, f->bounds.seconds[BOUND_DRAM], "DRAM moves nothing");
}

bool finding_is_uneven(const struct finding *f) {
  static const double spread = 1.25; /* of the longest over the shortest: launches of equal work differ by less */
  return shape_none(f->result->shape) && f->timed && f->time.max > spread * f->time.min;
}

double finding_l1_miss(const struct finding *f) {
  struct value hit = finding_value(f, "l1_hit_rate");
  return hit.present ? 1 - hit.v : 1;
}
