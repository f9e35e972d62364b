/* What a reader must know of a program's run before its kernels' advice: how much of the time is no kernel's, what is missing, what was counted otherwise. */
#pragma once

#include "analysis/model/finding.h"
#include "base/text.h"

#include <stdbool.h>

/* Where the GPU waits for the program for a quarter of the time or more: how long, and what to look at. */
bool process_idle(const struct run *r, struct text *out);
/* That, and that the run is partial, a line each; nothing where nothing is so. */
void process_cautions(const struct run *r, struct text *out);
/* That the kernel's counters are of a replayed launch. */
bool process_replayed(const struct run_variant *v, struct text *out);
