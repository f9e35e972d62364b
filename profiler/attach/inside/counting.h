/* Private to the counters: choice/focus.h and choose.c say which launches, counting_session.c drives CUPTI, hot_counters.c stands between the two.
 *
 * One session counts all chosen kernels.  A pass stays open over many launches; each wanted launch is a range in it, named by the kernel's slot, and
 * CUPTI puts the ranges of one name together, in whatever order and in whichever of the passes they come.  When every kernel has been seen the
 * next pass begins; all passes are a round.  On an H200 the first pass of a session takes 130 to 180 ms to start, every other 6 to 9 ms with its
 * end, and a range 0.9 ms.
 */
#pragma once

#include "profiler/attach/inside/inject.h"
#include "profiler/cuda/range_profiler.h"

#include <stdatomic.h>

enum {
  SLOTS_SPARE = 4,    /* for kernels that become hot while the session is open: a slot takes 0.8 MB */
  SLOTS_LEAST = 32,   /* of those that a program's time chooses: more of them may be hot later */
  SLOTS_UNKNOWN = 16, /* where it is not known how many kernels there will be */
  PASSES_USUAL = 13,  /* of a round, until it is known */
};

struct counted { /* a kernel's counters; they change with the lock held */
  double *sums,
      *latest; /* one a row of the table: over whole rounds, and of the round that is going on (NaN: absent) */
  unsigned *n; /* how many values are in each sum */
  uint32_t in_range[RANGES_MAX]; /* counted launches in each of injection.ranges */
};

struct counting {
  pthread_mutex_t
      busy; /* of all below, and held from the entry of a counted launch to its exit; taken after injection's lock only by trylock */
  atomic_bool ready,
      failed; /* failed: nothing is counted any more; refused: CUPTI is why; all of them, and launches, are read without it, too */
  atomic_bool refused;
  atomic_bool idle; /* no launch is to be counted for now */
  atomic_bool open; /* a session is, so that the GPU drains at some launches and the program catches up at the others */
  CUdevice device;
  struct counter_config config;
  CUcontext context;            /* of the session */
  struct range_session session; /* its profiler is NULL: none is open */
  bool started;                 /* a pass is open */
  bool fresh;                   /* there are values that were not read yet */
  bool anew;                    /* the launch that is about to be counted begins another round */
  _Atomic uint64_t launches;
  double spent_s, setup_s;
  /* When a launch was counted last, and which of those that the program had asked for; these
   * change with the injection's lock held. */
  double used_s;
  uint64_t used_asked;
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
/* Ends the round that is going on, whole or not. */
int counting_round_end(bool close, struct err *e);

/* choose.c: whether --kernel, where it is given, names the kernel; with the lock held: whether the kernel's launch, which injection.focus was told of, is one to count. */
bool kernel_is_asked_for(const struct kernel *k);
bool kernel_is_chosen(struct kernel *k, bool in_range);

/* ahead.c: what can be done for the counters before they are wanted, by a thread of this library's.  There is a GPU of that architecture (90); the first is
 * taken. */
void ahead_begin(int sm);
/* Waits for it where it has begun; its chip is NULL where nothing was made. */
struct counter_plan *ahead_plan(void);
void ahead_end(void);
