#include "profiler/cuda/pass_schedule.h"

#include "base/text.h"
#include "profiler/cuda/counter_table.h"

#include <stdlib.h>
#include <string.h>

/* What is planned of: the groups by name, and one left out. */
struct plan {
  const struct metric_host *host;
  const struct metric_table *table;
  const struct expr **chosen; /* one a row; NULL: the chip lacks it */
};

static void add_name(void *context, const char *name) {
  name_list_add(context, name);
}

/* Passes of the rows of `only` (NULL: of every group that shares passes, but `without`). */
static int count_passes(const struct plan *p, const char *only, const char *without, size_t *passes, size_t *counters,
                        struct err *e) {
  struct name_list names = {0};
  *passes = 0;
  for (size_t i = 0; i < p->table->n; i++) {
    const struct metric_row *row = &p->table->rows[i];
    bool in = only ? strcmp(row->group, only) == 0
                   : !metric_group_apart(row->group) && !(without && strcmp(row->group, without) == 0);
    if (in && p->chosen[i])
      expr_names(p->chosen[i], add_name, &names);
  }
  uint8_t *image = NULL;
  size_t bytes;
  int result = names.n ? metric_config(p->host, &names, &image, &bytes, passes, e) : 0;
  if (counters)
    *counters = names.n;
  free(image);
  name_list_release(&names);
  return result;
}

static struct schedule_group *group_of(struct schedule *s, const char *name) {
  size_t i = 0;
  while (i < s->n && strcmp(s->groups[i].name, name) != 0)
    i++;
  if (i == s->n) {
    s->groups[i] = (struct schedule_group){.name = str_copy(name), .apart = metric_group_apart(name)};
    s->n += s->groups[i].name != NULL;
  }
  return &s->groups[i];
}

static int plan_groups(struct schedule *out, const struct plan *p, struct err *e) {
  size_t shared = 0;
  for (size_t i = 0; i < p->table->n; i++) {
    struct schedule_group *g = group_of(out, p->table->rows[i].group);
    if (!g->name)
      return err_nomem(e, "the schedule");
    g->metrics += p->chosen[i] != NULL;
    g->absent += p->chosen[i] == NULL;
  }
  int result = count_passes(p, NULL, NULL, &shared, NULL, e);
  out->passes = shared;
  for (size_t i = 0; i < out->n && !result; i++) {
    struct schedule_group *g = &out->groups[i];
    size_t without = shared;
    result = count_passes(p, g->name, NULL, &g->alone, &g->counters, e);
    if (!result && !g->apart)
      result = count_passes(p, NULL, g->name, &without, NULL, e);
    /* CUPTI's packing is no optimum: leaving a group out has been seen to cost a pass. */
    g->adds = g->apart ? g->alone : shared > without ? shared - without : 0;
    out->passes += g->apart ? g->alone : 0;
  }
  return result;
}

int schedule_make(struct schedule *out, const struct cupti *c, const char *chip, struct err *e) {
  struct metric_table table = {0};
  struct metric_host host = {0};
  struct name_list names = {0};
  const struct expr **chosen = NULL;
  memset(out, 0, sizeof *out);
  int result = metric_table_load(&table, e);
  if (!result)
    result = metric_host_open(&host, c, chip, NULL, e);
  if (!result) {
    chosen = calloc(table.n + 1, sizeof(struct expr *));
    out->groups = calloc(table.n + 1, sizeof *out->groups);
    result = chosen && out->groups ? metric_choose(&table, &host, chosen, &names, e) : err_nomem(e, "the schedule");
  }
  if (!result)
    result = plan_groups(out, &(struct plan){&host, &table, chosen}, e);
  if (host.object)
    metric_host_close(&host);
  name_list_release(&names);
  metric_table_release(&table);
  free(chosen);
  if (result)
    schedule_release(out);
  return result;
}

void schedule_release(struct schedule *s) {
  for (size_t i = 0; i < s->n; i++)
    free(s->groups[i].name);
  free(s->groups);
  memset(s, 0, sizeof *s);
}
