/* nvbench's JSON (--json, --jsonbin) as a run, alone or with the counters that Nsight Compute took of the same program.
 *
 * Each benchmark in each of its states, which are values of its axes, becomes a variant of the ladder "nvbench", "copy T=F32 N=1048576".  Its
 * times are the samples of nvbench's binary side files where they lie beside the JSON, else the mean alone; its bytes those that the
 * benchmark declares.  The form is that of nvbench/json_printer.cu in github.com/NVIDIA/nvbench, file version 1.
 */
#pragma once

#include "profiler/import/import.h"

bool nvbench_is(const struct import_file *file);

/* counters: of import_ncu, or NULL; its kernels are joined to states one by one in their order where there are as many, else by name, a
 * benchmark's being its kernel's; what is joined moves into *out.  ERR_DATA "NAME: benchmarks[1].states[0]: ..."; ERR_USAGE where nothing can be
 * joined.  The caller releases *out, also after failure. */
int import_nvbench(struct run *out, const struct import_file *file, struct run *counters, struct err *e);

/* --- nvbench_join.c --- */

int nvbench_join(struct run *run, struct run *counters, struct err *e);
