#include "analysis/signs/flight_plan.h"

#include "analysis/idioms/repeats.h"
#include "analysis/signs/about.h"
#include "analysis/signs/asked.h"
#include "analysis/signs/local.h"

#include <math.h>

enum {
  THREAD_FLIGHT_MOST = 128, /* bytes: eight loads of 16, in 32 registers */
  THREAD_REGISTERS = 255    /* that an instruction can name */
};

/* An SM without work has nothing under way.  Warps of an SM that works, times all SMs, are what large grids are said to have; a small one has its own and
 * no more, and is not made less by SMs that it leaves idle. */
static double resident_part(const struct rule_input *in) {
  double balance = fmin(rule_value(in, "sm_balance", 1), 1), warps = or_zero(in->f->bounds.flight.warps);
  struct value of_sm =
      value_ratio(finding_value(in->f, "warps_active"), finding_value(in->f, "sm_cycles_active"), "no SM worked");
  return of_sm.present && warps > 0 ? fmin(of_sm.v * in->all->device->sms * balance / warps, 1) : balance;
}

/* What caches serve does not come from DRAM.  What is under way is counted by lane: lanes that ask for one word ask for more than its sector holds. */
static double dram_part(const struct rule_input *in) {
  double lanes = rule_value(in, "l1_load_requests", 0) * RULE_LANES * lane_load_bytes(in);
  double asked = fmax(rule_value(in, "l1_load_bytes", 0), lanes), read = rule_value(in, "dram_read_bytes", 0);
  return part_kept(asked - read, asked);
}

double thread_flight_most(const struct rule_input *in, double now) {
  const struct run_launch *l = in->f->launch;
  double warps = or_zero(in->f->bounds.work.warps) / in->all->device->sms, regs = in->all->device->regs_per_sm;
  if (!l || l->registers <= 0 || regs <= 0)
    return THREAD_FLIGHT_MOST;
  double free_regs = fmin(regs / (warps * RULE_LANES), THREAD_REGISTERS) - l->registers;
  return fmin(now + REGISTER_BYTES * fmax(free_regs, 0), THREAD_FLIGHT_MOST);
}

/* The kernel's own line has a load in the loop: what is left of an unrolled loop shares its lines. */
static bool line_loads_in(const struct sass *s, const struct run_instruction *at, size_t loop) {
  const struct run_line *line = at->n_lines ? &at->lines[at->n_lines - 1] : NULL;
  for (size_t i = 0; line && i < s->n; i++) {
    const struct run_instruction *x = &s->kernel->sass[i];
    const struct run_line *own = x->n_lines ? &x->lines[x->n_lines - 1] : NULL;
    if (own && own->source == line->source && own->line == line->line && about_loads(&s->insts[i]) &&
        sass_in_loop(s, i, loop))
      return true;
  }
  return false;
}

/* The loop of the load that warps wait for; else, and where that is the same loop of the source, the one that data come from. */
static size_t waited_loop(const struct rule_input *in, size_t stream) {
  struct sass *s = in->sass;
  const struct run_instruction *at = about_place(in, about_loads);
  size_t i = 0;
  while (i < s->n && at != &s->kernel->sass[i])
    i++;
  size_t loop = i < s->n ? s->blocks[s->block_of[i]].loop : SASS_NONE;
  return loop == SASS_NONE || (stream != SASS_NONE && line_loads_in(s, at, stream)) ? stream : loop;
}

/* Batches that can be one: those of a loop each time it is entered, else all of a warp.  0: unknown. */
static double joinable(const struct rule_input *in) {
  struct sass_summary summary;
  if (in->sass)
    sass_summarise(in->sass, &summary);
  size_t loop = in->sass ? summary.stream : SASS_NONE;
  struct value trips = loop == SASS_NONE ? value_absent("no loop") : in->sass->loops[loop].trips;
  return trips.present && trips.v > 0 ? fmin(trips.v, warp_batches(in)) : warp_batches(in);
}

/* The model's loads are of the loop that runs most: those that warps wait for may be of another. */
static void flight_of_waited(struct flight_plan *out, const struct rule_input *in) {
  struct sass_summary summary;
  struct sass_flight flight;
  if (!in->sass || out->thread_bytes <= 0)
    return;
  sass_summarise(in->sass, &summary);
  size_t loop = waited_loop(in, summary.stream);
  if (loop == summary.stream)
    return;
  sass_flight_of(in->sass, loop, &flight);
  if (!flight.bytes_thread.present || flight.loads == 0)
    return;
  out->under_way *= flight.bytes_thread.v / out->thread_bytes;
  out->thread_bytes = flight.bytes_thread.v;
  out->requests = (double)flight.loads;
}

void flight_plan_of(struct flight_plan *out, const struct rule_input *in) {
  const struct flight *fl = &in->f->bounds.flight;
  double batches = joinable(in);
  *out = (struct flight_plan){.under_way = or_zero(fl->bytes) * resident_part(in),
                              .needed = or_zero(fl->needed_bytes),
                              .thread_bytes = or_zero(fl->warp_bytes) / RULE_LANES,
                              .requests = or_zero(fl->warp_requests),
                              .kept = 0.5};
  if (out->thread_bytes > 0) /* of all batches, most of which are of the loop that runs most */
    out->kept = fmin(out->kept, out->thread_bytes / thread_flight_most(in, out->thread_bytes));
  if (batches > 0)
    out->kept = fmax(out->kept, fmin(1 / batches, 1));
  flight_of_waited(out, in);
  out->in_flight = out->under_way * dram_part(in);
}

bool l2_serves(const struct rule_input *in) {
  return rule_value(in, "dram_read_bytes", INFINITY) < rule_value(in, "l2_read_bytes", 0) / 2;
}

bool mostly_reads(const struct rule_input *in) {
  return rule_value(in, "dram_write_bytes", 0) <= rule_value(in, "dram_read_bytes", 0);
}

bool l1_serves(const struct rule_input *in) {
  const struct ceiling *l1 = device_best(in->all->device, "l1_latency_cycles"),
                       *l2 = device_best(in->all->device, "l2_latency_cycles");
  double hit = rule_value(in, "l1_hit_rate", 0);
  return l1 && l2 && hit * l1->value > (1 - hit) * l2->value;
}

bool loads_tiles(const struct rule_input *in) {
  struct sass_summary summary;
  if (!in->sass)
    return true;
  sass_summarise(in->sass, &summary);
  for (size_t i = 0; i < in->sass->n; i++) {
    enum sass_class class = in->sass->insts[i].class;
    if ((class == SASS_STORE_SHARED || class == SASS_ASYNC_COPY) && summary.stream != SASS_NONE &&
        sass_in_loop(in->sass, i, summary.stream) && sass_repeats(in->sass, i))
      return true;
  }
  return false;
}

bool loads_once(const struct rule_input *in, const struct run_instruction *at) {
  const struct sass *s = in->sass;
  double inside = 0, outside = 0;
  for (size_t i = 0; s && i < s->n; i++) {
    if (!about_loads(&s->insts[i]) || s->insts[i].never)
      continue;
    bool loops = sass_repeats(s, i);
    if (loops && at == &s->kernel->sass[i])
      return false;
    *(loops ? &inside : &outside) += s->counted ? fmax(s->executed[i], 0) : 1;
  }
  return outside > inside;
}

/* Those that it has in that loop; of requests that were counted, in the parts that the code has. */
static double loads_of_thread(const struct rule_input *in) {
  struct sass *s = in->sass;
  struct sass_summary summary;
  sass_summarise(s, &summary);
  size_t loop = waited_loop(in, summary.stream);
  double all = 0, inside = 0, requests = or_zero(in->f->bounds.flight.requests);
  double warps = or_zero(in->work.blocks) * or_zero(in->work.warps_per_block) * in->work.launches;
  for (size_t i = 0; i < s->n; i++) {
    double n = s->insts[i].class == SASS_LOAD_GLOBAL ? fmax(s->executed[i], 0) : 0;
    all += n;
    inside += loop != SASS_NONE && sass_in_loop(s, i, loop) ? n : 0;
  }
  return inside > 0 && warps > 0 && requests > 0 ? fmax(round(requests / warps * inside / all), 1) : INFINITY;
}

double rows_ahead(const struct rule_input *in, const struct flight_plan *x) {
  double n = 0, bytes = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    double executed = in->sass->insts[i].class == SASS_LOAD_GLOBAL ? fmax(in->sass->executed[i], 0) : 0;
    n += executed;
    bytes += executed * in->sass->insts[i].bytes;
  }
  double wanted = fmin(x->thread_bytes * x->needed / x->in_flight, thread_flight_most(in, x->thread_bytes));
  return bytes > 0 ? fmin(ceil(wanted * n / bytes), loads_of_thread(in)) : 0;
}
