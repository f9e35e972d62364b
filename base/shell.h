/* Words for a POSIX shell. */
#pragma once

#include "base/text.h"

/* Adds the word so that a shell reads it back as it is: bare where it holds no character that means something, else in single quotes. */
void shell_word(struct text *out, const char *word);
/* The words with a blank between; the caller's to free, NULL where memory ran out. */
char *shell_line(int n, char *const *words);
