#include "analysis/signs/product_waits.h"

double barriers_part_of_products(const struct rule_input *in) {
  double all = 0, own = 0;
  for (size_t k = 0; in->sass && k < in->hot->n_insts; k++) {
    const struct hot_inst *x = &in->hot->insts[k];
    double n = hot_samples_of(x, "barrier");
    all += n;
    own += rule_is_ours(in, x) && in->sass->insts[x->at].wait == WAIT_TENSOR ? n : 0;
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
