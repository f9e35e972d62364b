#include "base/cxx_name.h"

#include "base/text.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char UNNAMED[] = "(anonymous namespace)", GEOMETRY[] = " <<<", CALL[] = "operator";
enum { UNNAMED_BYTES = sizeof UNNAMED - 1, GEOMETRY_BYTES = sizeof GEOMETRY - 1, CALL_BYTES = sizeof CALL - 1 };

/* The parenthesis of "operator()" or "operator ()", which holds no arguments. */
static bool is_call_operator(const char *begin, const char *at) {
  const char *end = at > begin && at[-1] == ' ' ? at - 1 : at;
  return at[1] == ')' && end - begin >= CALL_BYTES && strncmp(end - CALL_BYTES, CALL, CALL_BYTES) == 0;
}

static int nesting(const char *begin, const char *at) {
  bool arrow = *at == '>' && at > begin && at[-1] == '-';
  return (*at == '<') - (*at == '>' && !arrow);
}

const char *cxx_bare(const char *name, size_t *n, const char **rest) {
  const char *begin = strncmp(name, "void ", 5) == 0 ? name + 5 : name, *end = begin;
  int depth = 0, open = 0;
  for (; *end && strncmp(end, GEOMETRY, GEOMETRY_BYTES) != 0; end++) {
    if (*end == '(' && depth == 0 && strncmp(end, UNNAMED, UNNAMED_BYTES) != 0 && !is_call_operator(begin, end))
      break;
    depth += nesting(begin, end);
  }
  *n = (size_t)(end - begin);
  *rest = end;
  while (**rest == '(' || (open > 0 && **rest)) {
    open += (**rest == '(') - (**rest == ')');
    (*rest)++;
    if (open == 0)
      break;
  }
  return begin;
}

static size_t length(const char *s) {
  return utf8_columns(s, strlen(s));
}

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* "at::native::f<std::array<int>>" -> "f<array<int>>" */
static void drop_spaces(char *s) {
  char *to = s;
  for (const char *from = s; *from;) {
    if (strncmp(from, "::", 2) != 0) {
      *to++ = *from++;
      continue;
    }
    bool unnamed = to - s >= UNNAMED_BYTES && strncmp(to - UNNAMED_BYTES, UNNAMED, UNNAMED_BYTES) == 0;
    char *word = unnamed ? to - UNNAMED_BYTES : to;
    while (!unnamed && word > s && in_word(word[-1]))
      word--;
    if (word == to) { /* behind template arguments or a lambda: it says whose */
      *to++ = *from++;
      *to++ = *from++;
      continue;
    }
    to = word;
    from += 2;
  }
  *to = '\0';
}

/* How deep template arguments stand. */
static int depth_of(const char *s) {
  const char *begin = s;
  int depth = 0, deepest = 0;
  for (; *s; s++) {
    depth += nesting(begin, s);
    deepest = depth > deepest ? depth : deepest;
  }
  return deepest;
}

/* Template arguments that stand deeper than `most` as "…". */
static void add_to_depth(struct text *out, const char *s, int most) {
  const char *begin = s;
  int depth = 0;
  for (; *s; s++) {
    int change = nesting(begin, s);
    depth += change < 0 ? change : 0;
    if (depth <= most)
      text_add_n(out, s, 1);
    depth += change > 0 ? change : 0;
    if (change > 0 && depth == most + 1)
      text_add(out, "…");
  }
}

const char *cxx_fit(char *buffer, size_t size, const char *name, size_t chars) {
  if (length(name) <= chars)
    return name;
  const char *rest;
  size_t n;
  const char *begin = cxx_bare(name, &n, &rest);
  char *bare = str_printf("%.*s", (int)n, begin);
  size_t room = chars > length(rest) ? chars - length(rest) : 0;
  struct text out = {0};
  if (length(bare) > room)
    drop_spaces(bare);
  for (int most = depth_of(bare); most >= 0; most--) {
    text_release(&out);
    add_to_depth(&out, bare, most);
    if (most <= 1 || length(text_str(&out)) <= room)
      break;
  }
  text_add(&out, rest);
  const char *cut = str_middle_cut(buffer, size, text_str(&out), chars);
  if (cut != buffer)
    snprintf(buffer, size, "%s", cut);
  text_release(&out);
  free(bare);
  return buffer;
}

/* The function's name in one of C++, n bytes: behind its type and name spaces, before its
 * template's and its own arguments.  NULL where it is no such name. */
static const char *outermost(const char *id, size_t *n) {
  static const char unnamed[] = "(anonymous namespace)::", type[] = "void ";
  const char *name = strncmp(id, type, sizeof type - 1) == 0 ? id + sizeof type - 1 : id;
  const char *s = strncmp(name, unnamed, sizeof unnamed - 1) == 0 ? name += sizeof unnamed - 1 : name;
  while (*s && !strchr("<( ", *s)) {
    s += strncmp(s, "::", 2) == 0 ? 2 : 1;
    if (strncmp(s, unnamed, sizeof unnamed - 1) == 0)
      s += sizeof unnamed - 1;
    if (s - name >= 2 && strncmp(s - 2, "::", 2) == 0)
      name = s;
  }
  *n = (size_t)(s - name);
  return *n > 0 && (*s == '<' || *s == '(') ? name : NULL;
}

/* CUTLASS's kernels are of one function each, whose template argument says which: "void
 * cutlass::Kernel2<cutlass_80_tensorop...>(...)". */
static bool names_nothing(const char *function, size_t n) {
  static const char *const wrappers[] = {"Kernel", "Kernel2", "device_kernel"};
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (strlen(wrappers[i]) == n && strncmp(function, wrappers[i], n) == 0)
      return function[n] == '<';
  return false;
}

/* The first template argument's own name, without name spaces; *n: its length, in and out. */
static const char *argument_of(const char *function, size_t *n) {
  const char *inner = function + *n + 1;
  *n = strcspn(inner, "<,>(");
  for (const char *s; (s = strstr(inner, "::")) && s < inner + *n; inner = s + 2)
    *n -= (size_t)(s + 2 - inner);
  return inner;
}

const char *cxx_function(const char *name, size_t *n) {
  const char *function = outermost(name, n);
  return function && names_nothing(function, *n) ? argument_of(function, n) : function;
}
