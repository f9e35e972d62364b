#include "reports/page/page.h"

#include "base/html.h"
#include "base/template.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct embedded reports_embedded_page[];

static const char *style(void) {
  for (const struct embedded *e = reports_embedded_page; e->name; e++)
    if (strcmp(e->name, "style.css") == 0)
      return e->data;
  return "";
}

void page_begin(struct slots *s, const char *title, const struct run *r, const char *source) {
  slot_text(s, "title", title);
  slot_text(s, "style", style());
  slot_text(s, "tool", r->tool);
  slot_text(s, "source", source);
}

void page_fill(struct text *out, const char *name, struct slots *s) {
  struct err e = {0};
  if (template_fill(out, reports_embedded_page, name, s, &e) != 0) {
    text_add(out, e.text); /* what a test sees where a slot was forgotten */
    out->failed = true;
  }
  slots_release(s);
}

size_t page_shape_number(const struct page *p, struct shape shape) {
  size_t i = 0;
  while (i < p->v->f->n_shapes && !shape_equal(p->v->f->shapes[i], shape))
    i++;
  return i;
}

bool page_has_step(const struct page *p, const struct run_variant *v) {
  for (size_t i = 0; i < p->v->n; i++)
    if (p->v->items[i].variant == v)
      return p->v->items[i].group == VIEW_LADDER;
  return false;
}

/* "  ↳ ID" and "ID" lead to ID's section; it is there for the rungs of ladders. */
static void step_href(const void *context, const char *first, struct text *out) {
  const struct page *p = context;
  first += strspn(first, " ");
  if (strncmp(first, "↳ ", strlen("↳ ")) == 0)
    first += strlen("↳ ");
  for (size_t i = 0; i < p->v->n; i++) {
    if (p->v->items[i].group == VIEW_LADDER && strcmp(p->v->items[i].variant->id, first) == 0) {
      text_add(out, "#step-");
      html_id(out, first);
      return;
    }
  }
}

void page_table(const struct page *p, bool linked, struct slots *s, const char *name, struct table *t,
                const char *caption, ...) {
  struct text *out = slot_open(s, name);
  char *line = NULL;
  va_list list;
  va_start(list, caption);
  if (vasprintf(&line, caption, list) < 0)
    line = NULL;
  va_end(list);
  if (p->markdown)
    table_markdown(t, out);
  else
    table_html(t, out, line ? line : "", linked ? step_href : NULL, p);
  out->failed |= !line;
  free(line);
  table_free(t);
}

void page_list_add(void *page_list, const char *text) {
  const struct page_list *list = page_list;
  slot_item_text(list->slots, list->name, text);
}

void page_chart(const struct page *p, struct slots *s, const char *list, const struct report_chart *c) {
  struct slots *item;
  if (!c->drawn || (!c->svg && !p->markdown))
    return;
  item = slot_item(s, list);
  html_id(slot_open(item, "id"), c->name);
  slot_text(item, "title", c->title);
  slot_text(item, "hint", c->hint);
  slot_text(item, "origin", run_origin_name(p->v->f->run->origin));
  slot_text(item, "file", c->name);
  slot_text(item, "svg", p->markdown ? NULL : c->svg);
}
