/* Private to the counters: choose.c says which launches, session.c drives CUPTI, counters.c stands between the two.
 *
 * One session counts all chosen kernels.  A pass stays open over many launches; each wanted launch is a range in it, named by the kernel's slot, and
 * CUPTI puts the ranges of one name together, in whatever order and in whichever of the passes they come.  When every kernel has been seen the
 * next pass begins; all passes are a round.  On an H200 the first pass of a session takes 130 to 180 ms to start, every other 6 to 9 ms with its
 * end, and a range 0.9 ms.
 */
#ifndef PROFILER_ATTACH_INSIDE_COUNTING_H
#define PROFILER_ATTACH_INSIDE_COUNTING_H

#include "profiler/attach/inside/inject.h"
#include "profiler/cuda/range_profiler.h"

enum {
  SLOTS_MAX = 64,     /* kernels that share passes; more wait for the next round */
  SLOTS_UNKNOWN = 16, /* the same where it is not known how many there will be: a slot takes 0.8 MB */
  PASSES_MAX = 64,    /* of a round */
  PASSES_USUAL = 12,  /* until it is known */
  PATIENCE = 16,      /* launches of a kernel that was seen, after which a pass waits no longer for one that was not */
};

struct counted { /* a kernel's counters; sums, n, latest and the counts change with the lock held */
  double *sums,
      *latest;       /* one a row of the table: over whole rounds, and of the round that is going on (NaN: absent) */
  unsigned *n;       /* how many values are in each sum */
  uint64_t launches; /* counted */
  uint64_t in_round; /* passes of this round in which it was counted, a bit each */
  unsigned rounds;   /* in which it was counted in every pass */
  int waits;         /* launches in this pass since it was counted */
  bool has_slot, lapsed; /* lapsed: passes do not wait for it */
  bool done;
};

struct counting {
  pthread_mutex_t
      busy; /* of all below, and held from the entry of a counted launch to its exit; taken after injection's lock only by trylock */
  bool ready, failed;
  CUdevice device;
  struct counter_config config;
  CUcontext context;            /* of the session */
  struct range_session session; /* its profiler is NULL: none is open */
  bool started;                 /* a pass is open */
  bool fresh;                   /* there are values that were not read yet */
  size_t n_slots, pass;
  struct kernel *slots[SLOTS_MAX]; /* NULL: free */
  uint64_t launches;
  double spent_s, setup_s;
};
extern struct counting counting;

/* counting_session.c; busy is held.  Failures are CUPTI's. */
int counting_set_up(CUcontext context, struct err *e);
int counting_open(CUcontext context, bool replay, size_t n_slots, struct err *e);
/* Opens the range of the kernel's next launch, and the pass if none is open; the kernel has a slot. */
int counting_begin(struct kernel *k, struct err *e);
int counting_end(struct kernel *k, struct err *e);
/* Ends the pass that is open; after the last one, the round. */
int counting_next_pass(struct err *e);
/* Keeps what is known so far, and gives the counters back. */
void counting_close(void);
/* Reads what the passes so far gave. */
int counting_read(struct err *e);
bool slot_take(struct kernel *k);

/* choose.c, with the lock held: whether the kernel is one to count, and the kernels of most time. */
bool kernel_is_chosen(struct kernel *k, bool in_range);
void choose_top(void);
size_t chosen_count(void);

#endif
