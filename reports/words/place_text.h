/* Lines of source and their text, as reports name them.  Nothing is computed here. */
#pragma once

#include "analysis/model/code_place.h"
#include "base/text.h"

#include <stdbool.h>

/* Of a source with an absolute path as much of its end as tells it from the run's others:
 * "gemv.cu", "a/gemv.cu"; of another, its name. */
const char *report_source_name(const struct run *r, int source);
enum place_naming { PLACE_SHORT, PLACE_WHOLE /* with the whole path */, PLACE_CELL /* for a table */ };
/* "gemv.cu:40"; where source is -1 "line 40 of a file that the run does not name", in a table "line 40, file unknown". */
void report_line(const struct run *r, int source, int line, enum place_naming naming, struct text *out);

/* A source line's text, blanks around it taken off; "" where it is not kept. */
void report_source_line(const struct run *r, int source, int line, struct text *out);
/* The run has the source's name alone. */
bool report_text_missing(const struct run *r, int source);
/* The text, or "(text not found)" of a source of which the run has the name alone. */
void report_line_shown(const struct run *r, int source, int line, struct text *out);

/* "common/load.cuh:7 in cuda/4-tuned.cu:40": the line to show and, where it was inlined, the one
 * that it came to; "4-tuned.cu:40 with cuda_fp16.hpp:99 inlined" where the innermost is a
 * toolkit's. */
void report_place(const struct run *r, const struct run_instruction *i, enum place_naming naming, struct text *out);
/* What report_place says behind the line itself. */
void report_place_behind(const struct run *r, const struct run_instruction *i, struct text *out);
/* "4-tuned.cu:40 with cuda_fp16.hpp:99 inlined": a line, and what report_place says behind it of
 * the instruction, which may be NULL. */
void report_line_of(const struct run *r, const struct run_line *line, const struct run_instruction *i, bool whole,
                    struct text *out);
/* The same with ": " and the line's text, where it is kept. */
void report_line_in_full(const struct run *r, const struct run_line *line, const struct run_instruction *i, bool whole,
                         struct text *out);
