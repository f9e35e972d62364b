/* What the code alone says of how lanes share an access: sectors of global memory, banks of shared memory. */
#include "analysis/advice/static.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 32, SECTOR = 32 };

static void add(struct static_advice *a, const char *title, const char *unit, double v) {
  a->evidence[a->n_evidence++] = (struct evidence){title, unit, value_of(v)};
}

/* Sectors that a warp's access touches, over the least for its bytes. */
static double sectors_over(const struct sass_step *step, int bytes) {
  double least = fmax((double)bytes * LANES / SECTOR, 1);
  if (step->kind == STEP_TIMES)
    return LANES * fmax((double)bytes / SECTOR, 1) / least;
  if (step->kind != STEP_BYTES || step->bytes == 0)
    return 1;
  double span = (double)(LANES - 1) * (double)labs(step->bytes) + bytes;
  return fmin(ceil(span / SECTOR), LANES * fmax((double)bytes / SECTOR, 1)) / least;
}

/* An access that wastes so much is worth a word. */
static const double WASTES = 2;

struct accesses {
  size_t all, wasteful;
  size_t worst; /* the first of the most wasteful; SASS_NONE */
  double over;  /* its sectors */
};

static void accesses_of(struct accesses *out, const struct static_code *c) {
  *out = (struct accesses){.worst = SASS_NONE};
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    if (!static_in_loop(c, i) || x->bytes <= 0 || (x->class != SASS_LOAD_GLOBAL && x->class != SASS_STORE_GLOBAL))
      continue;
    double over = sectors_over(&c->steps[i], x->bytes);
    out->all++;
    out->wasteful += over >= WASTES;
    if (over >= WASTES && over > out->over) {
      out->worst = i;
      out->over = over;
    }
  }
}

bool static_strided(const struct static_code *c) {
  struct accesses a;
  accesses_of(&a, c);
  return a.wasteful > 0;
}

static const char *apart(struct static_code *c, const struct sass_step *step) {
  return step->kind == STEP_TIMES ? "a distance apart that is known at run time only (a row's length)"
                                  : pool_printf(&c->pool, "%ld bytes apart", labs(step->bytes));
}

bool static_uncoalesced(struct static_code *c, struct static_advice *out) {
  enum { ADJACENT = 16 };
  struct accesses a;
  accesses_of(&a, c);
  if (a.worst == SASS_NONE)
    return false;
  const struct sass_inst *x = &c->sass.insts[a.worst];
  const struct sass_step *step = &c->steps[a.worst];
  add(out, "global accesses of the loop", "inst", (double)a.all);
  add(out, "of these, strided", "inst", (double)a.wasteful);
  add(out, "sectors of the widest over those that its bytes need", "ratio", a.over);
  out->sentence = pool_printf(&c->pool, "neighbouring lanes of %s lie %s", x->text, apart(c, step));
  out->remedy =
      step->kind == STEP_BYTES && labs(step->bytes) <= ADJACENT
          ? "move each thread's adjacent elements at once (float2, float4), or use arrays in place of structs"
          : "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory";
  return true;
}

bool static_bank_conflicts(struct static_code *c, struct static_advice *out) {
  size_t all = 0, worst = SASS_NONE;
  int turns = 1;
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    if (!static_in_loop(c, i) || x->bytes <= 0 || (x->class != SASS_LOAD_SHARED && x->class != SASS_STORE_SHARED))
      continue;
    int own = c->steps[i].kind == STEP_BYTES ? sass_step_turns(c->steps[i].bytes, x->bytes) : 1;
    all++;
    worst = own > turns ? i : worst;
    turns = own > turns ? own : turns;
  }
  if (worst == SASS_NONE)
    return false;
  add(out, "shared-memory accesses of the loop", "inst", (double)all);
  add(out, "bytes between neighbouring lanes", "byte", (double)labs(c->steps[worst].bytes));
  add(out, "turns of the access", "cycle", turns);
  out->sentence =
      pool_printf(&c->pool, "neighbouring lanes of %s lie %ld bytes apart: %d of them share a bank and take turns",
                  c->sass.insts[worst].text, labs(c->steps[worst].bytes), turns);
  out->remedy = "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns";
  return true;
}
