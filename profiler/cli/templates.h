/* The files that `new` starts from, one a kind of problem: "templates/gemv.cu"; @NAME@ stands for the variant's id. */
#pragma once

#include "base/embed.h"

extern const struct embedded profiler_embedded_templates[];
