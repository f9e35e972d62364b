/* A kit: one tar with what a node that has only a driver needs to profile. */
#pragma once

#include "base/err.h"
#include "base/text.h"
#include "kernels/rung.h"
#include "run/run.h"

struct kit {
  struct text tar, entries; /* entries: the manifest's lines, one a cubin */
  char nvrtc[32];
  char targets[128]; /* "sm_90a,sm_100a" */
  char cupti[64];    /* "libcupti.so.13 libnvperf_host.so ..." */
  size_t n_cubins;
};

/* The cubins of a run that was compiled for an architecture, and those of the profiler's own kernels beside them.  The compile cache must hold
 * them: ERR_IO where it does not. */
int kit_add_cubins(struct kit *k, const struct run *compiled, const char *arch, const struct rung_set *set,
                   struct err *e);
/* The user's file that a rung of the set came from, and what it includes.  ERR_USAGE: a path that leads out of the current folder, since the
 * file's name is part of what identifies its cubin. */
int kit_add_source(struct kit *k, const struct rung_set *set, const char *path, struct err *e);
/* This program, CUPTI as it is found here, the manifest, the script and the explanation; then the archive is whole.
 * variants, shapes, kernel: what the script asks for where it is given nothing; NULL: the defaults. */
int kit_finish(struct kit *k, const char *version, const char *variants, const char *shapes, const char *kernel,
               struct err *e);
void kit_release(struct kit *k);
