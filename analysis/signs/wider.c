#include "analysis/signs/wider.h"

#include "analysis/idioms/advance.h"
#include "analysis/sass/sass.h"
#include "analysis/signs/accesses.h"

#include <math.h>
#include <stdlib.h>

static bool stands_beside(const struct sass_inst *x, const struct sass_inst *y) {
  long between;
  return sass_bytes_between(x, y, &between) && x->bytes == y->bytes && labs(between) == x->bytes;
}

/* In one block, or in two that are passed one behind the other: a rare way between them, as a division's, ends a block. */
static bool run_together(struct sass *s, size_t i, size_t k) {
  static const double ALIKE = 0.9; /* of counts that samples estimate */
  size_t a = s->block_of[i], b = s->block_of[k];
  double n = s->executed[i], m = s->executed[k];
  return a == b || (s->counted && fmin(n, m) >= ALIKE * fmax(n, m) && s->blocks[a].loop == s->blocks[b].loop &&
                    (sass_dominates(s, a, b) || sass_dominates(s, b, a)) && sass_same_base(s, i, k));
}

bool pieces_beside(struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  bool found = false;
  for (size_t k = i > ACCESSES_NEAR ? i - ACCESSES_NEAR : 0; k < s->n && k < i + ACCESSES_NEAR && !found; k++)
    found = s->insts[k].class == x->class && stands_beside(x, &s->insts[k]) && run_together(s, i, k);
  return found;
}

bool access_beside(struct sass *s, size_t i) {
  return s->insts[i].bytes < LANE_BYTES_MOST && pieces_beside(s, i);
}

/* Bytes from the first to the last of the accesses in a row that stand near. */
static long row_of_pieces(struct sass *s, size_t i) {
  long first = 0, last = 0, at; /* from this one */
  for (bool more = true; more;) {
    more = false;
    for (size_t k = 0; k < s->n; k++) {
      const struct sass_inst *x = &s->insts[k];
      if (x->class != s->insts[i].class || x->bytes != s->insts[i].bytes || !sass_bytes_between(&s->insts[i], x, &at) ||
          (at != first - x->bytes && at != last + x->bytes) || !run_together(s, i, k))
        continue;
      more = true;
      *(at < first ? &first : &last) = at;
    }
  }
  return last - first + s->insts[i].bytes;
}

int pieces_wide(const struct rule_input *in, size_t i) {
  if (!access_beside(in->sass, i))
    return 0;
  struct sass_step *steps = rule_steps_make(in);
  long row = row_of_pieces(in->sass, i);
  bool fill = steps[i].kind == STEP_BYTES && labs(steps[i].bytes) == row;
  free(steps);
  if (!fill || (row % LANE_BYTES_MOST != 0 && row != LANE_BYTES_MOST / 2 && row != LANE_BYTES_MOST / 4))
    return 0;
  return row < LANE_BYTES_MOST ? (int)row : LANE_BYTES_MOST;
}

/* Wider lanes are fewer, or make fewer turns of their loop: those that the chip holds at once must stay. */
static bool lanes_abound(const struct rule_input *in, size_t i, bool turns) {
  double wave = or_zero(in->work.blocks_per_sm) * in->all->device->sms, blocks = or_zero(in->work.blocks);
  double warps = blocks * or_zero(in->work.warps_per_block);
  double each = turns && warps > 0 ? fmax(in->sass->executed[i] / warps, 1) : 1;
  return wave <= 0 || blocks <= 0 || each * blocks * in->sass->insts[i].bytes / LANE_BYTES_MOST >= wave;
}

/* Where the code does not say how far apart lanes lie, the loads' sectors may: no more than their bytes fill. */
static bool loads_are_in_order(const struct rule_input *in) {
  struct accesses loads, stores;
  accesses_of(&loads, &stores, in);
  double least = loads.ideal + loads.spare;
  return least > 0 && loads.sectors <= ACCESS_SLACK * least && loads.sectors * ACCESS_SLACK >= least;
}

static enum wider wider_of(const struct rule_input *in, size_t i, const struct sass_step *step, bool in_order) {
  struct sass *s = in->sass;
  const struct sass_inst *x = &s->insts[i];
  if (x->bytes >= LANE_BYTES_MOST)
    return WIDER_NOT;
  if (access_beside(s, i))
    return WIDER_BESIDE;
  if (x->class == SASS_LOAD_GLOBAL && sass_reads_loaded(s, i)) /* looked up */
    return WIDER_NOT;
  enum sass_advance by = sass_advance_of(s, i, (long)launch_block_threads(in->f->launch));
  bool in_line = (step->kind == STEP_BYTES && step->bytes == x->bytes) ||
                 (step->kind == STEP_UNKNOWN && in_order && x->class == SASS_LOAD_GLOBAL);
  if (by == ADVANCE_OWN)
    return WIDER_BESIDE;
  if (!in_line)
    return WIDER_NOT;
  return by == ADVANCE_OTHER ? WIDER_ROWS : lanes_abound(in, i, by == ADVANCE_LAUNCH) ? WIDER_LANES : WIDER_NOT;
}

unsigned char *wider_make(const struct rule_input *in) {
  struct sass *s = in->sass;
  if (!s || !s->counted)
    return NULL;
  struct sass_step *steps = rule_steps_make(in);
  unsigned char *of = calloc(s->n + 1, 1);
  bool in_order = loads_are_in_order(in);
  for (size_t i = 0; i < s->n; i++)
    if (sass_is_global(&s->insts[i]) && s->executed[i] > 0)
      of[i] = (unsigned char)wider_of(in, i, &steps[i], in_order);
  free(steps);
  return of;
}

enum wider wider_loads(const struct rule_input *in, bool *known) {
  double n[WIDER_KINDS] = {0};
  unsigned char *of = wider_make(in);
  enum wider most = WIDER_NOT;
  *known = of != NULL;
  for (size_t i = 0; of && i < in->sass->n; i++)
    if (in->sass->insts[i].class == SASS_LOAD_GLOBAL && in->sass->executed[i] > 0)
      n[of[i]] += in->sass->executed[i];
  for (enum wider k = WIDER_NOT; k < WIDER_KINDS; k++)
    most = n[k] > n[most] ? k : most;
  free(of);
  return most;
}

int bytes_in_line(const struct rule_input *in, const struct run_instruction *load) {
  enum { MOST = 2 };
  size_t i = load && in->sass ? sass_find(in->sass, load->offset) : SASS_NONE;
  if (i == SASS_NONE || &in->sass->kernel->sass[i] != load || in->sass->insts[i].class != SASS_LOAD_GLOBAL ||
      in->sass->insts[i].bytes > MOST)
    return 0;
  unsigned char *of = wider_make(in);
  bool joins = of && of[i] == WIDER_LANES;
  free(of);
  return joins ? in->sass->insts[i].bytes : 0;
}
