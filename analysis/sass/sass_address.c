/* What is asked of an instruction by itself: its kind, and the brackets of its address. */
#include "analysis/sass/sass_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool sass_is_integer(const struct sass_inst *x) {
  return x->class == SASS_INTEGER || x->class == SASS_LOGIC;
}

bool sass_is_global_atomic(const struct sass_inst *x) {
  return x->class == SASS_ATOMIC && (x->space == SPACE_GLOBAL || x->space == SPACE_GENERIC);
}

bool sass_is_global(const struct sass_inst *x) {
  return x->bytes > 0 && (x->class == SASS_LOAD_GLOBAL || x->class == SASS_STORE_GLOBAL);
}

size_t sass_address(const struct sass_inst *x, const char **at) {
  const char *open = strrchr(x->text, '[');
  const char *end = open ? strchr(open, ']') : NULL;
  *at = open;
  return end ? (size_t)(end - open) : 0;
}

long sass_address_register(const struct sass_inst *x) {
  const char *at;
  size_t n = sass_address(x, &at);
  return n > 1 && at[1] == 'R' && isdigit((unsigned char)at[2]) ? strtol(at + 2, NULL, 10) : -1;
}

size_t sass_address_base(const struct sass_inst *x, const char **at, long *offset) {
  size_t n = sass_address(x, at), base = n ? strcspn(*at, "+]") : 0;
  if (offset)
    *offset = base < n ? strtol(*at + base + 1, NULL, 16) : 0;
  return base;
}

bool sass_bytes_between(const struct sass_inst *x, const struct sass_inst *y, long *between) {
  const char *a, *b;
  long first, second;
  size_t n = sass_address_base(x, &a, &first), m = sass_address_base(y, &b, &second);
  *between = second - first;
  return n > 0 && n == m && memcmp(a, b, n) == 0;
}
