#include "analysis/signs/gathers.h"

#include "analysis/idioms/advance.h"
#include "analysis/idioms/follows.h"
#include "analysis/idioms/origins.h"
#include "analysis/signs/about.h"

#include <math.h>

bool same_code_line(const struct sass *s, size_t i, size_t k) {
  const struct run_instruction *a = &s->kernel->sass[i], *b = &s->kernel->sass[k];
  return i == k || (a->n_lines > 0 && b->n_lines > 0 && a->lines[0].source == b->lines[0].source &&
                    a->lines[0].line == b->lines[0].line);
}

static bool loads_in_loop(const struct sass *s, size_t at, size_t loop) {
  const struct sass_inst *x = &s->insts[at];
  return (x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED) && s->blocks[s->block_of[at]].loop == loop;
}

/* What is loaded in the same turn, and no row's begin, says what each lane accesses. */
static bool is_gather(struct sass *s, size_t i) {
  const struct sass_range *place = about_accesses(&s->insts[i]) ? sass_place(&s->insts[i]) : NULL;
  return place && s->executed[i] != 0 && sass_place_is_chosen(s, i) &&
         sass_comes_from(s, i, place, loads_in_loop, s->blocks[s->block_of[i]].loop);
}

size_t gather_at(const struct rule_input *in, const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t i = at ? (size_t)(at - s->kernel->sass) : SASS_NONE, k = 0;
  while (at && k < s->n && !(same_code_line(s, i, k) && is_gather(s, k)))
    k++;
  return at && k < s->n ? k : SASS_NONE;
}

/* Sectors of an access beyond those that its bytes fill; *counted: they are known. */
static double excess_of(const struct rule_input *in, size_t i, bool *counted) {
  const struct run_result *r = in->f->result;
  for (size_t k = 0; k < r->n_counts; k++) {
    const struct run_count *c = &r->counts[k];
    if (c->global_sectors >= 0 && c->global_sectors_ideal >= 0 && c->offset == in->sass->insts[i].offset &&
        in->sass->kernel == &in->all->run->modules[c->module].kernels[c->kernel]) {
      *counted = true;
      return fmax(c->global_sectors - c->global_sectors_ideal, 0);
    }
  }
  return 0;
}

bool lanes_walk_runs(const struct rule_input *in, const struct run_instruction *at) {
  struct sass *s = in->sass;
  size_t i = at ? (size_t)(at - s->kernel->sass) : SASS_NONE;
  long threads = in->f->launch ? (long)launch_block_threads(in->f->launch) : 0;
  double runs[2] = {0}, gathers[2] = {0}; /* executions, sectors in vain */
  bool counted = false, walks = false;
  for (size_t k = 0; at && k < s->n; k++) {
    bool turns = s->blocks[s->block_of[k]].loop != SASS_NONE; /* beside loops starts and elements are not told apart */
    if (s->insts[k].class != SASS_LOAD_GLOBAL || s->insts[k].never || s->executed[k] == 0 || !turns ||
        !same_code_line(s, i, k) || !sass_place_is_chosen(s, k))
      continue;
    double *of = is_gather(s, k) ? gathers : runs;
    walks = walks || (of == runs && sass_advance_of(s, k, threads) == ADVANCE_OWN);
    of[0] += s->counted ? s->executed[k] : 1;
    of[1] += excess_of(in, k, &counted);
  }
  return walks && runs[counted] >= gathers[counted];
}

/* Blocks whose numbers the place is made of have tables of their own; all tables together are no more than DRAM sent and the L2 held. */
double gathered_table(const struct rule_input *in, size_t gather) {
  static const char *const numbers[] = {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"};
  static const double AGAIN = 2;
  const struct run_launch *l = in->f->launch;
  double tables = 1, all = rule_value(in, "dram_read_bytes", INFINITY) + held_by_l2(in);
  if (!l || in->sass->insts[gather].class != SASS_LOAD_GLOBAL || sass_place_is_made_of(in->sass, gather, "SR_TID"))
    return 0;
  for (int k = 0; k < 3; k++)
    tables *= l->grid[k] > 1 && sass_place_is_made_of(in->sass, gather, numbers[k]) ? l->grid[k] : 1;
  bool shared = tables < grid_blocks(in) && rule_value(in, "l2_read_bytes", 0) >= AGAIN * all;
  double bytes = all / tables;
  return shared && tables >= in->all->device->sms && bytes > 0 && bytes <= in->all->device->smem_optin ? bytes : 0;
}
