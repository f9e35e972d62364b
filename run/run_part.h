/* A part of a run that borrows all it shows: the run must outlive it, and is not changed. */
#pragma once

#include "run/run.h"

#include <stdbool.h>

/* The variants of keep[i], their results, and `note` behind the run's own notes.  Release with run_part_release, never with run_release. */
void run_part_make(struct run *out, const struct run *r, const bool *keep, const char *note);
void run_part_release(struct run *part);
