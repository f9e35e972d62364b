/* The files that `new` starts from, one a kind of problem: "templates/gemv.cu", where @NAME@ stands for the variant's id; and the
 * templates of the man page and the shells' completion (profiler/cli/help_page.h). */
#pragma once

#include "base/embed.h"

extern const struct embedded profiler_embedded_templates[];
