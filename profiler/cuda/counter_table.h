/* Counter groups: profiler/metrics/NAME.tsv, a metric a row.  A new metric needs no C.
 *
 * Columns, tab between: name, unit, CUPTI expressions ('|' between alternatives; the first whose names the chip knows is used), chips that lack
 * it ('-' for none; names blank between), what it counts.  Lines that begin with '#' are comments.
 */
#ifndef PROFILER_CUDA_COUNTER_TABLE_H
#define PROFILER_CUDA_COUNTER_TABLE_H

#include "base/err.h"
#include "base/expr.h"
#include "profiler/cuda/library.h"

#include <stdbool.h>
#include <stddef.h>

struct metric_row {
  char *group, *name, *unit, *absent_on, *text;
  struct expr **alternatives;
  size_t n_alternatives;
};

struct metric_table {
  struct metric_row *rows;
  size_t n;
};

/* All embedded groups.  ERR_DATA "stalls.tsv:7: ..." */
int metric_table_load(struct metric_table *t, struct err *e);
/* Adds one group from text. */
int metric_table_add(struct metric_table *t, const char *file, const char *text, struct err *e);
/* Keeps the rows that are counted apart, or the others. */
void metric_table_keep(struct metric_table *t, bool apart);
void metric_table_release(struct metric_table *t);
/* Whether a group is counted in passes of its own, because its counters must be of one launch. */
bool metric_group_apart(const char *group);

/* CUPTI's own names that an expression needs, without repeats. */
struct name_list {
  const char **names;
  size_t n, cap;
};
int name_list_add(struct name_list *l, const char *name); /* borrowed */
long name_list_find(const struct name_list *l, const char *name);
void name_list_release(struct name_list *l);

/* A chip's counters as the CUPTI Host API knows them; needs no GPU. */
struct metric_host {
  const struct cupti *cupti;
  CUpti_Profiler_Host_Object *object;
  const char *chip;
  const uint8_t *availability; /* of the device at hand; NULL: of the chip in general */
};
int metric_host_open(struct metric_host *h, const struct cupti *c, const char *chip, const uint8_t *availability,
                     struct err *e);
void metric_host_close(struct metric_host *h);
bool metric_host_knows(const struct metric_host *h, const char *cupti_name);

/* Chooses an alternative a row (NULL: none fits this chip) and lists the CUPTI names that all of them need. */
int metric_choose(const struct metric_table *t, const struct metric_host *h, const struct expr **chosen,
                  struct name_list *names, struct err *e);
/* The configuration for a list of names; the caller frees *image.  passes may be NULL. */
int metric_config(const struct metric_host *h, const struct name_list *names, uint8_t **image, size_t *image_bytes,
                  size_t *passes, struct err *e);
/* The same for two lists, which share no pass. */
int metric_config_apart(const struct metric_host *h, const struct name_list *apart, const struct name_list *names,
                        uint8_t **image, size_t *image_bytes, size_t *passes, struct err *e);

#endif
