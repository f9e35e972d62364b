/* What the injected library and the program that started it tell each other: lines of fields with a
 * tab between, the first field saying what the line is.
 *
 * A kind of line is a struct and a row of `attach_record_rows` (attach_record.c), a field a member and a row of its
 * kind: the writer, the reader and this description all go by the rows.  A process's file begins with
 * RECORDS_FIRST; lines of a kernel come after it.
 */
#ifndef PROFILER_ATTACH_RECORDS_ATTACH_RECORD_H
#define PROFILER_ATTACH_RECORDS_ATTACH_RECORD_H

#include "base/err.h"
#include "base/text.h"
#include "run/pass_set.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDS_FIRST "nvfp4-prof-part\t1"

enum { RECORD_DEVICES = 64 };

enum attach_record_kind {
  RECORD_PROCESS,
  RECORD_PASS_SET,
  RECORD_TOTALS,
  RECORD_GAPS,
  RECORD_DEVICE,
  RECORD_KERNEL,
  RECORD_SAMPLES,
  RECORD_COUNTED,
  RECORD_METRIC,
  RECORD_SAMPLING,
  RECORD_FUNCTION,
  RECORD_PC,
  RECORD_RANGE,
  RECORD_NOTE,
  RECORD_END,
  RECORD_CHOSEN,
  RECORD_KINDS
};

struct process_record {
  long pid;
  char *launcher;              /* NULL: the process is no rank, and the three below are -1 */
  long rank, size, local_rank; /* launched_rank.h */
  char *host;
};
struct totals_record {
  uint64_t launches, beyond; /* beyond: of kernels that were not told apart */
  double total_ns, beyond_ns;
};
struct gaps_record { /* times between the first kernel and the last, without those that the profiler itself made */
  double busy_ns;    /* in which a kernel ran */
  double idle_ns; /* in which none did; of these, in gaps so short that launching takes as long (RECORD_SHORT_GAP_NS) */
  double short_ns;
  uint64_t gaps, short_gaps;
  double
      pause_ns; /* in gaps so long that the program did something else (RECORD_PAUSE_NS); neither idle_ns nor gaps has them */
  uint64_t pauses;
};
#define RECORD_SHORT_GAP_NS 50e3
#define RECORD_PAUSE_NS     10e6
struct device_record {
  int index;
  char *uuid;
};
struct kernel_record {
  char *name; /* mangled */
  int device;
  struct run_launch launch; /* its kernel is NULL */
  uint64_t launches, in_graphs, disturbed;
  double total_ns;
  uint64_t blocks_least, blocks_most; /* of its grids, of which launch has the first */
  char *range;                        /* NVTX's; NULL: none, or ranges are not told apart */
};
struct times_record {
  double *ns;
  size_t n;
};
struct counted_record {
  uint64_t launches;
  char *how; /* RECORD_REPLAYED; RECORD_PARTLY: not in every pass; or each launch was one pass */
};
#define RECORD_REPLAYED "replayed"
#define RECORD_PARTLY   "partly"
struct metric_record {
  char *name, *unit, *source, *reason;
  double value; /* NaN: there is none, for the reason */
};
struct sampling_record {
  double period_cycles; /* 0: there was no sampling */
  uint64_t samples, dropped;
  char *error; /* NULL: none */
};
struct function_record {
  char *name;  /* mangled */
  long module; /* number of its cubin; -1: its code was not kept */
  uint64_t launches, samples;
};
struct pc_record {
  uint64_t function; /* index of a function's line */
  unsigned offset;   /* bytes from the function's start */
  char *reason;
  uint64_t samples, not_issued;
};
struct range_record {
  char *name;
  uint64_t launches;
  double total_ns, collective_ns; /* collective_ns: of these, in kernels that wait for other ranks */
};
struct note_record {
  char *sentence;
};
struct end_record {
  char *how; /* RECORD_COMPLETE, or the process goes on */
};
#define RECORD_COMPLETE "complete"
struct chosen_record { /* of the file that the parent writes: a kernel to count */
  char *name;
  int device;
  struct run_launch launch; /* geometry and dynamic shared memory */
  uint64_t launches;        /* that can be counted, in the run before */
};

enum field_type { FIELD_TEXT, FIELD_INT, FIELD_UNSIGNED, FIELD_LONG, FIELD_COUNT, FIELD_NUMBER, FIELD_TIMES };

struct attach_record_field {
  const char *name;
  enum field_type type; /* char *, int, unsigned, long, uint64_t, double, struct times_record */
  int n;                /* so many stand in a row */
  size_t at;            /* in the kind's struct */
  double most;          /* of a whole number; 0: what any count or size may be */
  bool may_lack;        /* an empty field: NULL, -1 or NaN */
};
struct attach_record_row {
  const char *word;
  size_t bytes; /* of its struct */
  bool of_kernel;
  const struct attach_record_field *fields;
  size_t n_fields;
};
extern const struct attach_record_row attach_record_rows[RECORD_KINDS];

/* Appends a line; what would end a field or the line is a blank. */
void attach_record_print(struct text *out, enum attach_record_kind kind, const void *record);
/* The kind of a line, whose word is cut off: *rest is its fields.  ERR_DATA: there is no such line. */
int attach_record_kind_of(char *line, enum attach_record_kind *kind, char **rest, struct err *e);
/* Reads the fields, which it cuts, into the kind's struct; the caller releases it after success. */
int attach_record_parse(enum attach_record_kind kind, char *fields, void *record, struct err *e);
void attach_record_release(enum attach_record_kind kind, void *record);

#endif
