/* UTF-16, as a redirection in PowerShell writes it. */
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

bool utf16_is(const char *bytes, size_t n); /* by its byte order mark */
/* Replaces *text, which is freed, by UTF-8 without a mark; *n: its length.  Half a character becomes U+FFFD.  ERR_DATA for an odd length. */
int utf16_read(char **text, size_t *n, const char *name, struct err *e);
