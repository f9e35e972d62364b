/* The runs that are shipped: where they lie and what they are called. */
#pragma once

#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>

enum { RECORDED_NAME_MAX = 64 };

/* The shipped run.  NVFP4_RECORDED, else the installed one, else the source tree's. */
int recorded_path(char **out, struct err *e);
/* What --run names: a word without a slash or a dot is a recorded run ("h100"), else it is the path
 * itself; the caller's to free.  ERR_USAGE lists the names. */
int recorded_named(char **out, const char *word, struct err *e);
/* The path that a word of the line stands for: a recorded run's where it names one and no file,
 * else the word; the caller's to free. */
char *recorded_or_file(const char *word);
/* The word is no file here and names a recorded run. */
bool recorded_has(const char *word);
/* What a reader types for the file: a recorded run's name, else the path; borrowed from either. */
const char *recorded_word(const char *path, char name[RECORDED_NAME_MAX]);
/* The file lies where the recorded runs do. */
bool recorded_is(const char *path);
/* Says in the run that it was recorded, and on what. */
void recorded_mark(struct run *run);
