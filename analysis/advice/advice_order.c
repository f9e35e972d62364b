#include "analysis/advice/advice_order.h"

#include "analysis/rules/rule_tools.h"
#include "analysis/rules/saving.h"
#include "analysis/signs/rereads.h"
#include "analysis/signs/waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double taken(const struct value *now, const struct value *after) {
  return fmax(or_zero(*now) - or_zero(*after), 0);
}

/* What one rule's remedy makes of the work. */
struct effect {
  const struct rule *rule;
  struct workload work;
  struct model model;
};

/* What the passes ask of. */
struct order {
  struct diagnosis *d;
  const struct rule_input *in;
  struct model now;
  struct effect *effects; /* of all advice, also of what is dropped */
};

static const struct effect *effect_of(const struct order *o, const struct advice *a) {
  const struct effect *e = o->effects;
  while (e->rule != a->rule)
    e++;
  return e;
}

static void effects_make(struct order *o) {
  o->effects = calloc(o->d->n + 1, sizeof *o->effects);
  for (size_t i = 0; i < o->d->n; i++) {
    struct effect *e = &o->effects[i];
    e->rule = o->d->items[i].rule;
    e->work = o->in->work;
    e->rule->change(o->in, &e->work);
    model_of(&e->model, &e->work, &o->in->all->rates);
  }
}

/* Seconds that it takes from a resource. */
static double takes(const struct order *o, const struct effect *e, int resource) {
  return taken(&o->now.seconds[resource], &e->model.seconds[resource]);
}

/* It takes what is worth telling from the row that binds.  What a warp waits for has no such row. */
static bool shortens_bound(const struct order *o, const struct advice *a) {
  enum bound_kind binds = o->in->f->bounds.binding;
  return binds != BOUND_LATENCY &&
         taken(&o->now.least[binds], &effect_of(o, a)->model.least[binds]) >= ADVICE_LEAST_SHARE * o->in->time_s;
}

/* Both relieve one bound: the second's remedy takes seconds from one that
 * the first's does, and from what binds where the first's does.  What
 * lets copies overlap takes from no row: all of them are hidden more. */
static bool relieves_too(const struct order *o, const struct advice *general, const struct advice *telling) {
  const struct effect *a = effect_of(o, general), *b = effect_of(o, telling);
  if (!(telling->rule->flags & RULE_REMAINDER) && shortens_bound(o, general) && !shortens_bound(o, telling))
    return false;
  for (int k = 0; k < RESOURCES; k++)
    if (takes(o, a, k) > 0 && takes(o, b, k) > 0)
      return true;
  return false;
}

/* Without the data stage's work for shared memory, which fewer loads do not
 * spare.  Whole where that is less than half: then loads keep the stage busy. */
static double l1_needs_for_loads(const struct rule_input *in) {
  static const double MOST = 0.5;
  double kept = part_kept(rule_value(in, "shared_wavefronts", 0), rule_value(in, "l1_wavefronts", 0));
  return bound_needs(in, BOUND_L1) * (kept > MOST ? 1 : kept);
}

static bool memories_need_less(const struct rule_input *in, double part) {
  return bound_needs(in, BOUND_DRAM) < part && bound_needs(in, BOUND_L2) < part && l1_needs_for_loads(in) < part;
}

/* The bytes that the advice is about keep nothing waiting.  Bytes that caches
 * deliver again, and DRAM does not send: no memory is half busy, and warps
 * wait for none of them.  DRAM's: none is a fifth busy, and the grid leaves
 * SMs without a block. */
static bool bytes_keep_nothing(const struct order *o, const struct advice *a) {
  static const double BUSY = 0.5, IDLE = 0.2;
  const struct rule_input *in = o->in;
  if (a->rule->flags & RULE_BYTES_OF_CACHES)
    return memories_need_less(in, BUSY) && !rereads_are_waited_for(in) &&
           taken(&in->work.dram_read, &effect_of(o, a)->work.dram_read) <= 0;
  bool few = grid_blocks(in) > 0 && grid_blocks(in) < sms_of(in);
  return (a->rule->flags & RULE_BYTES) && few && memories_need_less(in, IDLE);
}

/* The work of one is part of the other's: from each row that the general
 * remedy takes much from, the telling one takes half as much or more. */
static bool is_same_work(const struct order *o, const struct advice *general, const struct advice *telling) {
  static const double MUCH = 0.25;
  const struct effect *a = effect_of(o, general), *b = effect_of(o, telling);
  double most_s = 0;
  for (int k = 0; k < RESOURCES; k++)
    most_s = fmax(most_s, takes(o, a, k));
  for (int k = 0; k < RESOURCES; k++)
    if (takes(o, a, k) > MUCH * most_s && takes(o, b, k) < takes(o, a, k) / 2)
      return false;
  return most_s > 0;
}

static struct advice *advice_flagged(const struct diagnosis *d, enum rule_flag flag) {
  for (size_t i = 0; i < d->n; i++)
    if (d->items[i].rule->flags & flag)
      return &d->items[i];
  return NULL;
}

static void advice_drop(struct diagnosis *d, struct advice *a) {
  d->n--;
  memmove(a, a + 1, (size_t)(d->items + d->n - a) * sizeof *a);
}

/* --- the passes, in the order of advice_order() --- */

/* What waits for loads is DRAM's queue where DRAM is what the time goes into: no other reason is
 * told for the same stalls. */
static void queue_is_said_once(struct diagnosis *d) {
  const struct advice *dram = advice_flagged(d, RULE_FULL_DRAM);
  bool queues = dram && dram->told.stop;
  for (size_t i = d->n; queues && i-- > 0;)
    if (d->items[i].rule->flags & RULE_DRAM_QUEUE)
      advice_drop(d, &d->items[i]);
}

/* Launches that are fused to keep their arrays in registers are fewer, too. */
static void fusing_is_said_once(const struct order *o) {
  const struct advice *bytes = advice_flagged(o->d, RULE_BYTES);
  struct advice *launching = advice_flagged(o->d, RULE_LAUNCHING);
  if (bytes && launching && o->in->work.launches > 1 && bytes->price.saves_s >= launching->price.saves_s &&
      effect_of(o, bytes)->work.launches <= 1)
    advice_drop(o->d, launching);
}

/* Of the advice on the same work that saves as much or
 * more, the one that saves the most.  NULL: none. */
static const struct advice *cause_of(const struct order *o, const struct advice *a) {
  const struct advice *cause = NULL;
  for (size_t k = 0; k < o->d->n; k++) {
    const struct advice *b = &o->d->items[k];
    if (b != a && !b->told.general && !(b->rule->flags & RULE_REMAINDER) && b->price.saves_s >= a->price.saves_s &&
        !bytes_keep_nothing(o, b) && (!cause || b->price.saves_s > cause->price.saves_s) && is_same_work(o, a, b))
      cause = b;
  }
  return cause;
}

/* General advice stands after telling advice that gives at least half as much of the same.  What
 * is general of this finding alone names a cause, too, which the other is no more specific than. */
static void general_yields(const struct order *o) {
  const struct diagnosis *d = o->d;
  for (size_t i = 0; i < d->n; i++) {
    struct advice *a = &d->items[i];
    const struct advice *beside = NULL; /* the one that saves the most */
    double own_s = a->rank_s;
    for (size_t k = 0; k < d->n && a->told.general; k++) {
      const struct advice *b = &d->items[k];
      if (b->told.general || b->price.saves_s < a->price.saves_s / 2 || b->price.saves_s >= own_s ||
          bytes_keep_nothing(o, b) || !relieves_too(o, a, b))
        continue;
      /* Beside it, in the order of their rows.  Behind the remainder's, whose row is the last:
       * it names a cause only where a loop waits for its own copies. */
      a->rank_s = fmin(a->rank_s, b->rule->flags & RULE_REMAINDER ? nextafter(b->price.saves_s, 0) : b->price.saves_s);
      beside = beside && beside->price.saves_s >= b->price.saves_s ? beside : b;
    }
    const struct advice *cause = beside ? cause_of(o, a) : NULL;
    if (beside)
      a->behind =
          cause ? pool_printf(o->in->pool, "largely the same saving as [%s], which names the cause: do that first",
                              cause->rule->name)
                : pool_printf(o->in->pool, "listed behind [%s]: that is more specific, and their savings overlap",
                              beside->rule->name);
  }
}

/* Advice that says only that warps wait is ranked by what it saves after all other advice; it is
 * dropped where that is not worth telling. */
static void remainder_yields(struct diagnosis *d, const struct rule_input *in) {
  struct workload others = in->work, all;
  struct advice *rest = advice_flagged(d, RULE_REMAINDER);
  bool others_stand = false;
  if (!rest || !rest->told.general)
    return;
  for (size_t i = 0; i < d->n; i++) {
    if (&d->items[i] == rest)
      continue;
    d->items[i].rule->change(in, &others);
    others_stand = others_stand || !d->items[i].doubted;
  }
  all = others;
  rest->rule->change(in, &all);
  double beyond_s = fmax(saving_of(in, &all) - saving_of(in, &others), 0);
  if (beyond_s >= rest->rank_s)
    return;
  if (others_stand && beyond_s < ADVICE_LEAST_SHARE * in->time_s) {
    advice_drop(d, rest);
    return;
  }
  rest->rank_s = beyond_s;
  rest->behind = pool_printf(in->pool, "%.0f %% if all other advice is done first", 100 * beyond_s / in->time_s);
}

/* A remedy that another rule's includes stands right behind that one. */
static void lesser_yields(struct diagnosis *d) {
  for (size_t i = 0; i < d->n; i++) {
    struct advice *a = &d->items[i];
    const struct advice *b = a->told.yields_to ? diagnosis_find(d, a->told.yields_to) : NULL;
    if (!b || a->rank_s < b->rank_s)
      continue;
    a->rank_s = nextafter(b->rank_s, 0);
    a->behind = a->told.yields_why;
  }
}

/* Bytes that keep nothing waiting: those of caches are told last, DRAM's not first. */
static void bytes_yield(const struct order *o) {
  const struct diagnosis *d = o->d;
  const struct advice *first = NULL, *last = NULL;
  for (size_t i = 0; i < d->n; i++) {
    const struct advice *a = &d->items[i];
    if ((a->rule->flags & (RULE_BYTES | RULE_BYTES_OF_CACHES | RULE_REMAINDER)) || a->doubted)
      continue;
    first = !first || a->rank_s > first->rank_s ? a : first;
    last = !last || a->rank_s < last->rank_s ? a : last;
  }
  for (size_t i = 0; i < d->n && first; i++) {
    struct advice *a = &d->items[i];
    bool of_caches = a->rule->flags & RULE_BYTES_OF_CACHES;
    double most_s = of_caches ? last->rank_s : first->rank_s;
    if (!bytes_keep_nothing(o, a) || a->rank_s < most_s)
      continue;
    a->rank_s = nextafter(most_s, 0);
    a->behind = of_caches ? "listed last: no memory is over half busy with loads, so fewer bytes may save less"
                          : "listed later: no memory is over a fifth busy, so fewer bytes may save less";
  }
}

/* Where starting and ending a launch is most of its time, that comes first: no
 * other remedy shortens it, whatever is estimated of a few microseconds. */
static void launching_leads(struct diagnosis *d, const struct rule_input *in) {
  static const double MOST = 0.5;
  struct advice *launching = advice_flagged(d, RULE_LAUNCHING);
  const struct bounds *b = &in->f->bounds;
  double whole_s = b->whole.present ? b->whole.v : in->time_s;
  double starts_s = or_zero(b->model.least[BOUND_LAUNCH]) - bounds_blocks_s(b);
  if (!launching || starts_s <= MOST * fmax(whole_s, or_zero(b->model.least[BOUND_LAUNCH])))
    return;
  for (size_t i = 0; i < d->n; i++) {
    struct advice *a = &d->items[i];
    if (a == launching || a->rank_s < launching->rank_s)
      continue;
    a->behind = "launch and ramp have most of the time";
    launching->rank_s = nextafter(a->rank_s, INFINITY);
  }
}

static double dram_bytes(const struct workload *w) {
  return or_zero(w->dram_read) + or_zero(w->dram_write);
}

static bool moves_fewer(const struct order *o, const struct advice *a) {
  return dram_bytes(&effect_of(o, a)->work) < dram_bytes(&o->in->work);
}

/* It shortens a row that is half as long as DRAM's or longer; a
 * shorter one takes under 4 % of the time, by the model's norm. */
static bool shortens_long_row(const struct order *o, const struct advice *a) {
  static const double HALF = 0.5;
  const struct value *after = effect_of(o, a)->model.least;
  for (int k = 0; k < BOUND_KINDS; k++)
    if (k != BOUND_LATENCY && or_zero(after[k]) < or_zero(o->now.least[k]) &&
        bound_needs(o->in, (enum bound_kind)k) >= HALF * bound_needs(o->in, BOUND_DRAM))
      return true;
  return false;
}

/* What is general says of a pipe or of issuing what is said of a full DRAM with more right. */
static void general_follows_dram(const struct order *o, const struct advice *dram) {
  for (size_t i = 0; i < o->d->n; i++) {
    struct advice *a = &o->d->items[i];
    if (a->told.general && a->rank_s >= dram->rank_s && !moves_fewer(o, a) && !shortens_long_row(o, a))
      a->rank_s = nextafter(dram->rank_s, 0);
  }
}

/* That DRAM is nearly full is said behind what relieves another row that binds more than it. */
static void dram_follows_bound(const struct order *o, struct advice *dram) {
  const struct advice *a = o->d->items;
  for (size_t i = 0; i < o->d->n && o->in->f->bounds.binding != BOUND_DRAM; i++)
    if (&a[i] != dram && shortens_bound(o, &a[i]))
      dram->rank_s = fmin(dram->rank_s, nextafter(a[i].rank_s, 0));
}

/* Only fewer bytes help a full DRAM.  Where it is nearly full, advice that moves fewer stands before
 * it.  Where that saves more than what stands beside DRAM, a full one is no reason to stop. */
static void dram_yields(const struct order *o) {
  const struct diagnosis *d = o->d;
  struct advice *dram = advice_flagged(d, RULE_FULL_DRAM);
  double fewer_s = 0;
  for (size_t i = 0; i < d->n; i++)
    fewer_s = moves_fewer(o, &d->items[i]) ? fmax(fewer_s, d->items[i].price.saves_s) : fewer_s;
  if (dram && !dram->told.stop && fewer_s > 0)
    dram->rank_s = fmin(dram->rank_s, nextafter(fewer_s, 0));
  if (dram && !dram->told.stop)
    general_follows_dram(o, dram);
  if (dram && !dram->told.stop)
    dram_follows_bound(o, dram);
  if (!dram || !dram->told.stop || fewer_s < (1 - DRAM_ALONE) * o->in->time_s)
    return;
  dram->told.stop = false;
  dram->told.helps = NULL;
  dram->told.remedy = "follow the advice that moves fewer bytes first: nothing else makes DRAM faster";
}

/* Only fewer bytes help: how what moves as many goes with that. */
static void stop_explains(const struct order *o) {
  const struct advice *dram = advice_flagged(o->d, RULE_FULL_DRAM);
  for (size_t i = 0; i < o->d->n && dram && dram->told.stop; i++) {
    struct advice *a = &o->d->items[i];
    if (a->price.saves_s > 0 && !a->behind && !moves_fewer(o, a))
      a->behind = a->price.saves_s < MODEL_ERROR * o->in->time_s ? "too small to be sure of" : "beside DRAM";
  }
}

static int by_rank(const void *a, const void *b) {
  const struct advice *x = a, *y = b;
  int doubted = x->doubted - y->doubted;
  int stop = y->told.stop - x->told.stop, rank = (y->rank_s > x->rank_s) - (y->rank_s < x->rank_s);
  return doubted ? doubted
         : stop  ? stop
         : rank  ? rank
                 : (x->rule > y->rule) - (x->rule < y->rule); /* rows of one table */
}

/* A reader is told why advice does not stand where its saving would have it. */
static void places_explain(struct diagnosis *d) {
  double least_s = INFINITY;
  for (size_t i = 0; i < d->n; i++) {
    struct advice *a = &d->items[i];
    if (a->doubted)
      a->behind = "behind all that rests on no impossible value";
    if (a->price.saves_s <= least_s)
      a->behind = NULL;
    if (a->price.saves_s > 0)
      least_s = fmin(least_s, a->price.saves_s);
  }
}

/* Two remedies that pull opposite ways are not told without a word. */
static void registers_are_spared(struct diagnosis *d) {
  bool spares = false;
  for (size_t i = 0; i < d->n; i++)
    spares = spares || d->items[i].told.spares_registers;
  for (size_t i = 0; i < d->n && spares; i++)
    if (d->items[i].told.frugal)
      d->items[i].told.remedy = d->items[i].told.frugal;
}

/* Of two that ask for larger and for smaller tiles, the later has another remedy where there is one. */
static void tiles_agree(struct diagnosis *d) {
  int first = 0;
  for (size_t i = 0; i < d->n; i++) {
    struct told *t = &d->items[i].told;
    if (first * t->tiles < 0 && t->tiles_else)
      t->remedy = t->tiles_else;
    first = first ? first : t->tiles;
  }
}

void advice_order(struct diagnosis *d, const struct rule_input *in) {
  struct order o = {.d = d, .in = in};
  model_of(&o.now, &in->work, &in->all->rates);
  effects_make(&o);
  queue_is_said_once(d);
  fusing_is_said_once(&o);
  general_yields(&o);
  remainder_yields(d, in);
  lesser_yields(d);
  bytes_yield(&o);
  launching_leads(d, in);
  dram_yields(&o);
  qsort(d->items, d->n, sizeof *d->items, by_rank);
  places_explain(d);
  stop_explains(&o);
  registers_are_spared(d);
  tiles_agree(d);
  free(o.effects);
}
