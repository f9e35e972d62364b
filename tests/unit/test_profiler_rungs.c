/* NVRTC on every shipped rung, for four chips that need not be here, or for the one whose architecture is named: test_profiler_rungs sm_90a */
#include "compile_fixture.h"

#include "base/array.h"

#include <string.h>
#include <time.h>

enum { UNITS_MAX = 1024, TARGETS = 4, SHAPES = 2 };

/* A benchmark shape with one batch and a test shape with two. */
static const struct shape shapes[SHAPES] = {{7168, 16384, 1}, {512, 512, 2}};

/* Both shapes where the ladders are measured and where they come from; one on the others, since a compile takes its time. */
static const struct target {
  struct rung_chip chip;
  bool at[SHAPES];
} targets[TARGETS] = {
    {{.sm = 80, .sms = 108, .smem_optin = 166912, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 41943040},
     {false, true}},
    {{.sm = 90, .sms = 132, .smem_optin = 232448, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 62914560},
     {true, true}},
    {{.sm = 100, .sms = 148, .smem_optin = 232448, .regs_per_sm = 65536, .warps_per_sm = 64, .l2_bytes = 132644864},
     {true, true}},
    {{.sm = 120, .sms = 170, .smem_optin = 101376, .regs_per_sm = 65536, .warps_per_sm = 48, .l2_bytes = 100663296},
     {true, false}},
};
enum { H200 = 1, B200 = 2 };

/* Rungs that spill at their default parameters, on the architecture named. */
static const struct {
  const char *id, *arch;
} spills[] = {
    {"top-3-fp32x2", "sm_100a"},
    {"top-4-regs45", "sm_100a"}, /* a cap of 45 registers is what it is about */
    {"top-4-regs45", "sm_120a"},
};
enum { SPILLS = sizeof spills / sizeof spills[0] };
static bool spills_seen[SPILLS];

static const char *only; /* an architecture; NULL: all */

static bool wanted(const struct target *t) {
  char arch[16];
  compile_arch(t->chip.sm, arch);
  return !only || strcmp(only, arch) == 0;
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- every rung --- */

struct batch { /* the distinct units of one chip */
  struct compile_unit units[UNITS_MAX];
  const struct rung *rungs[UNITS_MAX]; /* the first that needs the unit */
  char *paths[UNITS_MAX];              /* the way that rung takes; NULL: there is one */
  struct compiled compiled[UNITS_MAX];
  size_t n;
  char arch[16];
};

static bool batch_has(const struct batch *b, const char *file, char *const *options, size_t n) {
  for (size_t i = 0; i < b->n; i++) {
    const struct compile_unit *u = &b->units[i];
    bool same = strcmp(u->name, file) == 0 && u->n_options == n;
    for (size_t o = 0; o < n && same; o++)
      same = strcmp(u->options[o], options[o]) == 0;
    if (same)
      return true;
  }
  return false;
}

static bool batch_add(struct batch *b, const struct rung *r, struct shape s, const struct rung_chip *chip) {
  struct rung_plan plan;
  struct err e = {0};
  size_t n = 0;
  if (rung_plan(&plan, r, s, chip, &e))
    fail_msg("%s", e.text);
  char **options = compile_options(&plan, &n);
  bool runnable = plan.runnable;
  if (!runnable || batch_has(b, r->file, options, n)) {
    array_free(options, n);
  } else {
    assert_true(b->n < UNITS_MAX);
    b->units[b->n] = (struct compile_unit){r->file, r->source, (const char *const *)options, n};
    b->rungs[b->n] = r;
    b->paths[b->n++] = str_copy(plan.path);
  }
  rung_plan_release(&plan);
  return runnable;
}

static void batch_make(struct batch *b, const struct target *t) {
  compile_arch(t->chip.sm, b->arch);
  b->n = 0;
  for (size_t i = 0; i < fixture.set.n; i++)
    for (int s = 0; s < SHAPES; s++)
      if (t->at[s])
        batch_add(b, &fixture.set.rungs[i], shapes[s], &t->chip);
}

static void batch_compile(struct batch *b, bool sass) {
  struct compile_settings settings = {
      .arch = b->arch, .set = &fixture.set, .sass = sass, .cache_folder = fixture.cache};
  struct compile_tools tools;
  struct err e = {0};
  if (compile_all(&settings, b->units, b->n, b->compiled, &tools, &e))
    fail_msg("%s", e.text);
}

static void batch_release(struct batch *b) {
  for (size_t i = 0; i < b->n; i++) {
    compiled_release(&b->compiled[i]);
    array_free((char **)b->units[i].options, b->units[i].n_options);
    free(b->paths[i]);
  }
  b->n = 0;
}

static bool may_spill(const struct rung *r, const char *arch) {
  for (size_t i = 0; i < SPILLS; i++)
    if (strcmp(spills[i].id, r->id) == 0 && strcmp(spills[i].arch, arch) == 0)
      return spills_seen[i] = true;
  return false;
}

/* A launch's kernel must be there, or it fails only on a GPU. */
static bool kernel_is_there(const struct batch *b, size_t i, const struct rung_launch *l) {
  const struct run_module *m = &b->compiled[i].module;
  for (size_t k = 0; k < m->n_kernels; k++)
    if (strcmp(m->kernels[k].name, l->kernel) == 0)
      return true;
  print_message("%s: %s has no kernel %s\n", b->rungs[i]->id, b->units[i].name, l->kernel);
  return false;
}

/* Counts what is wrong with one unit, and says it. */
static int unit_faults(const struct batch *b, size_t i, bool second) {
  const struct compiled *c = &b->compiled[i];
  const char *id = b->rungs[i]->id;
  int faults = 0;
  if (!c->ok) {
    print_message("%s for %s: %s\n", id, b->arch, c->error);
    return 1;
  }
  if ((second && !c->module.cached) || strcmp(c->module.arch, b->arch) != 0 || c->cubin_bytes < 64 ||
      memcmp(c->cubin, "\177ELF", 4) != 0) {
    print_message("%s for %s: cached %d, %zu bytes\n", id, b->arch, c->module.cached, c->cubin_bytes);
    faults++;
  }
  for (size_t k = 0; k < c->module.n_kernels; k++) {
    const struct run_kernel *kernel = &c->module.kernels[k];
    bool spilt = kernel->spill_store_bytes != 0 || kernel->spill_load_bytes != 0; /* -1, not reported, is wrong too */
    if (kernel->registers <= 0 || (spilt && !may_spill(b->rungs[i], b->arch))) {
      print_message("%s for %s: %s: %d registers, spills %ld + %ld bytes\n", id, b->arch, kernel->name,
                    kernel->registers, kernel->spill_store_bytes, kernel->spill_load_bytes);
      faults++;
    }
  }
  const struct rung *r = b->rungs[i];
  for (size_t k = 0; k < r->n_steps; k++)
    faults += !r->steps[k].call && !kernel_is_there(b, i, &r->steps[k]);
  for (size_t k = 0; k < r->n_setups; k++)
    faults += !kernel_is_there(b, i, &r->setups[k]);
  for (size_t k = 0; k < r->n_resets; k++)
    faults += !r->resets[k].fill_buffer && !kernel_is_there(b, i, &r->resets[k].launch);
  return faults;
}

static void every_rung_compiles_and_is_cached(void **state) {
  (void)state;
  need_nvrtc();
  static struct batch b;
  int faults = 0;
  for (int pass = 0; pass < 2; pass++) {
    double start = now_s();
    size_t units = 0;
    for (int c = 0; c < TARGETS; c++) {
      if (!wanted(&targets[c]))
        continue;
      batch_make(&b, &targets[c]);
      batch_compile(&b, false);
      for (size_t i = 0; i < b.n; i++)
        faults += unit_faults(&b, i, pass > 0);
      units += b.n;
      batch_release(&b);
    }
    print_message("%zu rungs, %zu units for %s, %s: %.2f s\n", fixture.set.n, units, only ? only : "all chips",
                  pass ? "once more" : "at first", now_s() - start);
    assert_true(units > 40);
  }
  for (size_t i = 0; i < SPILLS; i++)
    if (!spills_seen[i] && (!only || strcmp(only, spills[i].arch) == 0)) {
      print_message("%s no longer spills on %s: take it off the list\n", spills[i].id, spills[i].arch);
      faults++;
    }
  assert_int_equal(faults, 0);
}

static void every_rung_runs_somewhere(void **state) {
  (void)state;
  static struct batch b;
  int unreached = 0;
  for (size_t i = 0; i < fixture.set.n; i++) {
    bool runnable = false;
    for (int c = 0; c < TARGETS; c++)
      for (int s = 0; s < SHAPES; s++)
        runnable = (targets[c].at[s] && batch_add(&b, &fixture.set.rungs[i], shapes[s], &targets[c].chip)) || runnable;
    if (!runnable) {
      print_message("%s runs on none of the chips at none of the shapes, so nothing here tests it\n",
                    fixture.set.rungs[i].id);
      unreached++;
    }
    batch_release(&b);
  }
  assert_int_equal(unreached, 0);
}

/* --- the way a rung says it takes is the way its instructions take --- */

static const char native_ptx[] = "cvt.rn.f16x2.e2m1x2", native_sass[] = "F2FP.F16.E2M1.UNPACK";

static size_t count_sass(const struct run_module *m, const char *instruction) {
  size_t n = 0;
  for (size_t k = 0; k < m->n_kernels; k++)
    for (size_t i = 0; i < m->kernels[k].n_sass; i++)
      n += strstr(m->kernels[k].sass[i].text, instruction) != NULL;
  return n;
}

static bool declares_native(const struct rung *r) {
  for (size_t p = 0; p < r->n_paths; p++)
    if (strncmp(r->paths[p].text, native_ptx, strlen(native_ptx)) == 0)
      return true;
  return false;
}

/* Leaves in the batch only the first unit of each rung that has a native way, and at most `max` of them. */
static void batch_keep_native(struct batch *b, size_t max) {
  size_t kept = 0;
  for (size_t i = 0; i < b->n; i++) {
    bool first = i == 0 || b->rungs[i] != b->rungs[i - 1];
    if (first && kept < max && declares_native(b->rungs[i])) {
      b->units[kept] = b->units[i];
      b->rungs[kept] = b->rungs[i];
      b->paths[kept++] = b->paths[i];
    } else {
      array_free((char **)b->units[i].options, b->units[i].n_options);
      free(b->paths[i]);
    }
  }
  b->n = kept;
}

static void native_conversion_where_it_is_said(void **state) {
  (void)state;
  need_nvrtc();
  need_nvdisasm();
  static struct batch b;
  int faults = 0;
  for (int c = H200; c <= B200; c++) {
    if (!wanted(&targets[c]))
      continue;
    double start = now_s();
    batch_make(&b, &targets[c]);
    /* On sm_90a a few do: NVRTC would have refused the instruction there. */
    batch_keep_native(&b, c == B200 ? UNITS_MAX : 6);
    assert_true(b.n > 3);
    batch_compile(&b, true);
    for (size_t i = 0; i < b.n; i++) {
      const struct run_module *m = &b.compiled[i].module;
      bool said = b.paths[i] && strncmp(b.paths[i], native_ptx, strlen(native_ptx)) == 0;
      size_t native = count_sass(m, native_sass), all = count_sass(m, "");
      if (said != (native > 0) || said != (targets[c].chip.sm >= 100) || all < 50) {
        print_message("%s on %s says '%s': %zu of %zu instructions are %s\n", b.rungs[i]->id, b.arch,
                      b.paths[i] ? b.paths[i] : "", native, all, native_sass);
        faults++;
      }
      if (m->n_kernels && (m->kernels[0].sass_reason || !m->cached)) {
        print_message("%s on %s: a cubin from the cache was not given its SASS\n", b.rungs[i]->id, b.arch);
        faults++;
      }
    }
    print_message("%zu units disassembled for %s: %.2f s\n", b.n, b.arch, now_s() - start);
    batch_release(&b);
  }
  assert_int_equal(faults, 0);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rung_compiles_and_is_cached), /* first: it fills the cache */
      cmocka_unit_test(native_conversion_where_it_is_said),
      cmocka_unit_test(every_rung_runs_somewhere),
  };
  only = argc > 1 ? argv[1] : NULL;
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
