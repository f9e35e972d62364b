/* What each sample of tests/import comes to, fact by fact (tests/golden/imported.txt), so that no change of the readers goes by unseen; the sums that say whether
 * it is right are in the other tests of the import and in tests/import/referee.py, and nvbench.json's are worked out by hand in tests/cli/import_nvbench.sh. */
#include "golden_file.h"
#include "imported.h"
#include "profiler/import/nvbench.h"

static char *texts[8];
static size_t n_texts;

static struct import_file open_file(const char *name) {
  static char paths[8][512];
  struct import_file file = {.name = paths[n_texts]};
  struct err e = {0};
  snprintf(paths[n_texts], sizeof paths[n_texts], SAMPLES "%s", name);
  if (import_file_read(&texts[n_texts], &file.n, paths[n_texts], &e))
    fail_msg("%s", e.text);
  file.text = texts[n_texts++];
  return file;
}

static void close_files(void) {
  while (n_texts)
    free(texts[--n_texts]);
}

static void say_text(struct text *t, const char *name, const char *value) {
  if (value)
    text_printf(t, "  %s: %.160s\n", name,
                strncmp(value, SAMPLES, strlen(SAMPLES)) == 0 ? value + strlen(SAMPLES) : value);
}

static void say_launch(struct text *t, const struct run_launch *l) {
  text_printf(t, "  launch %s (%u,%u,%u)x(%u,%u,%u) cluster %u,%u,%u smem %ld+%ld registers %d local %ld blocks %d\n",
              l->kernel ? l->kernel : "?", l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
              l->cluster[0], l->cluster[1], l->cluster[2], l->smem_static, l->smem_dynamic, l->registers,
              l->local_bytes, l->blocks_per_sm);
}

/* The first and the last instruction, and sums over all, each weighed by its place. */
static void say_code(struct text *t, const struct run *run, const struct run_result *r) {
  const struct run_module *m = r->module < 0 ? NULL : &run->modules[r->module];
  for (size_t k = 0; m && k < m->n_kernels; k++) {
    const struct run_kernel *kernel = &m->kernels[k];
    uint64_t offsets = 0, lines = 0;
    for (size_t i = 0; i < kernel->n_sass; i++) {
      offsets += (i + 1) * kernel->sass[i].offset;
      for (size_t l = 0; l < kernel->sass[i].n_lines; l++)
        lines += (i + 1) * (uint64_t)(kernel->sass[i].lines[l].line + 1000 * kernel->sass[i].lines[l].source);
    }
    text_printf(t, "  kernel %s: %d registers, %ld static, %zu instructions, offsets %llu, lines %llu%s%s\n",
                kernel->name, kernel->registers, kernel->smem_static, kernel->n_sass, (unsigned long long)offsets,
                (unsigned long long)lines, kernel->sass_reason ? "; " : "",
                kernel->sass_reason ? kernel->sass_reason : "");
    if (kernel->n_sass)
      text_printf(t, "    %s ... %s\n", kernel->sass[0].text, kernel->sass[kernel->n_sass - 1].text);
  }
}

static void say_samples(struct text *t, const struct run_result *r) {
  uint64_t samples = 0, not_issued = 0, where = 0;
  double executed = 0, threads = 0, sectors = 0, ideal = 0, shared = 0, shared_ideal = 0, at = 0;
  for (size_t i = 0; i < r->n_samples; i++) {
    samples += r->samples[i].samples;
    not_issued += r->samples[i].not_issued;
    where += r->samples[i].samples * r->samples[i].offset + (uint64_t)r->samples[i].reason[0] +
             (uint64_t)r->samples[i].kernel;
  }
  for (size_t i = 0; i < r->n_counts; i++) {
    executed += r->counts[i].executed;
    threads += r->counts[i].threads;
    sectors += r->counts[i].global_sectors;
    ideal += r->counts[i].global_sectors_ideal;
    shared += r->counts[i].shared_wavefronts;
    shared_ideal += r->counts[i].shared_wavefronts_ideal;
    at += r->counts[i].executed * r->counts[i].offset;
  }
  if (r->n_samples)
    text_printf(
        t,
        "  samples in %zu rows %llu, not issued %llu, sum of offsets %llu, other code %llu, dropped %llu, period %g cycles, launches %llu\n",
        r->n_samples, (unsigned long long)samples, (unsigned long long)not_issued, (unsigned long long)where,
        (unsigned long long)r->sampling.other, (unsigned long long)r->sampling.dropped, r->sampling.period_cycles,
        (unsigned long long)r->sampling.launches);
  if (r->n_counts)
    text_printf(t, "  %zu counted: %g at %g, threads %g, sectors %g of %g, wavefronts %g of %g\n", r->n_counts,
                executed, at, threads, ideal, sectors, shared_ideal, shared);
  say_text(t, "no samples", r->sampling.reason);
  say_text(t, "no counts", r->counts_reason);
}

/* Of what is absent, how many, and the first with its reason. */
static void say_metrics(struct text *t, const struct run_result *r) {
  size_t absent = 0;
  for (size_t i = 0; i < r->n_metrics; i++) {
    const struct run_metric *m = &r->metrics[i];
    if (m->present)
      text_printf(t, "  %s = %.9g %s (%s)\n", m->name, m->value, m->unit, m->source ? m->source : "");
    else if (++absent == 1)
      text_printf(t, "  no %s: %s\n", m->name, m->reason ? m->reason : "");
  }
  text_printf(t, "  %zu are absent\n", absent);
}

static void say_result(struct text *t, const struct run *run, const struct run_result *r) {
  char shape[SHAPE_TEXT_MAX];
  text_printf(t, "%s [%s] %s", run->variants[r->variant].id, run->variants[r->variant].ladder,
              shape_text(r->shape, shape));
  text_printf(t, ": bytes %g of %g, %g flops, check %d\n", r->bytes_minimal, r->bytes_declared, r->flops,
              (int)r->check.verdict);
  say_text(t, "check", r->check.reason);
  for (size_t i = 0; i < r->n_params; i++)
    text_printf(t, "  %s = %s\n", r->params[i].key, r->params[i].value);
  for (size_t i = 0; i < r->n_launches; i++)
    say_launch(t, &r->launches[i]);
  text_printf(t, "  times (%s):", r->timing.source ? r->timing.source : "-");
  for (size_t i = 0; i < r->timing.n && i < 4; i++)
    text_printf(t, " %.6g", r->timing.samples_ns[i]);
  text_printf(t, ", %zu in all, %zu discarded\n", r->timing.n, r->timing.discarded);
  say_text(t, "timing", r->timing.reason);
  say_metrics(t, r);
  say_code(t, run, r);
  say_samples(t, r);
}

static void say_run(struct text *t, const char *title, const struct run *run) {
  const struct run_device *d = &run->device;
  text_printf(t, "=== %s\n", title);
  text_printf(t, "%s, sm %d, %d SMs, %g bytes, L2 %g, %g Hz, memory %g Hz of %d bits, driver %s\n",
              d->name ? d->name : "?", d->sm, d->sms, d->memory_bytes, d->l2_bytes, d->clock_max_hz, d->memory_clock_hz,
              d->memory_bus_bits, d->driver ? d->driver : "?");
  text_printf(t, "origin %d, l2 %s, inputs %s\n", (int)run->origin, run->l2 ? run->l2 : "?",
              run->inputs ? run->inputs : "?");
  for (size_t i = 0; i < run->n_notes; i++)
    say_text(t, "note", run->notes[i]);
  for (size_t i = 0; i < run->n_sources; i++)
    text_printf(t, "  source %s: %zu bytes\n", run->sources[i].name, strlen(run->sources[i].text));
  for (size_t i = 0; i < run->n_results; i++)
    say_result(t, run, &run->results[i]);
}

static void add_ncu(struct text *t, const char *metrics, const char *source, const char *kernel,
                    const struct shape *problem) {
  struct import_unused unused = {0};
  struct run run;
  struct err e = {0};
  struct import_file file = open_file(metrics), view = {0};
  if (source)
    view = open_file(source);
  char *title = str_printf("%s%s%s%s%s", metrics, source ? " with " : "", source ? source : "", kernel ? " of " : "",
                           kernel ? kernel : "");
  if (import_ncu(&run,
                 &(struct import_options){.files = &file,
                                          .n_files = 1,
                                          .sources = &view,
                                          .n_sources = source != NULL,
                                          .kernel = kernel,
                                          .problem = problem,
                                          .unused = &unused},
                 &e))
    fail_msg("%s: %s", metrics, e.text);
  say_run(t, title, &run);
  text_printf(t, "unused, %zu: ", unused.n);
  const char *names = text_str(&unused.names);
  text_printf(t, "%.*s\n", (int)strcspn(names, "\n"), names);
  text_release(&unused.names);
  free(title);
  run_release(&run);
  close_files();
}

static void samples_of_ncu(void **state) {
  const struct shape shape = {.m = 4096, .k = 7168, .l = 8};
  struct text t = {0};
  (void)state;
  add_ncu(&t, "raw-auto.csv", NULL, NULL, NULL);
  add_ncu(&t, "raw-base.csv", "source-sass.csv", NULL, NULL);
  add_ncu(&t, "raw-base.csv", "source-lines.csv", "matmul*", NULL);
  add_ncu(&t, "raw-printed.csv", NULL, NULL, NULL);
  add_ncu(&t, "details.csv", NULL, NULL, NULL);
  add_ncu(&t, "transposed.csv", NULL, NULL, NULL);
  add_ncu(&t, "summary.csv", NULL, NULL, NULL);
  add_ncu(&t, "percent.csv", NULL, NULL, NULL);
  add_ncu(&t, "no-geometry.csv", NULL, NULL, NULL);
  add_ncu(&t, "printed.txt", NULL, NULL, NULL);
  add_ncu(&t, "printed-summary.txt", NULL, NULL, NULL);
  add_ncu(&t, "rungs.csv", NULL, NULL, &shape);
  add_ncu(&t, "kinds.ncu-rep.gz", NULL, NULL, NULL);
  add_ncu(&t, "transpose.ncu-rep.gz", NULL, NULL, NULL);
  add_ncu(&t, "rung.ncu-rep.gz", NULL, NULL, &shape);
  add_ncu(&t, "source-counters.ncu-rep.gz", NULL, NULL, NULL);
  check_golden("imported.txt", &t);
}

static void samples_of_nvbench(void **state) {
  struct text t = {0};
  struct run run, counters;
  struct err e = {0};
  (void)state;
  struct import_file json = open_file("nvbench.json"), metrics = open_file("raw-base.csv");
  assert_true(nvbench_is(&json));
  assert_false(nvbench_is(&metrics));
  if (import_nvbench(&run, &json, NULL, &e))
    fail_msg("%s", e.text);
  say_run(&t, "nvbench.json", &run);
  run_release(&run);
  for (int i = 0; i < 2; i++) { /* as many kernels as timed states; fewer, which are joined by name */
    if (import_ncu(&counters,
                   &(struct import_options){
                       .files = &metrics, .n_files = 1, .kernel = i ? "matmul" : NULL, .bytes_known = true},
                   &e) ||
        import_nvbench(&run, &json, &counters, &e))
      fail_msg("%s", e.text);
    say_run(&t, i ? "nvbench.json with raw-base.csv of matmul" : "nvbench.json with raw-base.csv", &run);
    run_release(&run);
    run_release(&counters);
  }
  close_files();
  check_golden("imported-nvbench.txt", &t);
}

/* nvbench.json with something else in the place of `from`. */
static void nvbench_with(const char *from, const char *to, const char *says) {
  struct run run;
  struct err e = {0};
  struct import_file json = open_file("nvbench.json");
  char *at = strstr(json.text, from);
  assert_non_null(at);
  char *text = str_printf("%.*s%s%s", (int)(at - json.text), json.text, to, at + strlen(from));
  struct import_file changed = {"mine.json", text, strlen(text)};
  int rc = import_nvbench(&run, &changed, NULL, &e);
  if (rc != ERR_DATA || strcmp(e.text, says) != 0)
    fail_msg("%s -> %s: %d, %s", from, to, rc, e.text);
  run_release(&run);
  free(text);
  close_files();
}

static void nvbench_that_is_odd_is_refused(void **state) {
  (void)state;
  nvbench_with("\"major\": 1", "\"major\": 2",
               "mine.json: is of nvbench's JSON version 2, and this tool reads version 1: update nvfp4-prof");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_of_ncu),
      cmocka_unit_test(samples_of_nvbench),
      cmocka_unit_test(nvbench_that_is_odd_is_refused),
  };
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm",
         1); /* the same facts on every machine: code is read in test_profiler_ncu_rep.c */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
