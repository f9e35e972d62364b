/* Hardware counters: what is counted of profiler/metrics/ on a device, and sessions of CUPTI's Range
 * Profiler that count it, a range for each name.
 *
 * The caller runs the same launches once a pass, or one launch that CUPTI replays by itself.  The
 * group `clock` (metric_group_apart) is never in a pass with others.
 */
#pragma once

#include "profiler/cuda/counter_table.h"
#include "run/pass_set.h"

/* APART_FIRST: all groups in one configuration, whose first pass is the groups apart. */
enum counter_groups { COUNTERS_SHARED, COUNTERS_APART, COUNTERS_APART_FIRST };

struct counter_config { /* what is counted, set up once for a device */
  const struct cupti *cupti;
  struct metric_table table; /* of the groups that were asked for */
  struct metric_host host;
  struct pass_set set;
  const struct expr **chosen; /* one a row; NULL: the chip lacks it */
  struct name_list names;     /* of the set's rows */
  char *chip;
  uint8_t *availability, *image;
  size_t image_bytes, passes;
};

/* What the Host API can say without the device, of all groups: the larger part of what it takes to
 * make a configuration. */
struct counter_plan {
  struct metric_table table;
  const struct expr **chosen;
  struct name_list names;
  char *chip;
};
/* goes_on: is asked between the steps; false: the plan is not made.  The caller releases, also after failure. */
int counter_plan_make(struct counter_plan *out, const struct cupti *c, const char *chip, bool (*goes_on)(void),
                      struct err *e);
void counter_plan_release(struct counter_plan *p);

/* ERR_MACHINE where the library is too old.  plan: used up where it is of the device's chip, all of
 * whose counters can be had; NULL: there is none.  The caller releases, also after failure. */
int counter_config_make(struct counter_config *out, const struct cupti *c, CUcontext context, int device,
                        enum counter_groups groups, struct pass_set set, struct counter_plan *plan, struct err *e);
void counter_config_release(struct counter_config *g);

struct range_session {
  const struct counter_config *config;
  CUpti_RangeProfiler_Object *profiler; /* NULL: it is not open */
  bool replay;
  uint8_t *image;
  size_t image_bytes;
  double *values; /* one a name, of the range that was evaluated last */
};

/* A session of at most `ranges` names; replay: CUPTI runs each launch again for every pass, and names
 * its range by itself.  Close also after failure. */
int range_session_open(struct range_session *out, const struct counter_config *g, CUcontext context, size_t ranges,
                       bool replay, struct err *e);
void range_session_close(struct range_session *s);
/* Forgets the values, for another round of passes. */
int range_session_clear(struct range_session *s, struct err *e);

int range_pass_begin(struct range_session *s, struct err *e);
int range_pass_end(struct range_session *s, bool *last, struct err *e); /* last: CUPTI has every pass; may be NULL */
int range_push(struct range_session *s, const char *name, struct err *e);
int range_pop(struct range_session *s, struct err *e);
/* Has the passes so far take effect on the values. */
int range_decode(struct range_session *s, size_t *dropped, struct err *e);

/* Ranges that have values. */
int range_count(const struct range_session *s, size_t *n, struct err *e);
/* Borrowed; the name that it was pushed by. */
int range_name(const struct range_session *s, size_t range, const char **name, struct err *e);
int range_evaluate(struct range_session *s, size_t range, struct err *e);
/* A row's value in the range that was evaluated last; else why there is none. */
int range_value(const struct range_session *s, size_t row, double *value, struct err *e);

/* Whether this process may read counters: configures and enables them, and lets go. */
int counters_available(const struct cupti *c, CUcontext context, int device, struct err *e);
