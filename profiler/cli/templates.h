/* The files that `new` starts from, one a kind of problem: "templates/gemv.cu"; @NAME@ stands for the variant's id. */
#ifndef PROFILER_CLI_TEMPLATES_H
#define PROFILER_CLI_TEMPLATES_H

#include "base/embed.h"

extern const struct embedded profiler_embedded_templates[];

#endif
