#include "analysis/signs/sector_excess.h"

#include "analysis/signs/lane_rows.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By instruction. */
struct excess {
  double *sectors; /* beyond the least */
  double *runs;    /* warp-level requests */
  double *samples; /* that wait for it */
  bool *guessed;   /* the code does not say how far apart its lanes lie */
  struct sass_step *x, *y;
  double counted, explained; /* of the launch: beyond the least, and of these what could be these accesses' */
};

static bool is_of(const struct rule_input *in, const struct sector_counts *c, size_t i) {
  const struct sass_inst *x = &in->sass->insts[i];
  return !x->never && x->bytes > 0 && c->kind(x);
}

/* False where no instruction of this kind was counted by itself. */
static bool by_counts(struct excess *e, const struct rule_input *in, const struct sector_counts *of) {
  bool any = false;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct run_count *c = in->sass->count[i];
    if (!c || c->global_sectors < 0 || c->global_sectors_ideal < 0 || !is_of(in, of, i))
      continue;
    e->sectors[i] = fmax(c->global_sectors - c->global_sectors_ideal, 0);
    e->counted += e->sectors[i];
    e->explained += e->sectors[i];
    any = true;
  }
  return any;
}

/* Where executed counts are not known, as often each; together as many as were counted. */
static void runs_of(struct excess *e, const struct rule_input *in, const struct sector_counts *of) {
  const struct sass *s = in->sass;
  double all = 0, n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (is_of(in, of, i)) {
      all += fmax(s->executed[i], 0);
      n++;
    }
  for (size_t i = 0; i < s->n; i++)
    if (is_of(in, of, i)) {
      double part = all > 0 ? fmax(s->executed[i], 0) / all : 1 / n;
      e->runs[i] = part * (of->requests > 0 ? of->requests : all > 0 ? all : n);
    }
}

/* No more of what is left than where each lane lies in a sector of its own. */
static void share_out(struct excess *e, const struct rule_input *in, const struct sector_counts *of, double left) {
  const struct sass *s = in->sass;
  double waits = 0, runs = 0, most = 0;
  for (size_t i = 0; i < s->n; i++)
    if (is_of(in, of, i) && e->guessed[i]) {
      waits += e->samples[i];
      runs += e->runs[i];
    }
  for (size_t i = 0; i < s->n; i++)
    if (is_of(in, of, i) && e->guessed[i] && runs > 0) {
      double part = waits > 0 ? e->samples[i] / waits : e->runs[i] / runs;
      double apart = e->runs[i] * lanes_apart_excess(in, s->insts[i].bytes);
      e->sectors[i] = fmin(left * part, apart);
      most += apart;
    }
  e->explained += fmin(left, most);
}

static void by_steps(struct excess *e, const struct rule_input *in, const struct sector_counts *of) {
  const struct sass *s = in->sass;
  double told = 0;
  runs_of(e, in, of);
  for (size_t i = 0; i < s->n; i++)
    if (is_of(in, of, i) && e->runs[i] > 0) {
      double each = lanes_excess(in, s->insts[i].bytes, e->x[i], e->y[i]);
      e->guessed[i] = each < 0;
      if (e->guessed[i] && s->insts[i].class == SASS_STORE_GLOBAL) /* warps stand at a store for what it stores */
        e->samples[i] = 0;
      e->sectors[i] = e->runs[i] * fmax(each, 0);
      told += e->sectors[i];
    }
  /* Lanes that are left out lie less far apart than all would. */
  for (size_t i = 0; i < s->n && told > of->excess; i++)
    if (is_of(in, of, i))
      e->sectors[i] *= of->excess / told;
  e->counted += of->excess;
  e->explained += fmin(told, of->excess);
  share_out(e, in, of, fmax(of->excess - told, 0));
}

static void excess_make(struct excess *e, const struct rule_input *in) {
  size_t n = in->sass->n + 1;
  *e = (struct excess){.sectors = calloc(n, sizeof *e->sectors),
                       .runs = calloc(n, sizeof *e->runs),
                       .guessed = calloc(n, sizeof *e->guessed),
                       .samples = about_samples(in),
                       .x = sass_steps_make(in->sass, 0),
                       .y = sass_row_steps_make(in->sass)};
}

static void excess_release(struct excess *e) {
  free(e->sectors);
  free(e->runs);
  free(e->guessed);
  free(e->samples);
  free(e->x);
  free(e->y);
}

/* Of stores side by side, which are as many sectors too many, the one whose line stands first: no warp waits at one of them for itself. */
static const struct run_instruction *first_piece(const struct rule_input *in, const struct excess *e,
                                                 const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t i = at ? sass_find(s, at->offset) : SASS_NONE;
  if (i == SASS_NONE || at != &s->kernel->sass[i] || at->n_lines != 1 || s->insts[i].class != SASS_STORE_GLOBAL ||
      !access_beside(s, i))
    return at;
  const struct sass_block *b = &s->blocks[s->block_of[i]];
  long between;
  for (size_t k = b->first; k < b->first + b->n; k++) {
    const struct run_instruction *x = &s->kernel->sass[k];
    bool alike = s->insts[k].class == s->insts[i].class && s->insts[k].bytes == s->insts[i].bytes &&
                 sass_bytes_between(&s->insts[i], &s->insts[k], &between);
    if (alike && x->n_lines == 1 && x->lines[0].source == at->lines[0].source && x->lines[0].line < at->lines[0].line &&
        e->sectors[k] >= e->sectors[i])
      at = x;
  }
  return at;
}

const struct run_instruction *sector_excess_place(const struct rule_input *in, const struct sector_counts *of, size_t n,
                                                  about_kind *otherwise) {
  struct excess e = {0};
  double all = 0;
  if (!in->sass)
    return about_place(in, otherwise);
  excess_make(&e, in);
  for (size_t k = 0; k < n; k++)
    if (!by_counts(&e, in, &of[k]))
      by_steps(&e, in, &of[k]);
  for (size_t i = 0; i < in->sass->n; i++)
    all += e.sectors[i];
  /* Else it is of accesses that lie side by side and begin inside a sector, which are all alike. */
  bool apart = all > 0 && 2 * e.explained >= e.counted;
  const struct run_instruction *at =
      apart ? first_piece(in, &e, about_weighted(in, e.sectors, e.samples, e.guessed)) : about_place(in, otherwise);
  excess_release(&e);
  return at;
}
