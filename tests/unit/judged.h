/* A rule asked by itself: what it says of a kernel made by hand, line by line, and what its remedy takes from work of round numbers.
 * Of made()'s 100 us 3.2e6 cycles of 320 resident warps are 10 us of each; at 100 kHz its 10 SMs issue 400 warp instructions. */
#ifndef TESTS_UNIT_JUDGED_H
#define TESTS_UNIT_JUDGED_H

#include "analysis/advice/baseline.h"
#include "analysis/rules/rules.h"
#include "unit/made_diagnosis.h"

#include <stdio.h>

enum { GIVEN_MAX = 14, SILENT_MAX = 5, TEXT_MAX = 2048 };

struct given {
  const char *name; /* of a counter */
  double value;
};

struct judged_case {
  const char *rule;
  void (*also)(struct made_diagnosis *d); /* NULL: a kernel as made() has it */
  const char *lines[LINES_MAX];           /* of SASS; none: no code is known */
  double executed[LINES_MAX];
  struct given set[GIVEN_MAX];
  const char *says;                /* evidence, sentence, remedy; NULL: silent */
  const char *takes;               /* fields of the work that change; NULL: any */
  struct given silent[SILENT_MAX]; /* each of these alone silences it */
  bool sized;                      /* by the L2, the shape, blocks or bytes in flight: less work is another case */
  bool in_small;                   /* judged_in_small */
  const char *without;             /* a counter of `set` that was not collected */
};

struct judged {
  struct made_diagnosis d;
  struct hot hot;
  struct pool pool;
  struct rule_input in;
};

/* grid.sync() as CUDA 13 writes it for sm_90a, and a barrier of the block behind it. */
#define GRID_SYNC                                                                                                      \
  .lines = {"BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "@P4 BRA 0x60",                                                                                            \
            "ATOM.E.ADD.STRONG.GPU PT, R3, desc[UR8][R14.64+0x4], R3",                                                 \
            "LD.E.STRONG.GPU R3, desc[UR8][R14.64+0x4]",                                                               \
            "ISETP.GT.AND P0, PT, R3, -0x1, PT",                                                                       \
            "@P0 BRA 0x30",                                                                                            \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "FADD R4, R4, R4",                                                                                         \
            "BAR.SYNC.DEFER_BLOCKING 0x0",                                                                             \
            "EXIT"},                                                                                                   \
  .executed = {64, 64, 8, 8, 8, 8, 64, 64, 64, 64}

static const double SMALL_PART = 0x1p-30;

/* The same kernel with a billionth of the work, on a chip a billion times slower: shares and times are the same, and no count is one any more. */
static inline void judged_in_small(struct made_diagnosis *d) {
  static const char *const of_time[] = {"dram_bw", "l2_bw", "red_", "latency_cycles"};
  struct run_result *r = &d->m.results[0];
  for (size_t i = 0; i < r->n_metrics; i++)
    r->metrics[i].value *= strstr(r->metrics[i].name, "_ns") ? 1 : SMALL_PART;
  for (size_t i = 0; i < r->n_counts; i++) {
    double *const counts[] = {&d->counts[i].executed,          &d->counts[i].threads,
                              &d->counts[i].global_sectors,    &d->counts[i].global_sectors_ideal,
                              &d->counts[i].shared_wavefronts, &d->counts[i].shared_wavefronts_ideal};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
      *counts[k] *= *counts[k] > 0 ? SMALL_PART : 1;
  }
  r->bytes_minimal *= SMALL_PART, r->bytes_declared *= SMALL_PART, r->flops *= SMALL_PART;
  d->m.device.clock_max_hz *= SMALL_PART;
  for (size_t i = 0; i < d->m.device.n_ceilings; i++)
    for (size_t k = 0; k < sizeof of_time / sizeof of_time[0]; k++)
      d->m.ceilings[i].value *= strstr(d->m.ceilings[i].name, of_time[k]) ? SMALL_PART : 1;
}

static inline void not_counted(struct made_diagnosis *d, const char *counter) {
  struct run_result *r = &d->m.results[0];
  for (size_t i = 0; i < r->n_metrics; i++)
    r->metrics[i].present = r->metrics[i].present && strcmp(r->metrics[i].name, counter) != 0;
}

/* Besides what made() counts: three quarters of the issue slots, 0.25 eligible warps. */
static inline void judged_make(struct judged *j, const struct judged_case *c, const struct given *other) {
  struct err e = {0};
  struct run_result *r = made(&j->d);
  j->pool = (struct pool){0};
  set(r, "issue_active", 3e6);
  set(r, "warps_eligible", 1e6);
  if (c->lines[0])
    code(&j->d, c->lines, c->executed);
  for (size_t i = 0; i < GIVEN_MAX && c->set[i].name; i++)
    set(r, c->set[i].name, c->set[i].value);
  if (c->also)
    c->also(&j->d);
  if (other)
    set(r, other->name, other->value);
  if (c->without)
    not_counted(&j->d, c->without);
  if (c->in_small)
    judged_in_small(&j->d);
  if (findings_make(&j->d.findings, &j->d.m.run, &j->d.m.device, &e))
    fail_msg("%s", e.text);
  hot_make(&j->hot, &j->d.m.run, r);
  const struct finding *f = &j->d.findings.items[0];
  j->in = (struct rule_input){.all = &j->d.findings,
                              .f = f,
                              .pool = &j->pool,
                              .hot = &j->hot,
                              .sass = j->hot.n_kernels ? &j->hot.kernels[0].sass : NULL,
                              .time_s = f->time.middle};
  rule_baseline(&j->in);
}

static inline void judged_release(struct judged *j) {
  hot_release(&j->hot);
  findings_release(&j->d.findings);
  pool_release(&j->pool);
}

/* "issue slots used 0.5 ratio", a line each; then what is wrong and what to do, and whether it is for who calls the kernel. */
static inline void advice_text(char out[TEXT_MAX], const struct told *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->n_evidence; i++)
    n += (size_t)snprintf(out + n, TEXT_MAX - n, "%s %.4g %s\n", a->evidence[i].title, a->evidence[i].value.v,
                          a->evidence[i].unit ? a->evidence[i].unit : "-");
  snprintf(out + n, TEXT_MAX - n, "%s%s\n%s%s\n",
           a->stop      ? "STOP "
           : a->general ? "GENERAL "
                        : "",
           a->sentence, a->by_caller ? "CALLER " : "", a->remedy);
}

/* Every field of the work: counts of 1000, 100 us, and what is no value. */
#define FIELDS_OF_WORK(COUNT, TIME, NUMBER)                                                                            \
  COUNT(inst)                                                                                                          \
  COUNT(alu)                                                                                                           \
  COUNT(fma)                                                                                                           \
  COUNT(fma_heavy)                                                                                                     \
  NUMBER(wide_share, 0.5)                                                                                              \
  COUNT(lsu)                                                                                                           \
  COUNT(xu)                                                                                                            \
  COUNT(tensor)                                                                                                        \
  COUNT(fp64)                                                                                                          \
  COUNT(adu)                                                                                                           \
  COUNT(tex)                                                                                                           \
  COUNT(l1_wavefronts)                                                                                                 \
  COUNT(dram_read)                                                                                                     \
  COUNT(dram_write)                                                                                                    \
  COUNT(l2_read)                                                                                                       \
  COUNT(l2_write)                                                                                                      \
  NUMBER(read_fill, 2)                                                                                                 \
  NUMBER(write_fill, 2)                                                                                                \
  NUMBER(partial_share, 0.5)                                                                                           \
  COUNT(atomic_sectors)                                                                                                \
  COUNT(atomic_cycles_max)                                                                                             \
  NUMBER(atomic_bursts, 4)                                                                                             \
  NUMBER(atomic_lanes, 1)                                                                                              \
  NUMBER(async_share, 0)                                                                                               \
  NUMBER(sectors_spread, 8)                                                                                            \
  TIME(loads_s)                                                                                                        \
  COUNT(slow_loads)                                                                                                    \
  TIME(own_issue_s)                                                                                                    \
  TIME(dependencies_s)                                                                                                 \
  TIME(barriers_s)                                                                                                     \
  NUMBER(launches, 4)                                                                                                  \
  TIME(empty_s)                                                                                                        \
  COUNT(blocks)                                                                                                        \
  COUNT(warps_per_block)                                                                                               \
  COUNT(blocks_per_sm)                                                                                                 \
  COUNT(smem_block)                                                                                                    \
  COUNT(warps)                                                                                                         \
  NUMBER(balance, 0.5)                                                                                                 \
  COUNT(clock_hz)

static inline struct workload round_work(void) {
  struct workload w = {0};
#define COUNT(field)       w.field = value_of(1000);
#define TIME(field)        w.field = value_of(100e-6);
#define NUMBER(field, was) w.field = was;
  FIELDS_OF_WORK(COUNT, TIME, NUMBER)
#undef COUNT
#undef TIME
#undef NUMBER
  return w;
}

static inline void field_text(char out[TEXT_MAX], const char *name, double was, double is) {
  size_t n = strlen(out);
  if (fabs(is - was) > 1e-12 * fabs(was))
    snprintf(out + n, TEXT_MAX - n, "%s%s %.5g", n ? ", " : "", name, is);
}

/* "inst 800, own_issue_s 80": what is not as in round_work(); times in us. */
static inline void work_text(char out[TEXT_MAX], const struct workload *w) {
  const struct workload was = round_work();
  out[0] = '\0';
#define COUNT(field)       field_text(out, #field, was.field.v, w->field.v);
#define TIME(field)        field_text(out, #field, was.field.v * 1e6, w->field.v * 1e6);
#define NUMBER(field, was) field_text(out, #field, was, w->field);
  FIELDS_OF_WORK(COUNT, TIME, NUMBER)
#undef COUNT
#undef TIME
#undef NUMBER
}

static inline void same_text(const char *rule, size_t row, const char *got, const char *want) {
  if (!want || strcmp(got, want) != 0)
    fail_msg("%s, row %zu:\n%s\nwanted:\n%s", rule, row, got, want ? want : "nothing");
}

/* Its counts but for those of blocks and warps. */
static inline void work_times(struct workload *w, double part) {
  struct value *const counts[] = {&w->inst,       &w->alu,     &w->fma,      &w->fma_heavy,      &w->lsu,
                                  &w->xu,         &w->tensor,  &w->fp64,     &w->l1_wavefronts,  &w->dram_read,
                                  &w->dram_write, &w->l2_read, &w->l2_write, &w->atomic_sectors, &w->atomic_cycles_max,
                                  &w->adu,        &w->tex};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    counts[i]->v *= part;
}

/* What a sentence says but for its numbers. */
static inline void no_numbers(char out[TEXT_MAX], const char *sentence) {
  size_t n = 0;
  for (; *sentence && n + 1 < TEXT_MAX; sentence++)
    if (!strchr("0123456789.e+-", *sentence))
      out[n++] = *sentence;
  out[n] = '\0';
}

/* The model's times, by resource, but for loads: a warp has as many turns as it has loads. */
static inline void same_times(const struct judged_case *c, size_t row, const struct model *got,
                              const struct model *want) {
  for (int k = 0; k < RESOURCES; k++) {
    struct value a = got->seconds[k], b = want->seconds[k];
    if (k == RESOURCE_LOADS || k == RESOURCE_SLOW_LOADS)
      continue;
    if (a.present != b.present || (a.present && !(fabs(a.v - b.v) <= 1e-9 * fabs(b.v))))
      fail_msg("%s, row %zu, in small: %s takes %g s, wanted %g", c->rule, row, resource_rows[k].name, a.v, b.v);
  }
}

static inline void judge_in_small(const struct judged_case *c, size_t row, const struct rule *rule) {
  static struct judged j;
  struct judged_case small = *c;
  char got[TEXT_MAX], want[TEXT_MAX], text[TEXT_MAX];
  struct told as_given = told_of(rule), a = as_given;
  judged_make(&j, c, NULL);
  bool fires = rule->judge(&j.in, &as_given);
  no_numbers(want, fires ? as_given.sentence : "keeps silent");
  struct model model = j.in.f->bounds.model;
  judged_release(&j);
  small.in_small = true;
  judged_make(&j, &small, NULL);
  same_times(c, row, &j.in.f->bounds.model, &model);
  no_numbers(got, rule->judge(&j.in, &a) ? a.sentence : "keeps silent");
  if (c->takes) {
    struct workload w = round_work();
    work_times(&w, SMALL_PART);
    rule->change(&j.in, &w);
    work_times(&w, 1 / SMALL_PART);
    work_text(text, &w);
    same_text(c->rule, row, text, c->takes);
  }
  judged_release(&j);
  if (strcmp(got, want) != 0)
    fail_msg("%s, row %zu, in small: %s\nwanted: %s", c->rule, row, got, want);
}

/* Fires, says and takes as told, and each guard silences it. */
static inline void judge(const struct judged_case *c, size_t row) {
  static struct judged j;
  char text[TEXT_MAX];
  const struct rule *rule = rule_find(c->rule);
  assert_non_null(rule);
  for (size_t i = 0; i <= SILENT_MAX; i++) {
    const struct given *other = i ? &c->silent[i - 1] : NULL;
    struct told a = told_of(rule);
    if (other && !other->name)
      break;
    judged_make(&j, c, other);
    bool fires = rule->judge(&j.in, &a);
    if (fires != (c->says && !other))
      fail_msg("%s, row %zu, %s %g: %s", c->rule, row, other ? other->name : "as given", other ? other->value : 0,
               fires ? a.sentence : "keeps silent");
    if (fires) {
      advice_text(text, &a);
      same_text(c->rule, row, text, c->says);
      assert_true(!a.yields_to || (rule_find(a.yields_to) && a.yields_why));
    }
    if (!other && c->takes) {
      struct workload w = round_work();
      rule->change(&j.in, &w);
      work_text(text, &w);
      same_text(c->rule, row, text, c->takes);
    }
    judged_release(&j);
  }
  if (!c->sized)
    judge_in_small(c, row, rule);
}

/* What was not collected is taken for none, or the remedy takes nothing away: no advice rests on a number that nobody counted. */
static inline void judge_uncounted(const struct judged_case *c, size_t row, const struct rule *rule) {
  static struct judged j;
  struct judged_case other = *c;
  char text[2][TEXT_MAX];
  bool fires[2];
  other.in_small = true;
  for (size_t i = 0; i < GIVEN_MAX && c->set[i].name; i++) {
    const struct given none = {c->set[i].name, 0};
    for (int absent = 0; absent < 2; absent++) {
      struct told a = told_of(rule);
      struct workload w = round_work();
      other.without = absent ? none.name : NULL;
      judged_make(&j, &other, absent ? NULL : &none);
      fires[absent] = rule->judge(&j.in, &a);
      rule->change(&j.in, &w);
      work_text(text[absent], &w);
      judged_release(&j);
    }
    if (fires[1] && (!fires[0] || (*text[1] && strcmp(text[0], text[1]) != 0)))
      fail_msg("%s, row %zu: without %s it takes %s\nwith none it %s %s", c->rule, row, none.name, text[1],
               fires[0] ? "takes" : "is silent, not", text[0]);
  }
}

static inline void judge_all(const struct judged_case *cases, size_t n) {
  for (size_t row = 0; row < n; row++) {
    judge(&cases[row], row);
    judge_uncounted(&cases[row], row, rule_find(cases[row].rule));
  }
}

#define JUDGE_ALL(cases) judge_all(cases, sizeof(cases) / sizeof(cases)[0])

#endif
