#include "reports/words/program_text.h"

#include "analysis/story/program.h"
#include "base/cxx_name.h"
#include "reports/words/view.h"
#include "reports/words/wrap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 80, NAME_LEAST = 16, NAME_WANTED = 20, NAME_MOST = 48, NUMBER_CHARS = 4 };

/* --- which --- */

static double total_of(const struct finding *f) {
  struct program_kernel k;
  return program_kernel_of(f->variant, &k) ? k.total_s : 0;
}

static int by_total(const void *a, const void *b) {
  const struct finding *const *x = a, *const *y = b;
  double difference = total_of(*y) - total_of(*x);
  return difference > 0 ? 1 : difference < 0 ? -1 : (*x > *y) - (*x < *y);
}

struct program_shown program_shown_of(const struct findings *f) {
  struct program_shown s = {.items = calloc(f->n + 1, sizeof *s.items)};
  for (size_t i = 0; i < f->n; i++)
    s.items[s.n++] = &f->items[i];
  qsort(s.items, s.n, sizeof *s.items, by_total);
  return s;
}

void program_shown_release(struct program_shown *s) {
  free(s->items);
  *s = (struct program_shown){0};
}

bool program_words(const struct run_variant *v, struct text *out) {
  struct program_kernel k;
  if (!program_kernel_of(v, &k))
    return false;
  text_printf(out, "%.0f call%s", k.calls, k.calls == 1 ? "" : "s");
  if (k.share.present)
    text_printf(out, ", %.*f %% of the GPU time", k.share.v < 0.1, 100 * k.share.v);
  return true;
}

/* --- names --- */

typedef char name_buffer[VIEW_NAME_MAX];

/* The function's title, without name space, template arguments and geometry. */
static void name_of(name_buffer out, const struct run_variant *v) {
  char function[VIEW_LABEL_MAX];
  const char *geometry = strstr(v->id, " <<<");
  view_short(function, v);
  if (geometry && strncmp(function, v->id, strlen(function)) == 0) {
    snprintf(out, sizeof(name_buffer), "%.*s", (int)(geometry - v->id), v->id);
    return;
  }
  snprintf(out, sizeof(name_buffer), "%s", function);
}

enum { SUFFIX_MAX = 64 };

/* Of "void ns::gemm<float, 4>(float const*)" and gemm "<float, 4>"; empty where there are none, or they are longer than a suffix may be. */
static void arguments_of(char out[SUFFIX_MAX], const struct run_variant *v, const char *function) {
  const char *at = *function ? strstr(v->id, function) : NULL, *begin = at ? at + strlen(function) : "";
  size_t n = 0;
  int open = 0;
  out[0] = 0;
  if (*begin != '<')
    return;
  do
    open += (begin[n] == '<') - (begin[n] == '>');
  while (begin[n++] && open > 0);
  if (open == 0 && n < SUFFIX_MAX)
    snprintf(out, SUFFIX_MAX, "%.*s", (int)n, begin);
}

/* Kernel i's template arguments, where they tell it from others of its name and have room. */
static bool told_by_arguments(char out[SUFFIX_MAX], const struct program_shown *s, name_buffer *names, size_t i,
                              size_t chars) {
  char other[SUFFIX_MAX];
  arguments_of(out, s->items[i]->variant, names[i]);
  bool told = out[0] && strlen(names[i]) + strlen(out) <= chars;
  for (size_t k = 0; k < s->n && told; k++) {
    if (k == i || strcmp(names[k], names[i]) != 0)
      continue;
    arguments_of(other, s->items[k]->variant, names[k]);
    told = strcmp(out, other) != 0;
  }
  return told;
}

/* The first word of template arguments that is another in each kernel of i's name, where all have room: " (float)". */
static bool told_by_word(char out[SUFFIX_MAX], const struct program_shown *s, name_buffer *names, size_t i,
                         size_t chars) {
  const size_t room = chars > strlen(names[i]) ? chars - strlen(names[i]) : 0;
  size_t n, other_bytes;
  const char *own;
  for (size_t at = 0; (own = cxx_word(s->items[i]->variant->id, at, &n)); at++) {
    bool told = n + strlen(" ()") <= room && n + strlen(" ()") < SUFFIX_MAX;
    snprintf(out, SUFFIX_MAX, " (%.*s)", (int)n, own);
    for (size_t k = 0; k < s->n && told; k++)
      for (size_t j = 0; j < k && told; j++) {
        if (strcmp(names[k], names[i]) != 0 || strcmp(names[j], names[i]) != 0)
          continue;
        const char *one = cxx_word(s->items[k]->variant->id, at, &n);
        const char *other = cxx_word(s->items[j]->variant->id, at, &other_bytes);
        told = one && other && (n != other_bytes || strncmp(one, other, n) != 0) && n + strlen(" ()") <= room &&
               other_bytes + strlen(" ()") <= room;
      }
    if (told)
      return true;
  }
  return false;
}

/* What tells kernel i from others of its name: its template arguments, a word of them, the grid where each has another, else a number; empty: nothing has to. */
static void suffix_of(char out[SUFFIX_MAX], const struct program_shown *s, name_buffer *names, size_t i, size_t chars) {
  char own[VIEW_GRID_MAX], other[VIEW_GRID_MAX];
  size_t before = 0, same = 0;
  bool grids = true;
  view_grid(own, s->items[i]);
  for (size_t k = 0; k < s->n; k++) {
    if (k == i || strcmp(names[k], names[i]) != 0)
      continue;
    same++;
    before += k < i;
    for (size_t j = 0; j < s->n && grids; j++) {
      view_grid(other, s->items[j]);
      view_grid(own, s->items[k]);
      grids = j == k || strcmp(names[j], names[i]) != 0 || strcmp(own, other) != 0;
    }
  }
  view_grid(own, s->items[i]);
  if (same &&
      (told_by_arguments(out, s, names, i, chars) || (strstr(names[i], ": ") && told_by_word(out, s, names, i, chars))))
    return;
  out[0] = 0;
  if (same && grids)
    snprintf(out, SUFFIX_MAX, " %s", own);
  else if (same)
    snprintf(out, SUFFIX_MAX, " #%zu", before + 1);
}

/* Names that are the same once they are cut are numbered in their order; true: some are. */
static bool names_number(name_buffer *names, size_t n, size_t chars) {
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    name_buffer base, buffer;
    size_t number = 1;

    memcpy(base, names[i], sizeof base);
    const char *cut = cxx_title_cut(buffer, sizeof buffer, base, chars > NUMBER_CHARS ? chars - NUMBER_CHARS : 1);
    for (size_t k = i + 1; k < n; k++)
      if (strcmp(names[k], base) == 0)
        snprintf(names[k], sizeof names[k], "%.*s #%zu", VIEW_NAME_MAX - SUFFIX_MAX, cut, ++number);
    if (number > 1)
      snprintf(names[i], sizeof names[i], "%.*s #1", VIEW_NAME_MAX - SUFFIX_MAX, cut);
    any |= number > 1;
  }
  return any;
}

/* The functions' names in `chars` characters; true: one is not whole, or tells by its suffix. */
static bool names_shorten(name_buffer *names, const struct program_shown *s, size_t chars) {
  name_buffer *whole = calloc(s->n + 1, sizeof *whole);
  bool shortened = false;

  for (size_t i = 0; i < s->n; i++)
    name_of(whole[i], s->items[i]->variant);
  for (size_t i = 0; i < s->n; i++) {
    name_buffer cut;
    char suffix[SUFFIX_MAX];

    suffix_of(suffix, s, whole, i, chars);
    size_t room = chars > strlen(suffix) + 1 ? chars - strlen(suffix) : 1;
    snprintf(names[i], sizeof names[i], "%.*s%s", VIEW_NAME_MAX - SUFFIX_MAX,
             cxx_title_cut(cut, sizeof cut, whole[i], room), suffix);
    shortened |= strcmp(names[i], s->items[i]->variant->id) != 0;
  }
  free(whole);
  return names_number(names, s->n, chars) || shortened;
}

char (*program_labels(const struct program_shown *s, size_t chars))[VIEW_NAME_MAX] {
  name_buffer *names = calloc(s->n + 1, sizeof *names);

  names_shorten(names, s, chars);
  return names;
}

/* --- the table --- */

/* Of a mean's 95 % interval: what is under 0.1 % is no digits' worth. */
static void cell_half(struct table *t, struct value half) {
  if (half.present && half.v < 0.001)
    table_cell(t, "<0.1", NULL);
  else
    view_percent(t, half, 2);
}

static void cell_roof(struct table *t, const struct finding *f) {
  if (!f->of_sol.present)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%s %% %s", VIEW_NUMBER(100 * f->of_sol.v, 2), f->sol_roof ? f->sol_roof : "DRAM");
}

/* Of a merged run's kernel the times are one rank's; calls and total are all ranks'. */
static double mean_of_calls(const struct finding *f, const struct program_kernel *k) {
  return k->calls > 0 && run_variant_key(f->variant, "of_rank") ? k->total_s / k->calls : f->time.mean;
}

static void row_add(struct table *t, const struct finding *f, const char *name, bool interval) {
  struct program_kernel k;
  struct value half = value_absent("no time");
  program_kernel_of(f->variant, &k);
  if (f->timed && f->time.mean > 0)
    half = value_of((f->time.ci_high - f->time.ci_low) / 2 / f->time.mean);
  table_row(t);
  table_cell(t, name, f->variant->id);
  table_cellf(t, "%.0f", k.calls);
  table_number(t, 1e3 * k.total_s, 4);
  view_percent(t, k.share, 3);
  table_number(t, f->timed ? 1e6 * mean_of_calls(f, &k) : NAN, 4);
  if (interval)
    cell_half(t, half);
  if (f->bounds.binding == BOUND_KINDS)
    table_cell(t, "", NULL);
  else
    table_cellf(t, "%s%s", bound_name(f->bounds.binding), f->bounds.partial ? "?" : "");
  cell_roof(t, f);
}

static struct table *table_make(const struct program_shown *s, name_buffer *names, bool interval) {
  struct table *t = table_of("kernel | >calls | >total [ms] =total_ms | >of GPU [%] =gpu_time_percent | "
                             ">mean [µs] =mean_us");
  if (interval)
    table_head(t, ">± [%] =half_percent");
  table_head(t, "bound | nearest roof =nearest_roof");
  for (size_t i = 0; i < s->n; i++)
    row_add(t, s->items[i], names ? names[i] : s->items[i]->variant->id, interval);
  return t;
}

/* How many columns a table leaves its names. */
static size_t room_for_names(const struct program_shown *s, name_buffer *names, bool interval, size_t width) {
  struct text plain = {0};
  struct table *t;
  size_t rest;
  for (size_t i = 0; i < s->n; i++)
    names[i][0] = 0;
  t = table_make(s, names, interval);
  table_term(t, &plain, 0, false);
  rest = wrap_widest(text_str(&plain)) - strlen("kernel"); /* the column's title */
  text_release(&plain);
  table_free(t);
  return width > rest ? width - rest : 0;
}

struct table *program_table(const struct program_shown *s, struct program_names *n) {
  const size_t width = n->width > 0 ? (size_t)n->width : LINE;
  name_buffer *names;
  struct table *t;
  size_t room;

  if (n->full)
    return table_make(s, NULL, true);
  names = calloc(s->n + 1, sizeof *names);
  room = room_for_names(s, names, true, width);
  n->dropped = room < NAME_WANTED;
  if (n->dropped)
    room = room_for_names(s, names, false, width);
  room = room < NAME_LEAST ? NAME_LEAST : room > NAME_MOST ? NAME_MOST : room;
  n->shortened = names_shorten(names, s, room);
  t = table_make(s, names, !n->dropped);
  free(names);
  return t;
}

struct table *program_gains(const struct gains *g) {
  enum { SHOWN = 8, NAME_CHARS = 30 };
  struct program_shown shown = program_shown_of(g->findings);
  name_buffer *names = program_labels(&shown, NAME_CHARS);
  struct table *t = table_of(
      "kernel | cause | >of the program [%] =of_program_percent | >of its time [%] =of_kernel_percent | what to do");

  for (size_t i = 0; i < g->n && i < SHOWN; i++) {
    const struct gain *x = &g->items[i];
    const char *most = x->first->price.up_to ? "≤ " : "";
    size_t at = 0;
    while (shown.items[at] != x->at)
      at++;
    table_row(t);
    table_cell(t, names[at], x->at->variant->id);
    table_cell(t, x->first->rule->title, x->first->rule->name);
    table_cellf(t, "%s%s", most, VIEW_NUMBER(100 * x->of_program, 2));
    table_cellf(t, "%s%s", most, VIEW_NUMBER(100 * x->share, 2));
    table_cell(t, x->first->told.remedy, NULL);
  }
  free(names);
  program_shown_release(&shown);
  return t;
}

void program_term(const struct program_shown *s, bool full_names, int width, bool colour, struct text *out) {
  struct program_names names = {.full = full_names, .width = width};
  table_print(program_table(s, &names), out, full_names ? 0 : width, colour);
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i]->bounds.partial && s->items[i]->bounds.binding != BOUND_KINDS) {
      text_add(out, "bound?: a part of its counters is missing, so that another may bind\n");
      break;
    }
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i]->of_sol.present) {
      text_add(out, "nearest roof: the largest part used of DRAM, L2, L1, atomics, issue or a pipe\n");
      break;
    }
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i]->of_sol.present && view_over_roof(s->items[i]->of_sol.v)) {
      text_add(out, "nearest roof above 100 %: its rate is off by that much for that kernel\n");
      break;
    }
  if (names.dropped)
    text_add(out, "left out at this width: ± of the mean\n");
  if (names.shortened)
    text_add(out, "names are short, told apart by template arguments, grid or number: --full-names\n");
}

static const char attach[] = "nvfp4-prof attach ";

/* The options of the command that made the run name none of these, but --top 0. */
static bool names_none(const char *command, const char *program, const char *const *barred, size_t n) {
  const char *top = strstr(command, "--top 0 ");
  for (size_t i = 0; i < n; i++) {
    const char *at = strstr(command, barred[i]);
    if (at && at < program && at != top)
      return false;
  }
  return true;
}

bool program_again(const struct run *r, struct text *out) {
  static const char *const barred[] = {"--two-runs", "--kernel", "-k ", "--nvtx", "--by-range", "--top"};
  static const char none[] = "--top 0 ";
  const char *command = r->command, *program = command ? strstr(command, " -- ") : NULL;
  const char *top = command ? strstr(command, none) : NULL, *rest;

  if (!program || strncmp(command, attach, sizeof attach - 1) != 0 ||
      !names_none(command, program, barred, sizeof barred / sizeof *barred))
    return false;
  rest = command + sizeof attach - 1;
  if (top && top < program)
    text_printf(out, "%s--two-runs %.*s%s", attach, (int)(top - rest), rest, top + sizeof none - 1);
  else
    text_printf(out, "%s--two-runs %s", attach, rest);
  return true;
}

bool program_again_for(const struct findings *f, const struct finding *at, struct text *out) {
  static const char *const barred[] = {"--coverage", "--nvtx", "--by-range", "--top"};
  const char *command = f->run->command, *program = command ? strstr(command, " -- ") : NULL;
  const char *twice = command ? strstr(command, "--two-runs") : NULL;
  bool others = false;

  if (at->bounds.binding != BOUND_KINDS)
    return false;
  if (program_again(f->run, out))
    return true;
  for (size_t i = 0; i < f->n; i++)
    others |= f->items[i].bounds.binding != BOUND_KINDS;
  if (!others || !program || !twice || twice > program || strncmp(command, attach, sizeof attach - 1) != 0 ||
      !names_none(command, program, barred, sizeof barred / sizeof *barred))
    return false;
  text_printf(out, "%s--coverage 100 %s", attach, command + sizeof attach - 1);
  return true;
}

/* --- what a reader must know of the run before its kernels' advice --- */

static const double IDLE_TOLD = 0.25; /* of the time */

/* A run file of before idle time was a field has it as a note. */
static bool noted_idle(const struct run *r, struct text *out) {
  static const char begins[] = "the GPU is idle ";
  for (size_t i = 0; i < r->n_notes; i++)
    if (strncmp(r->notes[i], begins, strlen(begins)) == 0 && atoi(r->notes[i] + strlen(begins)) >= 100 * IDLE_TOLD) {
      text_add(out, r->notes[i]);
      return true;
    }
  return false;
}

bool process_idle(const struct run *r, struct text *out) {
  static const double mostly = 0.5, nearly_all = 0.9;
  const struct run_idle *p = &r->process.idle;

  if (p->share <= 0)
    return noted_idle(r, out);
  if (p->share < IDLE_TOLD)
    return false;
  text_printf(
      out, "the GPU runs no kernel for %.0f %% of the time (%.0f %% in gaps of 50 µs or less, as launching leaves): ",
      100 * p->share, 100 * p->short_share);
  text_add(
      out,
      p->short_share >= mostly * p->share
          ? "CUDA graphs, fewer and larger kernels, or fewer blocking copies and synchronisations between them"
          : "look first at what the program does there (allocations, blocking copies, synchronisation, work on the CPU)");
  if (p->share >= nearly_all)
    text_printf(out, "; all kernels together take %s %%", VIEW_NUMBER(100 * (1 - p->share), 1));
  return true;
}

bool process_replayed(const struct run_variant *v, struct text *out) {
  const char *counted = run_variant_key(v, "counted");
  bool is = counted && strstr(counted, "replayed");
  if (is)
    text_add(out,
             "counters are of one launch, replayed with warm caches: it may take more from DRAM than is said here");
  return is;
}

void process_cautions(const struct run *r, struct text *out) {
  if (!program_is(r))
    return;
  if (view_partial(r))
    text_printf(out, "the run is partial: %s\n", view_partial(r));
  if (process_idle(r, out))
    text_add(out, "\n");
}
