/* Runs that a command reads or writes, with their findings and notes. */
#pragma once

#include "analysis/model/findings.h"
#include "base/err.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

/* run_load, of a path or a recorded run's name, with a line on a terminal while it lasts: a
 * recorded run takes a second, and is marked as one. */
int run_read(struct run *out, const char *path, struct err *e);
/* The recorded run with the origin said in its notes. */
int recorded_load(struct run *out, struct err *e);
/* Says in a run that is to be saved which program made it, by which line. */
void run_sign(struct run *run, const char *typed);
/* ERR_USAGE where a run file is there that another command wrote, unless by force. */
int run_replace_verify(const char *path, const char *command, bool force, struct err *e);
/* A run's findings against --device, else its own card; they borrow the run.  The caller
 * releases them, also after failure.  ERR_USAGE for another chip than the measured one. */
struct analysed {
  struct device device;
  struct findings findings;
};
int analysed_make(struct analysed *out, const struct run *r, const char *device_asked, struct err *e);
void analysed_release(struct analysed *a);
/* Runs that were loaded and analysed together. */
struct run_set {
  struct run *runs;
  struct device *devices;
  struct findings *findings; /* borrow the two above */
  size_t n;
};
/* Room for n runs, none loaded. */
void run_set_init(struct run_set *s, size_t n);
/* Loads one more, each against its own card's ceilings; after a failure the set is as it was. */
int run_set_add(struct run_set *s, const char *path, struct err *e);
void run_set_release(struct run_set *s); /* leaves *s all zero */
/* --notes, else the folder notes beside the run file where there is one, else NULL; the caller's to
 * free.  ERR_USAGE where --notes is no folder. */
int notes_beside(char **out, const char *asked, const char *run_file, struct err *e);
