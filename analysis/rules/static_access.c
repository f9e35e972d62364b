/* What the code alone says of how lanes share an access: sectors of global memory, banks of shared memory. */
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/static.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = RULE_LANES };

static bool is_access(const struct static_code *c, size_t i) {
  const struct sass_inst *x = &c->sass.insts[i];
  return static_in_loop(c, i) && sass_is_global(x);
}

/* Near by, of one kind and one base, and less than a step away: pieces of what a thread has between its neighbours'. */
static bool is_piece(const struct static_code *c, size_t i, size_t k) {
  const struct sass_inst *x = &c->sass.insts[i], *y = &c->sass.insts[k];
  long between;
  return is_access(c, k) && y->class == x->class && c->steps[k].bytes == c->steps[i].bytes &&
         sass_bytes_between(x, y, &between) && labs(between) < labs(c->steps[i].bytes);
}

/* A thread's pieces fill its step, so that no byte of what the warp touches is in vain. */
static bool fills_its_step(const struct static_code *c, size_t i) {
  size_t from = i > ACCESSES_NEAR ? i - ACCESSES_NEAR : 0;
  long bytes = 0;
  for (size_t k = from; k < c->sass.n && k < i + ACCESSES_NEAR; k++)
    bytes += is_piece(c, i, k) ? c->sass.insts[k].bytes : 0;
  return bytes >= labs(c->steps[i].bytes);
}

/* Sectors that a warp's access touches; the least for its bytes where they are not known, or pieces as wide as can be fill what it touches. */
static double sectors_of(const struct static_code *c, size_t i, double least) {
  const struct sass_inst *x = &c->sass.insts[i];
  const struct sass_step *step = &c->steps[i];
  if (step->kind == STEP_TIMES) /* of its own each */
    return LANES;
  if (step->kind != STEP_BYTES || step->bytes == 0 || (x->bytes >= LANE_BYTES_MOST && fills_its_step(c, i)))
    return least;
  return fmin(ceil(((double)(LANES - 1) * (double)labs(step->bytes) + x->bytes) / SECTOR_BYTES), LANES);
}

/* As many sectors in vain as are needed. */
static const double WASTES = 2;

struct strided {
  size_t all, wasteful;
  size_t worst;          /* the first of the most wasteful; SASS_NONE: the loop is not */
  double over;           /* its sectors over the least for its bytes */
  double sectors, least; /* of all */
};

static void strided_of(struct strided *out, const struct static_code *c) {
  *out = (struct strided){.worst = SASS_NONE};
  for (size_t i = 0; i < c->sass.n; i++) {
    if (!is_access(c, i))
      continue;
    double least = (double)c->sass.insts[i].bytes * LANES / SECTOR_BYTES, sectors = sectors_of(c, i, least);
    out->all++;
    out->sectors += sectors;
    out->least += least;
    out->wasteful += sectors >= WASTES * least;
    if (sectors >= WASTES * least && sectors / least > out->over) {
      out->worst = i;
      out->over = sectors / least;
    }
  }
  if (out->sectors < WASTES * out->least)
    out->worst = SASS_NONE;
}

bool static_strided(const struct static_code *c) {
  struct strided a;
  strided_of(&a, c);
  return a.worst != SASS_NONE;
}

static const char *apart(struct static_code *c, const struct sass_step *step) {
  return step->kind == STEP_TIMES ? "a distance apart that is known at run time only (a row's length)"
                                  : pool_printf(&c->pool, "%ld bytes apart", labs(step->bytes));
}

bool static_uncoalesced(struct static_code *c, struct told *out) {
  struct strided a;
  strided_of(&a, c);
  if (a.worst == SASS_NONE)
    return false;
  const struct sass_inst *x = &c->sass.insts[a.worst];
  const struct sass_step *step = &c->steps[a.worst];
  evidence_add(out, "global accesses of the loop", "inst", value_of((double)a.all));
  evidence_add(out, "of these, strided", "inst", value_of((double)a.wasteful));
  evidence_add(out, "sectors of the loop over those that its bytes need", "ratio", value_of(a.sectors / a.least));
  out->sentence = pool_printf(&c->pool, "neighbouring lanes of %s lie %s", x->text, apart(c, step));
  out->remedy =
      step->kind == STEP_BYTES && fills_its_step(c, a.worst)
          ? "move each thread's adjacent elements at once (float2, float4), or use arrays in place of structs"
          : "let neighbouring lanes take neighbouring elements (swap the indices' roles), or stage a tile through shared memory";
  return true;
}

static bool is_shared(const struct static_code *c, size_t i) {
  const struct sass_inst *x = &c->sass.insts[i];
  return static_in_loop(c, i) && x->bytes > 0 && (x->class == SASS_LOAD_SHARED || x->class == SASS_STORE_SHARED);
}

static int turns_of(const struct static_code *c, size_t i) {
  return c->steps[i].kind == STEP_BYTES ? sass_step_turns(c->steps[i].bytes, c->sass.insts[i].bytes) : 1;
}

double static_bank_turns(const struct static_code *c) {
  enum { TURN_BYTES = 128 };
  double all = 0;
  bool conflicts = false;
  for (size_t i = 0; i < c->sass.n; i++) {
    int own = is_shared(c, i) ? turns_of(c, i) : 1;
    if (is_shared(c, i) || is_access(c, i))
      all += fmax((double)c->sass.insts[i].bytes * LANES / TURN_BYTES, own);
    conflicts = conflicts || own > 1;
  }
  return conflicts ? all : 0;
}

bool static_bank_conflicts(struct static_code *c, struct told *out) {
  size_t all = 0, worst = SASS_NONE;
  int turns = 1;
  for (size_t i = 0; i < c->sass.n; i++) {
    if (!is_shared(c, i))
      continue;
    int own = turns_of(c, i);
    all++;
    worst = own > turns ? i : worst;
    turns = own > turns ? own : turns;
  }
  if (worst == SASS_NONE)
    return false;
  evidence_add(out, "shared-memory accesses of the loop", "inst", value_of((double)all));
  evidence_add(out, "bytes between neighbouring lanes", "byte", value_of((double)labs(c->steps[worst].bytes)));
  evidence_add(out, "turns of the access", "cycle", value_of(turns));
  out->sentence =
      pool_printf(&c->pool, "neighbouring lanes of %s lie %ld bytes apart: %d of them share a bank and take turns",
                  c->sass.insts[worst].text, labs(c->steps[worst].bytes), turns);
  out->remedy = "pad the rows of the shared array by one word (tile[32][33]) or swizzle its columns";
  return true;
}
