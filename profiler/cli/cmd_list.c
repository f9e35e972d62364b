#include "kernels/problem.h"
#include "kernels/rung.h"
#include "profiler/cli/cli.h"
#include "reports/text/list_text.h"
#include "run/device.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row option_rows[] = {
    {"kernels", "DIR", "rungs of this folder instead of the built-in ones"},
    {"markdown", NULL, "print Markdown; for ladders with every rung, as in kernels/README.md"},
    {"csv", NULL, "print CSV"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

/* --- rungs --- */

struct listed { /* the rungs as reports take them */
  struct rung_set set;
  const struct rung **rungs;
  size_t n;
};

static void listed_release(struct listed *l) {
  rung_set_release(&l->set);
  free(l->rungs);
}

static int unknown_list(const struct rung_set *set, const char *what, struct err *e) {
  static const char *const kinds[] = {"variants", "ladders", "shapes", "devices", "metrics"};
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  const char **names = calloc(KINDS + 2 * set->n, sizeof *names);
  size_t n = 0;
  for (; n < KINDS; n++)
    names[n] = kinds[n];
  for (size_t i = 0; i < set->n; i++) {
    names[n++] = set->rungs[i].id;
    names[n++] = set->rungs[i].ladder;
  }
  const char *nearest = str_nearest(what, names, n);
  free(names);
  return err_set(
      e, ERR_USAGE,
      "list %s: unknown%s%s; it lists variants (of a ladder, by a glob), ladders, shapes, devices or metrics", what,
      nearest ? ", did you mean " : "", nearest ? nearest : "");
}

/* list NULL: all of them. */
static int listed_load(struct listed *l, const char *folder, const char *list, struct err *e) {
  *l = (struct listed){0};
  int rc = rung_set_load(&l->set, folder, e);
  bool *chosen = calloc(l->set.n + 1, sizeof *chosen);
  l->rungs = calloc(l->set.n + 1, sizeof *l->rungs);
  if (!rc && list && rung_select(&l->set, list, chosen, NULL))
    rc = unknown_list(&l->set, list, e);
  for (size_t i = 0; i < l->set.n && !rc; i++)
    if (!list || chosen[i])
      l->rungs[l->n++] = &l->set.rungs[i];
  free(chosen);
  return rc;
}

static int rungs_table(struct table **out, const char *what, const char *folder, struct err *e) {
  struct listed l;
  bool variants = strcmp(what, "variants") == 0, ladders = strcmp(what, "ladders") == 0;
  int rc = listed_load(&l, folder, variants || ladders ? NULL : what, e);
  if (!rc)
    *out = ladders ? list_ladders(l.rungs, l.n) : list_variants(l.rungs, l.n);
  listed_release(&l);
  return rc;
}

static int print_ladders(const char *folder, struct err *e) {
  struct listed l;
  struct text out = {0};
  int rc = listed_load(&l, folder, NULL, e);
  if (!rc) {
    list_ladders_markdown(l.rungs, l.n, &out);
    rc = cli_print(&out, e);
  }
  listed_release(&l);
  return rc;
}

/* --- all else --- */

static struct table *shapes_table(void) {
  enum { SHAPES_MAX = 64 };
  struct list_shape rows[SHAPES_MAX];
  size_t filled = 0;
  for (size_t s = 0; s < PROBLEM_SHAPE_SETS; s++) {
    const struct problem_shape_set *set = &problem_shape_sets[s];
    for (size_t i = 0; i < set->n && filled < SHAPES_MAX; i++)
      rows[filled++] = (struct list_shape){set->name, set->shapes[i], problem_minimal_bytes(set->shapes[i]),
                                           problem_flops(set->shapes[i])};
  }
  return list_shapes(rows, filled);
}

static int devices_table(struct table **out, struct err *e) {
  char id[DEVICE_ID_MAX];
  int rc = 0;
  *out = list_devices();
  for (size_t i = 0; !rc && device_id(i, id); i++) {
    struct device d = {0};
    rc = device_load(&d, id, e);
    if (!rc)
      list_device(*out, &d);
    device_release(&d);
  }
  return rc;
}

static int metrics_table(struct table **out, struct err *e) {
  struct metric_table metrics = {0};
  int rc = metric_table_load(&metrics, e);
  if (!rc)
    *out = list_metrics(&metrics);
  metric_table_release(&metrics);
  return rc;
}

static int listing_of(struct table **out, const char *what, const char *folder, struct err *e) {
  if (strcmp(what, "shapes") == 0)
    *out = shapes_table();
  else if (strcmp(what, "devices") == 0)
    return devices_table(out, e);
  else if (strcmp(what, "metrics") == 0)
    return metrics_table(out, e);
  else
    return rungs_table(out, what, folder, e);
  return 0;
}

static int list_command(const struct args *a, struct err *e) {
  int rc = 0;
  if (a->n_rest > 1)
    return err_set(e, ERR_USAGE, "list takes one thing to list, not %d", a->n_rest);
  const char *what = a->n_rest ? a->rest[0] : "variants";
  if (strcmp(what, "ladders") == 0 && args_has(a, "markdown") && !args_has(a, "json"))
    return print_ladders(args_get(a, "kernels"), e);
  struct table *t = NULL;
  struct text out = {0};
  rc = listing_of(&t, what, args_get(a, "kernels"), e);
  if (!rc) {
    if (args_has(a, "json")) {
      text_printf(&out, "{\"%s\": ", what);
      table_json(t, &out);
      text_add(&out, "}\n");
    } else if (args_has(a, "markdown"))
      table_markdown(t, &out);
    else if (args_has(a, "csv"))
      table_csv(t, &out);
    else
      table_term(t, &out, cli_width(), cli_colour());
    rc = cli_print_or_words(&out, args_has(a, "json") || args_has(a, "markdown") || args_has(a, "csv"), e);
  }
  table_free(t);
  return rc;
}

COMMAND_ROW(20, list) = {
    .name = "list",
    .arguments = "[LADDER|ladders|shapes|devices|metrics]",
    .summary = "list variants, ladders, shapes, devices or metrics",
    .needs = "nothing",
    .examples = "list cuda\n"
                "list ladders\n"
                "list metrics --csv\n",
    .options = option_rows,
    .run = list_command,
};
