/* The front matter's keys, and those with a simple value.  kernels/rung.h describes each. */
#include "kernels/frontmatter.h"

#include "base/text.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FM_ID_MAX = 64, REGISTERS_MIN = 16, REGISTERS_MAX = 255 };

static void *member(const struct fm *f) {
  return (char *)f->rung + f->row->member;
}

/* A name that a user types in a list, so without blanks, commas and globs. */
static int slug_check(const struct fm *f, char *value, struct err *e) {
  size_t n = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789.-");
  if (value[n] || n > FM_ID_MAX)
    return fm_error(e, f, "'%.80s' is not a name; use at most %d of a-z, 0-9, '.' and '-'", value, FM_ID_MAX);
  return 0;
}

/* One word of a fixed set: its index. */
static int word(const struct fm *f, const char *value, const char *const *words, size_t n, size_t *out, struct err *e) {
  *out = str_index(words, n, value);
  return *out < n ? 0 : fm_error_unknown(e, f, "value", value, words, n);
}

/* Keys that fill one member of the rung; their row says which. */
static int key_text(const struct fm *f, char *value, struct err *e) {
  (void)e;
  *(char **)member(f) = str_copy(value);
  return 0;
}

static int key_slug(const struct fm *f, char *value, struct err *e) {
  int rc = slug_check(f, value, e);
  return rc ? rc : key_text(f, value, e);
}

static int key_expr(const struct fm *f, char *value, struct err *e) {
  return fm_expr(f, f->row->noun, value, member(f), e);
}

/* One of the row's two words: the member is true for the second. */
static int key_either(const struct fm *f, char *value, struct err *e) {
  size_t i = 0;
  int rc = word(f, value, f->row->words, 2, &i, e);
  *(bool *)member(f) = i == 1;
  return rc;
}

/* Analysis judges it by the keys of the run; only its shape is checked here. */
static int key_claim(const struct fm *f, char *value, struct err *e) {
  char *test = strstr(value, "[test:"), *end = value + strlen(value) - 1;
  struct expr *x = NULL;
  if (!test)
    return 0;
  if (test == value)
    return fm_error(e, f, "there is no text before the test; write `text [test: EXPR]`");
  if (*end != ']')
    return fm_error(e, f, "the test does not end with ']'; write `text [test: EXPR]`");
  *end = '\0';
  int rc = fm_expr(f, "test", str_trim(test + strlen("[test:")), &x, e);
  expr_free(x);
  return rc;
}

static int published_time(const struct fm *f, struct rung_published *p, const char *time, const char *unit,
                          struct err *e) {
  static const char sign[] = "\xe2\x89\x88"; /* ≈ */
  static const struct {
    const char *unit;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3}, {"\xce\xbcs", 1e3}, {"ms", 1e6}};
  double scale = 0;
  size_t n_sign = *time == '~' ? 1 : strncmp(time, sign, 3) == 0 ? 3 : 0;
  time += n_sign;
  char *end = NULL;
  double value = strtod(time, &end);
  p->approximate = n_sign > 0;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strcmp(unit, units[i].unit) == 0)
      scale = units[i].ns;
  if (end == time || *end || !isfinite(value) || value <= 0)
    return fm_error(e, f, "'%.40s' is not a time; write a positive number such as 39, or ~27", time);
  if (scale == 0)
    return fm_error(e, f, "unknown unit '%.40s'; use ns, us, \xc2\xb5s or ms", unit);
  p->time_ns = value * scale;
  return isfinite(p->time_ns) ? 0 : fm_error(e, f, "%.40s %s is out of range", time, unit);
}

static int key_published(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *open = strchr(value, '"'), *close = value + strlen(value) - 1, *state = NULL;
  struct shape s;
  struct err cause = {0};
  char buffer[SHAPE_TEXT_MAX];
  struct rung_published *p = fm_append(f, &r->published, &r->n_published, sizeof *p, e);
  if (!p)
    return ERR_DATA;
  if (!open || close <= open + 1 || *close != '"')
    return fm_error(e, f, "the source is missing; end the line with \"who published it, and where\"");
  *open = *close = '\0';
  const char *device = strtok_r(value, " \t", &state), *time = strtok_r(NULL, " \t", &state);
  const char *unit = strtok_r(NULL, " \t", &state), *what = strtok_r(NULL, " \t", &state);
  if (!unit || strtok_r(NULL, " \t", &state))
    return fm_error(e, f, "expected DEVICE TIME UNIT [geomean|MxKxL] \"SOURCE\", as in: B200 39 us geomean \"...\"");
  int rc = published_time(f, p, time, unit, e);
  if (rc)
    return rc;
  if (!what || strcmp(what, "geomean") == 0)
    what = "geomean";
  else if (shape_parse(&s, what, &cause) == 0)
    what = shape_text(s, buffer);
  else
    return fm_error(e, f, "'%.80s' is neither geomean nor a shape: %s", what, cause.text);
  p->device = str_copy(device);
  p->what = str_copy(what);
  p->source = str_copy(str_trim(open + 1));
  return 0;
}

/* --- compilation --- */

static int key_constants(const struct fm *f, char *value, struct err *e) {
  if (f->rung->generic)
    return fm_generic_constants(f, value, e);
  static const char *const words[] = {"M", "K", "L"};
  bool *const fields[] = {&f->rung->constant_m, &f->rung->constant_k, &f->rung->constant_l};
  char *item;
  size_t i = 0;
  while ((item = fm_next(&value, ','))) {
    bool is_let = false;
    int rc = fm_constant_let(f, item, &is_let, e);
    if (rc == 0 && !is_let)
      rc = word(f, item, words, 3, &i, e);
    if (rc)
      return rc;
    if (!is_let)
      *fields[i] = true;
  }
  return 0;
}

static int key_options(const struct fm *f, char *value, struct err *e) {
  static const char *const words[] = {"maxrregcount", "fast-math", "ftz"};
  struct rung *r = f->rung;
  char *item, *name, *number;
  int rc = 0;
  while (rc == 0 && (item = fm_next(&value, ','))) {
    size_t i = 0;
    long cap = 0;
    if (*item == '-') {
      char **added = fm_append(f, &r->options, &r->n_options, sizeof *added, e);
      rc = added ? 0 : ERR_DATA;
      if (added)
        *added = str_copy(item);
    } else if (fm_cut_assignment(item, &name, &number)) {
      rc = word(f, name, words, 1, &i, e);
      if (rc == 0)
        rc = fm_integer(f, name, number, REGISTERS_MIN, REGISTERS_MAX, &cap, e);
      r->max_registers = (int)cap;
    } else {
      rc = word(f, item, words, 3, &i, e);
      if (rc == 0 && i == 0)
        rc = fm_error(e, f, "maxrregcount has no value; write maxrregcount = 64");
      r->fast_math |= i == 1;
      r->ftz |= i == 2;
    }
  }
  return rc;
}

/* --- the check, and what decides whether and how it runs --- */

static int key_output(const struct fm *f, char *value, struct err *e) {
  if (f->rung->generic)
    return fm_generic_output(f, value, e);
  static const char *const words[] = {"c", "none"};
  size_t i = 0;
  int rc = word(f, value, words, 2, &i, e);
  f->rung->writes_c = i == 0;
  return rc;
}

static int key_host(const struct fm *f, char *value, struct err *e) {
  static const char *const words[] = {"cublas", "cublaslt"};
  size_t i = 0;
  int rc = word(f, value, words, 2, &i, e);
  f->rung->host = str_copy(value);
  return rc;
}

static int key_accumulate(const struct fm *f, char *value, struct err *e) {
  struct err cause = {0};
  int rc = accumulate_parse(&f->rung->accumulate, value, &cause);
  return rc ? fm_error(e, f, "%s", cause.text) : 0;
}

static int key_wrong(const struct fm *f, char *value, struct err *e) {
  struct err cause = {0};
  int rc = fault_parse(&f->rung->wrong, value, &cause);
  if (rc)
    return fm_error(e, f, "%s", cause.text);
  return f->rung->wrong ? 0 : fm_error(e, f, "'%s' is not a fault; remove the line from a rung that is right", value);
}

static int key_path(const struct fm *f, char *value, struct err *e) {
  struct rung *r = f->rung;
  char *condition, *rest;
  struct rung_path *p = fm_append(f, &r->paths, &r->n_paths, sizeof *p, e);
  if (!p)
    return ERR_DATA;
  if (!fm_cut_condition(value, &condition, &rest))
    return fm_error(e, f, "expected EXPR: TEXT, as in: sm >= 100: cvt.rn.f16x2.e2m1x2");
  p->text = str_copy(rest);
  return fm_expr(f, "condition", condition, &p->condition, e);
}

static const struct fm_key keys[] = {
    {"problem", FM_PROBLEM, false, fm_problem},
    {"let", FM_LETS, true, fm_let},
    {"size", FM_NAMES, true, fm_size},
    {"buffer", FM_NAMES, true, fm_buffer},
    {"reference", FM_REST, false, fm_reference},
    {"tolerance", FM_REST, false, fm_tolerance},
    {"id", FM_REST, false, key_slug, offsetof(struct rung, id)},
    {"ladder", FM_REST, false, key_slug, offsetof(struct rung, ladder)},
    {"parent", FM_REST, false, key_slug, offsetof(struct rung, parent)},
    {"side", FM_REST, false, key_either, offsetof(struct rung, side), .words = {"no", "yes"}},
    {"change", FM_REST, false, key_text, offsetof(struct rung, change)},
    {"predicts", FM_REST, false, key_text, offsetof(struct rung, predicts)},
    {"claim", FM_REST, true, key_claim},
    {"cures", FM_REST, true, slug_check},
    {"published", FM_REST, true, key_published},
    {"param", FM_NAMES, true, fm_param},
    {"when", FM_REST, true, fm_when},
    {"constants", FM_MAPS, false, key_constants},
    {"options", FM_REST, false, key_options},
    {"step", FM_REST, true, fm_step},
    {"scratch", FM_NAMES, true, fm_scratch},
    {"setup", FM_REST, true, fm_setup},
    {"reset", FM_REST, true, fm_reset},
    {"tensormap", FM_MAPS, true, fm_tensormap},
    {"sf_layout", FM_REST, false, key_either, offsetof(struct rung, sf_blocked), .words = {"plain", "128x4"}},
    {"accumulate", FM_REST, false, key_accumulate},
    {"limits", FM_REST, false, key_expr, offsetof(struct rung, limits), "condition"},
    {"output", FM_REST, false, key_output},
    {"wrong", FM_REST, false, key_wrong},
    {"bytes", FM_REST, false, key_expr, offsetof(struct rung, bytes), "bytes"},
    {"flops", FM_REST, false, key_expr, offsetof(struct rung, flops), "operations"},
    {"needs", FM_REST, false, key_expr, offsetof(struct rung, needs), "condition"},
    {"path", FM_REST, true, key_path},
    {"host", FM_REST, false, key_host},
    {"note", FM_REST, true, NULL},
};
enum { KEYS = sizeof keys / sizeof *keys };

const struct fm_key *fm_key_find(const char *name) {
  for (size_t i = 0; i < KEYS; i++)
    if (strcmp(keys[i].name, name) == 0)
      return &keys[i];
  return NULL;
}

const char *fm_key_nearest(const char *name) {
  const char *names[KEYS];
  for (size_t i = 0; i < KEYS; i++)
    names[i] = keys[i].name;
  return str_nearest(name, names, KEYS);
}
