/* Pieces of index.html: what fills the templates beside this file.  Private to the room. */
#pragma once

#include "base/slots.h"
#include "reports/page/prose.h"
#include "reports/text/report.h"
#include "reports/words/view.h"

#include <stdbool.h>

struct page {
  const struct view *v;
  const struct story *story;
  const struct report_parts *parts;
  bool markdown; /* worklog.md, else index.html */
};

/* What head.html and foot.html ask for.  source: "one run file" */
void page_begin(struct slots *s, const char *title, const struct run *r, const char *source);
/* Adds the template and releases the slots. */
void page_fill(struct text *out, const char *name, struct slots *s);

/* Renders and frees a table.  In HTML it has the caption, and rows that begin with a variant
 * lead to its section where `linked`. */
void page_table(const struct page *p, bool linked, struct slots *s, const char *name, struct table *t,
                const char *caption, ...) __attribute__((format(printf, 6, 7)));
/* slot_item_text for those who call with a context. */
struct page_list {
  struct slots *slots;
  const char *name;
};
void page_list_add(void *page_list, const char *text);
/* A further chart of a list; nothing where it was not drawn. */
void page_chart(const struct page *p, struct slots *s, const char *list, const struct report_chart *c);

/* The number of a shape of the run, by which the page shows one at a time: class "at-1". */
size_t page_shape_number(const struct page *p, struct shape shape);
bool page_has_step(const struct page *p, const struct run_variant *v); /* its section is on the page */
/* What index.html and worklog.md of a run have alike: title, answer, ranks, rungs to be refused, limits. */
void page_frame(const struct page *p, struct slots *s);
/* Of a ladder: its name, goal, story and sources. */
struct view_words page_ladder_head(const struct page *p, const char *ladder, struct slots *s);
/* The story of one ladder. */
void page_ladder(const struct page *p, const char *ladder, struct slots *s);
/* One rung, folded: its row and summary, the author's words, the explanation, what changed in the
 * code, predictions, evidence, diagnoses.  next: the rung that follows on the ladder; NULL:
 * none. */
void page_step(const struct page *p, const struct view_item *item, const struct view_item *next, struct slots *s);
/* The ranks of a merged run; lists without an item where it is none. */
void page_ranks(const struct page *p, struct slots *s);
/* What the check found wrong with one rung, an item per shape. */
void page_faults(const struct page *p, const struct run_variant *v, struct slots *s);
/* The diagnoses of one rung, an item a shape. */
void page_diagnosis(const struct page *p, const struct run_variant *v, struct slots *s);
