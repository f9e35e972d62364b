#include "analysis/signs/load_series.h"

#include <string.h>

/* A wait is told of from this part of those for loads on; the row has that part of them. */
static const double WAIT_LEAST = 0.1, ROW_LEAST = 0.5;
enum { WAITS_MOST = 16 };

struct load_wait {
  size_t at, loop;
  double samples;
};

static double samples_of(const struct hot_inst *x) {
  return x->n_reasons && strcmp(x->reasons[0].reason, "long_scoreboard") == 0 ? (double)x->reasons[0].samples : 0;
}

static size_t loop_of(const struct sass *s, size_t i) {
  return s->blocks[s->block_of[i]].loop;
}

/* In the code's order. */
static void wait_insert(struct load_wait *list, size_t *n, struct load_wait w) {
  size_t place = *n;
  if (*n == WAITS_MOST)
    return;
  for (; place > 0 && list[place - 1].at > w.at; place--)
    list[place] = list[place - 1];
  list[place] = w;
  ++*n;
}

/* What it waits for is issued behind the instruction `before`, in the same loop. */
static bool begins_behind(const struct sass *s, const struct hot_inst *x, size_t before) {
  for (size_t k = 0; k < x->n_feeds; k++) {
    size_t load = x->feeds[k].inst;
    if (s->insts[load].class == SASS_LOAD_GLOBAL && load > before && load < x->at &&
        loop_of(s, load) == loop_of(s, x->at))
      return true;
  }
  return false;
}

static size_t waits_list(struct load_wait *list, const struct rule_input *in, double *all) {
  const struct hot *h = in->hot;
  size_t n = 0;
  *all = 0;
  for (size_t k = 0; k < h->n_insts; k++)
    *all += rule_is_ours(in, &h->insts[k]) ? samples_of(&h->insts[k]) : 0;
  for (size_t k = 0; k < h->n_insts; k++) {
    const struct hot_inst *x = &h->insts[k];
    double samples = rule_is_ours(in, x) ? samples_of(x) : 0;
    if (samples > 0 && samples >= WAIT_LEAST * *all)
      wait_insert(list, &n, (struct load_wait){x->at, loop_of(in->sass, x->at), samples});
  }
  return n;
}

/* Of the row that begins with the first of the list. */
static size_t row_of(const struct rule_input *in, const struct load_wait *list, size_t n, double *samples) {
  const struct hot_kernel *k = rule_kernel(in);
  size_t last = 0, row = 1;
  *samples = list[0].samples;
  for (size_t i = 1; i < n; i++) {
    if (list[i].loop != list[0].loop || !begins_behind(in->sass, &in->hot->insts[k->insts[list[i].at]], list[last].at))
      continue;
    *samples += list[i].samples;
    last = i;
    row++;
  }
  return row;
}

size_t load_series(const struct rule_input *in) {
  struct load_wait list[WAITS_MOST];
  double all = 0, samples = 0;
  size_t n = in->sass && rule_kernel(in) ? waits_list(list, in, &all) : 0, most = 0;
  for (size_t first = 0; first < n; first++) {
    size_t row = row_of(in, &list[first], n - first, &samples);
    most = row > 1 && row > most && samples >= ROW_LEAST * all ? row : most;
  }
  return most;
}
