/* A run file's text without what few read and most of it is: timing samples, PC samples, counts of instructions, SASS.  Private to the room. */
#pragma once

#include <stddef.h>

/* Empties these arrays in the NUL-terminated JSON and returns how long it is then.  An array that holds what cannot stand in it is left as it is, for the parser to
 * complain of. */
size_t outline_cut(char *json, size_t n);
