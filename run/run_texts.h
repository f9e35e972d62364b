/* Texts of sources that the machine of the run did not have, found where the run is read: a program is often built at one place and measured at another. */
#pragma once

#include "run/run.h"

/* Of each source without text the file of its name, if it is one of C, C++, CUDA or Python, was written before the run was made, and has the lines that code came from.
 * A name that is no absolute path is looked for in the folder of `path`, the run's file, and in the working folder.  Nothing else is changed; no failure is told. */
void run_texts_find(struct run *r, const char *path);
