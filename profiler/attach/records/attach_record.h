/* What the injected library and the program that started it tell each other: lines of fields with a
 * tab between, the first field saying what the line is.
 *
 * A kind of line is a struct with its fields and a row of RECORD_ROWS, a field a member and an F of its kind: the writer, the reader and what it
 * keeps go by these.  A process's file begins with
 * RECORDS_FIRST; lines of a kernel come after it.
 */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "run/pass_set.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDS_FIRST "nvfp4-prof-part\t1"
/* A process's file PID.sampling is there while its PC samples are taken. */
#define RECORDS_SAMPLING ".sampling"

enum { RECORD_DEVICES = 64 };

/* --- the kinds: struct and fields --- */

struct process_record {
  long pid;
  char *launcher;              /* NULL: the process is no rank, and the three below are -1 */
  long rank, size, local_rank; /* launched_rank.h */
  char *host;
};
#define PROCESS_FIELDS(F, T)                                                                                           \
  F(T, pid, "pid"), F(T, launcher, "launcher", .may_lack = true), F(T, rank, "rank", .may_lack = true),                \
      F(T, size, "ranks", .may_lack = true), F(T, local_rank, "local rank", .may_lack = true),                         \
      F(T, host, "host", .may_lack = true)
struct folders_record { /* where its sources may be */
  char *work;           /* its working folder */
  char *program;        /* the file that it executes */
};
#define FOLDERS_FIELDS(F, T) F(T, work, "work", .may_lack = true), F(T, program, "program", .may_lack = true)
/* struct pass_set: run/pass_set.h */
#define PASS_SET_FIELDS(F, T) F(T, set, "set", PASS_SETS_MAX), F(T, sets, "sets", PASS_SETS_MAX)
struct totals_record {
  uint64_t launches, beyond; /* beyond: of kernels that were not told apart */
  double total_ns, beyond_ns;
};
#define TOTALS_FIELDS(F, T)                                                                                            \
  F(T, launches, "launches"), F(T, total_ns, "ns"), F(T, beyond, "launches beyond"), F(T, beyond_ns, "ns beyond")
/* Times between the first kernel counted here and the last, without those that the profiler takes */
struct gaps_record {
  double busy_ns; /* in which a kernel ran */
  double idle_ns; /* in which none did; short_ns: in gaps below RECORD_SHORT_GAP_NS, as long as launching takes */
  double short_ns;
  uint64_t gaps, short_gaps;
  /* In gaps so long that the program did something else (RECORD_PAUSE_NS); neither idle_ns nor gaps has them */
  double pause_ns;
  uint64_t pauses;
  uint64_t before; /* launches at the program's start that none of these is of */
};
#define GAPS_FIELDS(F, T)                                                                                              \
  F(T, busy_ns, "busy ns"), F(T, idle_ns, "idle ns"), F(T, short_ns, "short ns"), F(T, gaps, "gaps"),                  \
      F(T, short_gaps, "short gaps"), F(T, pause_ns, "pause ns"), F(T, pauses, "pauses"),                              \
      F(T, before, "launches before")
#define RECORD_SHORT_GAP_NS 50e3
#define RECORD_PAUSE_NS     10e6
struct device_record {
  int index;
  char *uuid;
};
#define DEVICE_FIELDS(F, T) F(T, index, "index", RECORD_DEVICES - 1), F(T, uuid, "uuid")
struct kernel_record {
  char *name; /* mangled */
  int device;
  struct run_launch launch; /* its kernel is NULL */
  uint64_t launches, in_graphs, disturbed;
  double total_ns;
  uint64_t blocks_least, blocks_most; /* of its grids, of which launch has the first */
  char *range;                        /* NVTX's; NULL: none, or ranges are not told apart */
  uint64_t skip, alone; /* launches before those that are worth counting; 1: of which one alone (stretch.h) */
};
#define KERNEL_FIELDS(F, T)                                                                                            \
  F(T, name, "name"), F(T, device, "device", RECORD_DEVICES - 1), F(T, launch.grid, "grid"),                           \
      F(T, launch.block, "block"), F(T, launch.cluster, "cluster"), F(T, launch.registers, "registers"),               \
      F(T, launch.smem_static, "static shared bytes"), F(T, launch.smem_dynamic, "dynamic shared bytes"),              \
      F(T, launch.local_bytes, "local bytes"), F(T, launch.blocks_per_sm, "blocks per SM"),                            \
      F(T, launches, "launches"), F(T, in_graphs, "in graphs"), F(T, disturbed, "disturbed"), F(T, total_ns, "ns"),    \
      F(T, blocks_least, "fewest blocks"), F(T, blocks_most, "most blocks"), F(T, skip, "skip"), F(T, alone, "alone"), \
      F(T, range, "range", .may_lack = true)
struct times_record {
  double *ns;
  size_t n;
};
#define SAMPLES_FIELDS(F, T) F(T, ns, "ns")
struct counted_record {
  uint64_t launches;
  char *how; /* RECORD_REPLAYED; RECORD_PARTLY: not in every pass; or each launch was one pass */
};
#define COUNTED_FIELDS(F, T) F(T, launches, "launches"), F(T, how, "how")
#define RECORD_REPLAYED      "replayed"
#define RECORD_PARTLY        "partly"
struct metric_record {
  char *name, *unit, *source, *reason;
  double value; /* NaN: there is none, for the reason */
};
#define METRIC_FIELDS(F, T)                                                                                            \
  F(T, name, "name"), F(T, unit, "unit"), F(T, source, "source", .may_lack = true),                                    \
      F(T, value, "value", .may_lack = true), F(T, reason, "reason", .may_lack = true)
struct sampling_record {
  double period_cycles; /* 0: there was no sampling */
  uint64_t samples, dropped;
  char *error; /* NULL: none */
};
#define SAMPLING_FIELDS(F, T)                                                                                          \
  F(T, period_cycles, "period in cycles"), F(T, samples, "samples of all code"), F(T, dropped, "dropped"),             \
      F(T, error, "error", .may_lack = true)
struct function_record {
  char *name;  /* mangled */
  long module; /* number of its cubin; -1: its code was not kept */
  uint64_t launches, samples;
};
#define FUNCTION_FIELDS(F, T)                                                                                          \
  F(T, name, "name"), F(T, module, "module", .may_lack = true), F(T, launches, "launches"), F(T, samples, "samples")
struct pc_record {
  uint64_t function; /* index of a function's line */
  unsigned offset;   /* bytes from the function's start */
  char *reason;
  uint64_t samples, not_issued;
};
#define PC_FIELDS(F, T)                                                                                                \
  F(T, function, "function"), F(T, offset, "offset"), F(T, reason, "reason"), F(T, samples, "samples"),                \
      F(T, not_issued, "not issued")
struct range_record {
  char *name;
  uint64_t launches;
  double total_ns, collective_ns; /* collective_ns: of these, in kernels that wait for other ranks */
};
#define RANGE_FIELDS(F, T)                                                                                             \
  F(T, name, "name"), F(T, launches, "launches"), F(T, total_ns, "ns"), F(T, collective_ns, "ns in collectives")
struct note_record {
  char *sentence;
};
#define NOTE_FIELDS(F, T) F(T, sentence, "sentence")
struct end_record {
  char *how; /* RECORD_COMPLETE, or the process goes on */
};
#define END_FIELDS(F, T) F(T, how, "how")
#define RECORD_COMPLETE  "complete"
struct chosen_record { /* of the file that the parent writes: a kernel to count */
  char *name;
  int device;
  struct run_launch launch; /* geometry and dynamic shared memory */
  uint64_t launches;        /* that can be counted, in the run before */
  double total_ns;          /* its GPU time there */
  uint64_t skip;            /* launches of it before those to count */
};
#define CHOSEN_FIELDS(F, T)                                                                                            \
  F(T, name, "name"), F(T, device, "device", RECORD_DEVICES - 1), F(T, launch.grid, "grid"),                           \
      F(T, launch.block, "block"), F(T, launch.smem_dynamic, "dynamic shared bytes"), F(T, launches, "launches"),      \
      F(T, total_ns, "ns"), F(T, skip, "skip")

/* One row per kind: its struct, the word that begins its line, and where the reader puts it
 * (outside/attached_process.h): ONE member of the process; one more of MANY; HEADS: an element of an
 * array declared there; else take_NAME takes it, OF_KERNEL after a kernel's line. */
#define RECORD_ROWS(X)                                                                                                 \
  X(PROCESS, struct process_record, "process", ONE, seen)                                                              \
  X(FOLDERS, struct folders_record, "folders", ONE, folders)                                                           \
  X(PASS_SET, struct pass_set, "pass set", ONE, pass_set)                                                              \
  X(TOTALS, struct totals_record, "totals", ONE, totals)                                                               \
  X(GAPS, struct gaps_record, "gaps", ONE, gaps)                                                                       \
  X(DEVICE, struct device_record, "device", TAKEN, device)                                                             \
  X(KERNEL, struct kernel_record, "kernel", HEADS, kernels)                                                            \
  X(SAMPLES, struct times_record, "samples", OF_KERNEL, samples)                                                       \
  X(COUNTED, struct counted_record, "counted", OF_KERNEL, counted)                                                     \
  X(METRIC, struct metric_record, "metric", OF_KERNEL, metric)                                                         \
  X(SAMPLING, struct sampling_record, "sampling", ONE, sampling)                                                       \
  X(FUNCTION, struct function_record, "function", HEADS, functions)                                                    \
  X(PC, struct pc_record, "pc", TAKEN, pc)                                                                             \
  X(RANGE, struct range_record, "range", MANY, ranges)                                                                 \
  X(NOTE, struct note_record, "note", MANY, notes)                                                                     \
  X(END, struct end_record, "end", TAKEN, end)                                                                         \
  X(CHOSEN, struct chosen_record, "chosen", TAKEN, no_other)

#define RECORD_KIND(upper, type, word, place, name) RECORD_##upper,
enum attach_record_kind { RECORD_ROWS(RECORD_KIND) RECORD_KINDS };
#undef RECORD_KIND

enum field_type { FIELD_TEXT, FIELD_INT, FIELD_UNSIGNED, FIELD_LONG, FIELD_COUNT, FIELD_NUMBER, FIELD_TIMES };

/* A field's type and number follow from its member; F(T, member, ...) gives what comes after these. */
struct attach_record_field {
  enum field_type type; /* char *, int, unsigned, long, uint64_t, double, struct times_record */
  int n;                /* so many stand in a row */
  size_t at;            /* in the kind's struct */
  const char *name;
  double most;   /* of a whole number; 0: what any count or size may be */
  bool may_lack; /* an empty field: NULL, -1 or NaN */
};
struct attach_record_row {
  const char *word;
  size_t bytes; /* of its struct */
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
