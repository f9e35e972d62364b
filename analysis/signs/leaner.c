#include "analysis/signs/leaner.h"

#include "analysis/signs/chains.h"
#include "analysis/signs/division.h"
#include "analysis/signs/pipes.h"
#include "analysis/signs/wider.h"

#include <math.h>
#include <stdlib.h>

static const double HALF = 0.5, LEAST = 0.02; /* of all instructions, to be named */

/* --- narrow accesses --- */

/* Part of an access that goes where others are wider. */
static double spared(const struct sass_inst *x) {
  return 1 - fmin((double)x->bytes / LANE_BYTES_MOST, 1);
}

double accesses_widened(const struct rule_input *in, double *weight) {
  unsigned char *of = wider_make(in);
  double gone = 0;
  for (size_t i = 0; of && i < in->sass->n; i++)
    if (of[i] == WIDER_BESIDE || of[i] == WIDER_LANES) {
      double n = in->sass->executed[i] * spared(&in->sass->insts[i]);
      gone += n;
      if (weight)
        weight[i] = n;
    }
  free(of);
  return gone;
}

struct narrow {
  double n, wide;         /* as they are, and of 16 bytes */
  double addresses;       /* that go with them */
  double lanes, own, all; /* that go: neighbouring lanes' elements, those of a thread's next turns, all */
};

/* Those that could be wider; what stands beside another by an offset in the code has its address already. */
static void narrow_of(struct narrow *out, const struct rule_input *in) {
  unsigned char *of = wider_make(in);
  *out = (struct narrow){0};
  for (size_t i = 0; of && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    if (of[i] != WIDER_BESIDE && of[i] != WIDER_LANES)
      continue;
    double n = in->sass->executed[i], gone = n * spared(x);
    bool beside = access_beside(in->sass, i);
    out->n += n;
    out->wide += n - gone;
    out->all += gone;
    out->addresses += beside ? 0 : gone;
    out->lanes += of[i] == WIDER_LANES ? gone : 0;
    out->own += of[i] == WIDER_BESIDE && !beside ? gone : 0;
  }
  free(of);
}

/* --- kinds --- */

/* Most goes of it, and it has no place yet. */
static enum mix_kind next_kind(const struct leaner *x) {
  enum mix_kind most = MIX_KINDS;
  for (enum mix_kind k = 0; k < MIX_KINDS; k++) {
    bool named = false;
    for (size_t i = 0; i < x->n; i++)
      named = named || x->kinds[i] == k;
    if (!named && (most == MIX_KINDS || x->mix.goes[k] > x->mix.goes[most]))
      most = k;
  }
  return most;
}

/* The work itself, and what stands around it, behind a kind that has a remedy of its own and of which half as much goes. */
bool leaner_is_general(enum mix_kind k) {
  return k == MIX_INTEGER || k == MIX_SETUP;
}

static void sort_general(struct leaner *x) {
  for (size_t i = 1; i < x->n; i++)
    for (size_t k = i; k > 0 && leaner_is_general(x->kinds[k - 1]) && !leaner_is_general(x->kinds[k]) &&
                       x->mix.goes[x->kinds[k]] >= HALF * x->mix.goes[x->kinds[k - 1]];
         k--) {
      enum mix_kind general = x->kinds[k - 1];
      x->kinds[k - 1] = x->kinds[k];
      x->kinds[k] = general;
    }
}

static bool names(const struct leaner *x, enum mix_kind k) {
  for (size_t i = 0; i < x->n; i++)
    if (x->kinds[i] == k)
      return true;
  return false;
}

/* Of what goes of a kind, the ALU's. */
static double alu_of(const struct mix *m, enum mix_kind k) {
  switch (k) {
  case MIX_INDEX:
  case MIX_INTEGER:
    return m->goes[k];
  case MIX_TURNS:
    return m->goes[k] * 2 / 3; /* counter and comparison */
  case MIX_INTEGER_DIVISIONS:
    return m->goes[k] * DIVISION_ALU / DIVISION_INSTS;
  default:
    return 0;
  }
}

/* --- all of it --- */

/* What no pipe executes, and integer and logic beyond one per access of memory: what computes no value goes at most. */
static void overhead_of(const struct rule_input *in, double *unpiped, double *integers) {
  double piped = 0, index = executed_in(in, SASS_INTEGER, PIPE_UNKNOWN) + executed_in(in, SASS_LOGIC, PIPE_UNKNOWN);
  bool known =
      rule_value(in, "pipe_alu", NAN) >= 0 && rule_value(in, "pipe_fma", NAN) >= 0; /* an import may lack them */
  for (size_t i = 0; i < N_PIPES; i++)
    piped += PIPES[i].bound == BOUND_ADU ? 0 : rule_value(in, PIPES[i].counter, 0); /* it loads arguments: overhead */
  *unpiped = known ? fmax(rule_value(in, "inst_executed", 0) - piped, 0) : 0;
  *integers = is_gemv(in) ? 0 : fmax(index - rule_value(in, "pipe_lsu", 0), 0);
}

static double arguments_of(const struct rule_input *in) {
  bool known = rule_value(in, "pipe_alu", NAN) >= 0 && rule_value(in, "pipe_fma", NAN) >= 0;
  return known && in->f->bounds.binding == BOUND_ISSUE ? argument_loads(in) : 0;
}

/* Where no kinds are known: half of the overhead. */
static void leaner_of_all(struct leaner *out, const struct rule_input *in, double unpiped, double integers) {
  out->goes = HALF * (unpiped + integers);
  out->named = unpiped + integers;
  out->alu = HALF * integers;
  out->adu = HALF * arguments_of(in);
}

/* Wider accesses need fewer addresses; unrolled loops turn half as often. */
static void leaner_of_gemv(struct leaner *out, const struct rule_input *in, double unpiped) {
  static const double NAMED = 0.1;
  double n = 0, wide = 0, insts = rule_value(in, "inst_executed", 0);
  double packed =
      HALF * (executed_of(in, "FFMA", NULL) + executed_of(in, "FADD", NULL) + executed_of(in, "FMUL", NULL));
  for (size_t i = 0; in->sass && in->sass->counted && i < in->sass->n; i++)
    if (sass_is_global(&in->sass->insts[i]) && in->sass->executed[i] > 0) {
      n += in->sass->executed[i];
      wide += in->sass->executed[i] * (1 - spared(&in->sass->insts[i]));
    }
  double gone = n - wide;
  out->wider = wide > 0 ? n / wide : 1;
  out->narrow = 2 * gone >= LEAST * insts && !chases_lead(in);
  out->several = out->narrow && out->wider >= 2;
  out->times = out->several ? out->wider : 1;
  gone = out->narrow ? gone : 0;
  double overhead = fmax(1 - 1 / out->wider, HALF) * unpiped;
  out->goes = 2 * gone + packed + overhead;
  out->named = 2 * gone + packed + unpiped;
  out->lsu = gone;
  out->alu = gone;
  out->fma = packed;
  out->adu = fmax(1 - 1 / out->wider, HALF) * arguments_of(in);
  out->packed = packed > NAMED * (gone + packed + overhead);
}

static void leaner_of_kinds(struct leaner *out, const struct rule_input *in, double unpiped, double integers) {
  struct mix *m = &out->mix;
  struct narrow narrow;
  double insts = rule_value(in, "inst_executed", 0), sum = 0, alu = 0, general = 0;
  narrow_of(&narrow, in);
  out->wider = narrow.wide > 0 ? narrow.n / narrow.wide : 1;
  double gone = narrow.all + narrow.addresses;
  out->narrow = gone >= LEAST * insts && !chases_lead(in);
  bool wide = out->narrow && out->wider >= 2;
  bool lanes = wide && 2 * narrow.lanes >= narrow.all;
  double times = lanes ? out->wider : 1;
  double part = fmax(1 - 1 / times, HALF);
  m->goes[MIX_ACCESSES] = out->narrow ? gone : 0;
  m->goes[MIX_INDEX] *= part / HALF;
  m->goes[MIX_SETUP] *= part / HALF;
  m->goes[MIX_INTEGER] = HALF * m->takes[MIX_INTEGER];
  for (enum mix_kind k = next_kind(out); out->n < LEANER_KINDS && m->goes[k] >= LEAST * insts; k = next_kind(out)) {
    out->kinds[out->n++] = k;
    general += leaner_is_general(k) || k == MIX_INDEX || k == MIX_TURNS || k == MIX_INTEGER_DIVISIONS ? m->goes[k] : 0;
    sum += k == MIX_ACCESSES ? 0 : m->goes[k];
    alu += alu_of(m, k);
    out->named += fmax(m->takes[k], m->goes[k]);
  }
  sort_general(out);
  bool asks = names(out, MIX_ACCESSES);
  out->narrow = asks;
  out->several = lanes && asks;
  out->times = out->several ? times : asks && wide && 2 * narrow.own >= narrow.all ? out->wider : 1;
  out->goes = sum - general + fmin(general, part * (unpiped + integers)) + (asks ? gone : 0);
  out->lsu = asks ? narrow.all : 0;
  out->alu = fmin(alu, part * integers) + (asks ? narrow.addresses : 0);
  out->adu = names(out, MIX_SETUP) ? part * arguments_of(in) : 0;
}

void leaner_of(struct leaner *out, const struct rule_input *in) {
  double unpiped, integers;
  *out = (struct leaner){.wider = 1, .times = 1};
  mix_of(&out->mix, in);
  overhead_of(in, &unpiped, &integers);
  if (is_gemv(in))
    leaner_of_gemv(out, in, unpiped);
  else if (out->mix.known)
    leaner_of_kinds(out, in, unpiped, integers);
  else
    leaner_of_all(out, in, unpiped, integers);
  out->goes = fmin(out->goes, LEANER_MOST * rule_value(in, "inst_executed", 0));
}

void leaner_release(struct leaner *x) {
  mix_release(&x->mix);
}
