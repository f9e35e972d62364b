#include "base/template.h"

#include "base/html.h"
#include "base/markdown.h"
#include "base/plain.h"

#include <string.h>

enum { DEPTH_MAX = 16 };

struct filling { /* of one template */
  struct text *out;
  const struct embedded *files;
  const char *name, *source;
  void (*escape)(struct text *out, const char *s);
  int depth;
  struct err *e;
};

/* A quote is doubled; no backquote runs a command, no newline ends the string. */
static void gnuplot_text(struct text *out, const char *s) {
  for (bool control; *s;) {
    size_t step = plain_step(s, strlen(s), &control);
    if (*s == '\'' || *s == '`')
      text_add(out, "''");
    else if (control || *s == '\n' || *s == '\t')
      text_add(out, " ");
    else
      text_add_n(out, s, step);
    s += step;
  }
}

static void (*escape_of(const char *name))(struct text *out, const char *s) {
  static const struct {
    const char *ending;
    void (*escape)(struct text *out, const char *s);
  } kinds[] = {{".html", html_text}, {".md", markdown_text}, {".gp", gnuplot_text}, {".txt", text_add}};
  const char *ending = strrchr(name, '.');
  for (size_t i = 0; ending && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].ending, ending) == 0)
      return kinds[i].escape;
  return NULL;
}

/* --- tags --- */

struct tag {
  char kind; /* '#', '^', '/', '>', '!', '{' or 0: a text that is escaped */
  const char *name;
  size_t n;
  const char *begin, *end; /* in the source: from its braces, or its line where it leaves none, to what follows */
  const char *at;          /* its first brace */
};

static int complain(const struct filling *f, const char *at, const char *what, const struct tag *t) {
  int line = 1;
  for (const char *s = f->source; s < at; s++)
    line += *s == '\n';
  return err_set(f->e, ERR_DATA, "%s:%d: {{%.*s}} %s", f->name, line, t ? (int)t->n : 0, t ? t->name : "", what);
}

/* Widens a tag that stands alone on its line to the whole line. */
static void line_take(const struct filling *f, struct tag *t) {
  const char *begin = t->begin, *end = t->end;
  while (begin > f->source && (begin[-1] == ' ' || begin[-1] == '\t'))
    begin--;
  if ((begin > f->source && begin[-1] != '\n') || *end != '\n')
    return;
  t->begin = begin;
  t->end = end + 1;
}

/* The next tag in [s, end); false where there is none.  *rc: not closed. */
static bool tag_next(const struct filling *f, const char *s, const char *end, struct tag *t, int *rc) {
  const char *open = strstr(s, "{{"), *close;

  *rc = 0;
  if (!open || open >= end)
    return false;
  *t = (struct tag){.name = open + 2, .begin = open, .at = open};
  if (*t->name && strchr("#^/>!{", *t->name))
    t->kind = *t->name++;
  close = strstr(t->name, t->kind == '{' ? "}}}" : "}}");
  if (!close || close >= end) {
    *rc = complain(f, open, "is not closed", NULL);
    return false;
  }
  t->n = (size_t)(close - t->name);
  t->end = close + (t->kind == '{' ? 3 : 2);
  if (t->kind && t->kind != '{')
    line_take(f, t);
  return true;
}

/* The tag that closes a section: those of the same name may stand inside. */
static int closing_tag(const struct filling *f, const struct tag *section, const char *end, struct tag *close) {
  int open = 1, rc;
  const char *s = section->end;
  while (tag_next(f, s, end, close, &rc)) {
    bool same = close->n == section->n && memcmp(close->name, section->name, section->n) == 0;
    open += same && (close->kind == '#' || close->kind == '^');
    open -= same && close->kind == '/';
    if (open == 0)
      return 0;
    s = close->end;
  }
  return rc ? rc : complain(f, section->at, "is not closed", section);
}

/* --- filling --- */

static bool asks(const struct tag *t) {
  return t->n > 0 && t->name[t->n - 1] == '?';
}

static const struct slot *slot_find(const struct slots *s, const struct tag *t) {
  for (; s; s = s->outer) {
    const struct slot *x = slot_own(s, t->name, t->n - asks(t));
    if (x)
      return x;
  }
  return NULL;
}

static int part_fill(const struct filling *f, const char *s, const char *end, const struct slots *slots);

static int section_fill(const struct filling *f, const struct tag *t, const struct tag *close,
                        const struct slots *slots) {
  const struct slot *x = slot_find(slots, t);
  bool empty = x && (x->list ? x->n == 0 : x->text.n == 0);
  int rc = 0;
  if (!x)
    return complain(f, t->at, "has no value", t);
  if (t->kind == '^' || !x->list || asks(t))
    return empty == (t->kind == '^') ? part_fill(f, t->end, close->begin, slots) : 0;
  for (size_t i = 0; i < x->n && rc == 0; i++)
    rc = part_fill(f, t->end, close->begin, x->items[i]);
  return rc;
}

static int fill(const struct filling *outer, const char *name, size_t n, const struct slots *s);

/* One tag that is no section. */
static int tag_fill(const struct filling *f, const struct tag *t, const struct slots *slots) {
  const struct slot *x;
  if (t->kind == '!')
    return 0;
  if (t->kind == '/')
    return complain(f, t->at, "closes nothing", t);
  if (t->kind == '>')
    return fill(f, t->name, t->n, slots);
  x = slot_find(slots, t);
  if (!x || x->list)
    return complain(f, t->at, x ? "is a list" : "has no value", t);
  f->out->failed |= x->text.failed;
  if (t->kind == '{')
    text_add_n(f->out, text_str(&x->text), x->text.n);
  else
    f->escape(f->out, text_str(&x->text));
  return 0;
}

static int part_fill(const struct filling *f, const char *s, const char *end, const struct slots *slots) {
  struct tag t = {0}, close = {0};
  int rc = 0;
  while (tag_next(f, s, end, &t, &rc)) {
    text_add_n(f->out, s, (size_t)(t.begin - s));
    s = t.end;
    if (t.kind == '#' || t.kind == '^') {
      rc = closing_tag(f, &t, end, &close);
      if (rc == 0)
        rc = section_fill(f, &t, &close, slots);
      s = close.end;
    } else {
      rc = tag_fill(f, &t, slots);
    }
    if (rc != 0)
      return rc;
  }
  if (rc == 0)
    text_add_n(f->out, s, (size_t)(end - s));
  return rc;
}

static int fill(const struct filling *outer, const char *name, size_t n, const struct slots *s) {
  struct filling f = *outer;
  for (const struct embedded *x = f.files; x->name; x++) {
    if (strncmp(x->name, name, n) != 0 || x->name[n] != '\0')
      continue;
    f.name = x->name;
    f.source = x->data;
    f.escape = escape_of(x->name);
    if (!f.escape || ++f.depth > DEPTH_MAX)
      break;
    return part_fill(&f, x->data, x->data + x->n, s);
  }
  return err_set(f.e, ERR_DATA, "there is no template %.*s", (int)n, name);
}

int template_fill(struct text *out, const struct embedded *files, const char *name, const struct slots *s,
                  struct err *e) {
  return fill(&(struct filling){.out = out, .files = files, .e = e}, name, strlen(name), s);
}
