/* The story of a ladder and of its steps, in words.  Private to the reports.  Nothing is computed here beyond counts. */
#pragma once

#include "analysis/story/story.h"
#include "base/text.h"
#include "reports/words/view.h"

const char *prose_goal(const char *ladder); /* what a ladder of this project set out to do; NULL: another's */
/* "From cuda-0-naive (1724 µs) to cuda-4-tuned (27.4 µs): 63 times faster in 6 steps; 3 side steps." */
void prose_ladder(const struct story *s, const struct view *v, const char *ladder, struct text *out);
/* Who published figures of its rungs, and on what device; nothing where nobody did. */
void prose_sources(const struct view *v, const char *ladder, struct text *out);
/* A step over all shapes: mean times, the cause, and a shape's name only where it differs.  The step's `most` is known; c: of its child. */
void prose_step_over(const struct step *step, const struct climb *c, struct value parent_s, struct text *out);
/* The step of a rung likewise.  Nothing where there is no step. */
void prose_step(const struct story_rung *r, const struct story *s, struct text *out);
/* "time < 1x held; inst within 5% failed at 7168×2048×4 (0.891×)"; nothing where nothing was predicted. */
void prose_predictions(const struct step *s, struct text *out);
/* Why a step took another time, the shapes named where others went another way; nothing where there is nothing to say. */
void prose_why(const struct step *s, struct text *out);
/* What made most of it, likewise; false where there is nothing to say. */
bool prose_cause(const struct step *s, struct text *out);
/* "12× faster", "1.06× slower", of a time over the one before. */
void prose_times(struct text *out, double ratio);
/* The largest gain, how many predictions held, and what binds the fastest now. */
void prose_lesson(const struct story *s, const struct view *v, const char *ladder, struct text *out);
