/* One result of a run, worked out: its time, its derived metrics, what bounds it.  findings.h has
 * them all.
 *
 * Values are SI inside (seconds, bytes, hertz), ratios 0..1.  A finding borrows the run and the
 * device.
 */
#pragma once

#include "analysis/metrics/formulas.h"
#include "analysis/metrics/value.h"
#include "analysis/model/time_model.h"
#include "base/stats.h"
#include "run/device.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

/* Speed of light by bytes and bandwidth: time = bytes / bandwidth. */
struct sol {
  double bytes;                    /* counted */
  const char *bytes_kind;          /* "minimal" or "contest"; "counted": those that moved, no problem being declared */
  const struct ceiling *bandwidth; /* NULL: unknown */
  double seconds;                  /* 0 where unknown */
};
/* Stated, not measured: a measured bandwidth belongs to the bounds.  NULL: none is stated. */
const struct ceiling *sol_stated_bandwidth(const struct device *d);
void sol_of(struct sol *out, double bytes, const char *bytes_kind, const struct ceiling *bandwidth);

/* Loads in flight (Little's law): a warp issues a batch and waits for its slowest sector. */
struct flight {
  struct value requests; /* warp-level global loads and asynchronous copies of the whole launch */
  /* Of these, outstanding at most in one warp, from
   * its SASS; of the kernel with the most requests. */
  struct value warp_requests;
  struct value warp_bytes; /* the same in bytes, where each lane has its own */
  struct value warps;      /* resident in the chip at a time: what the grid has, or what the SMs hold */
  struct value latency_s;  /* of a batch, by the hit rates: from the slowest level that it is likely to reach */
  /* Seconds of a warp's batches, one after the other:
   * requests / (warps x warp_requests) x latency_s. */
  struct value loads_s;
  /* Where the code is unknown, loads_s if each load
   * were a batch by itself: the most that it can be. */
  struct value alone_s;
  struct value resident_s; /* seconds that a warp is resident in the mean, as counted */
  struct value counted_s;  /* seconds that a warp was counted waiting for loads, queues included */
  bool plain;              /* loads_s is of plain loads alone, without copies past the registers */
  /* Seconds that a warp issues, and waits for fixed and short latencies without a queue. */
  struct value issues_s, waits_s;
  struct value ends_s; /* of waits_s, those of a warp that has ended for its stores and reductions */
  struct value bytes;  /* under way in the chip at most: warps x warp_bytes, of which hits in the L1 are no traffic */
  struct value needed_bytes; /* that keep DRAM busy: its bandwidth x its latency */
  /* Under way to DRAM on the average, by Little's law: DRAM bandwidth
   * reached x its latency when idle; more where requests queue. */
  struct value achieved_bytes;
};

/* What binds a result: the model's largest share. */
struct bounds {
  /* Least time that each needs by itself (struct model); of a program's tensor pipes by the FLOPs
   * that were counted (nearest_roof.h). */
  struct value seconds[BOUND_KINDS];
  enum bound_kind binding; /* the largest share of the modelled time; BOUND_KINDS where none is known */
  /* What shares are of: the measured time, or that of the launches which were counted where
   * launches do unlike work. */
  struct value whole;
  bool unlike;            /* it is the latter */
  struct value share;     /* of it that the binding bound needs by itself */
  struct value fixed;     /* seconds of an empty kernel of the same launches: the metric fixed_ns */
  struct value time_s;    /* modelled */
  struct value explained; /* modelled time / whole */
  /* The device's figure that was used (its kind says whose); NULL: none, or none needed. */
  const struct ceiling *ceiling[BOUND_KINDS];
  /* The FLOP/s of its matrix instructions are so many
   * times the tensor pipes' ceiling; 0: not known. */
  double tensor_times;
  struct value clock_hz; /* SM clock used: that of the counted range, else the device's maximum (clock_source says) */
  const char *clock_source;
  struct flight flight;
  struct workload work; /* to be changed and evaluated again */
  struct model model;   /* with the share of each resource and bound */
  /* Of several launches none has more blocks than fit at once:
   * what empty ones take is the launches', not the blocks'. */
  bool one_wave;
  bool partial; /* counters of DRAM, the L2 or the L1 were asked for and not had: what binds may be another */
};

/* What starting blocks takes, beyond the launches themselves. */
double bounds_blocks_s(const struct bounds *b);

/* Rates are of another card of the chip, which may be some percent slower: a bound that needs more
 * than this part of the time is doubted. */
#define BOUND_MARGIN 1.10

/* A point of the classic roofline at one memory level. */
enum roof_level { ROOF_DRAM, ROOF_L2, ROOF_L1, ROOF_LEVELS };
const char *roof_level_name(enum roof_level l);
struct roof_point {
  struct value intensity; /* FLOP per byte moved at this level */
  struct value flops;     /* FLOP/s achieved */
  struct value bandwidth; /* B/s moved at this level */
};

enum { FINDING_STALLS = 6, FINDING_DOUBTS = 6 };
struct finding_stall {
  const char *reason; /* "long_scoreboard"; owned by the findings */
  double share;       /* of the warps' cycles, 0..1 */
};
/* FLOP a second of all fp32 FMA lanes at the highest clock. */
struct value roof_fp32(const struct device *d);

struct finding { /* one result of the run */
  const struct run_result *result;
  const struct run_variant *variant;
  bool l2_kept;                    /* measured with the L2 as the program, or a launch before, left it */
  const struct run_launch *launch; /* the one with the most threads; NULL: none was observed */
  struct stats time;               /* seconds */
  bool timed;
  const char *time_reason;             /* not timed: why; a wrong result has no time */
  struct sol sol_minimal, sol_contest; /* against the device's best-stated DRAM bandwidth (datasheet, else driver) */
  /* sol_minimal / time; absent for a control that declares no bytes;
   * without a declared problem, the nearest roof's (nearest_roof.h). */
  struct value of_sol;
  const char *sol_roof;                       /* that roof's name; NULL: DRAM's, by the bytes that are declared */
  enum bound_kind sol_bound;                  /* and whose it is, where it has a name */
  struct value of_read;                       /* time of the control `read` at this shape / time; absent likewise */
  struct value speedup_parent, speedup_first; /* time of the parent, of the ladder's foot / this time */
  bool parent_same; /* both timed, and the 95 % intervals overlap: no measurable change against the parent */
  /* Measured bytes, read + written; over bytes_minimal (declared bytes for a control). */
  struct value dram_bytes, dram_over_minimal;
  struct derived *derived;
  size_t n_derived;
  struct bounds bounds;
  struct roof_point roof[ROOF_LEVELS];
  struct finding_stall stalls[FINDING_STALLS]; /* the largest first, without `selected`; none: unknown */
  size_t n_stalls;
  const char *top_stall;              /* the first of them; NULL: unknown */
  struct value top_stall_share;       /* of the warps' cycles, 0..1 */
  const char *doubts[FINDING_DOUBTS]; /* values that cannot be, a sentence each; owned by the findings */
  size_t n_doubts;
  /* The derived metrics that they are about, by name; "stall_": all that begin so. */
  const char *doubted[FINDING_DOUBTS];
  size_t n_doubted;
};

/* A number of a finding: VALUE_FIELD(finding, name). */
struct value finding_field(const struct finding *f, struct value_field field);

/* A derived metric or, where there is none of that name, a counter of the run ("inst_executed"). */
struct value finding_value(const struct finding *f, const char *name);
/* As finding_value, with a reason that names the counter. */
struct value finding_value_named(const struct finding *f, const char *name, struct pool *pool);
/* The chance that a sector of a load misses the L1; 1 where none was counted: asynchronous copies
 * past the L1 are no load requests. */
double finding_l1_miss(const struct finding *f);
/* Bytes a second at which DRAM would move what it was counted to move,
 * by its row of the bounds: of loads and stores in their mix. */
struct value finding_dram_roof(const struct finding *f);
/* A derived metric of this title is one of those that cannot be. */
bool finding_doubts_title(const struct finding *f, const char *title);
/* Its launches took unlike times, as a program's kernel whose launches do unlike work. */
bool finding_is_uneven(const struct finding *f);
/* The measured time in seconds, or why there is none. */
struct value finding_time(const struct finding *f);
