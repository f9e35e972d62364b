#include "reports/words/place_text.h"

#include "analysis/model/python_text.h"

#include <string.h>

enum { SOURCE_BYTES = 100 };

/* --- a source's text --- */

/* Where the line begins, without its indent. */
static const char *line_at(const char *text, int line) {
  const char *s = str_line(text, line);
  return s + strspn(s, " \t");
}

/* NVRTC gives all of an asm statement its last line, ": "r"(a), "r"(b));", which tells a reader
 * nothing: the line where it begins, 0 where `line` is no such end. */
static int asm_begin(const char *text, int line) {
  enum { LINES_MOST = 200 };
  if (*line_at(text, line) != ':')
    return 0;
  for (int i = line - 1; i > 0 && i > line - LINES_MOST; i--) {
    const char *s = line_at(text, i), *word = strstr(s, "asm");
    if (word && word < s + strcspn(s, "\n;\""))
      return i;
    if (*s == '}')
      return 0;
  }
  return 0;
}

static void add_cut(const char *s, size_t most, struct text *out) {
  size_t all = strcspn(s, "\n"), n = all < most ? all : most;
  while (n < all && ((unsigned char)s[n] & 0xC0) == 0x80)
    n--;
  text_add_n(out, s, n);
  text_add(out, n < all ? "…" : "");
}

/* Of an argument on a line of its own, first what it is an argument of: "tl.atomic_add( … grad_output," */
void report_source_line(const struct run *r, int source, int line, struct text *out) {
  bool known = source >= 0 && (size_t)source < r->n_sources;
  const char *text = known ? r->sources[source].text : "";
  int begin = asm_begin(text, line);
  if (begin) {
    text_printf(out, "inline PTX, lines %d to %d", begin, line);
    return;
  }
  begin = known && source_is_python(r, source) ? python_statement(text, line) : 0;
  if (begin) {
    add_cut(line_at(text, begin), SOURCE_BYTES / 2, out);
    text_add(out, " … ");
  }
  add_cut(line_at(text, line), begin ? SOURCE_BYTES / 2 : SOURCE_BYTES, out);
}

bool report_text_missing(const struct run *r, int source) {
  return source >= 0 && (size_t)source < r->n_sources && !r->sources[source].text[0];
}

void report_line_shown(const struct run *r, int source, int line, struct text *out) {
  if (report_text_missing(r, source))
    text_add(out, "(text not found)");
  else
    report_source_line(r, source, line, out);
}

/* --- names --- */

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), k = strlen(end);
  return n > k && name[n - k - 1] == '/' && strcmp(name + n - k, end) == 0;
}

const char *report_source_name(const struct run *r, int source) {
  const char *name = r->sources[source].name, *at = name + strlen(name);
  bool alone = false;
  if (*name != '/')
    return name;
  while (at > name && !alone) {
    do
      at--;
    while (at > name && at[-1] != '/');
    alone = true;
    for (size_t i = 0; i < r->n_sources; i++)
      alone = alone && ((int)i == source || !ends_with(r->sources[i].name, at));
  }
  return at;
}

static void add_line(const struct run *r, const struct run_line *l, enum place_naming naming, struct text *out) {
  if (l->source >= 0)
    text_printf(out, "%s:%d", naming == PLACE_WHOLE ? r->sources[l->source].name : report_source_name(r, l->source),
                l->line);
  else
    text_printf(out, naming == PLACE_CELL ? "line %d, file unknown" : "line %d of a file that the run does not name",
                l->line);
}

void report_line(const struct run *r, int source, int line, enum place_naming naming, struct text *out) {
  add_line(r, &(struct run_line){source, line}, naming, out);
}

/* --- what came through several lines --- */

/* Lines of files without names that were inlined at the outermost, in the order of the calls: ", with line 101 inlined, there line 60".  One may be of a toolkit's header. */
static void add_unnamed(const struct code_place *p, const struct run_instruction *i, struct text *out) {
  size_t n = 0;
  for (size_t k = i->n_lines; k-- > 0;) {
    const struct run_line *l = &i->lines[k];
    if (l->source >= 0 || l >= p->line || l->line == l[1].line)
      continue;
    text_printf(out, n++ ? ", there line %d" : ", with line %d inlined", l->line);
  }
}

static void add_behind(const struct run *r, const struct code_place *p, enum place_naming naming, struct text *out) {
  if (p->caller) {
    text_add(out, " in ");
    add_line(r, p->caller, naming, out);
  }
  if (p->inlined) {
    text_add(out, " with ");
    add_line(r, p->inlined, naming, out);
    text_add(out, " inlined");
  }
}

void report_place_behind(const struct run *r, const struct run_instruction *i, struct text *out) {
  struct code_place place;
  code_place_of(&place, r, i);
  add_behind(r, &place, PLACE_SHORT, out);
  if (place.line && place.line->source < 0)
    add_unnamed(&place, i, out);
}

void report_place(const struct run *r, const struct run_instruction *i, enum place_naming naming, struct text *out) {
  struct code_place place;
  code_place_of(&place, r, i);
  if (!place.line) {
    text_add(out, "no source line");
    return;
  }
  add_line(r, place.line, naming, out);
  add_behind(r, &place, naming, out);
  if (place.line->source < 0)
    add_unnamed(&place, i, out);
}

void report_line_of(const struct run *r, const struct run_line *line, const struct run_instruction *i, bool whole,
                    struct text *out) {
  report_line(r, line->source, line->line, whole ? PLACE_WHOLE : PLACE_SHORT, out);
  if (report_text_missing(r, line->source))
    text_add(out, " (text not found)");
  if (i)
    report_place_behind(r, i, out);
}

void report_line_in_full(const struct run *r, const struct run_line *line, const struct run_instruction *i, bool whole,
                         struct text *out) {
  struct text source = {0};
  report_line_of(r, line, i, whole, out);
  report_source_line(r, line->source, line->line, &source);
  if (source.n)
    text_printf(out, ": %s", text_str(&source));
  text_release(&source);
}
