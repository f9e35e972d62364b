/* Warps that wait for matrix instructions, and those that wait for data, by the samples. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Of what counts as waits at barriers, what is a warpgroup's for its own wgmma (WARPGROUP.DEPBAR, HGMMA): no other warp's work is waited for.  0..1 */
double barriers_part_of_products(const struct rule_input *in);
/* wgmma ran: its sums are the tensor core's, and no warp's chain. */
bool begins_products(const struct rule_input *in);
