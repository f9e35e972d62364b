#include "run/metric_table.h"

#include "base/array.h"
#include "base/embed.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

extern const struct embedded run_embedded_metrics[];

enum { COLUMNS = 5 };

/* --- one row --- */

/* In a run file a counter of bytes has the unit "byte": schema 1 has it so from the first edition
 * on. */
static const char *counter_unit(const char *unit) {
  return strcmp(unit, "B") == 0 ? "byte" : unit;
}

static int parse_alternatives(struct metric_row *row, char *text, struct err *e) {
  for (char *next = text; next;) {
    char *bar = strchr(next, '|');
    if (bar)
      *bar = 0;
    struct expr **added = array_add(&row->alternatives, &row->n_alternatives, sizeof(struct expr *));
    int rc = added ? expr_parse(added, str_trim(next), e) : err_nomem(e, "a metric");
    if (rc)
      return rc;
    next = bar ? bar + 1 : NULL;
  }
  return 0;
}

static int counter_add(struct metric_table *t, const char *group, char *cells[COLUMNS], int line, struct err *e) {
  (void)line;
  struct metric_row *row = array_add(&t->rows, &t->n, sizeof *row);
  if (!row)
    return err_nomem(e, "a metric");
  *row = (struct metric_row){.group = str_copy(group),
                             .name = str_copy(cells[0]),
                             .unit = str_copy(counter_unit(cells[1])),
                             .absent_on = str_copy(cells[3]),
                             .text = str_copy(cells[4])};
  if (!row->group || !row->name || !row->unit || !row->absent_on || !row->text)
    return err_nomem(e, "a metric");
  return parse_alternatives(row, cells[2], e);
}

static int formula_add(struct metric_table *t, const char *group, char *cells[COLUMNS], int line, struct err *e) {
  struct metric_formula *f = array_add(&t->formulas, &t->n_formulas, sizeof *f);
  if (!f)
    return err_nomem(e, "a metric");
  *f = (struct metric_formula){.group = str_copy(group),
                               .name = str_copy(cells[0]),
                               .unit = str_copy(cells[1]),
                               .title = str_copy(cells[3]),
                               .hint = str_copy(cells[4]),
                               .line = line};
  if (!f->group || !f->name || !f->unit || !f->title || !f->hint)
    return err_nomem(e, "a metric");
  return expr_parse(&f->expr, cells[2], e);
}

/* --- rows that are alike, written once --- */

/* A head of keys, a row of cells for each thing, and patterns in which {KEY} stands for the thing's cell. */
struct each {
  char **cells; /* the keys, then each thing's cells */
  size_t n_cells, n_keys;
};

static void each_release(struct each *x) {
  array_free(x->cells, x->n_cells);
  *x = (struct each){0};
}

static size_t each_things(const struct each *x) {
  return x->n_keys ? x->n_cells / x->n_keys - 1 : 0;
}

static int cells_add(struct each *x, const char *line, size_t *n, struct err *e) {
  *n = 0;
  for (const char *cell = line; cell; (*n)++) {
    const char *tab = strchr(cell, '\t');
    char **added = array_add(&x->cells, &x->n_cells, sizeof *added);
    if (!added || !(*added = str_printf("%.*s", tab ? (int)(tab - cell) : (int)strlen(cell), cell)))
      return err_nomem(e, "a cell");
    cell = tab ? tab + 1 : NULL;
  }
  return 0;
}

/* Forgets what was there and takes the keys: "pipe TAB title". */
static int each_keys(struct each *x, const char *line, struct err *e) {
  each_release(x);
  return cells_add(x, line, &x->n_keys, e);
}

/* One more thing: "alu TAB ALU". */
static int each_add(struct each *x, const char *line, struct err *e) {
  size_t n;
  int rc = cells_add(x, line, &n, e);
  if (!rc && n != x->n_keys)
    rc = err_set(e, ERR_DATA, "%zu cells, and EACH names %zu", n, x->n_keys);
  return rc;
}

static long key_find(const struct each *x, const char *name, size_t n) {
  for (size_t i = 0; i < x->n_keys; i++)
    if (strlen(x->cells[i]) == n && memcmp(x->cells[i], name, n) == 0)
      return (long)i;
  return -1;
}

/* The pattern of a thing; *out is the caller's. */
static int each_fill(const struct each *x, size_t thing, const char *pattern, char **out, struct err *e) {
  struct text filled = {0};
  int rc = 0;
  *out = NULL;
  for (const char *at = pattern; *at && !rc;) {
    size_t plain = strcspn(at, "{"), n = at[plain] ? strcspn(at + plain + 1, "}") : 0;
    const char *name = at + plain + 1;
    text_add_n(&filled, at, plain);
    at += plain;
    if (!*at)
      break;
    long key = name[n] ? key_find(x, name, n) : -1;
    if (key < 0) {
      rc = err_set(e, ERR_DATA, "{%.*s} is not a key of EACH above", (int)n, name);
    } else {
      text_add(&filled, x->cells[(thing + 1) * x->n_keys + (size_t)key]);
      at = name + n + 1;
    }
  }
  if (!rc && !text_ok(&filled))
    rc = err_nomem(e, "a row");
  if (!rc)
    *out = text_take(&filled);
  text_release(&filled);
  return rc;
}

/* --- a group's text --- */

static const struct section {
  const char *name, *cells;
  int (*add)(struct metric_table *t, const char *group, char *cells[COLUMNS], int line, struct err *e);
} SECTIONS[] = {
    {"COUNTERS", "name, unit, expression, chips without it, text", counter_add},
    {"FORMULAS", "name, unit, formula, title, hint", formula_add},
};

struct group_reader {
  struct metric_table *table;
  const char *file;
  char *group;
  const struct section *section; /* NULL: the things of EACH, or nothing yet */
  struct each each;
  char *patterns[8]; /* rows with keys that follow each other */
  int pattern_lines[8];
  size_t n_patterns;
  int line;
};

static int name_check(const struct metric_table *t, const char *name, struct err *e) {
  const char *group = NULL;
  const struct metric_row *row = metric_table_find(t, name);
  if (row)
    group = row->group;
  for (size_t i = 0; i < t->n_formulas && !group; i++)
    if (strcmp(t->formulas[i].name, name) == 0)
      group = t->formulas[i].group;
  if (group)
    return err_set(e, ERR_DATA, "%s stands twice (also in group %s)", name, group);
  return *name ? 0 : err_set(e, ERR_DATA, "the name is empty");
}

static int row_read(struct group_reader *r, const char *line, int number, struct err *e) {
  char *copy = str_copy(line), *next = copy, *cells[COLUMNS] = {0};
  size_t n = 0;
  int rc = copy ? 0 : err_nomem(e, "a metric");
  for (char *cell; (cell = strsep(&next, "\t")); n++)
    if (n < COLUMNS)
      cells[n] = str_trim(cell);
  if (!rc && n != COLUMNS)
    rc = err_set(e, ERR_DATA, "%zu cells; a row of %s has %d with a tab between: %s", n, r->section->name, COLUMNS,
                 r->section->cells);
  if (!rc)
    rc = name_check(r->table, cells[0], e);
  if (!rc && (rc = r->section->add(r->table, r->group, cells, number, e)))
    err_context(e, "%s", cells[0]);
  free(copy);
  return rc ? err_context(e, "%s:%d", r->file, number) : 0;
}

/* Makes the rows of the patterns that were collected, thing by thing. */
static int patterns_read(struct group_reader *r, struct err *e) {
  int rc = 0;
  for (size_t thing = 0; thing < each_things(&r->each); thing++) {
    for (size_t i = 0; i < r->n_patterns && !rc; i++) {
      char *line = NULL;
      rc = each_fill(&r->each, thing, r->patterns[i], &line, e);
      if (rc)
        err_context(e, "%s:%d", r->file, r->pattern_lines[i]);
      else
        rc = row_read(r, line, r->pattern_lines[i], e);
      free(line);
    }
  }
  for (size_t i = 0; i < r->n_patterns; i++)
    free(r->patterns[i]);
  r->n_patterns = 0;
  return rc;
}

static int pattern_add(struct group_reader *r, const char *line, struct err *e) {
  if (each_things(&r->each) == 0)
    return err_set(e, ERR_DATA, "%s:%d: a brace, and no EACH with rows above", r->file, r->line);
  if (r->n_patterns == sizeof r->patterns / sizeof r->patterns[0])
    return err_set(e, ERR_DATA, "%s:%d: more than %zu rows with braces that follow each other", r->file, r->line,
                   r->n_patterns);
  r->patterns[r->n_patterns] = str_copy(line);
  if (!r->patterns[r->n_patterns])
    return err_nomem(e, "a metric");
  r->pattern_lines[r->n_patterns++] = r->line;
  return 0;
}

/* Whether the line is the head of a section, which then begins. */
static int head_read(struct group_reader *r, const char *line, bool *head, struct err *e) {
  static const char each[] = "EACH\t";
  *head = true;
  for (size_t i = 0; i < sizeof SECTIONS / sizeof SECTIONS[0]; i++) {
    if (strcmp(line, SECTIONS[i].name) == 0) {
      r->section = &SECTIONS[i];
      return 0;
    }
  }
  *head = strncmp(line, each, sizeof each - 1) == 0;
  if (!*head)
    return 0;
  r->section = NULL;
  return each_keys(&r->each, line + sizeof each - 1, e);
}

static int line_read(struct group_reader *r, const char *line, struct err *e) {
  bool head, pattern = r->section && strchr(line, '{');
  if (!line[strspn(line, " \t\r")] || line[0] == '#')
    return 0;
  if (pattern)
    return pattern_add(r, line, e);
  int rc = patterns_read(r, e);
  if (rc)
    return rc;
  rc = head_read(r, line, &head, e);
  if (!rc && !head && !r->section)
    rc = r->each.n_keys ? each_add(&r->each, line, e)
                        : err_set(e, ERR_DATA, "a row stands above COUNTERS, FORMULAS and EACH");
  else if (!rc && !head)
    return row_read(r, line, r->line, e);
  return rc ? err_context(e, "%s:%d", r->file, r->line) : 0;
}

/* "metrics/10-dram.txt": dram */
static char *group_name(const char *file) {
  file += strspn(file, "0123456789-");
  return str_printf("%.*s", (int)strcspn(file, "."), file);
}

int metric_table_add(struct metric_table *t, const char *file, const char *text, struct err *e) {
  const char *slash = strrchr(file, '/');
  struct group_reader r = {.table = t, .file = slash ? slash + 1 : file};
  char *copy = str_copy(text), *rest = copy;
  r.group = group_name(r.file);
  int rc = copy && r.group ? 0 : err_nomem(e, file);
  for (char *line; !rc && (line = strsep(&rest, "\n"));) {
    r.line++;
    rc = line_read(&r, line, e);
  }
  if (!rc)
    rc = patterns_read(&r, e);
  for (size_t i = 0; i < r.n_patterns; i++)
    free(r.patterns[i]);
  each_release(&r.each);
  free(r.group);
  free(copy);
  return rc;
}

int metric_table_load(struct metric_table *t, struct err *e) {
  *t = (struct metric_table){0};
  int rc = 0;
  for (const struct embedded *f = run_embedded_metrics; f->name && !rc; f++)
    rc = metric_table_add(t, f->name, f->data, e);
  return rc;
}

/* --- the whole table --- */

static void row_release(struct metric_row *row) {
  for (size_t a = 0; a < row->n_alternatives; a++)
    expr_free(row->alternatives[a]);
  free(row->alternatives);
  free(row->group);
  free(row->name);
  free(row->unit);
  free(row->absent_on);
  free(row->text);
}

static void formula_release(struct metric_formula *f) {
  expr_free(f->expr);
  free(f->group);
  free(f->name);
  free(f->unit);
  free(f->title);
  free(f->hint);
}

void metric_table_keep(struct metric_table *t, bool apart) {
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++)
    if (metric_group_apart(t->rows[i].group) == apart)
      t->rows[n++] = t->rows[i];
    else
      row_release(&t->rows[i]);
  t->n = n;
}

void metric_table_release(struct metric_table *t) {
  for (size_t i = 0; i < t->n; i++)
    row_release(&t->rows[i]);
  for (size_t i = 0; i < t->n_formulas; i++)
    formula_release(&t->formulas[i]);
  free(t->rows);
  free(t->formulas);
  *t = (struct metric_table){0};
}

const struct metric_row *metric_table_find(const struct metric_table *t, const char *name) {
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->rows[i].name, name) == 0)
      return &t->rows[i];
  return NULL;
}

/* Counters of different passes come from different launches: a clock taken as cycles of one over
 * the time of another was off by up to 60 % on an H200. */
bool metric_group_apart(const char *group) {
  return strcmp(group, "clock") == 0;
}
