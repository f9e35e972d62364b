/* The injection library: what `attach` puts into another program's process through CUDA_INJECTION64_PATH.
 *
 * It must not harm the program: nothing is printed, no signal is caught, nothing is changed but,
 * where children are not followed, one variable of its environment.  What it learns goes to one
 * file a process (attach_record.h), written anew several times a second and renamed into place, so
 * that a program that is killed leaves what was known until then.
 *
 * Settings come from the environment, set by the parent:
 *   NVFP4_ATTACH_TOOL    folder of the tool, whose folder `cuda` is searched for libraries (profiler/cuda/library.c)
 *   NVFP4_ATTACH_DIR     folder of these files and of the code that the program loads
 *   NVFP4_ATTACH_FOLLOW  1: children are profiled too
 *   NVFP4_ATTACH_KERNEL  extended regular expression: the kernels to count
 *   NVFP4_ATTACH_NVTX    count only launches within an NVTX range of this name
 *   NVFP4_ATTACH_NVTX_SCOPE  thread: a range counts what its own thread launches; process: what any thread does while it is open; empty: what threads
 *                        without a range of their own do, too
 *   NVFP4_ATTACH_SKIP, NVFP4_ATTACH_COUNT  of each kernel: launches to leave alone first; launches to count, one a pass at least
 *   NVFP4_ATTACH_COVERAGE, NVFP4_ATTACH_OVERHEAD  percent of the GPU time that counters are to cover; of the program's time that counting may take
 *                        (empty: no limit)
 *   NVFP4_ATTACH_WINDOW  launches after which the kernels to count are chosen by GPU time; empty: once their ranking holds
 *   NVFP4_ATTACH_TOP     how many are chosen at most (0: no counters; empty: no limit)
 *   NVFP4_ATTACH_SAMPLING  PC samples of them: one of each SM every 2^this cycles (0: none)
 *   NVFP4_ATTACH_SAMPLE_ALL  1: nothing is counted, and every launch is sampled (the first of two runs)
 *   NVFP4_ATTACH_CHOSEN  file of the kernels to count, chosen in an earlier run (profiler/attach/outside/two_runs.c)
 *   NVFP4_ATTACH_SPLIT   1: of several ranks each counts one set of the counters
 *   NVFP4_ATTACH_REPLAY  1: every launch that is counted is run again for every pass
 */
#pragma once

#include "base/text.h"
#include "profiler/attach/choice/focus.h"
#include "profiler/attach/choice/stretch.h"
#include "profiler/attach/records/attach_record.h"
#include "profiler/attach/records/launched_rank.h"
#include "profiler/cuda/library.h"
#include "run/pass_set.h"

#include <cupti_callbacks.h>
#include <limits.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  KERNELS_MAX = 4096,   /* of distinct name, and geometries that are not alike; what comes after is summed as one */
  RESERVOIR_MAX = 1024, /* durations kept of each */
  RANGES_MAX = 256,     /* distinct names of NVTX ranges */
  NOTES_MAX = 32,
};

/* A launch as the program asked for it; also what tells kernels apart. */
struct kernel_key {
  const char *name; /* mangled */
  unsigned grid[3], block[3];
  long smem_dynamic; /* bytes */
  int range;         /* 1 + an index into injection.ranges; 0: none, or ranges are not told apart */
};

struct counted; /* counting.h */

struct kernel {
  struct kernel_key key; /* its name is the kernel's own copy */
  uint64_t hash;
  uint64_t blocks_least, blocks_most; /* of its grids; the key's is the first */
  uint32_t device;
  unsigned cluster[3];
  long smem_static, local_bytes;
  int registers;
  uint64_t launches, in_graphs; /* as activity saw them */
  uint64_t disturbed;           /* of these, launches that were counted: their durations are left out */
  double total_ns;
  double *samples_ns; /* a reservoir: every undisturbed launch stands the same chance */
  size_t n_samples, cap_samples;
  struct stretches stretches; /* of undisturbed launches */
  uint64_t sampled;           /* launches while PC samples were taken */
  int blocks_per_sm;
  bool tried, replay;
  bool allocates; /* its launch is not replayed */
  bool elsewhere; /* on a GPU whose launches are not counted */
  struct counted *counted;
};

enum { NVTX_RANGES = 2 };

/* What is to be known of a launch once its activity comes. */
struct pending {
  uint32_t correlation;        /* 0: an empty place */
  int16_t ranges[NVTX_RANGES]; /* nvtx_current's */
  bool stays;                  /* a graph's launch: all of its kernels have its correlation */
};
enum { PENDING_MAX = 1 << 16 };

struct injection {
  pthread_mutex_t lock; /* of all below it; never held over a call of CUPTI that may call back */
  struct kernel *kernels;
  size_t n_kernels;
  struct focus focus; /* its kernels are those above, by the same indices */
  uint64_t beyond;    /* launches of kernels that found no place */
  double beyond_ns;   /* their time */
  uint64_t launches;  /* as activity saw them */
  double total_ns;
  struct gaps_record gaps;
  struct range_record ranges[RANGES_MAX]; /* named with the lock of nvtx.c held, too: either is enough to read a name */
  size_t n_ranges;
  char *notes[NOTES_MAX];
  size_t n_notes;
  char *uuids[RECORD_DEVICES]; /* of the devices, by CUDA's index */
  struct pending *pending;     /* has a lock of its own: records_in.c */
  size_t modules, module_bytes;
  bool dirty; /* since it was last written */

  /* set once, before the first callback */
  struct cupti cupti;
  struct driver driver;
  CUresult (*stream_is_capturing)(CUstream, CUstreamCaptureStatus *);
  CUresult (*exchange_capture_mode)(CUstreamCaptureMode *);
  CUresult (*current_device)(CUdevice *);
  CUptiResult (*unsubscribe)(CUpti_SubscriberHandle);
  __typeof__(&cuptiEnableCallback) enable;
  CUpti_SubscriberHandle subscriber;
  bool activity; /* it could be switched on */
  const char *folder, *kernel_pattern, *nvtx;
  regex_t kernel_regex;
  const char *chosen_file; /* NULL: the kernels are chosen here */
  bool replay;             /* every counted launch */
  bool by_range;           /* kernels of several NVTX ranges are told apart */
  uint64_t skip;
  long top;                   /* 0: nothing is counted */
  uint32_t sampling_exponent; /* 0: no PC samples */
  bool samples_all;           /* of every launch, whatever is to be counted */
  _Atomic pid_t pid;          /* NVTX may start beside CUDA */
  /* What the files below inject.c may ask of those above them.  The first has each launch call back,
   * which costs it about 1 us, as long as the program has ranges or a launch may still be counted;
   * both are thread-safe. */
  void (*_Atomic launches_watch)(void);
  void (*records_write)(bool complete);
  struct launched_rank launched;
  struct pass_set pass_set; /* what is counted here */
  char host[HOST_NAME_MAX + 1];
  char work[PATH_MAX], program[PATH_MAX]; /* its working folder and its file; "": unknown */
};
extern struct injection injection;

/* Whether this is a child forked without exec, which has no CUDA and may have a lock held for
 * ever.  False before process_begin.  No system call: asked at every launch and range. */
void process_begin(void);
bool process_is_child(void);

/* A sentence for the user, once; thread-safe. */
void inject_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with the lock held. */
void inject_note_locked(const char *sentence);

/* A thread of the library's, detached, without the program's signals but those of a fault.
 * False: there is none. */
bool thread_begin(void *(*run)(void *), void *context);

/* Around writes of the library's: a program that limits the size of its files is not ended by ours. */
void file_limit_hold(sigset_t *before);
void file_limit_release(const sigset_t *before);

/* Waits for the context without ending a capture that another thread may be in. */
CUresult gpu_wait(void);

/* turns.c.  Around a call of CUPTI for activity: this library's threads take turns; false: it goes
 * on without. */
bool turn_take(void);
void turn_give(bool taken);
/* The calling thread of the program enters, and leaves, a call of the driver that may load or
 * unload code; waits while code is held. */
void code_enter(void);
void code_leave(void);
/* Called by each thread that launches, loads or unloads: whether no other has done so yet. */
bool code_is_alone(void);
/* Around calls of CUPTI for PC samples: has the turn, and no other thread is in such a call.
 * False: one stays there for longer than 2 ms (patient: 1 s), so that it is to be tried again. */
bool code_hold(bool patient);
void code_release(void);

/* kernels.c, with the lock held: the kernel's place, made if absent; NULL where there is no room. */
struct kernel *kernel_of(const struct kernel_key *key, uint32_t device);
/* The key's range, of those that nvtx_current gave. */
int kernel_range(const int16_t ranges[NVTX_RANGES]);
struct focus_kernel *focus_of(const struct kernel *k);
size_t focus_index(const struct kernel *k);
/* Tells injection.focus the times that are known by now. */
void focus_tell(void);
void kernel_time(struct kernel *k, double ns);

/* records_in.c */
bool activity_start(void);
/* Has CUPTI hand over what has ended (forced: what has not, too).  Not with the lock held. */
void activity_flush(bool forced);
/* Takes no lock that is held for long: ranges do not wait while records are read or written. */
void pending_add(uint32_t correlation, const int16_t ranges[NVTX_RANGES], bool stays);

/* gaps.c, with the lock held: the profiler made this launch wait; a kernel ran. */
void gaps_mark(uint32_t correlation);
void gaps_kernel(const char *name, uint32_t device, uint64_t start_ns, uint64_t end_ns, uint32_t correlation);

/* nvtx.c: whether the program has ranges; those that a launch of the calling thread stands in,
 * the innermost of the program's own and of libraries' domains (-1: none; false: neither);
 * whether one of them is `name`. */
bool nvtx_in_use(void);
bool nvtx_current(int16_t out[NVTX_RANGES]);
bool nvtx_within(const char *name);

/* modules.c: keeps the code that the program loads. */
void module_keep(const void *cubin, size_t bytes);
/* Under which number the code of that CRC, as CUPTI counts it, was kept; -1: it was not.  With the lock held. */
long module_number(uint64_t crc);

/* allocating.c, with the lock held: a module is loaded; whether a kernel of it may allocate on
 * the GPU, so that its launch cannot be repeated. */
void allocating_note(const void *cubin, size_t bytes);
void allocating_ask(struct kernel *k);

/* hot_counters.c */
void counters_launch(const CUpti_CallbackData *data, struct kernel_key *key, CUfunction function, CUstream stream);
bool counters_launched(void); /* the driver's call has returned; whether the launch had to wait */
void counters_print(struct text *out, const struct kernel *k); /* with the lock held */
/* With the lock held: the range's record; counted launches, which have no time, at the mean of
 * their kernel's others. */
struct range_record counters_of_range(size_t range);
/* Reads what the passes so far gave, for the next file.  Not with the lock held. */
void counters_gather(void);
/* Whether no launch is to be counted, by what is known now.  Ranks by the times so far. */
bool counters_settled(void);
bool counters_open(void); /* a session is: launches are counted now and then */
void counters_context_gone(CUcontext context);
void counters_end(void);
/* Once all times are known: says what was counted, and why no more was. */
void counters_sum_up(void);

/* gpu_claim.c: whether this process is the one on its GPU to be counted; says so where not. */
bool gpu_claim(void);

/* choose.c: the kernels that an earlier run of the program chose. */
void chosen_read(const char *path);

/* records_out.c.  What this process wrote before an exec is kept under another name. */
void records_keep_earlier(void);
void records_write(bool complete);
