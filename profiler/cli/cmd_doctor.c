/* doctor: for each need, found or missing, its version, its path, and the remedy. */
#include "base/file.h"
#include "base/table.h"
#include "profiler/cli/cli.h"
#include "profiler/cli/recorded.h"
#include "profiler/compile/toolchain.h"
#include "profiler/measure/profile.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row option_rows[] = {
    {"gpu", "INDEX|UUID", "ask after this GPU (default: the first)"},
    {"json", NULL, "print JSON"},
    {NULL, NULL, NULL},
};

enum state { STATE_FOUND, STATE_LIMITED, STATE_MISSING };

struct examination {
  struct table *table;
  int missing;
};

static void add_row(struct examination *x, const char *need, enum state state, const char *version, const char *where,
                    const char *text) {
  static const char *const names[] = {"found", "limited", "missing"};
  static const char styles[] = {'g', 'B', 'b'};
  table_row(x->table);
  table_cell(x->table, need, NULL);
  table_cell(x->table, names[state], NULL);
  table_style(x->table, styles[state]);
  table_cell(x->table, version, NULL);
  table_cell(x->table, where, NULL);
  table_cell(x->table, text, NULL);
  x->missing += state == STATE_MISSING;
}

static void examine_gpu(struct examination *x, const char *which) {
  struct gpu_probe p;
  struct err e = {0};
  char version[160];
  if (gpu_probe(&p, which, true, &e)) {
    add_row(x, "driver and GPU", STATE_MISSING, p.cuda_driver, p.cuda_path, e.text);
    add_row(x, "CUPTI", STATE_LIMITED, "", "", "asked only where there is a GPU; see the row CUPTI library");
    return;
  }
  snprintf(version, sizeof version, "%s, CUDA %s", p.driver[0] ? p.driver : "unknown", p.cuda_driver);
  add_row(x, "driver", STATE_FOUND, version, p.cuda_path, "");
  snprintf(version, sizeof version, "%s (%d of %d)", p.name, p.index + 1, p.count);
  char facts[160];
  snprintf(facts, sizeof facts, "sm_%d, %d SMs, %.0f MHz, %.0f GB, chip %s", p.sm, p.sms, p.clock_max_hz / 1e6,
           p.memory_bytes / 1e9, p.chip[0] ? p.chip : "unknown");
  add_row(x, "GPU", STATE_FOUND, version, "", facts);
  if (p.nvml_error[0])
    add_row(x, "NVML", STATE_MISSING, "", "", p.nvml_error);
  if (p.cupti_error[0])
    add_row(x, "CUPTI", STATE_MISSING, "", "", p.cupti_error);
  else
    add_row(x, "CUPTI", p.cupti_missing[0] ? STATE_LIMITED : STATE_FOUND, p.cupti, p.cupti_path,
            p.cupti_missing[0] ? p.cupti_missing : "");
  if (p.cupti_error[0])
    return;
  add_row(x, "hardware counters", p.counters_error[0] ? STATE_MISSING : STATE_FOUND, "", "",
          p.counters_error[0] ? p.counters_error : "they can be read, and no other profiler holds them");
  add_row(x, "PC sampling", p.stalls_error[0] ? STATE_MISSING : STATE_FOUND, "", "",
          p.stalls_error[0] ? p.stalls_error : "stalls can be sampled, instruction by instruction");
  add_row(x, "SASS metrics", p.sass_error[0] ? STATE_MISSING : STATE_FOUND, "", "",
          p.sass_error[0] ? p.sass_error : "executions can be counted, instruction by instruction");
}

static void examine_libraries(struct examination *x) {
  struct nvrtc *n = calloc(1, sizeof *n);
  struct cupti *c = calloc(1, sizeof *c);
  struct err e = {0};
  char version[32];
  int major = 0, minor = 0;
  uint32_t cupti = 0;
  struct carried kit = {0};
  if (n && nvrtc_load(n, &e) == 0) {
    n->nvrtcVersion(&major, &minor);
    snprintf(version, sizeof version, "%d.%d", major, minor);
    add_row(x, "NVRTC", STATE_FOUND, version, n->path, "");
    if (n->include[0][0])
      add_row(x, "CUDA headers", STATE_FOUND, "", n->include[0], "");
    else
      add_row(
          x, "CUDA headers", STATE_MISSING, "", "",
          "cuda_fp16.h was not found: set CUDA_HOME to a CUDA toolkit, or run scripts/setup; rungs do not compile without it");
  } else if (carried_open(&kit, NULL) == 0 && kit.folder) {
    add_row(x, "NVRTC", STATE_LIMITED, kit.nvrtc, kit.folder, "not here; what this kit carries is compiled already");
  } else {
    add_row(x, "NVRTC", STATE_MISSING, "", "", e.text);
  }
  carried_release(&kit);
  if (c && cupti_load(c, &e) == 0) {
    c->cuptiGetVersion(&cupti);
    snprintf(version, sizeof version, "%u", cupti);
    add_row(x, "CUPTI library", c->missing ? STATE_LIMITED : STATE_FOUND, version, c->path,
            c->missing ? c->missing : "");
  } else {
    add_row(x, "CUPTI library", STATE_MISSING, "", "", e.text);
  }
  free(n);
  free(c);
}

/* The first line that a program prints for --version. */
static void program_version(const char *program, char *out, size_t n) {
  char *command = str_printf("'%s' --version 2>/dev/null", program);
  FILE *f = command ? popen(command, "r") : NULL;
  out[0] = 0;
  char line[128];
  while (f && fgets(line, sizeof line, f)) {
    char *release = strstr(line, "release ");
    if (!out[0] || release)
      snprintf(out, n, "%s", str_trim(release ? release : line));
  }
  if (f)
    pclose(f);
  free(command);
}

static void examine_program(struct examination *x, const char *name, const char *path, const char *remedy) {
  char version[128];
  if (!path[0]) {
    add_row(x, name, STATE_MISSING, "", "", remedy);
    return;
  }
  program_version(path, version, sizeof version);
  add_row(x, name, STATE_FOUND, version, path, "");
}

static void find_on_path(const char *name, char *out, size_t n) {
  const char *path = getenv("PATH");
  out[0] = 0;
  for (const char *p = path ? path : ""; *p && !out[0];) {
    size_t length = strcspn(p, ":");
    snprintf(out, n, "%.*s/%s", (int)length, p, name);
    if (access(out, X_OK))
      out[0] = 0;
    p += length + (p[length] == ':');
  }
}

static void examine_programs(struct examination *x) {
  char path[LIBRARY_PATH_MAX];
  struct err e = {0};
  program_find(path, "nvdisasm", &e);
  examine_program(x, "nvdisasm", path, e.text);
  const char *named = getenv("NVFP4_GNUPLOT");
  if (named && *named)
    snprintf(path, sizeof path, "%s", access(named, X_OK) == 0 ? named : "");
  else
    find_on_path("gnuplot", path, sizeof path);
  examine_program(x, "gnuplot", path,
                  "charts are left as .gp and .dat: apt-get install gnuplot-nox, or draw them elsewhere");
}

static void examine_files(struct examination *x) {
  char *cache = cache_folder(NULL), *recorded = NULL;
  struct err e = {0};
  struct run run = {0};
  if (cache)
    add_row(x, "compile cache", STATE_FOUND, "", cache, "");
  else
    add_row(x, "compile cache", STATE_LIMITED, "", "",
            "no folder can be written: set NVFP4_CACHE; every run compiles anew");
  if (recorded_path(&recorded, &e) == 0 && run_load(&run, recorded, &e) == 0)
    add_row(x, "recorded run", STATE_FOUND, run.device.name ? run.device.name : "", recorded,
            run.created ? run.created : "");
  else
    add_row(x, "recorded run", STATE_MISSING, "", recorded ? recorded : "", e.text);
  run_release(&run);
  free(recorded);
  free(cache);
}

static int doctor_command(const struct args *a, struct err *e) {
  struct text out = {0};
  int result = 0;
  struct examination x = {.table = table_new()};
  table_column(x.table, "need", "", "need", TABLE_LEFT);
  table_column(x.table, "state", "", "state", TABLE_LEFT);
  table_column(x.table, "version", "", "version", TABLE_LEFT);
  table_column(x.table, "where", "", "path", TABLE_LEFT);
  table_column(x.table, "notes and remedy", "", "remedy", TABLE_LEFT);
  examine_gpu(&x, args_get(a, "gpu"));
  examine_libraries(&x);
  examine_programs(&x);
  examine_files(&x);
  if (args_has(a, "json")) {
    table_json(x.table, &out);
    text_add(&out, "\n");
  } else {
    /* Remedies are sentences: they must not be cut to the terminal's width. */
    table_term(x.table, &out, 0, cli_colour());
  }
  result = cli_print(&out, e);
  table_free(x.table);
  return result ? result : x.missing ? EXIT_MACHINE : EXIT_DONE;
}

const struct command command_doctor = {
    .name = "doctor",
    .arguments = "[OPTIONS]",
    .summary = "what this machine has and lacks, with the remedy",
    .needs = "nothing",
    .examples = "doctor\n"
                "doctor --json\n",
    .options = option_rows,
    .run = doctor_command,
};
