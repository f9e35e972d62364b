/* Bounds from the code alone; analysis/rules/static.h states the assumption. */
#include "analysis/idioms/guards.h"
#include "analysis/rules/static.h"
#include "analysis/sass/sass.h"

#include "base/warp.h"

#include <string.h>

enum { SCHEDULERS_PER_SM = 4 };

const char STATIC_UNUSED[] = "the loop does not use it";

const char *static_assumption(const struct static_code *c) {
  return c->once_bytes.present
             ? "modelled, not measured: A and its scales are loaded once, and the hot loop stands for the kernel"
             : "modelled, not measured: each byte that must be loaded is loaded once, and the hot loop stands for the kernel";
}

static struct value ceiling_value(struct static_code *c, const char *name, const struct ceiling **used) {
  const struct ceiling *found = device_best(c->device, name);
  if (!found || found->value <= 0)
    return value_absent(pool_printf(&c->pool, "no ceiling %s is known for this device", name));
  *used = found;
  return value_of(found->value);
}

static void problem_of(struct static_code *c) {
  const struct run_result *r = c->result;
  double bytes = r->bytes_declared > 0 ? r->bytes_declared : r->bytes_minimal;
  c->must_bytes = bytes > 0 ? value_of(bytes) : value_absent("no problem is declared, so no bytes that must move");
  c->elements = r->bytes_minimal > 0 && r->shape.m > 0
                    ? value_of((double)r->shape.m * (double)r->shape.k * (double)r->shape.l)
                    : value_absent("no problem is declared, so no elements");
  const struct ceiling *stated = device_ceiling(c->device, "dram_bw", CEILING_DATASHEET);
  sol_of(&c->sol, bytes, r->bytes_declared > 0 ? "declared" : "minimal",
         stated ? stated : device_ceiling(c->device, "dram_bw", CEILING_DRIVER));
}

/* Thread instructions a byte asked for, of all classes and of each. */
static void count_classes(struct static_code *c) {
  c->loop_insts = c->code.hot_insts;
  c->insts_per_byte = c->reason ? value_absent(c->reason) : c->code.insts_per_byte;
  c->once_bytes = c->insts_per_byte.present ? static_once_bytes(c) : c->insts_per_byte;
  c->turn_bytes = c->once_bytes.present ? c->once_bytes : c->code.stream_bytes;
  if (c->result->n_launches > 1 && !c->once_bytes.present) { /* the problem's are those of all steps together */
    c->must_bytes = value_absent("the variant has several steps, and which bytes this one moves is not declared");
    c->sol = (struct sol){0};
  }
  struct value per_element = value_ratio(c->must_bytes, c->elements, "the problem has no elements");
  if (c->insts_per_byte.present)
    c->insts_per_byte = value_ratio(value_of((double)c->loop_insts), c->turn_bytes, "nothing is loaded");
  c->insts_per_element = value_product(c->insts_per_byte, per_element);
  for (int k = 0; k < SASS_CLASSES; k++) {
    struct static_class *x = &c->classes[k];
    x->insts = c->code.hot_classes[k];
    x->per_byte = c->insts_per_byte.present
                      ? value_ratio(value_of((double)x->insts), c->turn_bytes, "nothing is loaded")
                      : c->insts_per_byte;
    x->per_element = value_product(x->per_byte, per_element);
  }
}

/* What is inlined counts where it is called, which is the last of its chain. */
static void find_lines(struct static_code *c) {
  const struct run_line *first = NULL;
  for (size_t i = 0; i < c->sass.n && c->code.hot != SASS_NONE; i++) {
    const struct run_instruction *x = &c->kernel->sass[i];
    const struct run_line *at = x->n_lines ? &x->lines[x->n_lines - 1] : NULL;
    if (!at || at->line <= 0 || !static_in_loop(c, i) || (first && at->source != first->source))
      continue;
    if (!first || at->line < c->loop_first)
      c->loop_first = at->line;
    if (!first || at->line > c->loop_last)
      c->loop_last = at->line;
    first = first ? first : at;
  }
}

static void count_flight(struct static_code *c) {
  const struct ceiling *latency = NULL;
  c->thread_bytes = c->reason ? value_absent(c->reason) : c->code.flight.bytes_thread;
  if (c->thread_bytes.present && c->thread_bytes.v == 0)
    c->thread_bytes = value_absent("nothing is loaded from global memory");
  c->warp_bytes = value_product(c->thread_bytes, value_of(WARP_LANES));
  c->bytes = value_product(c->warp_bytes, c->warps);
  struct value seconds = value_ratio(ceiling_value(c, "dram_latency_cycles", &latency),
                                     value_of(c->device->clock_max_hz), "the chip's clock is not known");
  c->bounds[BOUND_DRAM].load_bw =
      value_product(ceiling_value(c, "dram_bw", &c->bounds[BOUND_DRAM].ceiling), value_of(1 - c->stored_share));
  c->needed_bytes = value_product(seconds, c->bounds[BOUND_DRAM].load_bw);
  c->bounds[BOUND_LATENCY].load_bw = value_ratio(c->bytes, seconds, "the latency is 0");
  c->bounds[BOUND_LATENCY].ceiling = latency;
}

/* SM cycles that one byte asked for by each thread of a warp costs: instructions of the loop a cycle, over its bytes. */
static struct value loop_cycles(struct static_code *c, enum sass_pipe pipe, const char *rate,
                                const struct ceiling **used) {
  size_t n = 0;
  for (size_t i = 0; i < c->sass.n; i++)
    n += static_in_loop(c, i) && c->sass.insts[i].pipe == pipe;
  if (n == 0)
    return value_of(0);
  struct value lanes = ceiling_value(c, rate, used);
  return value_ratio(value_of((double)n * WARP_LANES), lanes, "the rate is 0");
}

static void bound_cycles(struct static_code *c, enum bound_kind k, struct value cycles) {
  struct static_bound *b = &c->bounds[k];
  b->cycles = cycles;
  /* Issue comes first: a pipe is the busiest where it takes more. */
  if (cycles.present && cycles.v > 0 && (c->busiest == BOUND_KINDS || cycles.v > c->bounds[c->busiest].cycles.v))
    c->busiest = k;
  struct value chip = value_product(value_of((double)c->device->sms * WARP_LANES), value_of(c->device->clock_max_hz));
  if (!c->insts_per_byte.present)
    b->load_bw = c->insts_per_byte;
  else if (c->device->sms <= 0 || c->device->clock_max_hz <= 0)
    b->load_bw = value_absent("the chip's SMs or its clock are not known");
  else
    b->load_bw = value_ratio(value_product(c->turn_bytes, chip), cycles, STATIC_UNUSED);
}

static struct value sum(struct value a, struct value b) {
  if (!a.present)
    return a;
  return b.present ? value_of(a.v + b.v) : b;
}

/* Blocks that a turn of the hot loop passes on every way stand in the tree of dominators above all that lead back to its header; of a kernel
 * without a loop above all that end it. */
static bool passed_always(const struct static_code *c, size_t block) {
  const struct sass *s = &c->sass;
  bool any = false;
  for (size_t b = 0; b < s->n_blocks; b++) {
    const struct sass_block *x = &s->blocks[b];
    size_t last = x->first + x->n - 1;
    if (!static_in_loop(c, last))
      continue;
    bool turns = c->code.hot == SASS_NONE && s->insts[last].ends && !s->insts[last].guarded;
    for (size_t k = 0; k < x->n_succ && c->code.hot != SASS_NONE; k++)
      turns = turns || x->succ[k] == s->loops[c->code.hot].header;
    if (!turns)
      continue;
    size_t up = b;
    while (up != block && s->blocks[up].idom != SASS_NONE) /* the entry has none */
      up = s->blocks[up].idom;
    if (up != block)
      return false;
    any = true;
  }
  return any;
}

/* "ISETP.GE.OR P6, PT, R5, UR9, P2": a test of the predicate is of an order, and of two values that are not in the code, as indices and sizes are. */
static bool orders_two_values(const struct sass_inst *x) {
  static const char *const orders[] = {"GE", "GT", "LE", "LT"};
  bool ordered = false;
  for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
    ordered = ordered || sass_modifier(x, orders[k]);
  return ordered && strcmp(x->opcode, "ISETP") == 0 && !strstr(x->text, ", 0x") && !strstr(x->text, ", RZ");
}

/* The predicate that instruction i reads keeps an index within its array: almost all threads pass.  What elects a thread compares it with a number in the code, and
 * what data choose is not known. */
static bool is_bounds_check(struct sass *s, size_t i, const struct sass_range *predicate, int depth) {
  enum { PRODUCERS_MOST = 64 };
  struct sass_producer from[PRODUCERS_MOST];
  size_t n = sass_producers(s, i, from, PRODUCERS_MOST), tests = 0;
  for (size_t k = 0; k < n && k < PRODUCERS_MOST; k++) {
    size_t at = from[k].inst;
    const struct sass_inst *x = &s->insts[at];
    if (!ranges_same(&from[k].range, predicate))
      continue;
    if (!orders_two_values(x) || sass_asks_data(s, at))
      return false;
    for (size_t r = 0; r < x->n_reads; r++) /* "ISETP.GE.OR P1, PT, R2, UR8, P0" */
      if (x->reads[r].file == FILE_P && (depth == 0 || !is_bounds_check(s, at, &x->reads[r], depth - 1)))
        return false;
    tests++;
  }
  return tests > 0 && n <= PRODUCERS_MOST;
}

static bool guards_bounds(struct sass *s, size_t i) {
  enum { TESTS_MOST = 4 }; /* one for each dimension of an array, and one more */
  return is_bounds_check(s, i, &s->insts[i].guard, TESTS_MOST);
}

/* Passed on every way, but for checks of bounds. */
static bool passed_within_bounds(struct static_code *c, size_t block) {
  const struct sass *s = &c->sass;
  while (!passed_always(c, block)) {
    size_t from = s->blocks[block].idom;
    size_t last = from == SASS_NONE ? 0 : s->blocks[from].first + s->blocks[from].n - 1;
    if (from == SASS_NONE || !s->insts[last].guarded || !guards_bounds(&c->sass, last))
      return false;
    block = from;
  }
  return true;
}

/* What is stored takes DRAM's bandwidth as well. */
static void count_stores(struct static_code *c) {
  double bytes = 0;
  for (size_t i = 0; i < c->sass.n && c->turn_bytes.present && c->turn_bytes.v > 0; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    if (x->class == SASS_STORE_GLOBAL && static_in_loop(c, i) && (!x->guarded || guards_bounds(&c->sass, i)) &&
        passed_within_bounds(c, c->sass.block_of[i]))
      bytes += x->bytes;
  }
  c->stored_share = bytes > 0 ? bytes / (bytes + c->turn_bytes.v) : 0;
}

static void bound_all(struct static_code *c) {
  static const struct {
    enum bound_kind kind;
    enum sass_pipe pipe;
    const char *rate;
  } pipes[] = {{BOUND_ALU, PIPE_ALU, "rate_alu"},    {BOUND_LSU, PIPE_LSU, "rate_lsu"},
               {BOUND_XU, PIPE_XU, "rate_xu"},       {BOUND_TENSOR, PIPE_TENSOR, "rate_tensor"},
               {BOUND_FP64, PIPE_FP64, "rate_fp64"}, {BOUND_ADU, PIPE_ADU, "rate_adu"}};
  const struct ceiling *half = NULL;
  bound_cycles(c, BOUND_ISSUE, value_of((double)c->loop_insts / SCHEDULERS_PER_SM));
  for (size_t i = 0; i < sizeof pipes / sizeof pipes[0]; i++)
    bound_cycles(c, pipes[i].kind, loop_cycles(c, pipes[i].pipe, pipes[i].rate, &c->bounds[pipes[i].kind].ceiling));
  bound_cycles(c, BOUND_FMA,
               sum(loop_cycles(c, PIPE_FMA, "rate_ffma", &c->bounds[BOUND_FMA].ceiling),
                   loop_cycles(c, PIPE_FP16, "rate_hfma2", &half)));
  if (!c->bounds[BOUND_FMA].ceiling)
    c->bounds[BOUND_FMA].ceiling = half;
  c->bounds[BOUND_TEX].load_bw = value_absent("the loop does not use it");
  c->bounds[BOUND_L1].load_bw = c->bounds[BOUND_L2].load_bw =
      value_absent("bytes that this level moves are known from counters only");
  double turns = static_bank_turns(c);
  if (turns > 0)
    bound_cycles(c, BOUND_L1, value_of(turns));
}

/* Lanes that lie apart touch sectors in vain, of which caches give back some.  And of the loads of several arrays those of one may be all that DRAM sees: where the
 * loop's instructions are then longer than what these take, they bind. */
static void find_doubt(struct static_code *c) {
  double dram = c->bounds[BOUND_DRAM].load_bw.v;
  double part = c->binding == BOUND_DRAM && !c->once_bytes.present ? static_least_bytes(c) / c->turn_bytes.v : 1;
  if (c->binding != BOUND_KINDS && static_strided(c))
    c->doubt = "strided accesses touch sectors in vain, and which of these hit a cache is not known";
  else if (part < 1 && c->busiest != BOUND_KINDS && c->bounds[c->busiest].load_bw.v * part < dram)
    c->doubt =
        pool_printf(&c->pool, "which loads hit a cache is not known; where most do, %s binds", bound_name(c->busiest));
}

void static_model(struct static_code *c) {
  problem_of(c);
  count_classes(c);
  find_lines(c);
  count_stores(c);
  count_flight(c);
  bound_all(c);
  /* What stores move is no part of what is loaded. */
  struct value loaded = value_product(c->must_bytes, value_of(1 - c->stored_share));
  c->warp_insts = value_product(value_product(c->insts_per_byte, loaded), value_of(1.0 / WARP_LANES));
  for (int k = 0; k < BOUND_KINDS; k++) {
    struct static_bound *b = &c->bounds[k];
    b->seconds = loaded.present ? value_ratio(loaded, b->load_bw, "nothing is loaded") : loaded;
    if (b->load_bw.present && (c->binding == BOUND_KINDS || b->load_bw.v < c->bounds[c->binding].load_bw.v))
      c->binding = (enum bound_kind)k;
  }
  if (!c->insts_per_byte.present)
    c->binding = BOUND_KINDS; /* the instructions may bind */
  find_doubt(c);
}
