/* Ceilings: what this machine's GPU can do at most, measured in a process of its own. */
#pragma once

#include "base/err.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/cuda/probe.h"
#include "run/ceilings_measured.h"
#include "run/device.h"

#include <stddef.h>

/* Measures every row.  A row that fails is absent with its reason, and the others stand;
 * ERR_MACHINE where nothing can be compiled or started.  progress: called from the measuring process too; may be NULL. */
int ceilings_measure(struct ceilings *out, progress_told *progress, const struct gpu_probe *gpu, struct err *e);

/* Compiles its kernels for a chip that need not be here: the keys of the cache's entries. */
enum { CEILINGS_UNITS = 4 };
int ceilings_compile(const char *arch, char keys[CEILINGS_UNITS][33], struct err *e);

/* The card's description with what was measured: datasheet and driver rows as device_from_run has
 * them, measured rows and curves these alone (another card's stay behind).  when: "2026-11-21". */
int ceilings_device(struct device *out, const struct ceilings *c, const struct gpu_probe *gpu, const char *when,
                    struct err *e);
