#include "analysis/sass/sass_walk.h"

#include "analysis/sass/sass_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 1 << 22, STEPS_WANTED = 1 << 15, WARPS_MAX = 16, CALLS_MAX = 8, SECTOR = 32, WORD = 4, BANKS = 32 };
/* Fibonacci hashing of sectors: rows often lie powers of two apart. */
enum { KEPT_BITS = 13, SPREAD_SHIFT = 64 - KEPT_BITS };
static const uint64_t SPREAD = 0x9E3779B97F4A7C15;

struct ready { /* of a register */
  double at;
  bool loads; /* a load brings it */
};

struct walker {
  struct sass_walk *w;
  struct sass *s;
  const struct sass_does *does; /* by instruction */
  bool *decided;                /* by loop: that a way out of it rests on what is known */
  struct sass_lanes lanes;
  uint32_t pc[WARP_LANES]; /* instruction; s->n: it has ended */
  size_t calls[WARP_LANES][CALLS_MAX], depth[WARP_LANES];
  double now, alu_free, l1_free;
  struct ready ready[SASS_BITS];
  uint64_t seen[1 << KEPT_BITS]; /* sectors that the warp has asked for */
};

/* --- time --- */

static size_t bit_of(const struct sass_range *r, int k) {
  return (size_t)SASS_FILE_BIT[r->file] + r->first + (size_t)k;
}

static void meet(const struct walker *k, const struct sass_range *ranges, size_t n, struct ready *latest) {
  for (const struct sass_range *r = ranges; r < ranges + n; r++)
    for (int i = 0; i < r->count; i++)
      if (k->ready[bit_of(r, i)].at > latest->at)
        *latest = k->ready[bit_of(r, i)];
}

/* It issues once what it reads and overwrites has come. */
static void issue(struct walker *k, const struct sass_inst *x) {
  struct ready latest = {.at = k->now + 1};
  if (x->pipe == PIPE_ALU)
    latest.at = fmax(latest.at, k->alu_free);
  meet(k, x->reads, x->n_reads, &latest);
  meet(k, x->writes, x->n_writes, &latest);
  meet(k, &x->guard, x->guarded, &latest);
  double gap = latest.at - k->now - 1;
  k->w->loads += latest.loads ? gap : 0;
  k->w->waits += latest.loads ? 0 : gap;
  k->now = latest.at;
  if (x->pipe == PIPE_ALU)
    k->alu_free = k->now + k->w->latencies.alu_turn;
}

static void results_come(struct walker *k, const struct sass_inst *x, double data_cycles) {
  const struct sass_latencies *l = &k->w->latencies;
  struct ready r = {k->now + l->fixed, false};
  if (x->class == SASS_LOAD_GLOBAL)
    r = (struct ready){k->now + data_cycles, true};
  else if (x->wait == WAIT_SPECIAL)
    r.at = k->now + l->special;
  else if (x->wait != WAIT_NONE)
    r.at = k->now + data_cycles;
  else if (x->pipe == PIPE_FP16)
    r.at = k->now + l->half;
  for (size_t i = 0; i < x->n_writes; i++)
    for (int n = 0; n < x->writes[i].count; n++)
      k->ready[bit_of(&x->writes[i], n)] = r;
}

/* --- accesses --- */

static bool add_once(uint64_t *list, size_t *n, uint64_t v) {
  for (size_t i = *n; i-- > 0;) /* lanes side by side ask for the same */
    if (list[i] == v)
      return false;
  list[(*n)++] = v;
  return true;
}

/* Cycles until a request is back: its slowest sector. */
static double load_cycles(struct walker *k, const uint64_t *sectors, size_t n) {
  const struct sass_latencies *l = &k->w->latencies;
  double most = l->l1;
  for (size_t i = 0; i < n; i++) {
    uint64_t *kept = &k->seen[sectors[i] * SPREAD >> SPREAD_SHIFT];
    if (*kept == sectors[i])
      continue;
    *kept = sectors[i];
    most = fmax(most, !k->w->streams || k->w->streams(k->w->constants.context, sectors[i] * SECTOR) ? l->dram : l->l2);
  }
  return n ? most : l->dram;
}

/* Lanes that are served at a time: a wavefront moves 128 bytes. */
static int lanes_served(const struct sass_inst *x) {
  return WARP_LANES / ((x->bytes + WORD - 1) / WORD);
}

/* The L1 and shared memory are the same banks: a cycle for each word of the one from which most are asked.  sectors: that it asks for. */
static double wavefronts_of(const struct walker *k, const struct sass_inst *x, const struct sass_operand *a,
                            uint32_t lanes, uint64_t *sectors, size_t *n_sectors) {
  double sum = 0;
  int served = lanes_served(x);
  for (int first = 0; first < WARP_LANES; first += served) {
    uint64_t words[WARP_LANES];
    size_t n_words = 0, in_bank[BANKS] = {0}, most = 0;
    for (int lane = first; lane < first + served; lane++) {
      uint64_t from = 0;
      if (!(lanes >> lane & 1) || !sass_lanes_address(&k->lanes, a, lane, &from))
        continue;
      add_once(sectors, n_sectors, from / SECTOR);
      for (uint64_t v = from / WORD; v <= (from + (uint64_t)x->bytes - 1) / WORD; v++)
        if (add_once(words, &n_words, v))
          most = ++in_bank[v % BANKS] > most ? in_bank[v % BANKS] : most;
    }
    sum += (double)most;
  }
  return sum;
}

static bool moves(const struct sass_inst *x) {
  return x->bytes > 0 && x->bytes <= LANE_BYTES_MOST &&
         (x->space == SPACE_SHARED || x->access == ACCESS_ASYNC_COPY || sass_is_global(x));
}

/* Cycles until what it loads is there: a warp's accesses pass the data stage one behind the other. */
static double access_do(struct walker *k, size_t at, uint32_t lanes) {
  const struct sass_inst *x = &k->s->insts[at];
  uint64_t sectors[WARP_LANES];
  size_t n_sectors = 0;
  double wavefronts = x->pipe == PIPE_LSU && lanes ? 1 : 0, cycles = k->w->latencies.shared;
  for (size_t i = 0; i < k->does[at].n && moves(x) && lanes; i++)
    if (k->does[at].operands[i].kind == OPERAND_ADDRESS) {
      n_sectors = 0; /* of a copy the last is where it comes from */
      wavefronts = wavefronts_of(k, x, &k->does[at].operands[i], lanes, sectors, &n_sectors);
    }
  if (moves(x) && lanes && !n_sectors) /* its addresses are not known: neighbours are taken */
    wavefronts = (double)WARP_LANES / lanes_served(x);
  if (x->class == SASS_LOAD_GLOBAL)
    cycles = load_cycles(k, sectors, n_sectors);
  k->w->wavefronts += wavefronts;
  k->l1_free = fmax(k->l1_free, k->now) + wavefronts;
  return wavefronts > 0 ? k->l1_free - 1 - k->now + cycles : cycles;
}

/* --- flow --- */

/* Whether a branch on data may be passed by: what it leads to is rare, or ahead, or a loop that waits. */
static bool may_pass(const struct walker *k, size_t at, size_t target) {
  size_t loop = k->s->blocks[k->s->block_of[at]].loop;
  return target > at || loop == SASS_NONE || k->s->loops[loop].spins;
}

static uint32_t branch_lanes(const struct walker *k, size_t at, uint32_t lanes, uint32_t *known) {
  const struct sass_inst *x = &k->s->insts[at];
  uint32_t holds = sass_lanes_guard(&k->lanes, x, known);
  for (size_t i = 0; i < k->does[at].n; i++) {
    const struct sass_operand *o = &k->does[at].operands[i];
    uint32_t one = 0;
    if (o->kind != OPERAND_PREDICATE)
      continue;
    holds &= sass_lanes_where(&k->lanes, o->uniform, o->number, o->inverted, &one);
    *known &= one;
  }
  return holds & lanes;
}

/* A branch that may leave loops, and rests on what is known. */
static void decide(struct walker *k, size_t at, size_t target) {
  for (size_t loop = k->s->blocks[k->s->block_of[at]].loop; loop != SASS_NONE; loop = k->s->loops[loop].parent)
    if (target >= k->s->n || !sass_in_loop(k->s, target, loop) || at + 1 >= k->s->n ||
        !sass_in_loop(k->s, at + 1, loop))
      k->decided[loop] = true;
}

/* A turn of a loop that only data end. */
static bool turns_by_data(const struct walker *k, size_t at, size_t target) {
  size_t block = k->s->block_of[target], loop = k->s->blocks[block].loop;
  return target <= at && loop != SASS_NONE && k->s->loops[loop].header == block && !k->decided[loop] &&
         !k->s->loops[loop].spins;
}

static bool jump(struct walker *k, size_t at, uint32_t lanes) {
  const struct sass_inst *x = &k->s->insts[at];
  uint32_t known = 0, taken = branch_lanes(k, at, lanes, &known);
  size_t called = x->calls ? sass_called(k->s, at) : SASS_NONE;
  size_t target = x->has_target ? sass_find(k->s, x->target) : SASS_NONE;
  target = called != SASS_NONE ? k->s->blocks[k->s->functions[called].entry].first : target;
  if ((known & lanes) != lanes) {
    bool rare = at + 1 < k->s->n && k->s->blocks[k->s->block_of[at + 1]].rare;
    if (x->branches && !rare && !may_pass(k, at, target))
      return false;
    taken = x->branches && rare ? lanes : taken & known;
  } else if (x->conditional || x->guarded) /* an EXIT is no jump */
    decide(k, at, x->ends ? k->s->n : target);
  if (taken && x->branches && turns_by_data(k, at, target))
    return false;
  for (int lane = 0; lane < WARP_LANES; lane++) {
    if (!(taken >> lane & 1))
      continue;
    if (x->ends && strcmp(x->opcode, "RET") == 0 && k->depth[lane])
      k->pc[lane] = (uint32_t)k->calls[lane][--k->depth[lane]];
    else if (x->ends)
      k->pc[lane] = (uint32_t)k->s->n;
    else if (x->calls && (target == SASS_NONE || k->depth[lane] == CALLS_MAX))
      return false;
    else {
      if (x->calls)
        k->calls[lane][k->depth[lane]++] = at + 1;
      k->pc[lane] = (uint32_t)target;
    }
  }
  return true;
}

/* Where the lanes stand that run next. */
static size_t lowest(const struct walker *k) {
  uint32_t at = (uint32_t)k->s->n;
  for (int lane = 0; lane < WARP_LANES; lane++)
    at = k->pc[lane] < at ? k->pc[lane] : at;
  return at;
}

static bool step(struct walker *k, size_t at) {
  uint32_t lanes = 0, known = 0;
  for (int lane = 0; lane < WARP_LANES; lane++) {
    lanes |= (uint32_t)(k->pc[lane] == at) << lane;
    k->pc[lane] += k->pc[lane] == at;
  }
  const struct sass_inst *x = &k->s->insts[at];
  if (x->never || x->malformed)
    return true;
  k->w->executed[at]++;
  issue(k, x);
  if ((x->branches && strcmp(x->opcode, "WARPSYNC") != 0) || x->ends || x->calls)
    return jump(k, at, lanes);
  uint32_t holds = sass_lanes_guard(&k->lanes, x, &known) & lanes;
  double cycles = access_do(k, at, holds & known);
  if ((known & lanes) == lanes)
    sass_lanes_do(&k->lanes, &k->does[at], holds);
  else
    for (size_t i = 0; i < x->n_writes; i++) /* whether it writes is not known */
      for (int n = 0; n < x->writes[i].count; n++)
        sass_lanes_forget(&k->lanes, x->writes[i].file, x->writes[i].first + n, lanes);
  results_come(k, x, cycles);
  return true;
}

/* Puts the warp at its start. */
static void warp_begin(struct walker *k, size_t warp) {
  const struct sass_walk *w = k->w;
  size_t threads = (size_t)w->block[0] * w->block[1] * w->block[2], in_block = (threads + WARP_LANES - 1) / WARP_LANES;
  size_t block = warp / in_block, first = warp % in_block * WARP_LANES;
  memset(&k->lanes, 0, sizeof k->lanes);
  memset(k->ready, 0, sizeof k->ready);
  memset(k->seen, 0xff, sizeof k->seen);
  memset(k->depth, 0, sizeof k->depth);
  memset(k->decided, 0, k->s->n_loops * sizeof *k->decided);
  k->now = k->alu_free = k->l1_free = 0;
  k->lanes.constants = w->constants;
  k->lanes.block[0] = (uint32_t)(block % w->grid[0]);
  k->lanes.block[1] = (uint32_t)(block / w->grid[0] % w->grid[1]);
  k->lanes.block[2] = (uint32_t)(block / w->grid[0] / w->grid[1]);
  for (size_t lane = 0; lane < WARP_LANES; lane++) {
    size_t thread = first + lane;
    k->lanes.place[0][lane] = (uint32_t)(thread % w->block[0]);
    k->lanes.place[1][lane] = (uint32_t)(thread / w->block[0] % w->block[1]);
    k->lanes.place[2][lane] = (uint32_t)(thread / w->block[0] / w->block[1]);
    k->pc[lane] = thread < threads ? 0 : (uint32_t)k->s->n;
  }
}

/* Steps that it took; 0: it came to no end. */
static size_t warp_walk(struct walker *k, size_t warp) {
  warp_begin(k, warp);
  for (size_t steps = 0; steps < STEPS_MAX; steps++) {
    size_t at = lowest(k);
    if (at == k->s->n) {
      k->w->warps++;
      return steps;
    }
    if (!step(k, at))
      return 0;
  }
  return 0;
}

/* One in the middle of the grid, and more, evenly spread, as far as they are short. */
static bool warps_walk(struct walker *k, size_t all) {
  size_t steps = warp_walk(k, all / 2), more = steps ? STEPS_WANTED / steps : 0;
  more = more < WARPS_MAX ? more : WARPS_MAX;
  more = more < all ? more : all;
  for (size_t i = 0; i < more && steps; i++)
    steps = warp_walk(k, (2 * i + 1) * all / (2 * more));
  return steps > 0;
}

bool sass_walk(struct sass_walk *w, struct sass *s) {
  size_t threads = (size_t)w->block[0] * w->block[1] * w->block[2];
  size_t all = (threads + WARP_LANES - 1) / WARP_LANES * w->grid[0] * w->grid[1] * w->grid[2];
  w->executed = calloc(s->n + 1, sizeof *w->executed);
  if (!s->n || !all || s->indirect)
    return false;
  struct sass_does *does = calloc(s->n, sizeof *does);
  struct walker *k = calloc(1, sizeof *k);
  k->w = w;
  k->s = s;
  k->does = does;
  k->decided = calloc(s->n_loops + 1, sizeof *k->decided);
  for (size_t i = 0; i < s->n; i++)
    sass_does(&does[i], &s->insts[i]);
  bool walked = warps_walk(k, all);
  free(k->decided);
  free(k);
  free(does);
  return walked;
}

void sass_walk_release(struct sass_walk *w) {
  free(w->executed);
  w->executed = NULL;
}
