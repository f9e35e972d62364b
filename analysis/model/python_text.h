/* What the text of a Python file says of a line or a function.  Pure. */
#pragma once

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

bool source_is_python(const struct run *r, int source); /* by its name */
/* The line where a statement begins that goes on in `line` since a bracket is open; 0: it begins there. */
int python_statement(const char *text, int line);
/* What a line stands in: its innermost loop, and an `if` in that.  0: no loop of its function. */
enum { PYTHON_FOR = 1, PYTHON_WHILE = 2, PYTHON_IF = 4 };
unsigned python_around(const struct run *r, int source, int line);
/* The body of `def NAME(`, to the next line that begins with a word: its text, and its length. */
const char *python_function(const struct run *r, const char *name, size_t *n);
