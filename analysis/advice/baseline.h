/* What the model of time leaves out of a warp's waits: what remedies are compared with.  Pure. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Fills in->waits and in->work. */
void rule_baseline(struct rule_input *in);
