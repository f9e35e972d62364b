/* What rules say of code that was not run: the judge_static of their rows.  One that compares with DRAM uses bandwidths, so that it speaks where no problem
 * is declared too. */
#include "analysis/idioms/serial.h"
#include "analysis/rules/local_words.h"
#include "analysis/rules/remedies.h"
#include "analysis/rules/rule_tools.h"
#include "analysis/rules/static.h"

#include "analysis/metrics/formulas.h"
#include "analysis/signs/decoding.h"
#include "analysis/signs/division.h"
#include "analysis/signs/local.h"

#include <math.h>
#include <string.h>

static const double MIB = 1 << 20;
/* Fewer warps than this part of an SM's are worth a word. */
static const double OCCUPANCY_LOW = 0.5;
/* An instruction bound in parts of DRAM's bandwidth: from 1 on the loop can load as fast as DRAM gives. */
static const double NEAR_DRAM = 1.0;

/* Bandwidth under a bound over DRAM's; above all where either is not known. */
static double of_dram(const struct static_code *c, enum bound_kind k) {
  struct value r = value_ratio(c->bounds[k].load_bw, c->bounds[BOUND_DRAM].load_bw, "");
  return r.present ? r.v : INFINITY;
}

static void add_bandwidths(const struct static_code *c, enum bound_kind k, struct told *out) {
  evidence_add(out, "loads modelled at most", "B/s", c->bounds[k].load_bw);
  evidence_add(out, "DRAM", "B/s", c->bounds[BOUND_DRAM].load_bw);
}

/* A pipe that the hot loop keeps busy for longer than issuing takes, and than DRAM does where the loop loads. */
static bool binds_loop(const struct static_code *c, enum bound_kind k) {
  bool loads = c->insts_per_byte.present;
  return c->busiest == k && (!loads || of_dram(c, k) < NEAR_DRAM);
}

/* An array that is indexed at run time has no registers. */
static bool local_array(struct static_code *c, struct told *out) {
  size_t n = c->classes[SASS_LOAD_LOCAL].insts + c->classes[SASS_STORE_LOCAL].insts;
  if (c->code.hot == SASS_NONE || n == 0)
    return false;
  evidence_add(out, "registers per thread", "register", value_of(c->kernel->registers));
  evidence_add(out, "local memory instructions of the loop", "inst", value_of((double)n));
  out->sentence =
      pool_printf(&c->pool,
                  "%zu instruction%s of the hot loop access%s local memory: an array that is indexed at run "
                  "time, or too large for registers",
                  n, n == 1 ? "" : "s", n == 1 ? "es" : "");
  out->remedy =
      "index arrays by constants (unroll the loop), keep large ones in shared memory, or compute values again";
  return true;
}

bool static_spills(struct static_code *c, struct told *out) {
  const struct run_kernel *k = c->kernel;
  bool told = k->spill_store_bytes >= 0;
  size_t insts = c->code.spill_loads + c->code.spill_stores;
  if (told && k->spill_store_bytes + k->spill_load_bytes <= 0)
    return local_array(c, out);
  if (!told && insts == 0)
    return false;
  evidence_add(out, "registers per thread", "register", value_of(k->registers));
  if (told) {
    evidence_add(out, "spill stores", "byte", value_of((double)k->spill_store_bytes));
    evidence_add(out, "spill loads", "byte", value_of((double)k->spill_load_bytes));
  }
  evidence_add(out, "local memory instructions", "inst", value_of((double)insts));
  struct local_kinds kinds;
  local_kinds_of(&kinds, &c->sass, told ? k->spill_store_bytes + k->spill_load_bytes : -1);
  out->sentence =
      told
          ? pool_printf(
                &c->pool,
                kinds.array
                    ? "%d registers are too few for the live values, and an array is indexed at run time: both use local memory"
                    : "%d registers are too few for the live values: the compiler spills to local memory",
                k->registers)
          : pool_printf(&c->pool, "the code reads and writes local memory: %s", local_words(&c->pool, &kinds));
  out->remedy =
      kinds.array
          ? local_remedy(&c->pool, &kinds, k->registers, false)
          : "fewer values live at a time (smaller tiles, fewer accumulators), or a higher register cap (maxrregcount, __launch_bounds__)";
  return true;
}

bool static_small_grid(struct static_code *c, struct told *out) {
  double blocks = c->launch ? launch_blocks(c->launch) : 0;
  if (blocks <= 0 || blocks >= c->device->sms)
    return false;
  evidence_add(out, "blocks", "block", value_of(blocks));
  evidence_add(out, "SMs", "SM", value_of(c->device->sms));
  out->sentence = pool_printf(&c->pool, "%.0f block%s %.0f of %d SMs idle", blocks, blocks == 1 ? " leaves" : "s leave",
                              c->device->sms - blocks, c->device->sms);
  out->remedy =
      sass_serial_nest(&c->sass, c->code.hot) == SASS_NONE
          ? "launch more blocks: less work per block, or split a long sum over blocks"
          : "each iteration of a thread's loop needs the one before: put more problems into a launch (a batch), or use smaller blocks, which reach more SMs";
  return true;
}

/* Of a chip whose rate is not known it is taken to be low, as most have it. */
bool static_fp64(struct static_code *c, struct told *out) {
  if (c->classes[SASS_FP64].insts == 0 || (c->bounds[BOUND_FP64].cycles.present && !binds_loop(c, BOUND_FP64)))
    return false;
  evidence_add(out, "fp64 instructions of the loop", "inst", value_of((double)c->classes[SASS_FP64].insts));
  add_bandwidths(c, BOUND_FP64, out);
  out->sentence = "the hot loop computes in double precision, which has few lanes on most chips";
  out->remedy =
      "compute in float, or in fp16 with fp32 sums; literals without the suffix f and double functions (2.0, sin) make doubles of floats";
  return true;
}

bool static_dependent_loads(struct static_code *c, struct told *out) {
  size_t load = sass_chained_load(&c->sass, c->code.hot);
  if (load == SASS_NONE)
    return false;
  evidence_add(out, "bytes in flight per thread", "byte", c->thread_bytes);
  out->sentence = pool_printf(
      &c->pool, "the address of %s comes from another load of the loop: each iteration waits for two latencies or more",
      c->sass.insts[load].text);
  out->remedy = "compute addresses from indices, or load the next iteration's index ahead";
  return true;
}

/* Bytes in flight over those that keep DRAM busy. */
static struct value part_in_flight(const struct static_code *c) {
  return value_ratio(c->bytes, c->needed_bytes, "");
}

static bool enough_in_flight(const struct static_code *c) {
  struct value part = part_in_flight(c);
  return part.present && part.v >= 1;
}

static bool few_in_flight(const struct static_code *c) {
  return part_in_flight(c).present && !enough_in_flight(c);
}

bool static_long_scoreboard(struct static_code *c, struct told *out) {
  if (!few_in_flight(c))
    return false;
  evidence_add(out, "in flight per thread", "byte", c->thread_bytes);
  evidence_add(out, "in flight on the chip", "B", c->bytes);
  evidence_add(out, "needed", "B", c->needed_bytes);
  evidence_add(out, "warps resident", "warp", c->warps);
  add_bandwidths(c, BOUND_LATENCY, out);
  out->sentence = pool_printf(
      &c->pool, "%.0f B in flight per thread (%.3g MiB on the chip) = %.0f %% of the %.3g MiB that Little's law needs",
      c->thread_bytes.v, c->bytes.v / MIB, 100 * c->bytes.v / c->needed_bytes.v, c->needed_bytes.v / MIB);
  out->remedy =
      c->code.widest_load < LANE_BYTES_MOST
          ? pool_printf(&c->pool, "load 16 bytes per lane (now %d at most), then issue more loads before the first use",
                        c->code.widest_load)
          : "issue more loads before the first use: unroll, or load the next tile ahead; or run more warps";
  return true;
}

/* Wider loads are fewer instructions and more bytes in flight; where neither is short of what DRAM takes they gain nothing.  Where too few bytes are in flight
 * [long-scoreboard] says to load wider. */
static bool loads_suffice(const struct static_code *c) {
  return enough_in_flight(c) && c->insts_per_byte.present && of_dram(c, BOUND_ISSUE) >= NEAR_DRAM &&
         of_dram(c, BOUND_LSU) >= NEAR_DRAM;
}

bool static_narrow_loads(struct static_code *c, struct told *out) {
  int widest = c->code.widest_load;
  if (widest <= 0 || widest >= LANE_BYTES_MOST || few_in_flight(c) || loads_suffice(c) ||
      static_strided(c)) /* strided loads are told as such */
    return false;
  evidence_add(out, "widest load", "byte", value_of(widest));
  evidence_add(out, "instructions per byte", "inst", c->insts_per_byte);
  int least = c->code.narrowest_load;
  out->sentence = least < widest
                      ? pool_printf(&c->pool, "global memory is loaded in %d to %d bytes per lane", least, widest)
                      : pool_printf(&c->pool, "no load of global memory is wider than %d byte%s per lane", widest,
                                    widest == 1 ? "" : "s");
  out->remedy = "load 16 bytes per lane (uint4): fewer load instructions and more bytes in flight";
  return true;
}

/* Where it is a third of the loop or more. */
bool static_integer_division(struct static_code *c, struct told *out) {
  size_t n = 0;
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    n += strcmp(x->opcode, "I2F") == 0 && strstr(x->modifiers, ".RP") && static_in_loop(c, i);
  }
  double share = fmin((double)(n * DIVISION_INSTS) / fmax((double)c->loop_insts, 1), 1);
  if (share < 1.0 / 3 || of_dram(c, BOUND_ISSUE) >= NEAR_DRAM)
    return false;
  evidence_add(out, "integer divisions of the loop (I2F.RP)", "inst", value_of((double)n));
  evidence_add(out, "instructions of the loop", "inst", value_of((double)c->loop_insts));
  add_bandwidths(c, BOUND_ISSUE, out);
  out->sentence =
      pool_printf(&c->pool, "%zu integer division%s or remainder%s by variables: about %.0f %% of %zu instructions", n,
                  n == 1 ? "" : "s", n == 1 ? "" : "s", 100 * share, c->loop_insts);
  out->remedy = DIVISION_REMEDY;
  return true;
}

/* Conversions of the loop make the values of A at least, two at a time: more than its scales.  elements: of a turn. */
static bool converts_values(const struct static_code *c, double elements) {
  double converts = 0;
  for (size_t i = 0; i < c->sass.n; i++)
    converts += static_in_loop(c, i) && converts_pair(&c->sass.insts[i]);
  return converts >= elements / 2;
}

bool static_decode_cost(struct static_code *c, struct told *out) {
  static const enum sass_class decoding[] = {SASS_CONVERT, SASS_INTEGER, SASS_LOGIC};
  double decode = 0, most = c->code.hot_insts ? (double)c->loop_insts : 0;
  struct value per_element = value_of(0);
  for (size_t i = 0; i < sizeof decoding / sizeof decoding[0]; i++) {
    const struct static_class *x = &c->classes[decoding[i]];
    decode += (double)x->insts;
    per_element =
        x->per_element.present && per_element.present ? value_of(per_element.v + x->per_element.v) : x->per_element;
  }
  double worst = of_dram(c, BOUND_ISSUE) < of_dram(c, BOUND_ALU) ? of_dram(c, BOUND_ISSUE) : of_dram(c, BOUND_ALU);
  if (!c->elements.present) /* of another problem the SASS does not tell what decodes */
    return false;
  if (worst >= NEAR_DRAM || decode < most / 3)
    return false;
  evidence_add(out, "conversions, integer and logic of the loop", "inst", value_of(decode));
  evidence_add(out, "instructions of the loop", "inst", value_of(most));
  evidence_add(out, "of these, per element", "inst", per_element);
  add_bandwidths(c, of_dram(c, BOUND_ISSUE) < of_dram(c, BOUND_ALU) ? BOUND_ISSUE : BOUND_ALU, out);
  out->sentence = pool_printf(
      &c->pool,
      "conversions, integer and logic are %.0f %% of the loop, which can load at most %.3g of DRAM's %.3g TB/s",
      100 * decode / most, worst * c->bounds[BOUND_DRAM].load_bw.v * 1e-12, c->bounds[BOUND_DRAM].load_bw.v * 1e-12);
  out->remedy =
      per_element.v > 0 && converts_values(c, decode / per_element.v)
          ? "its conversions (cvt) are there already: fewer address and loop instructions (unroll, advance pointers); decode B once for several rows"
          : "decode whole words: by the chip's own conversions where it has them, else by shift and mask into fp16, or repack nibbles as e4m3 for cvt.e4m3x2; decode B once";
  return true;
}

bool static_issue_slots(struct static_code *c, struct told *out) {
  if (of_dram(c, BOUND_ISSUE) >= NEAR_DRAM || c->busiest != BOUND_ISSUE)
    return false;
  evidence_add(out, "instructions per byte", "inst", c->insts_per_byte);
  add_bandwidths(c, BOUND_ISSUE, out);
  out->sentence = pool_printf(
      &c->pool, "issue-bound: %.3g instructions per byte; the issue slots allow %.3g of DRAM's %.3g TB/s",
      c->insts_per_byte.v, c->bounds[BOUND_ISSUE].load_bw.v * 1e-12, c->bounds[BOUND_DRAM].load_bw.v * 1e-12);
  out->remedy =
      "fewer instructions per byte: wider loads, packed arithmetic (HFMA2), addresses by a pointer that advances";
  return true;
}

static void add_cycles(const struct static_code *c, struct told *out) {
  evidence_add(out, "cycles of the pipe per warp and iteration", "cycle", c->bounds[c->busiest].cycles);
  evidence_add(out, "cycles to issue the iteration", "cycle", c->bounds[BOUND_ISSUE].cycles);
  if (c->insts_per_byte.present)
    add_bandwidths(c, c->busiest, out);
}

static size_t of_loop(const struct static_code *c, enum sass_pipe pipe, enum sass_space space) {
  size_t n = 0;
  for (size_t i = 0; i < c->sass.n; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    n += x->pipe == pipe && (space == SPACE_NONE || x->space == space) && static_in_loop(c, i);
  }
  return n;
}

/* Of a loop whose loads and stores are of global memory the width speaks. */
bool static_shared_memory(struct static_code *c, struct told *out) {
  size_t all = of_loop(c, PIPE_LSU, SPACE_NONE), shared = of_loop(c, PIPE_LSU, SPACE_SHARED);
  if (!binds_loop(c, BOUND_LSU) || 2 * shared < all)
    return false;
  evidence_add(out, "shared-memory instructions of the loop", "inst", value_of((double)shared));
  add_cycles(c, out);
  out->sentence = pool_printf(&c->pool,
                              "%zu of the hot loop's %zu instructions access shared memory: the LSU pipe needs %.3g "
                              "cycles per warp and iteration, issuing %.3g",
                              shared, c->loop_insts, c->bounds[BOUND_LSU].cycles.v, c->bounds[BOUND_ISSUE].cycles.v);
  out->remedy = "use each value more often once it is read (more outputs per thread), or wider shared accesses";
  return true;
}

bool static_pipe(struct static_code *c, struct told *out) {
  bool alu = binds_loop(c, BOUND_ALU);
  if (!alu && !binds_loop(c, BOUND_XU))
    return false;
  size_t n = of_loop(c, alu ? PIPE_ALU : PIPE_XU, SPACE_NONE);
  evidence_add(out, "instructions of the pipe in the loop", "inst", value_of((double)n));
  add_cycles(c, out);
  out->sentence = pool_printf(
      &c->pool,
      "%s takes %zu of the hot loop's %zu instructions and %.3g cycles per warp and iteration; issuing takes %.3g",
      bound_rows[c->busiest].noun, n, c->loop_insts, c->bounds[c->busiest].cycles.v, c->bounds[BOUND_ISSUE].cycles.v);
  out->remedy = alu ? "do the integer and logic work once for several elements, or move some to the FMA pipe (IMAD)"
                    : "fewer conversions and special functions: by table, by bits, or once for several elements";
  return true;
}

bool static_occupancy(struct static_code *c, struct told *out) {
  if (!c->occupied.present || c->occupied.v >= OCCUPANCY_LOW || enough_in_flight(c))
    return false;
  const struct occupancy *o = &c->occupancy;
  evidence_add(out, "theoretical occupancy", "ratio", c->occupied);
  evidence_add(out, "blocks per SM", "block", value_of(o->blocks_per_sm));
  evidence_add(out, "registers per thread", "register", value_of(c->kernel->registers));
  out->sentence =
      o->blocks_per_sm == 0
          ? pool_printf(&c->pool, "the block cannot be launched on this chip: %s", occupancy_limit_name(o->limit))
          : pool_printf(&c->pool, "each SM holds %d block%s of %d warps, limited by %s", o->blocks_per_sm,
                        o->blocks_per_sm == 1 ? "" : "s", o->warps_per_block, occupancy_limit_name(o->limit));
  out->remedy = o->limit == LIMIT_REGISTERS ? "fewer registers per thread, or more loads in flight per warp"
                : o->limit == LIMIT_SMEM
                    ? "less shared memory per block (fewer stages, smaller tiles), or more loads in flight per warp"
                    : "another block size, or more loads in flight per warp";
  return true;
}
