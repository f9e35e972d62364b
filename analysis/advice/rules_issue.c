/* Rules on instructions. */
#include "analysis/advice/rule_tools.h"

#include <math.h>

/* A bound that takes this part of the time binds it. */
static const double BINDS_ABOVE = 0.5;

static const char *const PIPE_METRIC[BOUND_KINDS] = {
    [BOUND_ALU] = "pipe_alu", [BOUND_FMA] = "pipe_fma",           [BOUND_LSU] = "pipe_lsu",
    [BOUND_XU] = "pipe_xu",   [BOUND_TENSOR] = "pipe_tensor_mma", [BOUND_FP64] = "pipe_fp64"};

static bool is_work(enum bound_kind k) {
  return k == BOUND_ISSUE || PIPE_METRIC[k] != NULL;
}

static void scale_work(double scale[BOUND_KINDS], double by) {
  scale_all(scale, 1);
  for (int k = 0; k < BOUND_KINDS; k++)
    if (is_work((enum bound_kind)k))
      scale[k] = by;
}

/* Instructions bind: halving all of them shows what fewer would give. */
bool rule_issue_slots(const struct rule_input *in, struct advice *out) {
  double share = bound_share(in, BOUND_ISSUE), slots = rule_value(in, "issue_slot_utilisation", 0);
  enum bound_kind binding = in->f->bounds.binding;
  if (!is_work(binding) || fmax(fmax(share, slots), bound_share(in, binding)) < BINDS_ABOVE)
    return false;
  double scale[BOUND_KINDS];
  scale_work(scale, 0.5);
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_metric(out, in, "issue_slot_utilisation");
  evidence_metric(out, in, "inst_per_element");
  evidence_metric(out, in, "alu_share");
  evidence_metric(out, in, "fma_share");
  evidence_metric(out, in, "lsu_share");
  double each = rule_value(in, "inst_per_element", 0); /* 0: no problem is declared, so that elements are unknown */
  const char *of_element = each > 0 ? pool_printf(in->pool, ", %.3g warp instructions an element", each) : "";
  out->sentence = pool_printf(
      in->pool,
      "the schedulers issue in %.0f %% of their cycles%s: the kernel executes more than its bytes leave time for",
      100 * slots, of_element);
  out->remedy =
      "fewer instructions a byte: wider loads, packed arithmetic, scales applied to sums, addresses kept in registers (estimate: half of them)";
  return true;
}

/* 8 values decoded by conversion through e4m3 are 13 instructions on sm_90, 4 on sm_100 (DESIGN.md section 13), and both operands need it. */
static double decode_needed(const struct device *d) {
  return d->sm >= 100 ? 2 * 4 : 2 * 13;
}

bool rule_decode_cost(const struct rule_input *in, struct advice *out) {
  enum { VALUES = 8, WARP_LANES = 32 };
  double elements = in->f->result->flops / 2;
  double alu = rule_value(in, "pipe_alu", 0) + rule_value(in, "pipe_xu", 0);
  if (elements <= 0 || alu <= 0 || in->f->result->bytes_minimal <= 0)
    return false;
  double spent = alu * WARP_LANES * VALUES / elements, needed = decode_needed(in->all->device);
  double share = fmax(bound_share(in, BOUND_ALU), bound_share(in, BOUND_ISSUE));
  if (spent < 1.5 * needed || share < BINDS_ABOVE)
    return false;
  double scale[BOUND_KINDS], all = rule_value(in, "inst_executed", alu);
  double gone = alu * (1 - needed / spent);
  scale_all(scale, 1);
  scale[BOUND_ALU] = scale[BOUND_XU] = needed / spent;
  scale[BOUND_ISSUE] = all > gone ? (all - gone) / all : 1;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_add(out, "ALU and XU instructions for 8 elements", "inst", value_of(spent));
  evidence_add(out, "needed to decode both operands", "inst", value_of(needed));
  evidence_metric(out, in, "alu_share");
  evidence_metric(out, in, "issue_slot_utilisation");
  out->sentence = pool_printf(
      in->pool, "each thread spends %.0f ALU instructions on 8 elements, where decoding both operands takes %.0f",
      spent, needed);
  out->remedy =
      in->all->device->sm >= 100
          ? "unpack with mov.b32 and convert by cvt.rn.f16x2.e2m1x2; decode B once and share it between rows"
          : "move nibbles to e4m3 bytes and convert by cvt.rn.f16x2.e4m3x2, or shift and mask into fp16; decode B once and share it between rows";
  return true;
}

/* The pipe that binds, unless it is one that another rule speaks for. */
bool rule_pipe(const struct rule_input *in, struct advice *out) {
  enum bound_kind k = in->f->bounds.binding;
  if (!PIPE_METRIC[k] || k == BOUND_FP64 || bound_share(in, k) < BINDS_ABOVE)
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[k] = 0.5;
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_metric(out, in, PIPE_METRIC[k]);
  evidence_add(out, "part of the time that the pipe needs", "ratio", value_of(bound_share(in, k)));
  evidence_metric(out, in, "stall_math_pipe_throttle_share");
  out->sentence =
      pool_printf(in->pool, "the %s pipe alone needs %.0f %% of the time", bound_name(k), 100 * bound_share(in, k));
  out->remedy = k == BOUND_LSU ? "fewer, wider loads and stores; values kept in registers instead of shared memory"
                               : "move work to another pipe, or do it once for several elements (estimate: half of it)";
  return true;
}

bool rule_fp64(const struct rule_input *in, struct advice *out) {
  double share = bound_share(in, BOUND_FP64), mix = rule_value(in, "fp64_share", 0);
  double throttled = rule_value(in, "stall_math_pipe_throttle_share", 0);
  if (share < 0.3 && (mix < 0.1 || throttled < 0.2))
    return false;
  double scale[BOUND_KINDS];
  scale_all(scale, 1);
  scale[BOUND_FP64] = 0;
  double by_model = in->time_s - rule_remodel(in, scale), by_stall = in->time_s * throttled;
  out->saves_s = fmax(by_model, by_stall);
  evidence_metric(out, in, "pipe_fp64");
  evidence_metric(out, in, "fp64_share");
  evidence_metric(out, in, "stall_math_pipe_throttle_share");
  evidence_add(out, "part of the time that the fp64 pipe needs", "ratio", value_of(share));
  out->sentence = pool_printf(
      in->pool, "%.0f %% of the instructions are double precision, and their pipe needs %.0f %% of the time", 100 * mix,
      100 * share);
  out->remedy = "compute in fp32: look for constants without f, and for functions of double arguments";
  return true;
}

bool rule_divergence(const struct rule_input *in, struct advice *out) {
  double lanes = rule_value(in, "lanes_active", 1);
  if (lanes > 0.75 || fmax(bound_share(in, BOUND_ISSUE), bound_share(in, in->f->bounds.binding)) < 0.3 ||
      !is_work(in->f->bounds.binding))
    return false;
  double scale[BOUND_KINDS];
  scale_work(scale, lanes);
  out->saves_s = in->time_s - rule_remodel(in, scale);
  evidence_metric(out, in, "lanes_active");
  evidence_metric(out, in, "inst_executed");
  out->sentence = pool_printf(in->pool, "a mean instruction works for %.0f of a warp's 32 lanes", 32 * lanes);
  out->remedy = "let the lanes of a warp take the same way, and give idle lanes work";
  return true;
}
