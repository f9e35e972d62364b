#include "analysis/advice/better_code.h"

#include "analysis/sass/products.h"
#include "analysis/sass/store_blocks.h"

/* Each input is used for more products than there are inputs in one: roots of inputs are fewer than roots of products. */
static bool inputs_are_used_again(const struct rule_input *in) {
  static const double INPUTS = 2;
  double least = least_bytes(in);
  return least > 0 && load_bytes(in) > INPUTS * least;
}

const char *const *special_words(const struct rule_input *in, enum mix_kind k) {
  static const char *const of_products[] = {"square roots of products",
                                            "take each input's root before, where none is negative"},
                           *const roots[] = {"square roots", "-prec-sqrt=false, or x == 0 ? 0 : x * rsqrtf(x)"};
  if (k != MIX_ROOTS)
    return NULL;
  return sass_of_products(in->sass, "RSQ") && inputs_are_used_again(in) ? of_products : roots;
}

void stores_block_loads(struct advice *out, const struct rule_input *in) {
  struct sass_summary summary;
  struct sass_store_blocks x;
  if (!in->sass || out->unpriced || ring_bytes(in).present)
    return;
  sass_summarise(in->sass, &summary);
  if (!sass_store_blocks(&x, in->sass, summary.stream))
    return;
  out->remedy =
      x.same_place
          ? "keep the sum in a register and store it after the loop; mark pointers const __restrict__, so that loads can move ahead of stores"
          : "mark pointers const __restrict__, so that loads can move ahead of the loop's stores, then issue more loads before the first use";
}
