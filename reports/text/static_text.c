#include "reports/text/static_text.h"

#include "base/table.h"
#include "reports/words/evidence_text.h"
#include "reports/words/view.h"

#include <limits.h>

#include <math.h>
#include <string.h>

#define NOT_SHOWN "what code does not show: cache hits, imbalance, strides that come from data; counters on a GPU do"

static void add_head(const struct static_code *c, struct text *out) {
  const struct run_variant *v = &c->run->variants[c->result->variant];
  const struct run_launch *l = c->launch;
  text_add(out, v->id);
  view_at(c->result->shape, out);
  text_printf(out, ": kernel %s for %s, not run", c->kernel->name, c->arch);
  if (c->device->name)
    text_printf(out, "; set against %s", c->device->name);
  text_add(out, "\n");
  if (l) {
    text_add(out, "launch: ");
    if (l->grid[0])
      text_printf(out, "grid %u×%u×%u, ", l->grid[0], l->grid[1], l->grid[2]);
    text_printf(out, "block %u×%u×%u", l->block[0], l->block[1], l->block[2]);
    if (l->cluster[0])
      text_printf(out, ", cluster %u×%u×%u", l->cluster[0], l->cluster[1], l->cluster[2]);
    text_printf(out, ", %ld bytes of dynamic shared memory (as planned, not observed)\n", l->smem_dynamic);
  }
}

static void add_resources(const struct static_code *c, struct text *out) {
  const struct run_kernel *k = c->kernel;
  text_printf(out, "code: %d registers per thread, %ld bytes of static shared memory, ", k->registers, k->smem_static);
  if (k->spill_store_bytes < 0)
    text_printf(out, "spills not reported, %zu local memory instructions\n",
                c->code.spill_loads + c->code.spill_stores);
  else if (k->spill_store_bytes + k->spill_load_bytes == 0)
    text_add(out, "no spills\n");
  else
    text_printf(out, "spills: %ld bytes stored, %ld loaded\n", k->spill_store_bytes, k->spill_load_bytes);
  if (!c->occupied.present) {
    text_printf(out, "theoretical occupancy: unknown: %s\n", c->occupied.reason);
    return;
  }
  text_printf(out, "theoretical occupancy: %.0f %%, %d block%s of %d warps per SM, limited by %s\n  blocks that fit: ",
              100 * c->occupied.v, c->occupancy.blocks_per_sm, c->occupancy.blocks_per_sm == 1 ? "" : "s",
              c->occupancy.warps_per_block, occupancy_limit_name(c->occupancy.limit));
  for (int i = 0, shown = 0; i < OCCUPANCY_LIMITS; i++)
    if (c->occupancy.blocks[i] != INT_MAX)
      text_printf(out, "%s%d by %s", shown++ ? ", " : "", c->occupancy.blocks[i],
                  occupancy_limit_name((enum occupancy_limit)i));
  text_add(out, "\n");
}

/* The longest rows of the table of bounds, three at most, each alone: as in `diagnose` of a run they overlap, and add up to no hundred. */
static void add_longest(const struct static_code *c, struct text *out) {
  enum { SHOWN = 3 };
  static const double LEAST = 0.1;
  bool shown[BOUND_KINDS] = {false};
  size_t n = 0;
  for (; n < SHOWN; n++) {
    int most = BOUND_KINDS;
    double longest = LEAST * c->time_s.v;
    for (int k = 0; k < BOUND_KINDS; k++)
      if (!shown[k] && c->bounds[k].seconds.present && c->bounds[k].seconds.v >= longest)
        longest = c->bounds[k].seconds.v, most = k;
    if (most == BOUND_KINDS)
      break;
    shown[most] = true;
    text_printf(out, "%s %s %.0f %%", n ? "," : "; alone", bound_name((enum bound_kind)most),
                100 * longest / c->time_s.v);
  }
  text_add(out, n ? " of it\n" : "\n");
}

static void add_time(const struct static_code *c, struct text *out) {
  if (!c->time_s.present)
    return;
  text_printf(out, "modelled time: %.3g µs (%.3g to %.3g)", c->time_s.v * 1e6, c->low_s.v * 1e6, c->high_s.v * 1e6);
  add_longest(c, out);
}

/* --- the hot loop --- */

static void add_classes(const struct static_code *c, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  table_head(t, "class");
  table_head(t, c->code.hot == SASS_NONE ? ">in the kernel =insts" : ">in the loop =insts");
  table_head(t, c->elements.present ? ">per byte =per_byte -1 | >per element =per_element" : ">per byte =per_byte");

  for (int k = 0; k < SASS_CLASSES; k++) {
    const struct static_class *x = &c->classes[k];
    if (x->insts == 0)
      continue;
    table_row(t);
    table_cell(t, sass_class_name((enum sass_class)k), NULL);
    table_cellf(t, "%zu", x->insts);
    view_cell(t, x->per_byte, 1, 3);
    if (c->elements.present)
      view_cell(t, x->per_element, 1, 3);
  }
  table_rule(t);
  table_row(t);
  table_cell(t, "all", NULL);
  table_cellf(t, "%zu", c->loop_insts);
  view_cell(t, c->insts_per_byte, 1, 3);
  if (c->elements.present)
    view_cell(t, c->insts_per_element, 1, 3);
  table_print(t, out, width, colour);
}

/* Where the loop loads nothing no bandwidth says what it is short of. */
static void add_cycles(const struct static_code *c, struct text *out) {
  bool first = true;
  if (c->busiest == BOUND_KINDS || c->insts_per_byte.present)
    return;
  text_add(out, "SM cycles per warp and iteration: ");
  for (int k = 0; k < BOUND_KINDS; k++)
    if (c->bounds[k].cycles.present && c->bounds[k].cycles.v > 0) {
      text_printf(out, "%s%s %s", first ? "" : ", ", bound_name((enum bound_kind)k),
                  VIEW_NUMBER(c->bounds[k].cycles.v, 3));
      first = false;
    }
  text_add(out, "\n");
}

static void add_loop(const struct static_code *c, struct text *out, int width, bool colour) {
  text_add(out, c->code.hot == SASS_NONE ? "\nthe kernel (it has no loop)" : "\nhot loop");
  if (c->loop_first > 0 && c->loop_last > c->loop_first)
    text_printf(out, " (lines %d to %d)", c->loop_first, c->loop_last);
  else if (c->loop_first > 0)
    text_printf(out, " (line %d)", c->loop_first);
  text_printf(out, ": %zu instructions", c->loop_insts);
  if (c->turn_bytes.present && c->turn_bytes.v > 0)
    text_printf(out, ", %.0f bytes %s per thread%s", c->turn_bytes.v,
                c->once_bytes.present ? "of A and its scales" : "loaded",
                c->code.hot == SASS_NONE ? "" : " and iteration");
  if (c->code.unknown)
    text_printf(out, "; %zu instructions of the kernel have an unknown opcode", c->code.unknown);
  text_add(out, "\n");
  if (!c->insts_per_byte.present)
    text_printf(out, "instructions per byte: unknown: %s\n", c->insts_per_byte.reason);
  add_cycles(c, out);
  add_classes(c, out, width, colour);
}

static void add_flight(const struct static_code *c, struct text *out) {
  text_add(out, "\nloads in flight before the first use: ");
  if (!c->thread_bytes.present) {
    text_printf(out, "unknown: %s\n", c->thread_bytes.reason);
    return;
  }
  text_printf(out, "%.0f bytes per thread, %.0f per warp", c->thread_bytes.v, c->warp_bytes.v);
  if (c->bytes.present)
    text_printf(out, ", %s KiB on the chip", VIEW_NUMBER(c->bytes.v / 1024, 3));
  else
    text_printf(out, " (on the chip unknown: %s)", c->bytes.reason);
  if (c->needed_bytes.present)
    text_printf(out, "; Little's law needs %s KiB", VIEW_NUMBER(c->needed_bytes.v / 1024, 3));
  text_add(out, "\n");
}

/* --- bounds --- */

static void bound_row(struct table *t, const struct static_code *c, int k) {
  const struct static_bound *b = &c->bounds[k];
  table_row(t);
  table_cell(t, bound_name((enum bound_kind)k), NULL);
  view_cell(t, b->load_bw, 1e-12, 3);
  if (c->must_bytes.present) {
    view_cell(t, b->seconds, 1e6, 3);
    table_number(t, b->seconds.present && c->sol.seconds > 0 ? 100 * c->sol.seconds / b->seconds.v : NAN, 3);
  }
  struct text rests_on = {0};
  report_ceiling(b->ceiling, &rests_on);
  table_cell(t,
             b->ceiling      ? text_str(&rests_on)
             : k == BOUND_L1 ? "a turn of the banks per SM and cycle"
                             : "4 instructions per SM and cycle",
             NULL);
  text_release(&rests_on);
  if (k == (int)c->binding)
    table_style(t, 'B');
}

/* What the others take is known from counters only; of L1 where banks conflict. */
static bool is_modelled(const struct static_code *c, int bound) {
  return (bound != BOUND_L1 || c->bounds[bound].load_bw.present) && bound != BOUND_L2 && bound != BOUND_ATOMICS &&
         bound != BOUND_LAUNCH;
}

/* Bounds without a rate, by reason: "not known: alu, fma: nothing is loaded from global memory". */
static void add_unknown(const struct static_code *c, struct text *out) {
  bool told[BOUND_KINDS] = {false};
  for (int k = 0; k < BOUND_KINDS; k++) {
    const char *reason = c->bounds[k].load_bw.reason;
    if (!is_modelled(c, k) || c->bounds[k].load_bw.present || told[k])
      continue;
    text_add(out, reason == STATIC_UNUSED ? "not used by the loop: " : "not known: ");
    for (int i = k, n = 0; i < BOUND_KINDS; i++)
      if (is_modelled(c, i) && !c->bounds[i].load_bw.present && strcmp(c->bounds[i].load_bw.reason, reason) == 0) {
        text_printf(out, "%s%s", n++ ? ", " : "", bound_name((enum bound_kind)i));
        told[i] = true;
      }
    text_printf(out, "%s%s\n", reason == STATIC_UNUSED ? "" : ": ", reason == STATIC_UNUSED ? "" : reason);
  }
}

static void add_bounds(const struct static_code *c, struct text *out, int width, bool colour) {
  struct table *t = table_new();
  int rows = 0;
  text_printf(out, "\nbounds, %s", static_assumption(c));
  if (c->sol.seconds > 0)
    text_printf(out, "; speed of light %.3f µs", c->sol.seconds * 1e6);
  text_add(out, "\n");
  table_head(t, c->must_bytes.present
                    ? "bound | >loads at most [TB/s] =load_bw | >minimum [µs] =least_us | >of SOL [%] =of_sol | "
                      "rests on =rests_on"
                    : "bound | >loads at most [TB/s] =load_bw | rests on =rests_on");
  for (int k = 0; k < BOUND_KINDS; k++)
    if (is_modelled(c, k) && c->bounds[k].load_bw.present) {
      bound_row(t, c, k);
      rows++;
    }
  if (rows)
    table_print(t, out, width, colour);
  else
    table_free(t);
  if (rows && c->result->n_launches > 1 && !c->must_bytes.present)
    text_printf(out, "no minimum: %s\n", c->must_bytes.reason);
  for (int k = 0; k < BOUND_KINDS; k++) {
    const struct ceiling *of = c->bounds[k].ceiling;
    if (is_modelled(c, k) && c->bounds[k].load_bw.present && of && of->kind == CEILING_PUBLISHED)
      text_printf(out, "%s, published: %s\n", of->name, of->source);
  }
  add_unknown(c, out);
  if (c->binding == BOUND_KINDS)
    text_printf(out, "modelled bound: not known%s%s\n",
                c->busiest == BOUND_KINDS ? "" : "; the hot loop is longest in ",
                c->busiest == BOUND_KINDS ? "" : bound_name(c->busiest));
  else
    text_printf(out, "modelled bound: %s%s%s\n", bound_name(c->binding), c->doubt ? "? " : "",
                c->doubt ? c->doubt : "");
  if (c->stored_share > 0)
    text_printf(out, "stores take %.0f %% of DRAM's bandwidth\n", 100 * c->stored_share);
}

void report_code_advice(const struct static_code *c, struct text *out) {
  for (size_t i = 0; i < c->n_advice; i++) {
    const struct static_advice *a = &c->advice[i];
    text_printf(out, "%zu. %s [%s]\n   %s\n   evidence: ", i + 1, a->rule->title, a->rule->name, a->told.sentence);
    report_evidences(a->told.evidence, a->told.n_evidence, out);
    text_printf(out, "\n   remedy: %s\n", a->told.remedy);
  }
}

void report_code_first(const struct static_code *c, struct text *out) {
  if (c && c->n_advice)
    text_printf(out, "; from the code alone (" CODE_NOT_SEEN "): %s [%s]: %s", c->advice[0].rule->title,
                c->advice[0].rule->name, c->advice[0].told.remedy);
}

static void add_advice(const struct static_code *c, struct text *out) {
  text_add(out, "\nadvice from the code alone (modelled; no time was measured)\n");
  if (c->n_advice == 0)
    text_add(out, "  none: no rule finds a cause without counters\n");
  report_code_advice(c, out);
  text_add(out, NOT_SHOWN "\n");
}

void report_code_term(const struct static_code *c, struct text *out, int width, bool colour) {
  add_head(c, out);
  add_resources(c, out);
  if (c->reason) {
    text_printf(out, "\nloop, loads in flight, bounds and advice are unknown: %s\n", c->reason);
    return;
  }
  add_time(c, out);
  add_advice(c, out);
  add_loop(c, out, width, colour);
  add_flight(c, out);
  add_bounds(c, out, width, colour);
}

void report_codes_table(const struct static_code *c, size_t n, const char *file, struct text *out, int width,
                        bool colour) {
  struct table *t = table_new();
  text_printf(out, "%s: %zu kernels for %s, not run (modelled)", file, n, c->arch);
  if (c->device->name)
    text_printf(out, "; set against %s", c->device->name);
  text_add(out, "\n");
  table_head(t, "kernel | >regs =registers | >occup [%] =occupancy | >loop [inst] =loop_insts | "
                ">inst [/byte] =insts_per_byte | bound | first advice =advice");
  for (size_t i = 0; i < n; i++) {
    table_row(t);
    table_cell(t, VIEW_NAME(&c[i].run->variants[c[i].result->variant]), c[i].kernel->name);
    table_cellf(t, "%d", c[i].kernel->registers);
    view_cell(t, c[i].occupied, 100, 3);
    if (c[i].reason)
      table_cell(t, "", NULL);
    else
      table_cellf(t, "%zu", c[i].loop_insts);
    view_cell(t, c[i].insts_per_byte, 1, 3);
    if (c[i].binding != BOUND_KINDS)
      table_cellf(t, "%s%s", bound_name(c[i].binding), c[i].doubt ? "?" : "");
    else if (c[i].busiest != BOUND_KINDS)
      table_cellf(t, "%s (loop)", bound_name(c[i].busiest));
    else
      table_cell(t, "", NULL);
    table_cell(t, c[i].n_advice ? c[i].advice[0].rule->name : "", NULL);
  }
  table_print(t, out, width, colour);
  for (size_t i = 0, told = 0; i < n && !told; i++)
    if (c[i].reason && ++told)
      text_printf(out, "loop, bound and advice are unknown: %s\n", c[i].reason);
  bool silent = false;
  for (size_t i = 0; i < n; i++)
    silent = silent || (!c[i].reason && c[i].n_advice == 0);
  if (silent)
    text_add(out, "no advice: the code alone shows no cause; " NOT_SHOWN " (nvfp4-prof attach -- CMD)\n");
  if (!c->launch)
    text_add(out, "--block N, the threads of a block, gives the occupancy\n");
  text_printf(out, "next      nvfp4-prof diagnose %s --entry NAME\n", file);
}
