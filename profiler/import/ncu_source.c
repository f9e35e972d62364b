#include "profiler/import/ncu_source.h"

#include "base/array.h"
#include "profiler/import/ncu_rep.h"

#include "base/text.h"
#include "profiler/import/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ncu's short names, as its source view titles its columns (seen in 2025.3), and ours. */
static const struct {
  const char *column, *reason;
} STALLS[SOURCE_STALLS] = {
    {"barrier", "barrier"},
    {"branch_resolving", "branch_resolving"},
    {"dispatch", "dispatch"},
    {"drain", "drain"},
    {"imc", "imc_miss"},
    {"lg", "lg_throttle"},
    {"long_sb", "long_scoreboard"},
    {"math", "math_pipe_throttle"},
    {"membar", "membar"},
    {"mio", "mio_throttle"},
    {"misc", "misc"},
    {"no_inst", "no_instruction"},
    {"not_selected", "not_selected"},
    {"selected", "selected"},
    {"short_sb", "short_scoreboard"},
    {"sleep", "sleeping"},
    {"tex", "tex_throttle"},
    {"wait", "wait"},
    {"gmma", "gmma"},
    {NULL, "unknown"}, /* views that give the samples of all reasons together */
};
enum { STALL_ALL = SOURCE_STALLS - 1 };

const char *ncu_source_reason(int stall) {
  return STALLS[stall].reason;
}

static const char *const COUNT_TITLES[COUNTS][2] = {
    [COUNT_EXECUTED] = {"Instructions Executed", "# Instructions Executed"},
    [COUNT_THREADS] = {"Predicated-On Thread Instructions Executed", "# Predicated-On Thread Instructions Executed"},
    [COUNT_GLOBAL_SECTORS] = {"L2 Theoretical Sectors Global", NULL},
    [COUNT_GLOBAL_IDEAL] = {"L2 Theoretical Sectors Global Ideal", NULL},
    [COUNT_SHARED_WAVEFRONTS] = {"L1 Wavefronts Shared", NULL},
    [COUNT_SHARED_IDEAL] = {"L1 Wavefronts Shared Ideal", NULL},
};

/* A count whose excess over the ideal is shown, where the ideal is not. */
static const struct {
  enum source_count all, ideal;
  const char *title;
} EXCESS[] = {
    {COUNT_GLOBAL_SECTORS, COUNT_GLOBAL_IDEAL, "L2 Theoretical Sectors Global Excessive"},
    {COUNT_SHARED_WAVEFRONTS, COUNT_SHARED_IDEAL, "L1 Wavefronts Shared Excessive"},
};
enum { EXCESSES = sizeof EXCESS / sizeof EXCESS[0] };

enum { NONE = -1, SASS_BYTES = 16 };

struct head {
  size_t n;
  long line, line_text, number, address, text;
  long counts[COUNTS], excess[EXCESSES], samples[SOURCE_STALLS], not_issued[SOURCE_STALLS];
};

struct view {
  struct ncu_source *out;
  struct head head;
  bool headed;
  struct source_block *block;
  const char *kernel, *file;
  int line;
};

static long column_last(const struct csv_row *row, const char *title) {
  for (size_t i = row->n; i-- > 0;)
    if (title && strcmp(row->cells[i].text, title) == 0)
      return (long)i;
  return NONE;
}

static long stall_column(const struct csv_row *row, const char *stall, const char *suffix) {
  char title[64];
  snprintf(title, sizeof title, "stall_%s%s", stall, suffix);
  long at = column_last(row, title);
  if (at == NONE && strcmp(stall, "sleep") == 0) {
    snprintf(title, sizeof title, "stall_sleeping%s", suffix);
    at = column_last(row, title);
  }
  return at;
}

static int head_read(struct view *v, const struct csv_row *row, struct err *e) {
  struct head *h = &v->head;
  h->n = row->n;
  h->line = column_last(row, "Line No");
  h->line_text = h->line == NONE ? NONE : h->line + 1;
  h->number = column_last(row, "#");
  h->address = column_last(row, "Address");
  h->text = column_last(row, "Source");
  for (int i = 0; i < COUNTS; i++) {
    h->counts[i] = column_last(row, COUNT_TITLES[i][0]);
    if (h->counts[i] == NONE)
      h->counts[i] = column_last(row, COUNT_TITLES[i][1]);
  }
  for (int i = 0; i < EXCESSES; i++)
    h->excess[i] = column_last(row, EXCESS[i].title);
  bool reasons = false;
  for (int i = 0; i < STALL_ALL; i++) {
    h->samples[i] = stall_column(row, STALLS[i].column, "");
    h->not_issued[i] = stall_column(row, STALLS[i].column, " (Not Issued)");
    reasons |= h->samples[i] != NONE;
  }
  h->samples[STALL_ALL] = reasons ? NONE : column_last(row, "Warp Stall Sampling (All Samples)");
  if (!reasons && h->samples[STALL_ALL] == NONE)
    h->samples[STALL_ALL] = column_last(row, "Warp Stall Sampling (All Cycles)");
  h->not_issued[STALL_ALL] = reasons ? NONE : column_last(row, "Warp Stall Sampling (Not-issued Samples)");
  if (!reasons && h->not_issued[STALL_ALL] == NONE)
    h->not_issued[STALL_ALL] = column_last(row, "Warp Stall Sampling (Not-issued Cycles)");
  v->headed = true;
  if (h->text != NONE && (h->address != NONE || h->number != NONE))
    return 0;
  return err_set(e, ERR_DATA,
                 "%s:%zu:%zu: a view of the source needs the columns \"Source\" and \"Address\" (or \"#\"): export the "
                 "SASS view, or ncu --page source --csv --print-source sass",
                 v->out->name, row->cells[0].line, row->cells[0].column);
}

static void block_add(struct view *v) {
  v->block = array_add(&v->out->blocks, &v->out->n, sizeof *v->block);
  v->block->kernel = v->kernel ? v->kernel : "";
}

static bool block_has_file(const struct source_block *b, const char *file) {
  for (size_t i = 0; i < b->n_files; i++)
    if (strcmp(b->files[i], file) == 0)
      return true;
  return false;
}

/* A function is shown once for each file that it has lines of; a file that comes again begins the next launch. */
static void function_begin(struct view *v, const char *kernel) {
  bool same = v->block && v->file && strcmp(v->block->kernel, kernel) == 0 && !block_has_file(v->block, v->file);
  v->kernel = kernel;
  if (!same)
    block_add(v);
  const char **added = array_add(&v->block->files, &v->block->n_files, sizeof *added);
  *added = v->file ? v->file : "";
}

static int number_at(const struct view *v, const struct csv_row *row, long column, double *out, struct err *e) {
  double x;
  *out = -1;
  if (column == NONE)
    return 0;
  const struct csv_cell *cell = &row->cells[column];
  switch (quantity_parse(cell->text, &x)) {
  case QUANTITY_NUMBER:
    *out = x < 0 ? -1 : x;
    return 0;
  case QUANTITY_ABSENT:
    return 0;
  case QUANTITY_TEXT:
    break;
  }
  return err_set(e, ERR_DATA, "%s:%zu:%zu: '%.40s' is not a number, in a column of counts", v->out->name, cell->line,
                 cell->column, cell->text);
}

static int samples_read(const struct view *v, const struct csv_row *row, const long columns[SOURCE_STALLS],
                        uint64_t out[SOURCE_STALLS], struct err *e) {
  int rc = 0;
  for (int i = 0; i < SOURCE_STALLS && !rc; i++) {
    double x;
    rc = number_at(v, row, columns[i], &x, e);
    out[i] = !rc && x > 0 && x < 1e15 ? (uint64_t)x : 0;
  }
  return rc;
}

static int address_read(const struct view *v, const struct csv_row *row, uint64_t *out, struct err *e) {
  const struct csv_cell *cell = &row->cells[v->head.address != NONE ? v->head.address : v->head.number];
  char digits[32], *end;
  size_t n = 0;
  /* The user interface writes "00007ffc c55eb400". */
  for (const char *c = cell->text; *c && n + 1 < sizeof digits; c++)
    if (*c != ' ')
      digits[n++] = *c;
  digits[n] = '\0';
  unsigned long long x = strtoull(digits, &end, v->head.address != NONE ? 16 : 10);
  if (end == digits || *end)
    return err_set(e, ERR_DATA, "%s:%zu:%zu: '%.40s' is not the address of an instruction", v->out->name, cell->line,
                   cell->column, cell->text);
  *out = v->head.address != NONE ? x : x * SASS_BYTES;
  return 0;
}

static void place_add(struct source_instruction *x, const char *file, int line) {
  for (size_t i = 0; i < x->n_places; i++)
    if (x->places[i].line == line && strcmp(x->places[i].file, file) == 0)
      return;
  struct source_place *added = array_add(&x->places, &x->n_places, sizeof *added);
  *added = (struct source_place){file, line};
}

static int instruction_read(struct view *v, const struct csv_row *row, struct err *e) {
  struct source_block *b = v->block;
  struct source_instruction *x = array_add(&b->items, &b->n, sizeof *x);
  const char *text = row->cells[v->head.text].text;
  x->text = text + strspn(text, " ");
  int rc = address_read(v, row, &x->address, e);
  for (int i = 0; i < COUNTS && !rc; i++)
    rc = number_at(v, row, v->head.counts[i], &x->counts[i], e);
  for (int i = 0; i < EXCESSES && !rc; i++) {
    double excess, all = x->counts[EXCESS[i].all], *ideal = &x->counts[EXCESS[i].ideal];
    rc = number_at(v, row, v->head.excess[i], &excess, e);
    if (!rc && *ideal < 0 && all >= 0 && excess >= 0 && excess <= all)
      *ideal = all - excess;
  }
  if (!rc)
    rc = samples_read(v, row, v->head.samples, x->samples, e);
  if (!rc)
    rc = samples_read(v, row, v->head.not_issued, x->not_issued, e);
  if (!rc && v->head.line != NONE && v->line > 0)
    place_add(x, v->file ? v->file : "", v->line);
  return rc;
}

/* A line of source; quotes in it may have split it into more cells than the head has. */
static void source_line_read(struct view *v, const struct csv_row *row) {
  const struct head *h = &v->head;
  long line = strtol(row->cells[h->line].text, NULL, 10);
  v->line = line > 0 && line <= SOURCE_LINES_MAX ? (int)line : 0;
  if (v->line == 0 || (size_t)h->line_text >= row->n)
    return;
  struct text text = {0};
  text_add(&text, row->cells[h->line_text].text);
  for (size_t i = h->n; i < row->n; i++)
    text_printf(&text, "%s%s", i == h->n ? "\"," : ",", row->cells[(size_t)h->line_text + 1 + i - h->n].text);
  if (row->n > h->n && text.n && text.s[text.n - 1] == '"')
    text.s[--text.n] = '\0';
  struct ncu_source *out = v->out;
  struct source_line *added = array_add(&out->lines, &out->n_lines, sizeof *added);
  *added = (struct source_line){v->file ? v->file : "", v->line, text_take(&text)};
  text_release(&text);
}

static int body_row(struct view *v, const struct csv_row *row, struct err *e) {
  const struct head *h = &v->head;
  const struct csv_cell *last = &row->cells[row->n - 1];
  if (h->line != NONE && row->cells[0].text[0]) {
    source_line_read(v, row);
    return 0;
  }
  if (row->n < h->n)
    return err_set(e, ERR_DATA, "%s:%zu:%zu: the row has %zu cells, its head %zu: the file is cut off; export it again",
                   v->out->name, last->line, last->column, row->n, h->n);
  bool left_out = h->address != NONE && strcmp(row->cells[h->address].text, "...") == 0;
  if (left_out || !row->cells[h->text].text[0])
    return 0;
  if (!v->block)
    block_add(v);
  return instruction_read(v, row, e);
}

static int row_take(struct view *v, const struct csv_row *row, struct err *e) {
  const char *first = row->cells[0].text;
  const char *second = row->n > 1 ? row->cells[1].text : "";
  bool short_row = row->n <= 3;
  bool title = row->n >= 3 && !first[0] && !second[0] && row->cells[2].text[0] && !v->headed;
  for (size_t i = 3; i < row->n && title; i++)
    title = !row->cells[i].text[0];
  if (title) { /* of the user interface's export: ",,KERNEL" */
    v->kernel = row->cells[2].text;
    block_add(v);
    return 0;
  }
  if (short_row && strcmp(first, "File Path") == 0) {
    v->file = second;
    v->headed = false;
    return 0;
  }
  if (short_row && strcmp(first, "Function Name") == 0) {
    function_begin(v, second);
    return 0;
  }
  if (short_row && strcmp(first, "Kernel Name") == 0) {
    v->kernel = second;
    v->headed = false;
    block_add(v);
    return 0;
  }
  if (!v->headed) {
    v->line = 0;
    return head_read(v, row, e);
  }
  return body_row(v, row, e);
}

/* --- order, and what comes twice --- */

static int by_address(const void *a, const void *b) {
  const struct source_instruction *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* An instruction under several source lines is one instruction. */
static void block_sort(struct source_block *b) {
  if (b->n == 0)
    return;
  qsort(b->items, b->n, sizeof *b->items, by_address);
  size_t n = 1;
  for (size_t i = 1; i < b->n; i++) {
    struct source_instruction *kept = &b->items[n - 1], *next = &b->items[i];
    if (next->address != kept->address) {
      if (n != i) {
        b->items[n] = *next;
        next->places = NULL;
        next->n_places = 0;
      }
      n++;
      continue;
    }
    for (size_t j = 0; j < next->n_places; j++)
      place_add(kept, next->places[j].file, next->places[j].line);
    free(next->places);
    next->places = NULL;
    next->n_places = 0;
  }
  b->n = n;
}

static bool instruction_same(const struct source_instruction *x, const struct source_instruction *y) {
  bool same = x->address == y->address && strcmp(x->text, y->text) == 0;
  for (int i = 0; i < COUNTS && same; i++)
    same = x->counts[i] == y->counts[i];
  for (int i = 0; i < SOURCE_STALLS && same; i++)
    same = x->samples[i] == y->samples[i] && x->not_issued[i] == y->not_issued[i];
  return same;
}

static bool block_same(const struct source_block *a, const struct source_block *b) {
  bool same = strcmp(a->kernel, b->kernel) == 0 && a->n == b->n;
  for (size_t i = 0; i < a->n && same; i++)
    same = instruction_same(&a->items[i], &b->items[i]);
  return same;
}

static void block_release(struct source_block *b) {
  for (size_t i = 0; i < b->n; i++)
    free(b->items[i].places);
  free(b->items);
  free(b->files);
  *b = (struct source_block){0};
}

static void repeats_drop(struct ncu_source *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (n > 0 && block_same(&s->blocks[n - 1], &s->blocks[i]))
      block_release(&s->blocks[i]);
    else
      s->blocks[n++] = s->blocks[i];
  s->n = n;
}

/* --- the whole --- */

bool ncu_source_is(const char *text) {
  static const char *const heads[] = {"Kernel Name\",\"", "File Path\",", "File Name\",", "#",
                                      "Address\"",        "Address,",     "Line No",      ",,"};
  text += *text == '"';
  size_t line = strcspn(text, "\n");
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
    if (strncmp(text, heads[i], strlen(heads[i])) != 0)
      continue;
    /* The raw page transposed may begin with the kernels' names too: its next lines are metrics. */
    return !(i == 0 && strstr(text + line, "__"));
  }
  return false;
}

int ncu_source_parse(struct ncu_source *out, const char *name, const char *text, struct err *e) {
  *out = (struct ncu_source){.name = str_copy(name)};
  struct view v = {.out = out};
  text += strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  int rc = csv_parse(&out->csv, name, text, 1, CSV_LOOSE, e);
  for (size_t i = 0; i < out->csv.n && !rc; i++)
    rc = row_take(&v, &out->csv.rows[i], e);
  for (size_t i = 0; i < out->n && !rc; i++)
    block_sort(&out->blocks[i]);
  if (rc)
    return rc;
  repeats_drop(out);
  if (out->n == 0 || out->blocks[0].n == 0)
    return err_set(e, ERR_DATA, "%s:1:1: the view of the source holds no instruction: export the SASS view", name);
  return 0;
}

void ncu_source_release(struct ncu_source *s) {
  for (size_t i = 0; i < s->n; i++)
    block_release(&s->blocks[i]);
  free(s->blocks);
  for (size_t i = 0; i < s->n_lines; i++)
    free(s->lines[i].text);
  free(s->lines);
  for (size_t i = 0; i < s->n_carried; i++)
    rep_source_release(&s->carried[i]);
  free(s->carried);
  csv_release(&s->csv);
  free(s->name);
  *s = (struct ncu_source){0};
}
