/* Every command. */
#ifndef PROFILER_CLI_COMMANDS_H
#define PROFILER_CLI_COMMANDS_H

#include "profiler/cli/cli.h"

extern const struct command *const commands[]; /* NULL at the end; the first is the default */

#endif
