#include "run/run_filter.h"

#include "base/array.h"
#include "base/cxx_name.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* --- what a list names --- */

enum { ITEMS_MAX = 256 };
/* A list, cut at its commas; an item may itself hold commas ("scale<int, 4>"), so several
 * neighbours together may be one. */
struct items {
  char *text;
  size_t start[ITEMS_MAX + 1]; /* start[n] - 1: the end of the text */
  size_t n;
  bool taken
      [ITEMS_MAX]; /* it is of a name that was given whole, and names nothing else: the * of "f(float *, int)" is no glob's */
};

static int items_make(struct items *out, const char *list, struct err *e) {
  *out = (struct items){.text = str_copy(list)};
  for (size_t at = 0; out->n < ITEMS_MAX; at += strcspn(list + at, ",") + 1) {
    out->start[out->n++] = at;
    if (!strchr(list + at, ','))
      break;
  }
  out->start[out->n] = strlen(list) + 1;
  if (strcspn(list + out->start[out->n - 1], ",") + 1 == out->start[out->n] - out->start[out->n - 1])
    return 0;
  return err_set(e, ERR_USAGE, "a list of more than %d names; a glob names many", ITEMS_MAX);
}

/* "f" of "void ns::f<int>(T *)", as tables show it, and of "f <<<8x1x1, 32x1x1>>>", a kernel's second shape of launch; NULL: the name is neither. */
static char *function_of(const struct run_variant *v) {
  size_t n;
  const char *function = cxx_function(v->id, &n), *launch = strstr(v->id, " <<<");
  return function ? str_printf("%.*s", (int)n, function)
         : launch ? str_printf("%.*s", (int)(launch - v->id), v->id)
                  : NULL;
}

/* All kernels of a program that was attached to, or of another tool's file, are of one ladder, which says nothing. */
static bool is_programs(const struct run_variant *v) {
  return strcmp(v->ladder, "attached") == 0 || strcmp(v->ladder, "ncu") == 0;
}

static bool names(const char *item, const struct run_variant *v) {
  if (strcmp(item, "all") == 0)
    return !v->wrong;
  char *function = function_of(v), *title = cxx_title(v->id);
  bool found = (function && str_glob(item, function)) || (title && str_glob(item, title));
  free(function);
  free(title);
  return found || str_glob(item, v->id) || strcmp(item, v->id) == 0 || (v->ladder && strcmp(item, v->ladder) == 0);
}

static bool is_id(const char *item, const struct run_variant *v) {
  return strcmp(item, v->id) == 0;
}

/* Items from first to last as one. */
static bool items_name(const struct items *list, size_t first, size_t last, const struct run_variant *v,
                       bool (*how)(const char *item, const struct run_variant *v)) {
  size_t end = list->start[last + 1] - 1;
  char cut = list->text[end];
  list->text[end] = 0;
  const char *from = list->text + list->start[first];
  char *one = str_copy(from + strspn(from, " "));
  list->text[end] = cut;
  bool found = how(str_trim(one), v);
  free(one);
  return found;
}

/* Takes the items of names that were given whole. */
static void ids_take(struct items *list, const struct run *r) {
  for (size_t k = 0; k < r->n_variants; k++)
    for (size_t first = 0; first < list->n; first++)
      for (size_t last = first; last < list->n && !list->taken[first]; last++)
        if ((last > first || strpbrk(r->variants[k].id, "*?")) && items_name(list, first, last, &r->variants[k], is_id))
          for (size_t i = first; i <= last; i++)
            list->taken[i] = true;
}

static bool any_taken(const struct items *list, size_t first, size_t last) {
  bool any = false;
  for (size_t i = first; i <= last; i++)
    any |= list->taken[i];
  return any;
}

/* Sets used[i] (NULL: not asked for) for the items that name the variant. */
static bool list_names(const struct items *list, const struct run_variant *v, bool *used) {
  bool found = false;
  for (size_t first = 0; first < list->n && (used || !found); first++)
    for (size_t last = first; last < list->n; last++)
      if (items_name(list, first, last, v, is_id) ||
          (!any_taken(list, first, last) && items_name(list, first, last, v, names))) {
        found = true;
        for (size_t i = first; used && i <= last; i++)
          used[i] = true;
      }
  return found;
}

bool run_filter_names(const char *list, const struct run_variant *v) {
  struct items items;
  bool found = !items_make(&items, list, NULL) && list_names(&items, v, NULL);
  free(items.text);
  return found;
}

/* What a user may name instead: "cuda, cute, ..." of the ladders; of variants without one, and of a
 * program's kernels, their names. */
static void known_add(struct text *out, const char *const *names, size_t n) {
  enum { SHOWN = 8 };
  size_t shown = 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = 0;
    while (at < i && strcmp(names[at], names[i]) != 0)
      at++;
    if (at < i)
      continue;
    if (shown == SHOWN) {
      text_add(out, ", ...");
      return;
    }
    text_printf(out, "%s%s", shown++ ? ", " : "", names[i]);
  }
}

/* Of every variant its id, its ladder if it has one, and its function's name if it is C++'s. */
struct known {
  const char **all, **shown; /* shown: one of each variant, which says most */
  char **functions;
  size_t n_all, n_shown;
};

static void known_make(struct known *out, const struct run *const *runs, size_t n, bool of_ladders) {
  size_t variants = 0;
  for (size_t i = 0; i < n; i++)
    variants += runs[i]->n_variants;
  *out = (struct known){calloc(3 * variants + 1, sizeof *out->all), calloc(variants + 1, sizeof *out->shown),
                        calloc(variants + 1, sizeof *out->functions), 0, 0};
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < runs[i]->n_variants; k++) {
      const struct run_variant *v = &runs[i]->variants[k];
      const char *function = out->functions[out->n_shown] = of_ladders ? NULL : function_of(v);
      if (!of_ladders)
        out->all[out->n_all++] = v->id;
      if (v->ladder)
        out->all[out->n_all++] = v->ladder;
      if (function)
        out->all[out->n_all++] = function;
      out->shown[out->n_shown++] = function                                       ? function
                                   : v->ladder && (of_ladders || !is_programs(v)) ? v->ladder
                                                                                  : v->id;
    }
}

static void known_release(struct known *x) {
  array_free(x->functions, x->n_shown);
  free(x->shown);
  free(x->all);
}

int run_unknown(const struct run *const *runs, size_t n, const char *what, const char *name, struct err *e) {
  struct known x;
  struct text names = {0};
  bool of_ladders = strcmp(what, "ladder") == 0, within = false;
  known_make(&x, runs, n, of_ladders);
  const char *nearest = str_nearest(name, x.all, x.n_all);
  int rc;
  for (size_t i = 0; i < x.n_all && *name && !of_ladders; i++) /* a ladder is not named by a glob */
    within |= strstr(x.all[i], name) != NULL;
  if (nearest)
    rc = err_set(e, ERR_USAGE, "%s %s is not in the run; did you mean %s?", what, name, nearest);
  else if (within)
    rc = err_set(e, ERR_USAGE, "%s %s is not in the run; did you mean '*%s*'?", what, name, name);
  else {
    known_add(&names, x.shown, x.n_shown);
    rc = err_set(e, ERR_USAGE, "%s %s is not in the run, which holds %s", what, name,
                 names.n ? text_str(&names) : "none");
  }
  text_release(&names);
  known_release(&x);
  return rc;
}

int run_names_verify(const struct run *const *runs, size_t n, const char *list, struct err *e) {
  struct items items;
  bool used[ITEMS_MAX] = {false};
  int rc = items_make(&items, list, e);
  for (size_t i = 0; i < n && !rc; i++)
    for (size_t k = 0; k < runs[i]->n_variants; k++)
      list_names(&items, &runs[i]->variants[k], used);
  for (size_t i = 0; i < items.n && !rc; i++)
    if (!used[i]) {
      items.text[items.start[i + 1] - 1] = 0;
      rc = run_unknown(runs, n, "variant", str_trim(items.text + items.start[i]), e);
    }
  free(items.text);
  return rc;
}

int run_select(const struct run *r, const char *variants, bool *keep, struct err *e) {
  struct items items = {0};
  int rc = run_names_verify(&r, 1, variants, e);
  if (!rc)
    rc = items_make(&items, variants, e);
  if (!rc)
    ids_take(&items, r);
  for (size_t i = 0; i < r->n_variants && !rc; i++)
    keep[i] |= list_names(&items, &r->variants[i], NULL);
  free(items.text);
  return rc;
}

/* --- a part of a run --- */

static void keep_controls(const struct run *r, const char *variants, bool *keep) {
  bool all = strcmp(variants, "all") == 0;
  for (size_t i = 0; i < r->n_variants; i++)
    keep[i] = keep[i] || run_variant_is_control(&r->variants[i]) || (all && r->variants[i].wrong);
}

static int check_shapes(const struct run *r, const struct shape *shapes, size_t n, struct err *e) {
  for (size_t s = 0; shapes && s < n; s++) {
    bool there = false;
    char text[SHAPE_TEXT_MAX];
    for (size_t i = 0; i < r->n_results && !there; i++)
      there = shape_equal(r->results[i].shape, shapes[s]);
    if (!there)
      return err_set(e, ERR_USAGE, "--shape %s is not in the run: it was not measured", shape_text(shapes[s], text));
  }
  return 0;
}

static void drop_results(struct run *r, const bool *keep, const struct shape *shapes, size_t n_shapes) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_results; i++) {
    struct run_result *x = &r->results[i];
    if (keep[x->variant] && (!shapes || shape_in(shapes, n_shapes, x->shape)))
      r->results[n++] = *x; /* moved */
    else
      run_result_release(x);
  }
  r->n_results = n;
}

/* Every result is of a variant that is kept.  number: room for the variants' new numbers. */
static void drop_variants(struct run *r, const bool *keep, int *number) {
  size_t n = 0;
  for (size_t i = 0; i < r->n_variants; i++) {
    number[i] = (int)n;
    if (keep[i])
      r->variants[n++] = r->variants[i]; /* moved */
    else
      run_variant_release(&r->variants[i]);
  }
  r->n_variants = n;
  for (size_t i = 0; i < r->n_results; i++)
    r->results[i].variant = number[r->results[i].variant];
}

int run_filter(struct run *r, const char *variants, const struct shape *shapes, size_t n_shapes, struct err *e) {
  bool *keep = calloc(r->n_variants + 1, sizeof *keep);
  int *number = calloc(r->n_variants + 1, sizeof *number);
  int rc = run_select(r, variants, keep, e);
  if (!rc)
    rc = check_shapes(r, shapes, n_shapes, e);
  if (!rc) {
    keep_controls(r, variants, keep);
    drop_results(r, keep, shapes, n_shapes);
    drop_variants(r, keep, number);
  }
  free(keep);
  free(number);
  return rc;
}
