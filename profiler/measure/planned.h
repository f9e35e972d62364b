/* The launches of a result that was compiled and not run: as its plan has them. */
#pragma once

#include "kernels/rung.h"
#include "run/run.h"

/* Registers and static memory are the compiled kernel's; blocks_per_sm stays 0, since no driver was asked.  A plan that calls a library has no
 * launches that anyone could know. */
void planned_launches(struct run_result *r, const struct rung_plan *plan, const struct run_module *m);
