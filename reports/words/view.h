/* What every report shares: the order of variants, names, the scaling of units, and wording.
 * Private to the reports. */
#pragma once

#include "analysis/model/findings.h"
#include "base/table.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Ladders first, in the findings' order; then controls; then the rungs that must be refused. */
enum view_group { VIEW_LADDER, VIEW_CONTROL, VIEW_WRONG };

struct view_item {
  const struct run_variant *variant;
  const char *ladder; /* name of the ladder it stands on */
  enum view_group group;
};

struct view {
  const struct findings *f;
  struct view_item *items;
  size_t n;
  const char **ladders; /* names of the ladders that hold VIEW_LADDER items, in order */
  size_t n_ladders;
};

/* Borrows the findings; release with view_release, also after failure. */
void view_init(struct view *v, const struct findings *f);
void view_release(struct view *v);
bool view_on_ladder(const struct view_item *item, const char *ladder);

enum { VIEW_NUMBER_MAX = 48, VIEW_LABEL_MAX = 128, VIEW_NAME_CHARS = 72, VIEW_NAME_MAX = 4 * VIEW_NAME_CHARS };

/* x with `digits` significant digits, no exponent: 13.79, 3735, 0.0412; "<0.001" below that.  Returns buffer. */
const char *view_number(char buffer[VIEW_NUMBER_MAX], double x, int digits);
/* A time of seconds as µs, with its half interval where that is wide: "13.79", "39.02 ±0.61". */
const char *view_time(char buffer[VIEW_NUMBER_MAX], const struct stats *time);
/* The same for prose, with its unit. */
void view_measured(const struct stats *time, struct text *out);
/* The unit that prose gives a time in: µs, from 10 ms on ms, from 10 s on s; per_s of it are a second. */
struct view_unit {
  double per_s;
  const char *name;
};
struct view_unit view_unit_of(double seconds);
/* "13.8 µs", "119.9 ms". */
const char *view_span(char buffer[VIEW_NUMBER_MAX], double seconds, int digits);
/* "7168×16384×1" */
const char *view_shape(char buffer[SHAPE_TEXT_MAX + 8], struct shape s);
/* " at 7168×16384×1"; nothing where no problem is declared. */
void view_at(struct shape s, struct text *out);
/* The rung's name in a line that says more: a long one is shortened (base/cxx_name.h). */
const char *view_name(char buffer[VIEW_NAME_MAX], const struct run_variant *v);
/* The same in a buffer of their own, which lasts as long as the block that they stand in. */
#define VIEW_NUMBER(x, digits) view_number((char[VIEW_NUMBER_MAX]){0}, x, digits)
/* Why the run is partial; where a note of the run says the same and more, that note.  NULL: it is whole. */
const char *view_partial(const struct run *r);
/* Passes on "the run is partial: why", where it is. */
void view_partial_note(const struct run *r, void (*item)(void *context, const char *s), void *context);
/* Passes the run's notes on, but for the one that view_partial has told. */
void view_notes(const struct run *r, void (*item)(void *context, const char *s), void *context);
/* " usual, mean 44.5 µs" behind a time where the program's launches are so unlike that the mean, which tables of a program have, is another figure. */
void view_mean(const struct finding *f, struct text *out);
#define VIEW_TIME(time)      view_time((char[VIEW_NUMBER_MAX]){0}, time)
#define VIEW_SPAN(s, digits) view_span((char[VIEW_NUMBER_MAX]){0}, s, digits)
#define VIEW_SHAPE(s)        view_shape((char[SHAPE_TEXT_MAX + 8]){0}, s)
#define VIEW_NAME(v)         view_name((char[VIEW_NAME_MAX]){0}, v)
/* The rung's name inside its ladder: "cuda-2-intrinsics" on "cuda" is "2 intrinsics"; of a C++
 * name, "void ns::f<AddFunctor<int>>(T *)", its title: "f: Add". */
const char *view_short(char buffer[VIEW_LABEL_MAX], const struct run_variant *v);

enum { VIEW_GRID_MAX = 48 };
/* "32x32": the grid of the finding's launch, without what is 1 at its end. */
void view_grid(char buffer[VIEW_GRID_MAX], const struct finding *f);

/* The same in no more than `chars` characters, made unlike those of its ladder that would read
 * alike: by its grid, "f 128x1x1", where no other of them has it, else by its number there, "f
 * #2". */
const char *view_short_in(char buffer[VIEW_LABEL_MAX], const struct view *v, const struct run_variant *of,
                          size_t chars);

/* What the kernels of a ladder (NULL: of the whole run) are called: rungs where they step from one
 * another, kernels where they stand side by side. */
struct view_words {
  bool climb;
  const char *one;   /* "rung", "kernel" */
  const char *all;   /* "ladder", "kernels": before the ladder's name */
  const char *title; /* the same at the head of a line */
};
struct view_words view_words(const struct findings *f, const char *ladder);

/* The run is of another problem than the NVFP4 GEMV, or of none that was declared. */
bool view_of_others(const struct findings *f);
/* "NVFP4 batched GEMV on NVIDIA H200"; "Kernels on ..." of other problems. */
void view_title(const struct findings *f, struct text *out);
/* "measured on NVIDIA H200 (132 SMs, driver 580.95), 2026-11-20, L2 cold, inputs default" */
void view_origin(const struct findings *f, struct text *out);
/* What the numbers rest on: "counters + PC samples", "counters", "timing only", "static only". */
const char *view_tier(const struct findings *f);
/* "SOL 13.79 µs = 67.8 MB minimal / 4.917 TB/s DRAM (driver)"; without a bandwidth, why. */
void view_sol(const struct findings *f, struct shape s, struct text *out);
/* It prints as more than 100 %, which a roof's rate, another card's or kernel's, allows. */
bool view_over_roof(double share);
/* "41 % of the speed of light"; of a program's kernel "uses 71 % of the bf16 tensor rate, its
 * nearest roof (tensor pipes active 97 % of the cycles, at 1.58 GHz)". */
void view_of_roof(const struct finding *f, double share, struct text *out);
/* The minimal-bytes speed of light at a shape, from a rung that computes C; NULL: unknown. */
const struct sol *view_sol_at(const struct findings *f, struct shape s);
/* The control that reads the same bytes, or NULL. */
const struct finding *view_read_control(const struct findings *f, struct shape s);
const char *view_ceiling_kind(enum ceiling_kind k); /* "datasheet", "driver-derived", "measured" */

/* Registers per thread, as launched, else as compiled; the most of its kernels.  < 0: unknown. */
int view_registers(const struct findings *f, const struct run_result *r);
/* "WARPS=4 UNROLL=2" */
void view_params(const struct run_result *r, struct text *out);
/* "pass", "wrong: nibbles", "refused: nibbles" for a rung that must be, "skipped", ... */
void view_verdict(const struct finding *item, struct text *out);
/* 'g', 'b' or 'd' (base/table.h) for the same. */
char view_verdict_style(const struct finding *item);
/* Why a variant has no (valid) time here: the check's reason, else the timing's.  NULL: it has. */
const char *view_fault(const struct finding *item);
/* "B200 39 µs geomean, Yue Zhang, hackathon worklog"; "≈" marks an author's own approximation. */
void view_published(const struct run_published *p, struct text *out);

/* Passes every doubt of the run on, "IMPOSSIBLE VALUE: VARIANT at SHAPE: ..."; the last of very
 * many says how many more there are. */
void view_doubts(const struct findings *f, void (*item)(void *context, const char *s), void *context);

/* A part of samples, in percent. */
double view_share(uint64_t part, uint64_t whole);
/* A number, a share in percent, and a time in µs; absent where it is, and where there is no finding. */
void view_cell(struct table *t, struct value x, double scale, int digits);
void view_percent(struct table *t, struct value x, int digits);
void view_cell_time(struct table *t, const struct finding *f);
