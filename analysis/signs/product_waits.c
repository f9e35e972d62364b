#include "analysis/signs/product_waits.h"

#include "analysis/idioms/repeats.h"

#include <string.h>

static double samples_of(const struct hot_inst *x, const char *reason) {
  double n = 0;
  for (size_t r = 0; r < x->n_reasons; r++)
    n += strcmp(x->reasons[r].reason, reason) == 0 ? (double)x->reasons[r].samples : 0;
  return n;
}

/* The instruction, of in->sass; NULL: of another kernel. */
static const struct sass_inst *inst_of(const struct rule_input *in, const struct hot_inst *x) {
  bool here = in->hot->kernels[x->kernel].kernel == in->sass->kernel;
  return here ? &in->sass->insts[x->at] : NULL;
}

double barriers_part_of_products(const struct rule_input *in) {
  double all = 0, own = 0;
  for (size_t k = 0; in->sass && k < in->hot->n_insts; k++) {
    const struct sass_inst *at = inst_of(in, &in->hot->insts[k]);
    double n = samples_of(&in->hot->insts[k], "barrier");
    all += n;
    own += at && at->wait == WAIT_TENSOR ? n : 0;
  }
  return all > 0 ? own / all : 0;
}

bool waits_for_products(const struct rule_input *in) {
  static const double TIMES = 2;
  double products = 0, data = 0;
  for (size_t k = 0; in->sass && k < in->hot->n_insts; k++) {
    const struct hot_inst *x = &in->hot->insts[k];
    const struct sass_inst *at = inst_of(in, x);
    double loads = samples_of(x, "long_scoreboard");
    data += loads;
    if (at && (at->class == SASS_TENSOR || at->wait == WAIT_TENSOR))
      products += (double)x->samples - loads - samples_of(x, "selected") - samples_of(x, "not_selected");
  }
  return products > TIMES * data;
}

static bool overlaps(const struct sass_range *a, const struct sass_range *b) {
  return a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Another instruction of the innermost loop around a matrix instruction reads what that one sums up: it must be waited for there. */
static bool sums_are_read(const struct sass *s, size_t product) {
  size_t loop = s->blocks[s->block_of[product]].loop;
  const struct sass_inst *of = &s->insts[product];
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || x->class == SASS_TENSOR || !sass_in_loop(s, i, loop))
      continue;
    for (size_t w = 0; w < of->n_writes; w++)
      for (size_t r = 0; r < x->n_reads; r++)
        if (overlaps(&of->writes[w], &x->reads[r]))
          return true;
  }
  return false;
}

bool drains_products(const struct rule_input *in) {
  static const char *const ALL = "gsb0, 0x0";
  const struct sass *s = in->sass;
  bool begins = false, drains = false;
  for (size_t i = 0; s && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (x->never || x->wait != WAIT_TENSOR || !sass_repeats(s, i))
      continue;
    bool product = x->class == SASS_TENSOR, all = !product && strstr(x->text, ALL);
    if (product ? sums_are_read(s, i) : !all)
      return false;
    begins = begins || product;
    drains = drains || all;
  }
  return begins && drains;
}

bool begins_products(const struct rule_input *in) {
  const struct sass *s = in->sass;
  for (size_t i = 0; s && i < s->n; i++)
    if (s->insts[i].class == SASS_TENSOR && s->insts[i].wait == WAIT_TENSOR && s->executed[i] > 0)
      return true;
  return false;
}
