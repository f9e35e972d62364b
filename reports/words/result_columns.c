#include "reports/words/columns.h"

#include "reports/words/advice_words.h"
#include "reports/words/view.h"

#include <assert.h>
#include <math.h>

static void add(struct text *out, const char *s) {
  text_add(out, s ? s : "");
}

static struct value known_if(bool known, double x) {
  return (struct value){.present = known, .v = x};
}

/* --- what ran --- */

static void variant(const struct column_row *r, struct text *out) {
  text_add(out, r->finding->variant->id);
}
static void variant_shown(const struct column_row *r, struct text *out) {
  const struct run_variant *v = r->finding->variant;
  text_printf(out, "%s%s", v->side ? "  ↳ " : "", r->shortened ? VIEW_NAME(v) : v->id);
}
static bool side(const struct column_row *r) {
  return r->finding->variant->side;
}
static bool wrong(const struct column_row *r) {
  return r->finding->variant->wrong;
}

/* M, K and L are the GEMV's. */
static struct value gemv_size(const struct column_row *r, long size) {
  return known_if(!shape_named(&r->finding->result->shape), (double)size);
}
static struct value size_m(const struct column_row *r) {
  return gemv_size(r, r->finding->result->shape.m);
}
static struct value size_k(const struct column_row *r) {
  return gemv_size(r, r->finding->result->shape.k);
}
static struct value size_l(const struct column_row *r) {
  return gemv_size(r, r->finding->result->shape.l);
}
static void sizes(const struct column_row *r, struct text *out) {
  add(out, r->finding->result->shape.sizes);
}
static void shape(const struct column_row *r, struct text *out) {
  text_add(out, VIEW_SHAPE(r->finding->result->shape));
}
static void device(const struct column_row *r, struct text *out) {
  add(out, r->findings->run->device.name);
}
static void origin(const struct column_row *r, struct text *out) {
  text_add(out, run_origin_name(r->findings->run->origin));
}

/* --- whether it is right --- */

static void verdict(const struct column_row *r, struct text *out) {
  text_add(out, run_verdict_name(r->finding->result->check.verdict));
}
static void verdict_shown(const struct column_row *r, struct text *out) {
  view_verdict(r->finding, out);
}
static void reason(const struct column_row *r, struct text *out) {
  add(out, view_fault(r->finding));
}
static struct value max_error(const struct column_row *r) {
  const struct run_check *c = &r->finding->result->check;
  return known_if(c->total > 0, c->max_error);
}

/* --- how it ran --- */

static void params(const struct column_row *r, struct text *out) {
  view_params(r->finding->result, out);
}
static struct value registers(const struct column_row *r) {
  int n = view_registers(r->findings, r->finding->result);
  return known_if(n >= 0, n);
}

/* --- time --- */

static void time_shown(const struct column_row *r, struct text *out) {
  if (r->finding->timed)
    text_add(out, VIEW_TIME(&r->finding->time));
}
static char time_style(const struct finding *f) {
  (void)f;
  return 'B';
}
static struct value samples(const struct column_row *r) {
  return known_if(true, (double)r->finding->result->timing.n);
}
static struct value discarded(const struct column_row *r) {
  return known_if(true, (double)r->finding->result->timing.discarded);
}
static char parent_style(const struct finding *f) {
  if (f->parent_same)
    return 'd';
  return !f->speedup_parent.present ? 0 : f->speedup_parent.v > 1 ? 'g' : 'b';
}
static void same_as_parent(const struct column_row *r, struct text *out) {
  if (r->finding->speedup_parent.present)
    text_add(out, r->finding->parent_same ? "1" : "0");
}

/* --- the speed of light --- */

static struct value bytes_contest(const struct column_row *r) {
  return known_if(r->finding->result->bytes_contest > 0, r->finding->result->bytes_contest);
}
static struct value sol_minimal(const struct column_row *r) {
  return known_if(r->finding->sol_minimal.seconds > 0, r->finding->sol_minimal.seconds);
}
static struct value sol_contest(const struct column_row *r) {
  return known_if(r->finding->sol_contest.seconds > 0, r->finding->sol_contest.seconds);
}
static struct value sol_bandwidth(const struct column_row *r) {
  const struct ceiling *bandwidth = r->finding->sol_minimal.bandwidth;
  return known_if(bandwidth, bandwidth ? bandwidth->value : 0);
}
static void sol_bandwidth_kind(const struct column_row *r, struct text *out) {
  const struct ceiling *bandwidth = r->finding->sol_minimal.bandwidth;
  text_add(out, bandwidth ? ceiling_kind_name(bandwidth->kind) : "");
}

/* --- what binds --- */

static void bound(const struct column_row *r, struct text *out) {
  const struct bounds *b = &r->finding->bounds;
  text_add(out, b->binding == BOUND_KINDS ? "" : bound_name(b->binding));
}
static void bound_shown(const struct column_row *r, struct text *out) {
  const struct bounds *b = &r->finding->bounds;
  bound(r, out);
  if (b->share.present)
    text_printf(out, " %.0f %%", 100 * fmin(b->share.v, 1));
}
static void top_stall(const struct column_row *r, struct text *out) {
  add(out, r->finding->top_stall);
}
static void top_stall_shown(const struct column_row *r, struct text *out) {
  const struct finding *f = r->finding;
  top_stall(r, out);
  if (f->top_stall && f->top_stall_share.present)
    text_printf(out, " %.0f %%", f->top_stall_share.v * 100);
}
/* Where bytes are declared, the speed of light is DRAM's. */
static void sol_roof(const struct column_row *r, struct text *out) {
  const struct finding *f = r->finding;
  if (f->of_sol.present)
    text_add(out, f->sol_roof ? f->sol_roof : "DRAM");
}
static const struct advice *first_advice(const struct column_row *r) {
  return r->diagnosis && r->diagnosis->n ? &r->diagnosis->items[0] : NULL;
}
static void advice_first(const struct column_row *r, struct text *out) {
  text_add(out, first_advice(r) ? first_advice(r)->rule->name : "");
}
static struct value advice_saves(const struct column_row *r) {
  return known_if(first_advice(r), first_advice(r) ? first_advice(r)->price.saves_s : 0);
}
static void advice_none(const struct column_row *r, struct text *out) {
  if (r->diagnosis && !first_advice(r))
    text_add(out, report_no_advice(r->diagnosis->reason));
}

static const char *bound_part(size_t i) {
  return bound_name((enum bound_kind)i);
}

enum { ROOF_PARTS = 3 };
static const char *roof_part(size_t i) {
  static const char *const names[ROOF_LEVELS][ROOF_PARTS] = {
      [ROOF_DRAM] = {"DRAM_intensity_flop_per_byte", "DRAM_flop_per_s", "DRAM_bytes_per_s"},
      [ROOF_L2] = {"L2_intensity_flop_per_byte", "L2_flop_per_s", "L2_bytes_per_s"},
      [ROOF_L1] = {"L1_intensity_flop_per_byte", "L1_flop_per_s", "L1_bytes_per_s"}};
  return names[i / ROOF_PARTS][i % ROOF_PARTS];
}
static_assert(sizeof(struct roof_point) == ROOF_PARTS * sizeof(struct value),
              "the parts of roof are its values in order");

#define IN(member)       OF(finding, member)
#define OF(name, member) offsetof(struct name, member)

/* In the order of CSV.  Those of a metric are not in CSV's fixed part: it holds every metric
 * under its own name. */
const struct result_column result_columns[] = {
    {"variant", "variant", "variant", "", .text = variant, .shown = variant_shown},
    {"ladder", "ladder", .of_variant = OF(run_variant, ladder)},
    {"parent", "parent", .of_variant = OF(run_variant, parent)},
    {"side", "side", .flag = side},
    {"wrong", "wrong", .flag = wrong},
    {"change", .title = "fault built in", .unit = "", .of_variant = OF(run_variant, change)},
    {"m", .scale = 1, .number = size_m},
    {"k", .scale = 1, .number = size_k},
    {"l", .scale = 1, .number = size_l},
    {"sizes", .title = "shape", .unit = "", .text = sizes, .shown = shape},
    {"device", .text = device},
    {"origin", .text = origin},
    {"verdict", "verdict", "verdict", "", .text = verdict, .shown = verdict_shown, .style = view_verdict_style},
    {"cause", "cause", .of_result = OF(run_result, check.cause)},
    {"reason", "reason", "what the check saw", "", .text = reason},
    {"max_error", .scale = 1, .number = max_error},
    {"path", "path", "path", "", .of_result = OF(run_result, path)},
    {"params", .text = params},
    {"registers", NULL, "regs", "", 1, 1, 0, TABLE_RIGHT, .number = registers},
    {"time_us", NULL, "time", "µs", 1e6, 1e6, 4, TABLE_RIGHT, .time = IN(time.middle), .shown = time_shown,
     .style = time_style},
    {"time_ci_low_us", .scale = 1e6, .time = IN(time.ci_low)},
    {"time_ci_high_us", .scale = 1e6, .time = IN(time.ci_high)},
    {"time_mean_us", .scale = 1e6, .time = IN(time.mean)},
    {"time_stddev_us", .scale = 1e6, .time = IN(time.stddev)},
    {"time_min_us", .scale = 1e6, .time = IN(time.min)},
    {"time_max_us", .scale = 1e6, .time = IN(time.max)},
    {"samples", .scale = 1, .number = samples},
    {"discarded", .scale = 1, .number = discarded},
    {"contest_us", NULL, "contest", "µs", 1e-3, 1e-3, 4, TABLE_RIGHT, .metric = "contest_ns"},
    {"speedup_parent", "speedup_parent", "× parent", "", 1, 1, 3, TABLE_RIGHT, .value = IN(speedup_parent),
     .style = parent_style},
    {"same_as_parent", .text = same_as_parent},
    {"speedup_first", "speedup_first", "× first", "", 1, 1, 3, TABLE_RIGHT, .value = IN(speedup_first)},
    {"bytes_minimal", .scale = 1, .real = OF(run_result, bytes_minimal)},
    {"bytes_contest", .scale = 1, .number = bytes_contest},
    {"bytes_declared", .scale = 1, .real = OF(run_result, bytes_declared)},
    {"flops", .scale = 1, .real = OF(run_result, flops)},
    {"sol_minimal_us", .scale = 1e6, .number = sol_minimal},
    {"sol_contest_us", .scale = 1e6, .number = sol_contest},
    {"sol_bandwidth_bytes_per_s", .scale = 1, .number = sol_bandwidth},
    {"sol_bandwidth_kind", .text = sol_bandwidth_kind},
    {"of_sol_ratio", "of_sol", "SOL", "%", 1, 100, 3, TABLE_RIGHT, .value = IN(of_sol)},
    {"sol_roof", "sol_roof", .text = sol_roof},
    {"of_read_ratio", "of_read", "read", "%", 1, 100, 3, TABLE_RIGHT, .value = IN(of_read)},
    {"dram_moved_bytes", "dram_bytes", "DRAM", "MB", 1, 1e-6, 4, TABLE_RIGHT, .value = IN(dram_bytes)},
    {"dram_over_minimal_ratio", "dram_over_minimal", "× min", "", 1, 1, 3, TABLE_RIGHT, .value = IN(dram_over_minimal)},
    {"bound", NULL, "bound", "of the time", .text = bound, .shown = bound_shown},
    {"bound_explained_ratio", NULL, "explains", "%", 1, 100, 3, TABLE_RIGHT, .value = IN(bounds.explained)},
    {"bound_clock_hz", NULL, "clock", "MHz", 1, 1e-6, 4, TABLE_RIGHT, .value = IN(bounds.clock_hz)},
    {"inst_per_element", NULL, "inst", "/elem", 1, 1, 3, TABLE_RIGHT, .metric = "inst_per_element"},
    {"issue_slot_utilisation", NULL, "issue", "%", 1, 100, 3, TABLE_RIGHT, .metric = "issue_slot_utilisation"},
    {"achieved_occupancy", NULL, "occup", "%", 1, 100, 3, TABLE_RIGHT, .metric = "achieved_occupancy"},
    {"fixed_us", .scale = 1e6, .value = IN(bounds.fixed)},
    {"model_us", .scale = 1e6, .value = IN(bounds.time_s)},
    {"bytes_in_flight_most", .scale = 1, .value = IN(bounds.flight.bytes)},
    {"bytes_in_flight_needed", .scale = 1, .value = IN(bounds.flight.needed_bytes)},
    {"bytes_in_flight_achieved", .scale = 1, .value = IN(bounds.flight.achieved_bytes)},
    {"top_stall", "top_stall", "top stall", "of cycles", .text = top_stall, .shown = top_stall_shown},
    {"top_stall_share_ratio", "top_stall_share", .scale = 1, .value = IN(top_stall_share)},
    {"advice_first", .text = advice_first},
    {"advice_first_saves_us", .scale = 1e6, .number = advice_saves},
    {"advice_none_reason", .text = advice_none},
    {"bound_%s_us", NULL, NULL, "µs", 1e6, 1e6, 3, TABLE_RIGHT, BOUND_KINDS, bound_part, .value = IN(bounds.seconds)},
    {"roof_%s", NULL, NULL, NULL, 1, 1, 3, TABLE_RIGHT, ROOF_LEVELS *ROOF_PARTS, roof_part, .value = IN(roof)},
};
const size_t n_result_columns = sizeof result_columns / sizeof *result_columns;
