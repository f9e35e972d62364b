/* A device description: what a chip can do at most.  Shipped as run/devices/NAME.json, embedded in the binary; `ceilings` writes one.
 *
 * Ceilings come in four kinds, never mixed in one number: datasheet, driver-derived, measured by `ceilings`, published by others who measured it.
 */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

/* The first compute capability that converts e2m1 (PTX ISA 8.6, cvt: .e2m1x2 needs sm_100a, sm_103a or sm_120a). */
enum { SM_CONVERTS_E2M1 = 100 };

enum ceiling_kind { CEILING_DATASHEET, CEILING_DRIVER, CEILING_MEASURED, CEILING_PUBLISHED };
const char *ceiling_kind_name(enum ceiling_kind k);

struct ceiling {
  char *name; /* "dram_bw", "l2_bw", "l1_bytes_per_clock", "dram_latency_cycles", "rate_ffma", ... */
  char *unit; /* "B/s", "cycle", "lane/cycle/SM" */
  double value;
  enum ceiling_kind kind;
  char *source; /* who says so */
};

/* A ceiling that depends on a size, as `ceilings` measures it: bandwidth or latency over the bytes of the working set. */
struct ceiling_curve {
  char *name;            /* "read_bw" */
  char *x_unit, *y_unit; /* "B", "B/s" */
  char *source;
  double *x, *y; /* of one length, x ascending */
  size_t n_x, n_y;
};

struct device {
  char **cards; /* globs of the names that its cards go by; none: the id as a word of the name */
  size_t n_cards;
  char *id, *name, *chip, *arch; /* "b200", "NVIDIA B200", "GB100" (NULL: unknown), "sm_100a" */
  int sm, sms, warps_per_sm;
  long regs_per_sm, smem_per_sm, smem_optin;
  double clock_max_hz, l2_bytes;
  struct ceiling *ceilings;
  size_t n_ceilings;
  struct ceiling_curve *curves; /* measured; none in a shipped description that nobody measured */
  size_t n_curves;
};

/* By id of an embedded description ("b200", "h200") or the path of a JSON file.  ERR_USAGE for an unknown id lists them. */
int device_load(struct device *d, const char *id_or_path, struct err *e);
/* What a run says of its own card, with driver-derived ceilings, joined by the embedded description of the same name where there is one.  Where the
 * card's memory is another than the description's (an H200 has a bus of 6144 or of 6016 bit), measured and published DRAM bandwidths are scaled by
 * the two driver-derived ones, and their sources say so. */
int device_from_run(struct device *d, const struct run_device *r, struct err *e);
/* Whether the description is of cards of that name. */
bool device_names(const struct device *d, const char *card);
/* How the card differs from the embedded description of its name, so that it may be another chip: "152 SMs, and 148 in ...".  false: it does
 * not, or there is none. */
bool device_differs(const struct run_device *r, struct text *how);
/* Writes what device_load reads, atomically. */
int device_save(const struct device *d, const char *path, struct err *e);
void device_release(struct device *d); /* leaves *d all zero */
/* NULL where there is none of that name and kind. */
const struct ceiling *device_ceiling(const struct device *d, const char *name, enum ceiling_kind kind);
/* The best known of a name: measured, else published, else driver, else datasheet; NULL: none. */
const struct ceiling *device_best(const struct device *d, const char *name);
/* The embedded ids, one a file of run/devices: the i-th, or false past the last. */
enum { DEVICE_ID_MAX = 32 };
bool device_id(size_t i, char id[DEVICE_ID_MAX]);
