/* Pieces of index.html.  Private to the room. */
#ifndef REPORTS_PAGE_PAGE_H
#define REPORTS_PAGE_PAGE_H

#include "reports/text/prose.h"
#include "reports/text/report.h"
#include "reports/text/view.h"

struct page {
  const struct view *v;
  const struct story *story;
  const struct report_parts *parts;
  struct text *out;
};

/* From <!doctype html> to <body>, the skip link in it. */
void page_begin(struct text *out, const char *title);
/* source: "one run file" */
void page_end(struct text *out, const struct run *r, const char *source);

/* "<TAG>text</TAG>\n", the text escaped. */
void page_element(struct text *out, const char *tag, const char *text);
/* Renders and frees a table; rows that begin with a variant lead to its section where the page has one (page NULL: no links). */
void page_table(struct text *out, struct table *t, const char *caption, const struct page *page);
/* A chart in a figure, or nothing where it was not drawn. */
void page_chart(const struct page *p, const struct report_chart *c);
/* Whether the charts of the first kind, of a ladder, were drawn; NULL: none. */
const struct report_chart *page_chart_find(const struct page *p, const char *kind, const char *ladder);

/* The diagnoses of one rung, folded, one a shape; nothing where none were made. */
void page_diagnosis(const struct page *p, const struct run_variant *v);
/* The section of one rung: what changed, the author's words, the diff, the explanation, evidence, predictions, diagnoses. */
void page_step(const struct page *p, const struct view_item *item);

#endif
