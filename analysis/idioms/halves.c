#include "analysis/idioms/halves.h"

#include <ctype.h>
#include <string.h>

static bool is_register(const char *s) {
  s += strspn(s, "-|~");
  return s[0] == 'R' && isdigit((unsigned char)s[1]);
}

bool sass_is_one_half(const struct sass_inst *x) {
  const char *s = x->modifiers + x->n_modifiers;
  bool any = false, sets = strstr(x->opcode, "SETP") != NULL; /* writes predicates alone */
  for (bool first = !sets; *s && *s != ';'; first = false) {
    s += strspn(s, " \t,");
    size_t n = strcspn(s, ",;");
    const char *half = strstr(s, ".H0_H0"), *other = strstr(s, ".H1_H1");
    bool one = (half && half < s + n) || (other && other < s + n);
    if (!first && is_register(s) && !one)
      return false;
    any = any || (!first && one);
    s += n;
  }
  return any;
}
