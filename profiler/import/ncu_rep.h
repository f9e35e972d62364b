/* Nsight Compute's own report, .ncu-rep, read without Nsight Compute.  Private to this folder.
 *
 * "NVR\0", u32 size and a FileHeader; then blocks: u32 size and a BlockHeader, then as many bytes of payload as it says: sources (cubins, the
 * files they were made from), then results, of kernels, ranges, command lists or graphs, each behind its u32 size.  Messages are protobuf's; their fields are those of the descriptions that
 * Nsight Compute installs as extras/FileFormat/.  Names of metrics and strings count through the string tables of all blocks so far.  Values stand
 * in base units.  Seen in the reports of ncu 2025.3. */
#pragma once

#include "base/name_index.h"
#include "base/wire.h"
#include "profiler/import/import.h"
#include "profiler/import/ncu.h"
#include "profiler/import/ncu_source.h"

bool ncu_rep_is(const struct import_file *file);
/* Launches with their metrics, and for each launch whose code can be disassembled a block of *code: instructions with samples and counts.  A launch
 * without one adds to *note why.  ERR_DATA "NAME: byte N: ..." with the remedy.  The caller releases both, and note, also after failure. */
int ncu_rep_parse(struct ncu_file *out, struct ncu_source *code, char **note, const struct import_file *file,
                  struct err *e);

/* --- ncu_rep_code.c --- */

struct rep_source { /* a SourceData */
  uint64_t reference;
  const uint8_t *cubin; /* borrowed from the file; NULL: not in the report */
  size_t cubin_bytes;
  const uint8_t *files; /* SourceFiles */
  size_t files_bytes;
  bool wanted; /* a launch has values at its instructions */
  struct run_module module;
  struct name_index kernels; /* of the module */
  struct run_source *texts;  /* the files; without text: lines name it, and it is not carried */
  size_t n_texts;
  bool shown; /* its files are among the lines */
  char *why;  /* why it cannot be read; NULL: it can */
};

enum rep_series_kind { SERIES_COUNT, SERIES_SAMPLES, SERIES_NOT_ISSUED };
/* A metric's value at each instruction: ProfileMetricListElement, one after another in its MetricResult */
struct rep_series {
  enum rep_series_kind kind;
  int index;              /* enum source_count, or the reason of ncu_source_reason */
  const uint8_t *message; /* the MetricResult */
  size_t n;
};

struct rep_launch {
  uint64_t reference; /* of its source; 0: none */
  const char *mangled;
  struct rep_series *series;
  size_t n_series;
};

/* Which series a metric's instances are, if they are one of those that a source view shows. */
bool rep_series_of(const char *metric, struct rep_series *out);
/* Adds the block of each launch that has values at instructions, or, where one has none, the reason to *note.  of: the launches as the
 * import has them. */
void rep_code_add(struct ncu_source *code, const struct rep_launch *launches, const struct ncu_launch *of, size_t n,
                  char **note);
/* --- rep_source.c --- */

/* A ProfileMetricValue: the one field that is set. */
bool rep_value(const uint8_t *bytes, size_t n, struct wire_field *out);
/* The element's instruction address and value. */
bool rep_element(const uint8_t *bytes, size_t n, uint64_t *address, double *value);
/* Brings the sources into the order in which rep_source_find searches them. */
void rep_sources_sort(struct ncu_source *code);
/* The source of that reference that holds a cubin; NULL: none does. */
struct rep_source *rep_source_find(const struct ncu_source *code, uint64_t reference);
/* Disassembles the wanted ones, all together. */
void rep_sources_open(struct ncu_source *code);
void rep_source_release(struct rep_source *s);
