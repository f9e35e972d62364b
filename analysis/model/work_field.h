/* Fields of struct workload as rows of a table, and what
 * a warp has in turn as cycles of all warps together. */
#pragma once

#include "analysis/model/workload.h"

#include <stddef.h>

#define WORK_FIELD(name) VALUE_FIELD(workload, name)

struct value *work_value(struct workload *w, struct value_field f); /* of a struct value */
double *work_number(struct workload *w, struct value_field f);      /* also of a value that is absent */

/* Of all resident warps, a second; 1 where warps or clock are not known. */
double work_warp_cycles(const struct workload *w);
/* The seconds that a resident warp has in turn.  Times work_warp_cycles
 * they compare between works of other warps and clocks. */
void work_chain_scale(struct workload *w, double by);
