/* Completion scripts of the shells, from the command table. */
#pragma once

#include "base/text.h"
#include "profiler/cli/cli.h"

#include <stdbool.h>

bool completion_known(const char *shell); /* "bash", "zsh", "fish" */
void completion_add(const char *shell, const struct command *const *commands, struct text *out);
