/* The runs of a program's ranks as one run, a file at a time: what is kept of each is what it adds to its kernels and ranges, so that a thousand files need no more
 * memory than a few hundred bytes for each kernel of each.
 *
 * Every file is loaded once to be added.  A kernel's counters, samples and code are those of one rank, which is known only then: those files are loaded once more.
 */
#pragma once

#include "base/err.h"
#include "run/run.h"

#include <stddef.h>

/* In the notes that name a rank's second file, which may be of an earlier job, and a process of another program. */
#define RUN_MERGE_JOINED " is another process of rank "
#define RUN_MERGE_OTHER  " ran another command than "

struct run_merging;
struct run_merging *run_merging_new(void);
void run_merging_free(struct run_merging *m);

/* A process's run.  ERR_DATA: it is not merged, for that reason; *m is as it was.  The order in which files are added does not matter. */
int run_merging_add(struct run_merging *m, const struct run *r, const char *file, struct err *e);
/* A file that was named and is not merged. */
void run_merging_leave_out(struct run_merging *m, const char *file, const char *reason);

/* All were added: ranks are put in order, kernels matched.  ERR_DATA: no rank is left. */
int run_merging_match(struct run_merging *m, struct err *e);
/* How many files must be loaded once more. */
size_t run_merging_wanted(const struct run_merging *m);
/* The next of them; NULL: no other. */
const char *run_merging_next(struct run_merging *m);
/* That file's run, of which what is needed is moved away.  ERR_DATA: it is no longer what was added. */
int run_merging_take(struct run_merging *m, struct run *r, struct err *e);
/* *out lacks tool, git, command and created; it is the caller's to release. */
void run_merging_end(struct run_merging *m, struct run *out);
