/* A part as a run: kernels become variants of the ladder "attached", in the order of their GPU time. */
#include "base/array.h"
#include "profiler/attach/outside/composing.h"

#include "base/clock.h"
#include "base/cxx_name.h"
#include "base/demangle.h"
#include "base/text.h"
#include "profiler/attach/records/collective.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double launch_bound_share = 0.2; /* of the time is spent in gaps as short as a launch */
enum { VARIANTS_MAX = 48 };

/* Without its arguments and its return type: what tells one instance of a template from another may stand at its end. */
static char *short_name(const char *mangled) {
  char *whole = demangle(mangled);
  if (!whole)
    return NULL;
  const char *rest;
  size_t n;
  const char *begin = cxx_bare(whole, &n, &rest);
  char *out = str_printf("%.*s", (int)n, begin);
  free(whole);
  return out;
}

struct composing {
  const struct attached_process *part;
  const struct attach_options *o;
  const struct gpu_probe *gpu; /* the machine's first */
  struct run *run;
  const struct attached_kernel **kernels; /* by time */
  size_t n;
  double total_ns; /* of all kernels */
  struct attach_listing *listings[ATTACH_SASS_MAX];
  size_t listed; /* of them, those that were read */
  struct {       /* kernels without SASS, one after the other for the same reason */
    size_t n, first;
    struct err why;
  } unlisted;
};

static bool id_taken(const struct run *run, const char *id) {
  for (size_t i = 0; i < run->n_variants; i++)
    if (run->variants[i].id && strcmp(run->variants[i].id, id) == 0)
      return true;
  return false;
}

/* The short name, after its range where ranges are told apart; where that is taken, as it was launched, with the bytes of dynamic shared memory if need be,
 * then with a number. */
static char *id_make(const struct run *run, const struct attached_kernel *k) {
  const unsigned *g = k->seen.launch.grid, *b = k->seen.launch.block;
  char *kernel = short_name(k->seen.name);
  char *name = k->seen.range ? str_printf("%s/%s", k->seen.range, kernel) : str_copy(kernel);
  char *id = str_copy(name);
  long shared = k->seen.launch.smem_dynamic;
  int told = shared ? 2 : 1; /* ids that tell the launch */
  for (int i = 1; id_taken(run, id); i++) {
    free(id);
    id = i == 1 ? str_printf("%s <<<%ux%ux%u, %ux%ux%u>>>", name, g[0], g[1], g[2], b[0], b[1], b[2])
         : i <= told
             ? str_printf("%s <<<%ux%ux%u, %ux%ux%u, %ld>>>", name, g[0], g[1], g[2], b[0], b[1], b[2], shared)
             : str_printf("%s <<<%ux%ux%u, %ux%ux%u>>> (%d)", name, g[0], g[1], g[2], b[0], b[1], b[2], i - told + 1);
  }
  free(kernel);
  free(name);
  return id;
}

/* value is the variant's from here on. */
static void key_add(struct run_variant *v, const char *key, char *value) {
  *(struct run_key *)array_add(&v->keys, &v->n_keys, sizeof *v->keys) = (struct run_key){str_copy(key), value};
}

static void variant_add(struct composing *c, const struct attached_kernel *k) {
  struct run_variant *v = &c->run->variants[c->run->n_variants];
  v->id = id_make(c->run, k);
  v->ladder = str_copy("attached");
  v->change = str_copy("found in the program");
  c->run->n_variants++;
  key_add(v, "kernel", str_copy(k->seen.name));
  key_add(v, "launches", str_printf("%llu", (unsigned long long)k->seen.launches));
  key_add(v, "gpu_time_ns", str_printf("%.0f", attached_time_ns(k)));
  key_add(v, "gpu_time_share", str_printf("%.6f", attached_time_ns(k) / fmax(c->total_ns, 1)));
  if (k->seen.range)
    key_add(v, "range", str_copy(k->seen.range));
  if (k->seen.blocks_least != k->seen.blocks_most)
    key_add(v, "grids",
            str_printf("%llu to %llu blocks", (unsigned long long)k->seen.blocks_least,
                       (unsigned long long)k->seen.blocks_most));
  if (k->seen.in_graphs)
    key_add(v, "in_graphs", str_printf("%llu", (unsigned long long)k->seen.in_graphs));
  if (kernel_is_collective(k->seen.name))
    key_add(v, "collective", str_copy("waits for other ranks"));
  if (k->counted)
    key_add(v, "counted",
            str_printf("%llu launches, %s", (unsigned long long)k->counted,
                       k->replayed ? "replayed, warm"
                       : k->partly ? "one pass each, not all passes"
                                   : "one pass each"));
}

static void metrics_copy(struct run_result *r, const struct attached_kernel *k) {
  r->metrics = calloc(k->n_metrics + 1, sizeof *r->metrics);
  for (size_t i = 0; i < k->n_metrics; i++) {
    const struct run_metric *m = &k->metrics[i];
    struct run_metric *to = &r->metrics[r->n_metrics++];
    *to = (struct run_metric){.name = str_copy(m->name),
                              .unit = str_copy(m->unit),
                              .source = str_copy(m->source),
                              .present = m->present,
                              .value = m->value,
                              .reason = str_copy(m->reason)};
  }
}

static void result_add(struct composing *c, const struct attached_kernel *k) {
  struct run_result *r = &c->run->results[c->run->n_results];
  *r = (struct run_result){.variant = (int)c->run->n_variants - 1, .module = -1};
  c->run->n_results++;
  r->check.verdict = VERDICT_UNCHECKED;
  r->launches = calloc(1, sizeof *r->launches);
  r->timing.samples_ns = calloc(k->samples.n + 1, sizeof *r->timing.samples_ns);
  r->timing.source = str_copy("CUPTI activity");
  r->counts_reason = str_copy("attach does not count single instructions");
  *r->launches = k->seen.launch;
  r->n_launches = 1;
  r->launches->kernel = str_copy(k->seen.name);
  if (k->samples.n)
    memcpy(r->timing.samples_ns, k->samples.ns, k->samples.n * sizeof *k->samples.ns);
  r->timing.n = k->samples.n;
  r->timing.discarded = (size_t)(k->seen.launches - k->samples.n);
  if (k->samples.n == 0)
    r->timing.reason = str_copy("all its launches were counted, or CUPTI gave no time for them");
  metrics_copy(r, k);
}

/* Why there is no SASS is said once, of all kernels that it holds of. */
static void unlisted_tell(struct composing *c) {
  const char *first = c->run->variants[c->unlisted.first].id;
  if (c->unlisted.n == 0)
    return;
  char *sentence = c->unlisted.n == 1
                       ? str_printf("no SASS of %s: %s", first, c->unlisted.why.text)
                       : str_printf("no SASS of %s and %zu more: %s", first, c->unlisted.n - 1, c->unlisted.why.text);
  run_note(c->run, sentence);
  free(sentence);
  c->unlisted.n = 0;
}

static void unlisted_add(struct composing *c, size_t at, const struct err *why) {
  if (strcmp(c->unlisted.why.text, why->text) != 0)
    unlisted_tell(c);
  if (c->unlisted.n++ == 0)
    c->unlisted.first = at;
  c->unlisted.why = *why;
}

/* The code of the same function, launched with another geometry. */
static void sass_share(struct composing *c, size_t at) {
  struct run_result *r = &c->run->results[at];
  for (size_t i = 0; i < at && r->module < 0; i++)
    if (strcmp(c->kernels[i]->seen.name, c->kernels[at]->seen.name) == 0)
      r->module = c->run->results[i].module;
}

static void sass_add(struct composing *c, size_t at) {
  struct run *run = c->run;
  struct run_module module;
  struct err why = {0};
  const struct attached_kernel *k = c->kernels[at];
  if (attached_is_again(c->kernels, at)) {
    sass_share(c, at);
    return;
  }
  if (c->listed == ATTACH_SASS_MAX)
    return;
  if (attach_sass(c->listings[c->listed++], &c->part->folders, run, &module, &why)) {
    unlisted_add(c, at, &why);
    return;
  }
  run->results[at].module = (int)run->n_modules;
  *(struct run_module *)array_add(&run->modules, &run->n_modules, sizeof module) = module;
  struct run_kernel *code = module.kernels;
  code->registers = k->seen.launch.registers;
  code->smem_static = k->seen.launch.smem_static;
  code->local_bytes = k->seen.launch.local_bytes;
  code->spill_store_bytes = code->spill_load_bytes = -1;
}

static const char *s_of(unsigned long long n) {
  return n == 1 ? "" : "s";
}

static void note(struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(struct run *run, const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  run_note(run, sentence);
}

/* Kernels whose counters are a replay's. */
static void replayed_note(struct composing *c) {
  struct text names = {0};
  for (size_t i = 0; i < c->run->n_variants; i++)
    if (c->kernels[i]->replayed)
      text_printf(&names, "%s%s", names.n ? "; " : "", c->run->variants[i].id);
  if (names.n)
    note(
        c->run,
        "counters replayed with warm caches (each pass repeats the launch on restored memory, so the caches hold what the replay left in them): %.700s",
        text_str(&names));
  text_release(&names);
}

enum { RANK_WORDS_MAX = 96 };

/* ", rank 3 of 8" */
static const char *rank_words(char buffer[RANK_WORDS_MAX], const struct process_record *p) {
  buffer[0] = 0;
  if (p->launcher && p->size > 0)
    snprintf(buffer, RANK_WORDS_MAX, ", rank %ld of %ld", p->rank, p->size);
  else if (p->launcher)
    snprintf(buffer, RANK_WORDS_MAX, ", rank %ld", p->rank);
  return buffer;
}

static double of_all(const struct gaps_record *g, double ns) {
  double all_ns = g->busy_ns + g->idle_ns;
  return all_ns > 0 ? ns / all_ns : 0;
}

/* How long the GPU waits for the program, and whether for its launches. */
static void waits_note(struct composing *c) {
  const struct gaps_record *g = &c->part->gaps;
  char pauses[192] = "", when[64] = "from its first kernel to its last";
  double waits = of_all(g, g->idle_ns), short_share = of_all(g, g->short_ns);
  if (waits < 0.005)
    return;
  if (g->pauses)
    snprintf(
        pauses, sizeof pauses,
        "; without %llu pause%s of more than 10 ms or before a kernel's first launch, %.1f s in all (start-up, loading, compilation, input)",
        (unsigned long long)g->pauses, s_of(g->pauses), 1e-9 * g->pause_ns);
  if (g->before)
    snprintf(when, sizeof when, "after its first %llu launches", (unsigned long long)g->before);
  note(
      c->run,
      "the GPU is idle %.0f %% of the time %s: %.0f %% in %llu gaps of at most 50 µs%s, "
      "%.0f %% in %llu longer ones%s",
      100 * waits, when, 100 * short_share, (unsigned long long)g->short_gaps,
      short_share >= launch_bound_share
          ? ", so it is launch-bound (CUDA graphs, fewer and larger kernels, or fewer blocking copies between them, help)"
          : "",
      100 * (waits - short_share), (unsigned long long)(g->gaps - g->short_gaps), pauses);
}

static const char *runs_words(const struct attached_process *p) {
  if (!p->timed_before)
    return "";
  return p->sampled_before ? "; ranked, timed and sampled in a first run, counted in a second"
                           : "; ranked and timed in a first run, counted in a second";
}

/* Such a signal is sent by who has waited long enough, and by no fault of the program. */
static bool asked_to_end(int number) {
  return number == SIGTERM || number == SIGKILL || number == SIGINT || number == SIGHUP;
}

/* What several notes are about. */
struct noted {
  double kept_ns, collective_ns, counted_ns, all_ns; /* all_ns: never 0 */
  size_t counted;
  uint64_t in_graphs;
};

static struct noted noted_of(const struct composing *c) {
  struct noted x = {.all_ns = c->total_ns > 0 ? c->total_ns : 1};
  x.counted = attached_counted(c->part, &x.counted_ns);
  for (size_t i = 0; i < c->n; i++) {
    double ns = attached_time_ns(c->kernels[i]);
    x.kept_ns += i < c->run->n_variants ? ns : 0;
    x.in_graphs += c->kernels[i]->seen.in_graphs;
    x.collective_ns += kernel_is_collective(c->kernels[i]->seen.name) ? ns : 0;
  }
  return x;
}

static void process_note(struct composing *c, const struct noted *x) {
  const struct attached_process *p = c->part;
  char words[RANK_WORDS_MAX], apart[96] = "";
  if (x->collective_ns > 0 && c->total_ns > x->collective_ns)
    snprintf(apart, sizeof apart, ", %.1f %% of the time outside collectives",
             100 * x->counted_ns / (c->total_ns - x->collective_ns));
  note(
      c->run,
      "process %ld%s: %llu launch%s of %zu kernel%s, %.3f ms of GPU time; counters of %zu kernel%s cover %.1f %% of it%s%s",
      p->seen.pid, rank_words(words, &p->seen), (unsigned long long)p->totals.launches,
      p->totals.launches == 1 ? "" : "es", c->n, s_of(c->n), c->total_ns / 1e6, x->counted, s_of(x->counted),
      100 * x->counted_ns / x->all_ns, apart, runs_words(p));
}

static void untimed_note(struct composing *c, const struct noted *x) {
  if (x->counted && x->counted_ns <= 0)
    note(
        c->run,
        "every launch of what was counted was counted, so it has no time: --two-runs times the program in a run of its own");
}

static void kept_note(struct composing *c, const struct noted *x) {
  uint64_t beyond = c->part->totals.beyond;
  if (c->n > c->run->n_variants || beyond)
    note(c->run, "the %zu longest kernels are kept, %.1f %% of the GPU time", c->run->n_variants,
         100 * x->kept_ns / x->all_ns);
  if (beyond)
    note(c->run, "%llu launches were of kernels beyond the first %zu, which alone are kept apart",
         (unsigned long long)beyond, c->n);
}

static void graphs_note(struct composing *c, const struct noted *x) {
  if (x->in_graphs)
    note(
        c->run,
        "%llu of the launches came from CUDA graphs: timed there, and counted where the program launches the same kernels outside a graph, as a warm-up does",
        (unsigned long long)x->in_graphs);
}

/* How the process, or its counting, ended. */
static void end_note(struct composing *c) {
  const struct attached_process *p = c->part;
  if (!p->complete)
    note(c->run, "%s%s its last moments may be missing", c->run->partial_reason, p->signal ? ";" : ":");
  if (p->first_only)
    note(c->run,
         "the second of two runs counts, and there was none: let the program run to its end, or leave --two-runs out");
  if (p->sampled_last && !asked_to_end(p->signal))
    note(c->run,
         "PC samples were being taken as it ended: if it crashed, run it with --samples off, since CUPTI 13.0 now and "
         "then crashes a program that it samples");
}

static void recorded_notes(struct composing *c) {
  const struct attached_process *p = c->part;
  for (size_t i = 0; i < p->n_ranges; i++)
    note(c->run, "NVTX range \"%s\": %llu launches, %.3f ms of GPU time", p->ranges[i].name,
         (unsigned long long)p->ranges[i].launches, p->ranges[i].total_ns / 1e6);
  for (size_t i = 0; i < p->n_notes; i++)
    note(c->run, "%s", p->notes[i].sentence);
}

/* In the order in which they are read; each says nothing where it does not apply. */
static void notes_add(struct composing *c) {
  struct noted x = noted_of(c);
  process_note(c, &x);
  untimed_note(c, &x);
  kept_note(c, &x);
  waits_note(c);
  graphs_note(c, &x);
  replayed_note(c);
  end_note(c);
  recorded_notes(c);
}

/* Which process it was, and its ranges, for those who read the run by program. */
static void process_fill(struct composing *c) {
  const struct attached_process *p = c->part;
  struct run *run = c->run;
  run->process = (struct run_process){.host = str_copy(p->seen.host),
                                      .pid = p->seen.pid,
                                      .launcher = str_copy(p->seen.launcher),
                                      .ranks = -1,
                                      .local_rank = -1,
                                      .pass_set = p->pass_set,
                                      .launches = p->totals.launches,
                                      .gpu_time_ns = attached_total_ns(p),
                                      .idle = {of_all(&p->gaps, p->gaps.idle_ns), of_all(&p->gaps, p->gaps.short_ns)}};
  if (p->seen.launcher) {
    run->process.rank = p->seen.rank;
    run->process.ranks = p->seen.size;
    run->process.local_rank = p->seen.local_rank;
  }
  run->ranges = calloc(p->n_ranges + 1, sizeof *run->ranges);
  for (size_t i = 0; i < p->n_ranges; i++) {
    const struct range_record *r = &p->ranges[i];
    struct run_range *to = &run->ranges[run->n_ranges++];
    *to = (struct run_range){.name = str_copy(r->name),
                             .launches = r->launches,
                             .gpu_time_ns = r->total_ns,
                             .collective_ns = r->collective_ns};
  }
}

/* --- the card --- */

static void device_fill(struct composing *c) {
  const struct attached_process *p = c->part;
  struct run_device *d = &c->run->device;
  struct gpu_probe g = *c->gpu;
  struct err why = {0};
  const char *uuid = c->n ? p->uuids[c->kernels[0]->seen.device] : NULL;
  size_t devices = 0;
  for (size_t i = 0; i < c->n; i++)
    devices += c->kernels[i]->seen.device != c->kernels[0]->seen.device;
  bool known = g.found && uuid && strcmp(g.uuid, uuid) == 0;
  if (!known && gpu_probe(&g, uuid, false, &why)) {
    d->name = str_copy("a GPU that could not be queried");
    note(c->run, "the GPU could not be queried: %s", why.text);
    return;
  }
  gpu_probe_device(d, &g);
  if (devices)
    note(c->run, "the process used several GPUs: %zu kernel%s ran on a GPU other than the one described here", devices,
         s_of(devices));
}

static void stamp(struct composing *c) {
  struct run *run = c->run;
  char created[CLOCK_UTC_MAX];
  clock_utc(created);
  run->created = str_copy(created);
  run->command = str_copy(c->o->command);
  run->tool = str_copy(c->o->tool);
  run->git = str_copy(c->o->git);
  run->l2 = str_copy("as the program leaves it");
  run->inputs = str_copy("the program's");
  run->variants = calloc(VARIANTS_MAX, sizeof *run->variants);
  run->results = calloc(VARIANTS_MAX, sizeof *run->results);
  run->partial = !c->part->complete;
  if (run->partial)
    run->partial_reason = c->part->signal ? str_printf("the process did not finish: signal %d (%s) ended it",
                                                       c->part->signal, strsignal(c->part->signal))
                                          : str_copy("the process did not finish");
}

void attach_compose(const struct attached_process *p, const struct attach_options *o, const struct gpu_probe *gpu,
                    struct attach_listings *listings, struct run *out) {
  struct composing c = {.part = p, .o = o, .gpu = gpu, .run = out, .n = p->n_kernels, .total_ns = attached_total_ns(p)};
  *out = (struct run){0};
  c.kernels = attached_by_time(p);
  stamp(&c);
  if (o->sass)
    attach_listings_start(listings, p, c.kernels, c.listings);
  process_fill(&c);
  device_fill(&c);
  for (size_t i = 0; i < c.n && i < VARIANTS_MAX; i++) {
    variant_add(&c, c.kernels[i]);
    result_add(&c, c.kernels[i]);
    if (o->sass)
      sass_add(&c, i);
    attach_samples(p, c.kernels[i]->seen.name, out, i);
  }
  unlisted_tell(&c);
  notes_add(&c);
  free(c.kernels);
}
