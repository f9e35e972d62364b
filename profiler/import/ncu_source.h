/* A view of the source as CSV: SASS with samples and counts, of `ncu --page source --csv` (SASS alone, or source lines with their SASS) or
 * exported from the user interface.  Private to this folder. */
#pragma once

#include "base/err.h"
#include "profiler/import/csv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ncu_launch;
struct rep_source;
enum { SOURCE_STALLS = 20 };
/* The reason as run/metrics/80-stalls.txt has it ("long_scoreboard" of ncu's "stall_long_sb"). */
const char *ncu_source_reason(int stall);

enum source_count {
  COUNT_EXECUTED,
  COUNT_THREADS,
  COUNT_GLOBAL_SECTORS,
  COUNT_GLOBAL_IDEAL,
  COUNT_SHARED_WAVEFRONTS,
  COUNT_SHARED_IDEAL,
  COUNTS
};

struct source_place {
  const char *file;
  int line;
  bool whole; /* the source keeps its folders: there is no text of it to know it by */
};

struct source_instruction {
  uint64_t address;
  const char *text;
  struct source_place *places; /* source lines that it stands for, in the file's order */
  size_t n_places;
  double counts[COUNTS]; /* -1: not said */
  uint64_t samples[SOURCE_STALLS], not_issued[SOURCE_STALLS];
};

struct source_block {          /* a launch */
  const struct ncu_launch *of; /* NULL: the view does not say which */
  const char *kernel;          /* "" where the view does not say */
  struct source_instruction *items;
  size_t n;
  const char **files; /* of the source lines, once each */
  size_t n_files;
};

enum { SOURCE_LINES_MAX = 1000000 };
struct source_line { /* as the view shows it: blanks before it are gone */
  const char *file;
  int line;
  char *text;
};

struct ncu_source {
  char *name;
  struct csv csv;
  struct source_line *lines;
  size_t n_lines;
  struct source_block *blocks;
  size_t n;
  struct rep_source *carried; /* of a report (ncu_rep.h); the strings above are theirs */
  size_t n_carried;
};

bool ncu_source_is(const char *text); /* by the first cell */
/* ERR_DATA "NAME:LINE:COLUMN: ...".  Instructions of a block are in the order of their addresses; a block that repeats the one before it to the
 * last number, as ncu prints some, is left out.  The caller releases *out, also after failure. */
int ncu_source_parse(struct ncu_source *out, const char *name, const char *text, struct err *e);
void ncu_source_release(struct ncu_source *s);
