/* Which kernels the passes of hardware counters go to, and when to stop: launches and times in,
 * decisions out.
 *
 * Kernels are ranked by GPU time that decays: after a quarter as much new GPU time, what was before
 * weighs half.  They are chosen from the top until they cover `coverage` of the GPU time, and
 * counted until those that are whole do, or counting has taken `overhead` of the program's time.
 * The caller tells what it sees and does what is decided; times are in seconds of any one clock,
 * launches are counted over the whole program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  FOCUS_SLOTS_MAX = 64,       /* kernels that share a round of passes */
  FOCUS_PASSES_MAX = 64,      /* of a round */
  FOCUS_PATIENCE_MAX = 16384, /* launches */
  FOCUS_NONE = -1,            /* of a slot: it is free */
};

/* What counting may take beyond its share, so that a program of seconds has counters; without
 * the 0.3 to 1 s that CUPTI takes to set them up. */
#define FOCUS_GRANT_S 1.0
/* In a brisk program: benchmarks of many kernels, each a round of 0.3 to 0.5 s (an H100). */
#define FOCUS_BRISK_GRANT_S 3.0

struct focus_settings {
  double coverage; /* ratio of the GPU time that counters are to cover */
  double overhead; /* ratio of the program's time that counting may take; INFINITY: no limit */
  double start_s;  /* when the program began */
  uint64_t window; /* launches before the first choice */
  uint64_t count;  /* launches of a kernel to count, if one for each pass is not more */
  long top;        /* how many kernels are chosen, at most */
  bool settle;     /* after the first choice, wait until the ranking holds */
  bool brisk;      /* a program that tries out nothing: it is counted at once, settle or not */
  /* One of several ranks: all decide at the same launches, since one that waits has all wait */
  bool in_step;
  bool named;   /* the caller chooses: nothing is chosen by time */
  bool unknown; /* and not before a kernel comes, or not in which order: rounds take in who comes */
};

struct focus_kernel {
  bool barred;              /* cannot be counted, says the caller: collectives, launches of graphs, other devices */
  bool given_up;            /* was counted in several rounds, and whole in none */
  bool chosen;              /* by its time, or by the user */
  uint64_t asked;           /* launches that the program asked for, while they were watched */
  uint64_t expected;        /* launches of it in all, as an earlier run had them; 0: there was none */
  uint64_t skip;            /* launches of it before those to count, for they are unlike what takes its time */
  double expected_s;        /* their GPU time: all of this run's may be counted, and have no time */
  uint64_t first, last;     /* the program's launches at which the first and the last of these came */
  uint64_t untold;          /* launches since the first choice that asked_s lacks: the mean was not known */
  uint64_t gap;             /* launches from one of these to the next: the longest of late */
  uint64_t in_row;          /* of these, the last ones with few of others between */
  uint64_t returns;         /* after several launches of others: an autotuner's trials come in a row */
  double mean_s;            /* of a launch; 0: not known yet */
  double total_s;           /* of all launches of it that were asked for, by the mean */
  double added_s, recent_s; /* of total_s in the ranking; what decay left of it */
  bool grew;                /* total_s did, before it was ranked last: it still runs */
  double marked_s;          /* total_s when it was last seen whether the ranking holds */
  bool marked;              /* it was chosen then */
  bool asked_for;           /* a look was asked for, for its sake */
  /* passes */
  bool alone;                  /* shares no round: one launch of it is run again for every pass */
  bool has_slot, lapsed, done; /* lapsed: passes do not wait for it */
  uint64_t in_round;           /* passes of this round that counted it, a bit each */
  uint64_t counted, let_go;    /* launches; let go: for what a change of passes leaves in the L2 */
  unsigned rounds, tries;      /* in which it was counted in every pass; in which it had a slot */
};

enum focus_state {
  FOCUS_WATCHES, /* nothing is chosen yet; where kernels are named, they are counted, and it stays so */
  FOCUS_CHOSE,   /* by a first window's ranking, which is looked at now and then and may add kernels */
  FOCUS_HOLDS,   /* the ranking does, or was waited for: kernels are counted, others still chosen */
};

struct focus {
  struct focus_settings set;
  struct focus_kernel *kernels; /* the caller's */
  size_t n;
  uint64_t asked;
  bool row_is_due; /* a kernel comes in a row, and it is to be seen what part of the time is its */
  enum focus_state state;
  double began_s;         /* when the first choice was made */
  double asked_s;         /* GPU time asked for since (until then: before), by the kernels' means */
  double all_s, ranked_s; /* when they were ranked last: their GPU time, and asked_s */
  uint64_t began_asked, looked_at, next_look, unknown;
  double marked_s;                      /* asked_s when it was last seen whether the ranking holds */
  double marked_share;                  /* of those chosen then */
  uint64_t marked_asked, marked_before; /* launches until then, and until the time before */
  bool tries_out;                       /* the program did, when it was last seen whether the ranking holds */
  uint64_t first_round;                 /* the launch before which the first round began; 0: none has */
  double looks_s, spent_s;              /* what looks took; what all took, looks too */
  /* the round that is going on */
  size_t passes, pass, n_slots; /* n_slots 0: none is */
  uint64_t pass_began;          /* the launch before which the pass was opened */
  uint64_t patience_most;       /* for how many launches a pass waits for any kernel */
  long due;                     /* the kernel whose launch is to be counted next; FOCUS_NONE */
  uint64_t switched;            /* launches until the last pass ended, or the round began */
  double switched_s;            /* and asked_s of these */
  long slots[FOCUS_SLOTS_MAX];  /* kernels; FOCUS_NONE: free */
};

/* kernels: room for as many as there may be; h->n grows as the caller adds some. */
void focus_start(struct focus *h, const struct focus_settings *set, struct focus_kernel *kernels);
/* A kernel that was not seen before: its index, which is h->n. */
size_t focus_add(struct focus *h);

/* --- the ranking --- */

/* A launch is asked for. */
void focus_asked(struct focus *h, size_t k);
/* Launches that an earlier run leads to expect from the one on that focus_asked was told of
 * last, of those after the first `skip`, and after the kernel's own. */
uint64_t focus_left(const struct focus_kernel *k, uint64_t skip);
/* GPU time after which kernels are chosen, before the window has ended. */
double focus_first_s(const struct focus *h);
/* Whether the launch told last is to wait until the times of all before it are known. */
bool focus_look_is_due(const struct focus *h, double now_s);
/* Whether so much was asked for since they were ranked last that they are to be ranked again. */
bool focus_rank_is_due(const struct focus *h);
/* The times are told (total_s, mean_s): ranks, and after the window chooses.  waited: every
 * launch has its time; cost_s: what that took. */
void focus_look(struct focus *h, double now_s, bool waited, double cost_s);
/* Whether launches may be counted by now. */
bool focus_may_count(struct focus *h);
/* Whether counting has not taken its share of the time yet. */
bool focus_affords(const struct focus *h, double now_s);
/* Whether kernels were counted in the round that is going on, and it may take half as much again,
 * to come to its end. */
bool focus_finishes(const struct focus *h, double now_s);
/* For how many launches it is waited for: twice those from one of it to the next; of a kernel
 * that came once, as many as it took to come. */
uint64_t focus_patience(const struct focus_kernel *k);
/* Whether the kernel still comes, as far as its rhythm tells: an autotuner's trials do not. */
bool focus_comes(const struct focus *h, size_t k);
/* Of the GPU time that can be counted, what kernels with all their counters, or the chosen ones,
 * have.  now: of those that still come. */
struct focus_shares {
  double now, all;
};
struct focus_shares focus_covered(const struct focus *h, bool whole);
/* Whether nothing is left to count as far as is known, or nothing can be afforded now. */
bool focus_is_settled(const struct focus *h, double now_s);
/* Without those that came no more before they were counted. */
size_t focus_chosen_count(const struct focus *h);

/* --- passes --- */

enum focus_verdict { FOCUS_LEAVE, FOCUS_COUNT, FOCUS_COUNT_ANEW };

/* What becomes of a chosen kernel's launch.  FOCUS_COUNT_ANEW: the round's kernels come no more,
 * and the caller first ends it (focus_round_end). */
enum focus_verdict focus_launch(struct focus *h, size_t k, double now_s);
/* A round of so many passes and kernels begins; alone: for one that needs it for itself. */
void focus_round_begin(struct focus *h, size_t passes, size_t slots, bool alone);
bool focus_round_is_open(const struct focus *h);
/* Whether enough ran since a pass ended: what CUPTI writes then lies in the L2, and the next
 * launches write it back to DRAM. */
bool focus_is_rested(struct focus *h, size_t k);
/* False: there is no slot. */
bool focus_slot_take(struct focus *h, size_t k);
size_t focus_slot_of(const struct focus *h, size_t k); /* it has one */
/* Whether the pass has the kernel, so that the next must begin before its launch is counted. */
bool focus_is_seen(const struct focus *h, size_t k);
/* It was counted in the pass that is open, or in all of them. */
void focus_counted(struct focus *h, size_t k, bool all_passes);
/* Whether the pass has every kernel that it waits for. */
bool focus_pass_is_whole(const struct focus *h);
/* The next pass is to begin; false: it was the round's last, and the caller ends it. */
bool focus_pass_end(struct focus *h);
/* Kernels that have all they need, or do not come, make room; close: all do. */
void focus_round_end(struct focus *h, bool close);
bool focus_wants_more(const struct focus *h, size_t k);
/* Whether a kernel in a slot wants more. */
bool focus_round_is_wanted(const struct focus *h);
