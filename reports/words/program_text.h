/* The kernels of a program that attach saw: how often each ran, its part of the GPU time, what binds it, how near its roof it is. */
#pragma once

#include "analysis/model/findings.h"
#include "analysis/story/program.h"
#include "base/table.h"
#include "base/text.h"
#include "reports/words/view.h"

#include <stdbool.h>
#include <stddef.h>

struct program_shown {
  const struct finding **items; /* those of most GPU time first; release with program_shown_release */
  size_t n;
};
/* Every kernel of the run, that of most time first. */
struct program_shown program_shown_of(const struct findings *f);
void program_shown_release(struct program_shown *s);

/* Names at full length, or their functions alone, unique, in as many characters as `width` columns (0: 80) leave them: *shortened says whether any was
 * cut or numbered, *dropped whether the column of intervals found no room. */
struct program_names {
  bool full;
  int width;
  bool shortened, dropped;
};
/* Names of the functions in at most `chars` characters, unique, one a kernel; the caller frees them. */
char (*program_labels(const struct program_shown *s, size_t chars))[VIEW_NAME_MAX];
/* "300 calls, 75 % of the GPU time"; false, and nothing: the variant is no kernel of a program. */
bool program_words(const struct run_variant *v, struct text *out);
struct table *program_table(const struct program_shown *s, struct program_names *names);
/* What to do, by what the program gains, the first 8 of it. */
struct table *program_gains(const struct gains *g);
/* The table, and what was left out of it, for a terminal. */
void program_term(const struct program_shown *s, bool full_names, int width, bool colour, struct text *out);
/* The program again, counted: the command that made the run, where --two-runs goes with its options but --top 0; false: it does not, or
 * none made it. */
bool program_again(const struct run *r, struct text *out);
/* Of a kernel without counters the command that counts it: the same, or, where --two-runs
 * counted others alone, with all kernels counted. */
bool program_again_for(const struct findings *f, const struct finding *at, struct text *out);

/* Where the GPU waits for the program for a quarter of the time or more: how long, and what to look at. */
bool process_idle(const struct run *r, struct text *out);
/* That, and that the run is partial, a line each; nothing where nothing is so. */
void process_cautions(const struct run *r, struct text *out);
/* That the kernel's counters are of a replayed launch. */
bool process_replayed(const struct run_variant *v, struct text *out);
