/* The phases: names and collectors. */
#include "profiler/measure/collect.h"

#include "base/text.h"

#include <string.h>

#define PHASE_DECLARED(number, upper, lower) extern const struct collector collect_##lower;
PHASE_ROWS(PHASE_DECLARED)

#define PHASE_ELEMENT(number, upper, lower) {#lower, &collect_##lower},
const struct phase_row phase_rows[PROFILE_PHASES] = {PHASE_ROWS(PHASE_ELEMENT)};

static int phase_of(const char *name, size_t length) {
  for (int i = 0; i < PROFILE_PHASES; i++)
    if (strlen(phase_rows[i].name) == length && memcmp(phase_rows[i].name, name, length) == 0)
      return i;
  return -1;
}

static int unknown_phase(const char *list, const char *name, size_t length, struct err *e) {
  struct text known = {0};
  for (int i = 0; i < PROFILE_PHASES; i++)
    text_printf(&known, "%s%s", i ? ", " : "", phase_rows[i].name);
  int rc = err_set(e, ERR_USAGE, "--phases %s: '%.*s' is not one of %s, each at most once", list, (int)length, name,
                   text_str(&known));
  text_release(&known);
  return rc;
}

int profile_phases_parse(enum profile_phase phases[PROFILE_PHASES], size_t *n, const char *list, struct err *e) {
  bool seen[PROFILE_PHASES] = {false};
  *n = 0;
  for (const char *p = list; *p;) {
    size_t length = strcspn(p, ",");
    int found = phase_of(p, length);
    if (found < 0 || seen[found])
      return unknown_phase(list, p, length, e);
    seen[found] = true;
    phases[(*n)++] = (enum profile_phase)found;
    p += length + (p[length] == ',');
  }
  return *n && phases[0] == PHASE_CHECK
             ? 0
             : err_set(e, ERR_USAGE, "--phases %s: check must come first, because a wrong kernel is not timed", list);
}
