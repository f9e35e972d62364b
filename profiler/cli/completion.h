/* Completion scripts of the shells, from the command table. */
#ifndef PROFILER_CLI_COMPLETION_H
#define PROFILER_CLI_COMPLETION_H

#include "base/text.h"
#include "profiler/cli/cli.h"

#include <stdbool.h>

bool completion_known(const char *shell); /* "bash", "zsh", "fish" */
void completion_add(const char *shell, const struct command *const *commands, struct text *out);

#endif
