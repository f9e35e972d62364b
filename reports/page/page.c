#include "reports/page/page.h"

#include "base/embed.h"
#include "base/html.h"

#include <string.h>

extern const struct embedded reports_embedded_page[];

static const char *style(void) {
  for (const struct embedded *e = reports_embedded_page; e->name; e++) {
    if (strcmp(e->name, "style.css") == 0)
      return e->data;
  }
  return "";
}

void page_begin(struct text *out, const char *title) {
  text_add(out,
           "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           /* The page asks for nothing and runs nothing, and says so to the browser. */
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
           "<title>");
  html_text(out, title);
  text_printf(out,
              "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the "
              "results</a>\n",
              style());
}

void page_end(struct text *out, const struct run *r, const char *source) {
  text_add(out, "<footer><p>Made by nvfp4-prof ");
  html_text(out, r->tool ? r->tool : "");
  text_printf(out, " from %s", source);
  text_add(out, ". This page asks for no other file and runs no script.</p></footer>\n</body>\n</html>\n");
}

void page_element(struct text *out, const char *tag, const char *text) {
  text_printf(out, "<%s>", tag);
  html_text(out, text);
  text_printf(out, "</%s>\n", tag);
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

void page_table(struct text *out, struct table *t, const char *caption, const struct page *page) {
  table_html(t, out, caption, page ? step_href : NULL, page);
  out->failed |= !table_ok(t);
  table_free(t);
}

const struct report_chart *page_chart_find(const struct page *p, const char *kind, const char *ladder) {
  for (size_t i = 0; i < p->parts->n_charts; i++) {
    const struct report_chart *c = &p->parts->charts[i];

    if (c->drawn && c->svg && strcmp(c->kind, kind) == 0 && strcmp(c->ladder, ladder) == 0)
      return c;
  }
  return NULL;
}

void page_chart(const struct page *p, const struct report_chart *c) {
  if (!c || !c->drawn || !c->svg)
    return;
  text_add(p->out, "<figure id=\"chart-");
  html_id(p->out, c->name);
  text_add(p->out, "\">\n<div class=\"chart\" role=\"region\" tabindex=\"0\" aria-label=\"Chart: ");
  html_text(p->out, c->title);
  text_add(p->out, "\">\n");
  text_add(p->out, c->svg);
  text_add(p->out, "</div>\n<figcaption>");
  html_text(p->out, c->title);
  text_printf(p->out, " (%s). ", run_origin_name(p->v->f->run->origin));
  html_text(p->out, c->hint);
  text_add(p->out, "</figcaption>\n</figure>\n");
}
