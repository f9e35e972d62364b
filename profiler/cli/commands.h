/* Every command. */
#pragma once

#include "profiler/cli/cli.h"

extern const struct command *const commands[]; /* NULL at the end; the first is the default */
