/* The man page and the shells' completion: templates, filled from the command table. */
#pragma once

#include "base/text.h"
#include "profiler/cli/cli.h"

#include <stdbool.h>

bool help_page_is_shell(const char *name); /* "bash", "zsh", "fish" */
/* The page of a shell, or "man".  ERR_DATA: its template asks for what is not there. */
int help_page_add(const char *name, const struct command *const *commands, struct text *out, struct err *e);
