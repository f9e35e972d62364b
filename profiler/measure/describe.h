/* What a run says of itself before anything was measured: its rungs, sources, device and settings. */
#pragma once

#include "profiler/compile/compile.h"
#include "profiler/measure/profile.h"

void describe_run(struct run *run, const struct profile_options *o);
void describe_device(struct run_device *d, const struct gpu_probe *p, const struct compile_tools *tools);
void describe_sources(struct run *run, const struct rung_set *set);
void describe_variant(struct run_variant *v, const struct rung *r);
/* As the plan has it; what the compiler and the driver know of it is left 0. */
struct run_launch describe_launch(const struct plan_launch *l);
void describe_result(struct run_result *out, const struct rung_plan *plan, int variant);
