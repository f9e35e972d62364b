#include "analysis/model/python_text.h"

#include "analysis/model/code_place.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

bool source_is_python(const struct run *r, int source) {
  return source >= 0 && (size_t)source < r->n_sources && str_ends(r->sources[source].name, ".py");
}

/* Behind a string of Python that begins at s, or its last character where it does not end. */
static const char *string_end(const char *s) {
  char quote = *s;
  size_t n = s[1] == quote && s[2] == quote ? 3 : 1;
  for (s += n; *s && !(n == 1 && *s == '\n'); s++)
    if (*s == '\\' && s[1])
      s++;
    else if (*s == quote && (n == 1 || (s[1] == quote && s[2] == quote)))
      return s + n - 1;
  return s - 1;
}

int python_statement(const char *text, int line) {
  int at = 1, begin = 1, open = 0;
  for (const char *s = text; *s && at < line; s++) {
    if (*s == '#')
      s += strcspn(s, "\n") - 1;
    else if (*s == '"' || *s == '\'') {
      const char *end = string_end(s);
      for (; s < end; s++)
        at += *s == '\n';
    } else if (strchr("([{", *s))
      open++;
    else if (strchr(")]}", *s))
      open -= open > 0;
    else if (*s == '\n') {
      at++;
      begin = open ? begin : at;
    }
  }
  return at == line && begin < line ? begin : 0;
}

static bool begins(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

unsigned python_around(const struct run *r, int source, int line_number) {
  unsigned found = 0;
  size_t least = SIZE_MAX;
  for (int at = line_number; at > 0; at--) {
    const char *line = source_line(r, source, at);
    size_t indent = line ? strspn(line, " \t") : 0;
    if (!line || indent >= least || line[indent] == '\n' || line[indent] == '#')
      continue;
    bool first = least == SIZE_MAX;
    line += indent;
    least = indent;
    if (begins(line, "def "))
      return 0; /* of another function: not known */
    if (!first && (begins(line, "for ") || begins(line, "while ")))
      return found | (*line == 'w' ? PYTHON_WHILE : PYTHON_FOR);
    found |= begins(line, "if ") || begins(line, "elif ") || begins(line, "else:") ? PYTHON_IF : 0;
  }
  return 0;
}

const char *python_function(const struct run *r, const char *name, size_t *n) {
  size_t length = strlen(name);
  for (size_t i = 0; i < r->n_sources; i++) {
    const char *text = r->sources[i].text;
    for (const char *at = text ? strstr(text, "def ") : NULL; at; at = strstr(at + 1, "def ")) {
      if (strncmp(at + 4, name, length) != 0 || at[4 + length] != '(')
        continue;
      const char *end = at;
      do
        end = strchr(end + 1, '\n');
      while (end && (end[1] == ' ' || end[1] == '\t' || end[1] == '\n' || end[1] == ')' || end[1] == '#'));
      *n = end ? (size_t)(end - at) : strlen(at);
      return at;
    }
  }
  return NULL;
}
