/* Which kernels are collectives, for whoever chooses what to count: attach (two_runs.c) and the library that it injects (profiler/attach/inside/choose.c). */
#pragma once

#include <stdbool.h>
#include <string.h>

/* NCCL's kernels, of newer and older versions.  They wait for those of other processes or other GPUs, which may only be launched after this one: to
 * wait for one by itself could be to wait for ever. */
static inline bool kernel_is_collective(const char *name) {
  return strstr(name, "ncclDevKernel") || strstr(name, "ncclKernel");
}
