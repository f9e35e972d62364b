/* A run: what was measured, as the profiler writes it and everything after reads it.  Schema "nvfp4-prof/run/1", JSON.
 *
 * Values are SI base units (seconds only as ns where the name says so) and counts; ratios are 0..1.  An absent number is `present = false`
 * with a reason, in JSON null beside a "reason"; NaN and infinities never reach a file.  Strings are UTF-8; a NULL string is an absent one.
 * Ownership: a struct run owns all below it; run_release frees it.
 */
#pragma once

#include "base/err.h"
#include "base/shape.h"
#include "run/pass_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_SCHEMA_NAME "nvfp4-prof/run/"
#define RUN_NO_DEVICE                                                                                                  \
  "no device, " /* begins the device's name of what was compiled and not run: a run file must name one */
enum { RUN_SCHEMA_VERSION = 1 };

/* Where a number comes from; every table shows it. */
enum run_origin { ORIGIN_MEASURED, ORIGIN_RECORDED, ORIGIN_MODELLED, ORIGIN_PUBLISHED };
const char *run_origin_name(enum run_origin o);

struct run_key {
  char *key, *value;
};

struct run_device {
  char *name;      /* "NVIDIA H200" */
  char *uuid_hash; /* 16 hex digits of a hash of the UUID: tells cards apart, names none */
  char *chip;      /* CUPTI's chip name: "GH100"; NULL where CUPTI was absent */
  int sm;          /* compute capability: 90, 100, ... */
  int sms;
  int warps_per_sm;
  long regs_per_sm, smem_per_sm, smem_optin; /* registers; bytes */
  double l2_bytes, memory_bytes;
  double clock_max_hz, memory_clock_hz; /* driver-reported; memory: the clock whose double edge moves data */
  int memory_bus_bits;
  char *driver, *cuda_driver, *cupti, *nvrtc; /* versions; NULL: absent */
};

/* A published figure that a rung's front matter carries. */
struct run_published {
  char *device, *what, *source;
  double time_ns;
  bool approximate;
};

struct run_variant {
  char *id, *ladder, *parent, *change, *predicts; /* NULL where the rung gives none */
  char *accumulate;
  char *file; /* the source's name in run.sources */
  bool side;  /* a side step */
  bool wrong; /* a rung that must be refused */
  struct run_published *published;
  size_t n_published;
  struct run_key *keys; /* the front matter whole, in order */
  size_t n_keys;
};

struct run_source {
  char *name, *text; /* text: "": it was not found */
};

struct run_line {
  int source; /* index into run.sources, -1: a file that was not kept (CUDA's own headers) */
  int line;   /* from 1 */
};

struct run_instruction {
  uint32_t offset;        /* bytes from the kernel's start */
  char *text;             /* "LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", predicate included */
  struct run_line *lines; /* inline chain, innermost first */
  size_t n_lines;
};

struct run_kernel {
  char *name;
  int registers;                              /* a thread */
  long smem_static, local_bytes, const_bytes; /* bytes; local: stack frame and spills, a thread */
  long spill_store_bytes, spill_load_bytes;   /* -1: not reported */
  int max_threads;                            /* a block, as compiled */
  struct run_instruction *sass;
  size_t n_sass;
  char *sass_reason; /* why there is none */
};

/* One cubin: a rung with its defines, for one architecture. */
struct run_module {
  char *key;        /* content hash: the name in the compile cache */
  char *arch;       /* "sm_90a" */
  char *options;    /* as given to NVRTC, blank between */
  double compile_s; /* 0 where it came from the cache */
  bool cached;
  long cubin_bytes;
  struct run_kernel *kernels;
  size_t n_kernels;
};

/* A launch as the profiler observed it; of a result that was compiled and not run (VERDICT_SKIPPED), as it was planned. */
struct run_launch {
  char *kernel;
  unsigned grid[3], block[3], cluster[3]; /* cluster[0] = 0: none */
  long smem_static, smem_dynamic;         /* bytes a block */
  int registers;                          /* a thread */
  long local_bytes;                       /* a thread */
  int blocks_per_sm;                      /* theoretical occupancy, from the driver; 0: unknown */
};

enum run_verdict {
  VERDICT_PASS,
  VERDICT_WRONG,        /* the check failed; cause says how */
  VERDICT_OUT_OF_RANGE, /* inputs beyond the rung's limits: not compared */
  VERDICT_UNCHECKED,    /* it computes no C (a control), or there was no check (reason) */
  VERDICT_FAILED,       /* did not compile, crashed, hung; reason says which */
  VERDICT_SKIPPED,      /* cannot run here; reason says why */
};
const char *run_verdict_name(enum run_verdict v);

struct run_check {
  enum run_verdict verdict;
  char *cause;  /* WRONG: fault name */
  char *reason; /* a sentence; NULL for PASS */
  uint64_t total, failed;
  double max_error, max_ratio; /* absolute; over tolerance */
  long row, batch;             /* of the worst element */
  double got, want;
  bool got_present; /* false: NaN or infinite */
};

struct run_timing {
  double *samples_ns; /* one a launch of the whole rung, in order */
  size_t n;
  size_t discarded; /* under throttle, or dropped by the collector */
  char *source;     /* "CUPTI activity" or "event pair" */
  char *reason;     /* why there are none, or why they stopped early */
};

struct run_metric {
  char *name, *unit; /* of a counter of run/metrics */
  char *source;      /* the CUPTI expression it came from */
  bool present;
  double value;
  char *reason; /* absent: why */
};

/* PC samples of one instruction by stall reason. */
struct run_sample {
  int module, kernel; /* indices */
  uint32_t offset;    /* into kernel.sass */
  char *reason;       /* "long_scoreboard" */
  uint64_t samples;   /* of warps that stood here for that reason */
  /* Of these, taken in cycles in which the scheduler issued nothing: the warp's wait cost something */
  uint64_t not_issued;
};

/* How the PC samples were taken. */
struct run_sampling {
  uint64_t user, other,
      dropped;          /* samples: in this result's kernels; in other code; lost by the hardware or for want of room */
  double period_cycles; /* between two samples of one SM */
  uint64_t launches;    /* of the whole rung */
  char *reason;         /* why there are none, or why they stopped early; NULL: all is well */
};

/* What one instruction did in one launch of the whole rung, counted exactly; -1: not counted. */
struct run_count {
  int module, kernel; /* indices */
  uint32_t offset;    /* into kernel.sass */
  double executed;    /* warp instructions */
  double threads;     /* thread instructions that were not predicated off */
  double global_sectors,
      global_sectors_ideal; /* 32-byte sectors that a global access asked for; the least for its bytes */
  double shared_wavefronts, shared_wavefronts_ideal; /* cycles of a shared access; the least for its bytes */
};

/* What one rank had of a kernel or a range, in a run that was merged from several. */
struct run_by_rank {
  int rank; /* index into run.merge.ranks */
  uint64_t launches;
  double gpu_time_ns;
};

struct run_result {
  int variant;            /* index into run.variants */
  struct shape shape;     /* 0x0x0: no problem is declared (an import of another tool's kernels) */
  int module;             /* index into run.modules; -1: none */
  char *path;             /* the way it took on this chip; NULL: there is one */
  struct run_key *params; /* as compiled */
  size_t n_params;
  double bytes_minimal, bytes_contest, bytes_declared, flops; /* bytes; FLOP */
  struct run_launch *launches;
  size_t n_launches;
  struct run_check check;
  struct run_timing timing;
  struct run_metric *metrics;
  size_t n_metrics;
  struct run_sampling sampling;
  struct run_sample *samples;
  size_t n_samples;
  struct run_count *counts; /* in no order; an instruction of no entry was not executed */
  size_t n_counts;
  char *counts_reason;         /* why there are none */
  struct run_by_rank *by_rank; /* ascending; a rank that did not launch it has none */
  size_t n_by_rank;
};

/* Parts of the time from a process's first kernel to its last, without pauses of more than 10 ms and those before a function is first
 * launched. */
struct run_idle {
  double share;       /* in which no kernel ran, 0..1 */
  double short_share; /* of the time too: in gaps of at most 50 us */
};

/* Of which process a run is, where one was attached to; all zero: of none. */
struct run_process {
  char *host;
  long pid;
  char *launcher;               /* that made it a rank: "srun"; NULL: it is none, and the next three say nothing */
  long rank, ranks, local_rank; /* ranks of the whole program, -1: unknown; local_rank: of its host, -1: unknown */
  struct pass_set pass_set;     /* of the counters, what this one collected */
  uint64_t launches;
  double gpu_time_ns; /* of all kernels, those that the run does not keep too */
  struct run_idle idle;
};

/* An NVTX range of that process. */
struct run_range {
  char *name;
  uint64_t launches;
  double gpu_time_ns, collective_ns; /* collective_ns: of these, in kernels that wait for other ranks */
  struct run_by_rank *by_rank;       /* as a result's; the time outside collectives */
  size_t n_by_rank;
};

/* The ranks that a run was merged from; all zero: it is one process's, or none's. */
struct run_merged_rank {
  char *file;
  struct run_process process;
};
struct run_left_out {
  char *file, *reason;
};
struct run_merge {
  long expected;                 /* ranks of the program; 0: unknown */
  struct run_merged_rank *ranks; /* ascending; those without a rank last */
  size_t n_ranks;
  struct run_left_out *left_out; /* files that were named and not merged */
  size_t n_left_out;
};

struct run {
  char *created;    /* ISO 8601, UTC */
  char *command;    /* argv, quoted for a shell */
  char *tool, *git; /* version; commit and "dirty" */
  bool partial;     /* interrupted: results are missing */
  char *partial_reason;
  enum run_origin origin; /* MEASURED as written; the one who loads a shipped run sets RECORDED */
  /* settings */
  char *l2, *inputs; /* "cold"; "default" */
  uint64_t seed;
  double flush_bytes; /* read before each launch to empty the L2 */
  struct run_device device;
  struct run_process process;
  struct run_merge merge;
  struct run_range *ranges;
  size_t n_ranges;
  char **notes; /* degradations, each a sentence: "no counters: ..." */
  size_t n_notes;
  struct run_source *sources;
  size_t n_sources;
  struct run_module *modules;
  size_t n_modules;
  struct run_variant *variants;
  size_t n_variants;
  struct run_result *results;
  size_t n_results;
};

void run_release(struct run *r); /* leaves *r all zero */

/* Saves atomically (base/file.h), compressed where path ends in ".gz".  ERR_IO; ERR_DATA where a number is not finite (named by its place: "results[3].metrics[2].value"). */
int run_save(const struct run *r, const char *path, struct err *e);
/* Loads and checks: every index within range, every enum known, numbers finite.  ERR_IO; ERR_DATA "FILE: results[3].module: ..."; a newer
 * schema says which version this tool reads; files over RUN_FILE_MAX bytes and nesting beyond 64 are refused.  Unknown keys are ignored.
 * A file that gzip has compressed is read as what it holds, and RUN_FILE_MAX limits that too.  Where path is not there and PATH.gz is, that is
 * read: a report keeps run.json.gz. */
int run_load(struct run *r, const char *path, struct err *e);
/* The same without timing samples, PC samples, counts of instructions and SASS, which take most of the time. */
int run_load_outline(struct run *r, const char *path, struct err *e);
char *run_file_beside(const char *path); /* that PATH.gz, the caller's to free; NULL: path is there, or neither is */
/* The same from memory; name is for messages. */
int run_load_text(struct run *r, const char *name, const char *json, size_t n, struct err *e);
enum { RUN_FILE_MAX = 512 << 20 };

/* One result as one line of JSON, as in the file, and back: how a worker tells its parent.  The line is the caller's to free. */
char *run_result_to_line(const struct run_result *r, struct err *e);
int run_result_from_line(struct run_result *out, const char *line, struct err *e);
void run_result_release(struct run_result *r); /* leaves *r all zero */
void run_module_release(struct run_module *m);
void run_variant_release(struct run_variant *v);

/* NULL where there is none. */
const struct run_metric *run_metric_find(const struct run_result *r, const char *name);
bool run_variant_is_control(const struct run_variant *v);
bool run_variant_is_aside(const struct run_variant *v); /* a control, or one that must be refused: no rival */
const char *run_variant_key(const struct run_variant *v, const char *key); /* the first of that key */
/* The program that attach saw, with its arguments; NULL: the run is none of a program's. */
const char *run_attached_command(const struct run *r);
const struct run_result *run_result_find(const struct run *r, const char *variant_id, struct shape s);
const struct run_variant *run_variant_find(const struct run *r, const char *id);
const char *run_source_text(const struct run *r, const char *name);           /* name NULL: NULL */
bool run_params_same(const struct run_result *a, const struct run_result *b); /* in their order */
/* The distinct shapes, in order of first appearance; returns their number, writes at most max. */
size_t run_shapes(const struct run *r, struct shape *out, size_t max);

/* Of its SASS, without the NOPs that fill the last line of the instruction cache; 0: there is no SASS. */
size_t run_kernel_instructions(const struct run_kernel *k);

/* Adds a sentence to the run's notes, once. */
void run_note(struct run *r, const char *sentence);
