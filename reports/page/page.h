/* Pieces of index.html and worklog.md: what fills the templates beside this file.  Private to the room. */
#pragma once

#include "base/line_diff.h"
#include "base/slots.h"
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
/* What the check found wrong with one rung, an item per shape. */
void page_faults(const struct page *p, const struct run_variant *v, struct slots *s);
/* The diagnoses of one rung, an item a shape. */
void page_diagnosis(const struct page *p, const struct run_variant *v, struct slots *s);

/* --- words --- */
/* "ours-4 runs at 80.8 % of the read control, 20.42 µs from 1451 µs": what the run showed.
 * False, and nothing written, where no rung has a time at every shape. */
bool prose_headline(const struct story *s, struct text *out);
/* What each rule promised against what was gained, as a row a rule; NULL where no rung of the
 * ladder cures anything. */
struct table *prose_cures(const struct story *s, const char *ladder);
extern const char prose_cures_words[];        /* how to read it */
bool prose_has_refused(const struct view *v); /* the run holds rungs that must be refused */
/* How the numbers were made, as a Markdown list. */
void prose_method(const struct findings *f, struct text *out);
/* What each cause of a step's change in time is about, as a Markdown list. */
void prose_cause_words(struct text *out);
/* What ran where: a row a fact.  The caller frees it. */
struct table *prose_setting(const struct findings *f);
/* Calls `item` with every limit and every note of the run. */
void prose_limits(const struct findings *f, void (*item)(void *context, const char *line), void *context);

const struct report_note *prose_note(const struct report_parts *parts, const char *variant); /* NULL: none */

/* --- tables of the pages alone --- */
/* One row a rung: its change, its mean time over the shapes, against the speed of light and its parent. */
struct table *tables_climb(const struct view *v, const struct story *s, const char *ladder);
/* What binds a variant: "dram" where it does at every shape, else by shape: "dram, latency,
 * dram". */
void tables_bounds_of(const struct view *v, const struct run_variant *variant, struct text *out);
/* One row a shape: before, after, speed-up (of a rung: a kernel that steps from none has a time
 * alone), bytes, bound. */
struct table *tables_rung(const struct view *v, const struct view_item *item);
/* The rungs that must be refused, and what the check saw. */
struct table *tables_refused(const struct view *v);

/* --- the lines of code that changed in a step --- */
/* Changed lines with a little context, at most so many, cut at 120 bytes; runs of one kind in
 * one <ins>, <del> or <span>. */
void code_lines_html(const struct line_diff *d, struct text *out);
/* The lines that say most of the change, in order: new code before old, instructions before
 * braces. */
void code_lines_decisive(const struct line_diff *d, struct text *out);

/* A subset of Markdown as HTML: paragraphs, lists of one level, code, emphasis, links to http(s)
 * and within the page.  All else is text; HTML in it is escaped. */
void markdown_html(struct text *out, const char *markdown);
