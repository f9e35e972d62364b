/* Words that worklog.md and index.html share.  Private to the room. */
#pragma once

#include "analysis/story/story.h"
#include "base/table.h"
#include "reports/text/report.h"
#include "reports/words/view.h"

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
