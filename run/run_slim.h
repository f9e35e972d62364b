/* What a run file need not tell. */
#pragma once

#include "run/run.h"

/* Drops the sources that no variant was compiled from: its file, what that file names (as #include does), and what an instruction's line refers to. */
void run_sources_used(struct run *r);
/* Sources with an absolute name, in variants and the command too, bear the name that they have in their folder. */
void run_paths_hide(struct run *r);
/* The name that run_paths_hide gives a source, within path. */
const char *run_path_hidden(const char *path);
