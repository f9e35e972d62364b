/* From rungs and shapes to a run: plan, compile, make problems, run the worker, compose. */
#include "profiler/measure/profile.h"

#include "base/array.h"
#include "base/text.h"
#include "kernels/frontmatter.h"
#include "kernels/generic.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/interrupted.h"
#include "profiler/measure/describe.h"
#include "profiler/measure/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making { /* what is needed while a run is made */
  const struct profile_options *options;
  const struct selection *selection;
  struct run *run;
  struct trial *trials; /* one a result, in the run's order */
  size_t n_trials;
  struct compile_unit *units; /* distinct ones; the last are our own kernels */
  struct compiled *compiled;
  size_t n_units;
  long *unit_of;               /* a trial's unit, -1: none */
  struct run_module **modules; /* a unit's, in the run; NULL: it did not compile, or is our own */
  struct disassembly disassembly;
  struct problem *problems;
  size_t n_problems;
  struct generic *generics;
  size_t n_generics;
};

static void progress(const struct profile_options *o, const char *phase, size_t done, size_t total, const char *what) {
  if (o->progress)
    o->progress(phase, done, total, what);
}

/* --- planning --- */

static int make_plans(struct making *m, const struct rung_chip *chip, struct err *e) {
  const struct selection *of = m->selection;
  size_t n = 0, n_shapes = of->n_shapes;
  for (size_t i = 0; i < of->set.n; i++)
    n += of->chosen[i];
  struct run *run = m->run;
  m->trials = calloc(n * n_shapes + 1, sizeof *m->trials);
  m->unit_of = calloc(n * n_shapes + 1, sizeof *m->unit_of);
  run->variants = calloc(n + 1, sizeof *run->variants);
  run->results = calloc(n * n_shapes + 1, sizeof *run->results);
  for (size_t i = 0; i < of->set.n; i++) {
    if (!of->chosen[i])
      continue;
    describe_variant(&run->variants[run->n_variants++], &of->set.rungs[i]);
    for (size_t s = 0; s < n_shapes; s++) {
      struct trial *trial = &m->trials[m->n_trials];
      int rc = rung_plan(&trial->plan, &of->set.rungs[i], of->shapes[s], chip, e);
      m->n_trials++;
      if (rc)
        return rc;
      trial->problem = s;
      trial->index = (long)run->n_results;
      trial->result = &run->results[run->n_results++];
      trial->dead = !trial->plan.runnable;
      describe_result(trial->result, &trial->plan, (int)run->n_variants - 1);
    }
  }
  return 0;
}

/* --- compiling --- */

static bool same_unit(const struct compile_unit *u, const char *name, char *const *options, size_t n) {
  if (strcmp(u->name, name) != 0 || u->n_options != n)
    return false;
  for (size_t i = 0; i < n; i++)
    if (strcmp(u->options[i], options[i]) != 0)
      return false;
  return true;
}

/* A rung whose defines do not depend on the shape is compiled once for all shapes. */
static long find_unit(struct making *m, const struct trial *trial) {
  size_t n;
  char **options = compile_options(&trial->plan, &n);
  const struct rung *r = trial->plan.rung;
  for (size_t i = 0; i < m->n_units; i++)
    if (same_unit(&m->units[i], r->file, options, n)) {
      array_free(options, n);
      return (long)i;
    }
  m->units[m->n_units] = (struct compile_unit){r->file, r->source, (const char *const *)options, n};
  return (long)m->n_units++;
}

/* The run's modules, one per compiled unit; results refer to them, or say that theirs failed. */
static void take_modules(struct making *m, size_t n_rungs) {
  struct run *run = m->run;
  m->modules = calloc(m->n_units + 1, sizeof *m->modules);
  run->modules = calloc(n_rungs + 1, sizeof *run->modules);
  for (size_t u = 0; u < n_rungs; u++) {
    if (!m->compiled[u].ok)
      continue;
    m->modules[u] = &run->modules[run->n_modules++];
    *m->modules[u] = m->compiled[u].module; /* moved */
    memset(&m->compiled[u].module, 0, sizeof m->compiled[u].module);
  }
  for (size_t i = 0; i < m->n_trials; i++) {
    struct trial *trial = &m->trials[i];
    if (m->unit_of[i] < 0)
      continue;
    const struct compiled *c = &m->compiled[m->unit_of[i]];
    trial->result->module = c->ok ? (int)(m->modules[m->unit_of[i]] - run->modules) : -1;
    trial->compiled = c->ok ? c : NULL;
    if (!c->ok) {
      trial->dead = true;
      trial->result->check.verdict = VERDICT_FAILED;
      free(trial->result->check.reason);
      trial->result->check.reason = str_printf("did not compile: %s", c->error ? c->error : "");
    }
  }
}

/* to_run: the GPU waits for the cubins only, and their SASS is made while it measures; but the
 * contest's times hold the launch, and so what else the CPU does. */
static int compile_trials(struct making *m, const char *arch, bool to_run, struct compile_tools *tools, struct err *e) {
  m->units = calloc(m->n_trials + 1, sizeof *m->units);
  m->compiled = calloc(m->n_trials + 1, sizeof *m->compiled);
  for (size_t i = 0; i < m->n_trials; i++)
    m->unit_of[i] = m->trials[i].dead ? -1 : find_unit(m, &m->trials[i]);
  size_t n_rungs = m->n_units;
  if (to_run)
    m->units[m->n_units++] = session_own_unit;
  struct compile_settings settings = {.arch = arch,
                                      .set = &m->selection->set,
                                      .sass = m->options->sass,
                                      .stops = !to_run,
                                      .progress = m->options->progress};
  bool later = to_run && settings.sass && m->options->harness != HARNESS_CONTEST && compile_keeps(&settings);
  settings.sass = settings.sass && !later;
  int rc = compile_all(&settings, m->units, m->n_units, m->compiled, tools, e);
  if (!rc && to_run && !m->compiled[n_rungs].ok)
    rc = err_set(e, ERR_COMPILE, "%s", m->compiled[n_rungs].error);
  if (!rc && tools->note[0])
    run_note(m->run, tools->note);
  if (!rc)
    take_modules(m, n_rungs);
  if (!rc && later)
    rc = disassembly_start(&m->disassembly, &settings, m->units, m->n_units, m->modules, e);
  return rc;
}

/* What was measured stays, whatever becomes of the SASS. */
static void finish_disassembly(struct making *m) {
  struct compile_tools tools;
  struct err e = {0};
  if (m->disassembly.child)
    progress(m->options, "disassemble", 0, 1, "");
  if (disassembly_finish(&m->disassembly, m->modules, &profile_interrupted, &tools, &e))
    snprintf(tools.note, sizeof tools.note, "no SASS: %.480s", e.text);
  if (tools.note[0])
    run_note(m->run, tools.note);
}

/* --- problems --- */

/* Trials of the same file that have the same arrays share them. */
static int make_generics(struct making *m, struct err *e) {
  m->generics = calloc(m->n_trials + 1, sizeof *m->generics);
  for (size_t i = 0; i < m->n_trials && !profile_interrupted; i++) {
    struct trial *trial = &m->trials[i];
    if (trial->dead || !trial->plan.rung->generic)
      continue;
    size_t g = 0;
    while (g < m->n_generics && !generic_same(m->generics[g].plan, &trial->plan))
      g++;
    trial->problem = g;
    if (g < m->n_generics)
      continue;
    progress(m->options, "inputs", i, m->n_trials, trial->plan.rung->id);
    m->n_generics++;
    int rc = generic_make(&m->generics[g], &trial->plan, m->options->seed, e);
    if (rc)
      return rc;
  }
  return 0;
}

static int make_problems(struct making *m, struct err *e) {
  const struct shape *shapes = m->selection->shapes;
  size_t n = m->selection->n_shapes;
  m->problems = calloc(n + 1, sizeof *m->problems);
  for (size_t i = 0; i < n; i++) {
    char text[SHAPE_TEXT_MAX];
    if (shape_named(&shapes[i]))
      continue; /* of generic rungs: the arrays are a rung's own */
    progress(m->options, "inputs", i, n, shape_text(shapes[i], text));
    m->n_problems++;
    int rc = problem_make(&m->problems[i], shapes[i], m->options->inputs, m->options->seed, 0, e);
    if (rc)
      return rc;
    if (profile_interrupted)
      return 0;
  }
  return 0;
}

static void making_release(struct making *m) {
  static const volatile sig_atomic_t at_once = 1;
  struct compile_tools ignored;
  struct err e = {0};
  disassembly_finish(&m->disassembly, m->modules, &at_once, &ignored,
                     &e); /* only where an error came before its time */
  for (size_t i = 0; i < m->n_units; i++)
    if (m->units[i].options)
      array_free((char **)m->units[i].options, m->units[i].n_options);
  for (size_t i = 0; m->compiled && i < m->n_units; i++)
    compiled_release(&m->compiled[i]);
  for (size_t i = 0; i < m->n_problems; i++)
    problem_release(&m->problems[i]);
  for (size_t i = 0; i < m->n_generics; i++)
    generic_release(&m->generics[i]);
  for (size_t i = 0; i < m->n_trials; i++)
    rung_plan_release(&m->trials[i].plan);
  free(m->units);
  free(m->compiled);
  free(m->unit_of);
  free(m->modules);
  free(m->problems);
  free(m->generics);
  free(m->trials);
}

/* --- the run --- */

/* A trial that no phase reached (an interruption) must not look skipped on purpose. */
static void explain_unreached(struct making *m) {
  for (size_t i = 0; i < m->n_trials; i++) {
    struct run_check *c = &m->trials[i].result->check;
    if (c->verdict == VERDICT_SKIPPED && !c->reason)
      c->reason = str_copy("interrupted before it ran");
    struct run_timing *t = &m->trials[i].result->timing;
    if (!t->n && !t->reason)
      t->reason = str_copy(m->run->partial ? "interrupted before it was timed" : "not timed: see the check");
  }
}

int profile_run(const struct profile_options *o, const struct gpu_probe *gpu, const struct selection *s,
                struct run *out, struct err *e) {
  memset(out, 0, sizeof *out);
  struct making m = {.options = o, .selection = s, .run = out};
  struct rung_chip chip = gpu_probe_chip(gpu);
  struct compile_tools tools;
  char arch[16];
  describe_run(out, o);
  describe_sources(out, &s->set);
  int rc = make_plans(&m, &chip, e);
  if (!rc)
    rc = compile_trials(&m, compile_arch(gpu->sm, arch), true, &tools, e);
  if (rc)
    goto out;
  describe_device(&out->device, gpu, &tools);
  out->flush_bytes = o->l2 == L2_WARM ? 0 : gpu->l2_bytes * FLUSH_L2_MULTIPLE;
  rc = make_problems(&m, e);
  if (!rc)
    rc = make_generics(&m, e);
  if (rc)
    goto out;
  struct measuring_plan measuring = {.options = o,
                                     .gpu = gpu,
                                     .own = &m.compiled[m.n_units - 1],
                                     .problems = m.problems,
                                     .n_problems = m.n_problems,
                                     .generics = m.generics,
                                     .n_generics = m.n_generics,
                                     .trials = m.trials,
                                     .n_trials = m.n_trials,
                                     .run = out};
  rc = worker_run(&measuring, e);
  if (rc) { /* the GPU was lost on the way */
    out->partial = true;
    free(out->partial_reason);
    out->partial_reason = str_copy(e ? e->text : "the GPU was lost");
  }
  finish_disassembly(&m);
  explain_unreached(&m);
out:
  making_release(&m);
  return rc;
}

/* The launches of a result that was compiled and not run: as its plan has them, with the compiled
 * kernel's registers and static memory.  blocks_per_sm stays 0, since no driver was asked.  A plan
 * that calls a library has no launches that anyone could know. */
static void planned_launches(struct run_result *r, const struct rung_plan *plan, const struct run_module *m) {
  if (r->launches || !plan->n_steps || rung_plan_calls(plan))
    return;
  r->launches = calloc(plan->n_steps, sizeof *r->launches);
  for (size_t i = 0; i < plan->n_steps; i++) {
    const struct plan_launch *l = &plan->steps[i];
    struct run_launch *out = &r->launches[r->n_launches++];
    *out = describe_launch(l);
    for (size_t k = 0; k < m->n_kernels; k++)
      if (strcmp(m->kernels[k].name, l->kernel) == 0) {
        out->registers = m->kernels[k].registers;
        out->smem_static = m->kernels[k].smem_static;
        out->local_bytes = m->kernels[k].local_bytes;
      }
  }
}

/* ERR_DATA, with the line of the front matter: the code has no kernel of that name. */
static int kernel_verify(const struct rung_launch *l, const char *key, size_t nth, const struct rung *r,
                         const struct run_module *m, struct err *e) {
  struct text names = {0};
  bool there = l->call != CALL_NONE;
  for (size_t k = 0; k < m->n_kernels; k++) {
    there = there || strcmp(m->kernels[k].name, l->kernel) == 0;
    text_printf(&names, "%s%s", k ? ", " : "", m->kernels[k].name);
  }
  int rc = there ? 0
                 : err_set(e, ERR_DATA, "%s:%d: %s: the code has no kernel %s; it has %s", r->file,
                           fm_line(r, key, nth), key, l->kernel, text_str(&names));
  text_release(&names);
  return rc;
}

/* What its plan launches. */
static int kernels_verify(const struct rung_plan *p, const struct run_module *m, struct err *e) {
  const struct rung *r = p->rung;
  int rc = p->reference ? kernel_verify(r->reference, "reference", 0, r, m, e) : 0;
  for (size_t i = 0; i < r->n_steps && !rc; i++)
    for (size_t k = 0; k < p->n_steps && !rc; k++) /* others have a `when` that is false */
      if (p->steps[k].kernel == r->steps[i].kernel)
        rc = kernel_verify(&r->steps[i], "step", i, r, m, e);
  return rc;
}

int profile_compile(const struct profile_options *o, const char *arch, const struct rung_chip *chip,
                    const struct selection *s, struct run *out, struct err *e) {
  memset(out, 0, sizeof *out);
  struct making m = {.options = o, .selection = s, .run = out};
  struct compile_tools tools = {0};
  describe_run(out, o);
  out->device.sm = chip->sm;
  describe_sources(out, &s->set);
  int rc = make_plans(&m, chip, e);
  if (!rc)
    rc = compile_trials(&m, arch, false, &tools, e);
  if (!rc)
    out->device.nvrtc = tools.nvrtc_version[0] ? str_copy(tools.nvrtc_version) : NULL;
  for (size_t i = 0; i < m.n_trials && !rc; i++)
    if (m.trials[i].result->module >= 0)
      rc = kernels_verify(&m.trials[i].plan, &out->modules[m.trials[i].result->module], e);
  for (size_t i = 0; i < m.n_trials && !rc; i++)
    if (m.trials[i].result->module >= 0)
      planned_launches(m.trials[i].result, &m.trials[i].plan, &out->modules[m.trials[i].result->module]);
  for (size_t i = 0; i < m.n_trials && !rc; i++) {
    struct run_check *c = &m.trials[i].result->check;
    if (c->verdict == VERDICT_SKIPPED && !c->reason)
      c->reason = str_printf("compiled for %s, not run", arch);
  }
  making_release(&m);
  return rc;
}
