/* A kernel's time, its stalls, what advice may save and what a wait is for, in words that every screen shares.  Nothing is computed here. */
#pragma once

#include "analysis/rules/rules.h"
#include "base/text.h"

/* "LDG.E.128.CONSTANT R4, ...": the load an instruction waits for, its width, its cache policy and its line, as one phrase. */
void report_feed(const struct hot *h, const struct hot_inst *x, const struct sass_feed *feed, struct text *out);

/* The line as a table's cell; of a file without a name, with what the line's hottest instruction was inlined from. */
void report_hot_line_cell(const struct hot *h, const struct hot_line *l, struct text *out);

/* "29.1 ±4.1 µs usual, mean 44.5 µs"; "no time: ..." */
void report_time(const struct finding *f, struct text *out);

/* "warps' cycles: 16 % issuing, long_scoreboard 36 %, ..."; nothing where none were counted. */
void report_stalls(const struct finding *f, struct text *out);
/* "may save 2.1 to 13 µs, best estimate 3.43, 17 % of the time"; parts of the time alone where the counted launches are unlike the others; or that there is nothing to
 * gain. */
void report_saving(const struct advice *a, const struct finding *f, struct text *out);
/* The same of advice further down, as a part of the time and without its interval: "may save 10 % of the time". */
void report_saving_short(const struct advice *a, const struct finding *f, struct text *out);
/* "19 %", "up to 10 %", "no estimate". */
void report_saving_part(const struct advice *a, const struct finding *f, struct text *out);
const char *report_no_advice(
    const char *reason); /* why there is no advice: the diagnosis's reason, or that no rule spoke */
