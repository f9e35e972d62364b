/* The counters of the metric groups (run/metric_table.h) as CUPTI knows them: names, alternatives,
 * configurations. */
#pragma once

#include "base/err.h"
#include "base/expr.h"
#include "profiler/cuda/library.h"
#include "run/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

/* CUPTI's own names that an expression needs, without repeats. */
struct name_list {
  const char **names;
  size_t n;
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
  bool (*goes_on)(void);       /* is asked before each question; false: nothing is known any more; NULL: it goes on */
};
int metric_host_open(struct metric_host *h, const struct cupti *c, const char *chip, const uint8_t *availability,
                     struct err *e);
void metric_host_close(struct metric_host *h);
bool metric_host_knows(const struct metric_host *h, const char *cupti_name);
bool metric_host_knows_all(const struct metric_host *h, const struct name_list *names);

/* Chooses an alternative a row (NULL: none fits this chip) and lists the CUPTI names that all of
 * them need. */
int metric_choose(const struct metric_table *t, const struct metric_host *h, const struct expr **chosen,
                  struct name_list *names, struct err *e);
/* The configuration for two lists of names, which share no pass; the caller frees *image.  passes may
 * be NULL. */
int metric_config(const struct metric_host *h, const struct name_list *apart, const struct name_list *names,
                  uint8_t **image, size_t *image_bytes, size_t *passes, struct err *e);
