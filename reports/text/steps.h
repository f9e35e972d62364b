/* Explained steps, rendered.  Nothing is computed here. */
#pragma once

#include "analysis/model/findings.h"
#include "analysis/story/story.h"
#include "base/table.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* A line that says where the numbers come from, then a block a step: a row a shape, why the time changed, the predictions judged, what was
 * published, claimed and advised.  details: also its shares, predictions, bounds, pipes and stalls at each shape. */
void report_steps_term(const struct findings *f, const struct story_step *steps, size_t n, bool details,
                       struct text *out, int width, bool colour);
/* The same as JSON, schema "nvfp4-prof/explain/1". */
void report_steps_json(const struct findings *f, const struct story_step *steps, size_t n, struct text *out);

/* A row a shape: time, "12× faster", bound; counts: DRAM bytes, instructions, registers, occupancy too, "before → after".  The caller frees it. */
struct table *steps_changes(const struct step *s, bool counts);
/* A row a group whose share of the change is not nothing, the rest and the sum, a column a shape: µs.
 * The caller frees it. */
struct table *steps_shares(const struct step *s);
/* "stalls, % of warp cycles: long_scoreboard 61.2 → 20.0, ...": the largest changes; nothing
 * where none is known. */
void steps_stalls(const struct step_at *at, struct text *out);
/* "advised at A, 7168×2048×4: instructions bind [issue-slots], may save 1.9 to 11 µs, best estimate 3, 20 % of the time; aimed
 * at [issue-slots]: 20 % promised, 34 % gained, no longer advised", of the step's i-th shape, which is named where nothing else names it; nothing where
 * nothing was diagnosed. */
void steps_advised(const struct story_step *s, size_t i, bool with_shape, struct text *out);
/* "claimed: 'registers spill': REFUTED (local_bytes 0)": the author's words on the step, judged at a shape, and what changed the time
 * where the time is what is judged; nothing where it makes no claim. */
void steps_claims(const struct step *s, const struct step_at *at, struct text *out);
/* "bounds, µs: dram 14.1 → 14.1, alu 15.2 → 17.8" and "instructions, thousands by pipe: alu 9197
 * → 9197": what is above 0 on either side. Nothing where nothing is known. */
void steps_bounds(const struct step_at *at, struct text *out);

/* A row a prediction, a column a shape: "CONFIRMED 0.45×".  The caller frees it. */
struct table *steps_predictions(const struct step *s);
/* Why a prediction (by its number) is UNKNOWN at a shape (by its number in the step): "ITEM at
 * SHAPE: reason".  False, and nothing written, where it was judged. */
bool steps_unknown(const struct step *s, size_t shape, size_t item, struct text *out);
