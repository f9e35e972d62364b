#include "analysis/signs/product_waits.h"

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

bool begins_products(const struct rule_input *in) {
  const struct sass *s = in->sass;
  for (size_t i = 0; s && i < s->n; i++)
    if (s->insts[i].class == SASS_TENSOR && s->insts[i].wait == WAIT_TENSOR && s->executed[i] > 0)
      return true;
  return false;
}
