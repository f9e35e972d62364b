/* A merge under way; private to the files run/run_merge*.c. */
#pragma once

#include "base/name_index.h"
#include "run/run_merge.h"

#include <stdbool.h>
#include <stdint.h>

struct merging_file {
  char *path;
  struct run_process process;
  char *device, *created,
      *program; /* the card's name, when the file was made, and of what (run_attached_command); NULL: unknown */
  int rank;     /* index of its rank; -1: it is left out */
};

/* What one file had of a kernel or a range. */
struct merging_share {
  uint32_t file, result; /* indices; result: in that file */
  uint32_t metrics;      /* that are present */
  uint64_t launches;
  double gpu_time_ns;   /* a range's: outside collectives */
  double collective_ns; /* a range's */
};

/* A kernel of one geometry, or a range. */
struct merging_entry {
  char *key;        /* its geometry and its name; owned */
  const char *name; /* in key; a kernel's is mangled */
  unsigned grid[3], block[3];
  long smem_dynamic;
  struct merging_share *shares;
  size_t n;
};
struct merging_table {
  struct merging_entry *entries;
  size_t n;
  struct name_index by_key;
};

/* Of a kernel whose counters are divided over ranks: whose result has another pass set. */
struct merging_donor {
  uint32_t file, result;
  struct run_result taken; /* the metrics alone, once they are */
};

/* A kernel or range of the merged run: entries of geometries that are alike, or all of a name. */
struct merging_row {
  const struct merging_entry *const *entries; /* into the table's list by name */
  size_t n_entries;
  bool summed; /* their geometries are not alike */
  struct run_by_rank *by_rank;
  size_t n_by_rank;
  uint64_t launches;
  double gpu_time_ns, collective_ns;
  uint32_t file, result; /* whose counters, samples and code it has */
  struct merging_donor donors[PASS_SETS_MAX - 1];
  size_t n_donors;
};
struct merging_rows {
  const struct merging_entry **by_name;
  struct merging_row *items;
  size_t n;
  size_t n_beyond; /* rows that were not kept, and their time */
  double beyond_ns;
};
enum { MERGED_KERNELS_MAX = 256 };

struct run_merging {
  struct merging_file *files;
  size_t n_files;
  struct merging_table kernels, ranges;
  char **notes; /* that every file has */
  size_t n_notes;
  const char *device;                            /* the card that most files name; NULL: none does */
  size_t n_joined;                               /* files of a rank that had one already */
  const struct merging_file *joined, *joined_to; /* the first of them, and the one before it */
  struct merging_rows kernel_rows, range_rows;
  bool *wanted; /* by file */
  size_t next;  /* file to look at */
  struct run out;
};

/* run_merge_match.c: one row a name where its geometries are not alike on all of its ranks, else one each; by their time, at most `most`. */
void merging_rows_make(struct merging_rows *out, const struct run_merging *m, const struct merging_table *t,
                       size_t most);
void merging_rows_release(struct merging_rows *rows);
/* Puts the files in the order of their ranks, and leaves out those of another program. */
int merging_ranks_make(struct run_merging *m, struct err *e);
