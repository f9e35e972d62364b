/* What a kernel selects its values by. */
#include "analysis/idioms/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* FSEL R5, R19, 0.72295683622360229492, P3: the value that stands in the code; 0: there is none, or it is zero. */
static double literal_of(const struct sass_inst *x) {
  enum { VALUES = 2 };
  const char *c = strchr(x->text, ',');
  double found = 0;
  for (int k = 0; c && k < VALUES && found == 0; k++, c = strchr(c + 1, ',')) {
    const char *value = c + 1 + strspn(c + 1, " ");
    found = strchr("-0123456789", *value) ? strtod(value, NULL) : 0;
  }
  return found;
}

enum { ENTRIES = 4 }; /* different constants that make a table; a flag has one */

static size_t add_entry(double *entries, size_t n, double x) {
  for (size_t k = 0; k < n; k++)
    if (entries[k] == x)
      return n;
  if (n < ENTRIES)
    entries[n++] = x;
  return n;
}

static bool is_comparison(const struct sass_inst *x) {
  static const char *const names[] = {"FSETP", "FSET", "HSETP2", "HSET2", NULL};
  for (const char *const *name = names; *name; name++)
    if (strcmp(x->opcode, *name) == 0)
      return true;
  return false;
}

enum choice_kind sass_choices(struct sass *s) {
  double all = 0, literals = 0, extremes = 0, entries[ENTRIES];
  size_t n_entries = 0;
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double n = x->never ? 0 : fmax(s->executed[i], 0);
    bool selects = strcmp(x->opcode, "FSEL") == 0, extreme = strstr(x->opcode, "MNMX") != NULL;
    double literal = selects && n > 0 ? literal_of(x) : 0;
    all += selects || extreme || is_comparison(x) ? n : 0;
    extremes += extreme ? n : 0;
    literals += literal != 0 ? n : 0;
    n_entries = literal != 0 ? add_entry(entries, n_entries, literal) : n_entries;
  }
  return all <= 0                                     ? CHOICE_OTHER
         : 4 * extremes >= all                        ? CHOICE_EXTREMES
         : 2 * literals > all && n_entries == ENTRIES ? CHOICE_TABLE
                                                      : CHOICE_OTHER;
}
