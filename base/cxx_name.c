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
  bool spaced = name - id >= 2 && name[-1] == ':';
  return *n > 0 && (*s == '<' || *s == '(' || spaced) ? name : NULL;
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

/* --- what template arguments say --- */

struct word {
  const char *s;
  size_t n;
  int depth;     /* of template arguments */
  bool function; /* or a functor: it may say what is done */
};

static bool is(const char *s, size_t n, const char *word) {
  return strlen(word) == n && strncmp(s, word, n) == 0;
}

static bool ends(const char *s, size_t n, const char *end) {
  size_t of_end = strlen(end);
  return n > of_end && strncmp(s + n - of_end, end, of_end) == 0;
}

/* Behind what opens at s, a bracket of either kind. */
static const char *behind(const char *s, const char *end) {
  const char *begin = s;
  int open = 0;
  do
    open += (*s == '(') - (*s == ')') + nesting(begin, s);
  while (++s < end && open > 0);
  return s;
}

static bool is_functor(const char *s, size_t n) {
  for (size_t i = 0; i + strlen("Functor") <= n; i++)
    if (strncmp(s + i, "Functor", strlen("Functor")) == 0)
      return true;
  return ends(s, n, "_functor") || ends(s, n, "Op") || ends(s, n, "Ops");
}

/* The next word from *at on: a name without name space or a number.  Left out is what tells nothing: parameters, numbers of lambdas, the array of the tensors' addresses. */
static bool word_next(const char **at, const char *end, struct word *w) {
  static const char array[] = "std::array<char", lambda[] = "{lambda(";
  for (const char *s = *at; s < end; *at = s) {
    w->s = s;
    if (strncmp(s, UNNAMED, UNNAMED_BYTES) == 0) {
      s += UNNAMED_BYTES;
    } else if (strncmp(s, lambda, sizeof lambda - 1) == 0) {
      s += sizeof lambda - 1;
    } else if (strncmp(s, array, sizeof array - 1) == 0) {
      s = behind(s + strlen("std::array"), end);
    } else if (*s == '(') {
      s = behind(s, end);
    } else if (*s == '#') {
      s += strcspn(s, "}");
    } else if (!in_word(*s)) {
      w->depth += nesting(*at, s);
      s++;
    } else {
      w->s -= isdigit((unsigned char)*s) && w->depth > 0 && s[-1] == '-'; /* -1 */
      while (s < end && in_word(*s))
        s++;
      w->n = (size_t)(s - w->s);
      if (strncmp(s, "::", 2) != 0 && !is(w->s, w->n, CALL) && !is(w->s, w->n, "const")) {
        w->function = is_functor(w->s, w->n) || *(*s == '<' ? behind(s, end) : s) == '(';
        *at = s;
        return true;
      }
    }
  }
  return false;
}

/* Where the words of the name's function begin; NULL: it has none. */
static const char *words_begin(const char *name, const char **end) {
  const char *rest;
  size_t n, of_function;
  const char *bare = cxx_bare(name, &n, &rest), *function = outermost(name, &of_function);
  *end = bare + n;
  return function && function[of_function] == '<' && !names_nothing(function, of_function) ? function + of_function
                                                                                           : NULL;
}

const char *cxx_word(const char *name, size_t i, size_t *n) {
  struct word w = {0};
  const char *end, *at = words_begin(name, &end);
  while (at && word_next(&at, end, &w))
    if (i-- == 0) {
      *n = w.n;
      return w.s;
    }
  return NULL;
}

const char *cxx_operation(const char *name, size_t *n) {
  static const char *const tails[] = {"_impl", "_cuda", "_kernel", "_functor", "Functor", "Ops", "Op"};
  static const char functor_of[] = "CUDAFunctor"; /* "CUDAFunctor_add", "CUDAFunctorOnSelf_add" */
  struct word w = {0}, most = {0};
  const char *end, *at = words_begin(name, &end);
  while (at && word_next(&at, end, &w))
    if (w.function && w.depth > most.depth)
      most = w;
  if (!most.s)
    return NULL;
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
    if (ends(most.s, most.n, tails[i])) {
      most.n -= strlen(tails[i]);
      i = (size_t)-1; /* "_kernel_impl" has two */
    }
  const char *tail = strncmp(most.s, functor_of, sizeof functor_of - 1) == 0 ? memchr(most.s, '_', most.n) : NULL;
  if (tail) {
    most.n -= (size_t)(tail + 1 - most.s);
    most.s = tail + 1;
  }
  *n = most.n;
  return most.s;
}

char *cxx_title(const char *name) {
  size_t n, of_operation;
  const char *function = cxx_function(name, &n), *operation = cxx_operation(name, &of_operation);
  if (!function)
    return NULL;
  return operation ? str_printf("%.*s: %.*s", (int)n, function, (int)of_operation, operation)
                   : str_printf("%.*s", (int)n, function);
}

const char *cxx_title_cut(char *buffer, size_t size, const char *title, size_t chars) {
  enum { FUNCTION_LEAST = 3 };
  const char *operation = strstr(title, ": ");
  if (!operation || length(title) <= chars || length(operation) + FUNCTION_LEAST > chars)
    return str_middle_cut(buffer, size, title, chars);
  snprintf(buffer, size, "%.*s…%s", (int)utf8_bytes(title, chars - length(operation) - 1), title, operation);
  return buffer;
}

/* The title, and the types and functors that have room. */
static void told_add(struct text *out, const char *name, size_t room) {
  char *title = cxx_title(name);
  struct word w = {0};
  struct text more = {0};
  size_t n;
  const char *operation = cxx_operation(name, &n), *end, *at = words_begin(name, &end);
  while (word_next(&at, end, &w)) {
    bool is_it = operation >= w.s && operation < w.s + w.n, wraps = w.function && !is_functor(w.s, w.n);
    if (is_it || wraps || !isalpha((unsigned char)*w.s))
      continue;
    if (length(title) + more.n + w.n + strlen(" (, )") > room)
      break;
    text_printf(&more, "%s%.*s", more.n ? ", " : " (", (int)w.n, w.s);
  }
  text_printf(out, "%s%s%s", title, text_str(&more), more.n ? ")" : "");
  text_release(&more);
  free(title);
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
  if (length(bare) > room && cxx_operation(name, &n))
    told_add(&out, name, room);
  for (int most = depth_of(bare); most >= 0 && !out.n; most--) {
    add_to_depth(&out, bare, most);
    if (most > 1 && length(text_str(&out)) > room)
      text_release(&out);
  }
  text_add(&out, rest);
  const char *cut = cxx_title_cut(buffer, size, text_str(&out), chars);
  if (cut != buffer)
    snprintf(buffer, size, "%s", cut);
  text_release(&out);
  free(bare);
  return buffer;
}
