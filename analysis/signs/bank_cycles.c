#include "analysis/signs/bank_cycles.h"

#include <math.h>

/* The fullest of 32 banks has 3.5 of 32 words at random places, in the mean; wider accesses, which go by halves and quarters of a warp, and lanes that share a
 * word meet less. */
static const double RANDOM_TURNS = 3.5, LAYOUT_TURNS = 4.5;

double bank_conflict_cycles(const struct rule_input *in, double *all) {
  const struct run_result *r = in->f->result;
  double cycles = 0, ideal = 0, counted = rule_value(in, "shared_wavefronts", 0);
  for (size_t i = 0; i < r->n_counts; i++)
    if (r->counts[i].shared_wavefronts > 0 && r->counts[i].shared_wavefronts_ideal >= 0) {
      cycles += r->counts[i].shared_wavefronts;
      ideal += r->counts[i].shared_wavefronts_ideal;
    }
  double by_counter = rule_value(in, "shared_bank_conflicts", 0);
  *all = fmax(cycles, counted);
  return fmin(fmax(cycles - ideal, by_counter), *all);
}

bool bank_turns_by_layout(const struct bank_places *x, double turns) {
  return x->by_data && turns > LAYOUT_TURNS;
}

double bank_cycles_of_random(const struct rule_input *in) {
  struct bank_places x;
  double all, least = -bank_conflict_cycles(in, &all);
  least += all;
  if (least <= 0 || all <= LAYOUT_TURNS * least)
    return 0;
  bank_places_of(&x, in);
  return bank_turns_by_layout(&x, all / least) ? (RANDOM_TURNS - 1) * least : 0;
}

bool lanes_hold_shared(const struct rule_input *in) {
  enum { REGISTERS_EACH = 32, WORD = 4 };
  const struct run_launch *l = in->f->launch;
  return !l || l->smem_static + l->smem_dynamic <= (long)RULE_LANES * REGISTERS_EACH * WORD;
}
