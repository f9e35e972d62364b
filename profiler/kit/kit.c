/* The kit's parts, in the order in which they stand in the tar.  Nothing in it depends on the time or on the folder that it was made in. */
#include "profiler/kit/kit.h"

#include "base/file.h"
#include "base/shell.h"
#include "base/tar.h"
#include "profiler/ceilings/ceilings.h"
#include "profiler/compile/toolchain.h"
#include "profiler/measure/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "nvfp4-kit/"
enum { PROGRAM_MAX = 256 << 20, LIBRARY_MAX = 512 << 20, KERNEL_MAX = 4 << 20, OWN_UNITS = 1 + CEILINGS_UNITS };

static int add_file(struct kit *k, const char *name, unsigned mode, const char *path, size_t max, struct err *e) {
  char *data = NULL;
  size_t n = 0;
  int rc = file_read(path, max, &data, &n, e);
  if (!rc)
    rc = tar_add(&k->tar, name, mode, data, n, e);
  free(data);
  return rc;
}

/* --- cubins --- */

static int add_entry(struct kit *k, const char *key, const char *arch, const char *file, const char *options,
                     struct err *e) {
  char name[64], *folder = cache_folder(NULL), *data = NULL;
  size_t n = 0;
  int rc = 0;
  if (!folder)
    rc = err_set(e, ERR_IO,
                 "kit: the kit is packed from the compile cache, and none can be written: set NVFP4_CACHE to a folder");
  if (!rc)
    rc = cache_read(folder, key, &data, &n, e);
  snprintf(name, sizeof name, FOLDER "kit/%.32s.entry", key);
  if (!rc)
    rc = tar_add(&k->tar, name, 0644, data, n, e);
  if (!rc)
    text_printf(&k->entries, "cubin %s %s %s%s%s\n", key, arch, file, *options ? " " : "", options);
  k->n_cubins += !rc;
  free(data);
  free(folder);
  return rc;
}

/* The file of the first rung that runs the module. */
static const char *module_file(const struct run *r, size_t module) {
  for (size_t i = 0; i < r->n_results; i++)
    if (r->results[i].module == (int)module)
      return r->variants[r->results[i].variant].file;
  return "";
}

/* The flush and the empty kernels are compiled with the rungs' headers, the ceilings' kernels with their own. */
static int own_keys(char keys[OWN_UNITS][33], const char *arch, const struct rung_set *set, char nvrtc[32],
                    struct err *e) {
  struct compile_settings settings = {.arch = arch, .set = set, .sass = true};
  struct compile_tools tools;
  struct compiled own;
  int rc = compile_all(&settings, &session_own_unit, 1, &own, &tools, e);
  if (!rc && !own.ok)
    rc = err_set(e, ERR_COMPILE, "%s", own.error ? own.error : "the profiler's own kernels did not compile");
  if (!rc) {
    snprintf(keys[0], sizeof keys[0], "%s", own.module.key);
    snprintf(nvrtc, 32, "%s", tools.nvrtc_version);
    rc = ceilings_compile(arch, &keys[1], e);
  }
  compiled_release(&own);
  return rc;
}

int kit_add_cubins(struct kit *k, const struct run *compiled, const char *arch, const struct rung_set *set,
                   struct err *e) {
  char keys[OWN_UNITS][33];
  int rc = own_keys(keys, arch, set, k->nvrtc, e);
  size_t used = strlen(k->targets);
  if (!rc && used + strlen(arch) + 2 > sizeof k->targets)
    rc = err_set(e, ERR_USAGE, "--target: too many chips for one kit");
  if (rc)
    return rc;
  snprintf(k->targets + used, sizeof k->targets - used, "%s%s", used ? "," : "", arch);
  for (int i = 0; i < OWN_UNITS && !rc; i++)
    rc = add_entry(k, keys[i], arch, i ? "ceilings" : session_own_unit.name, "", e);
  for (size_t m = 0; m < compiled->n_modules && !rc; m++)
    rc = add_entry(k, compiled->modules[m].key, arch, module_file(compiled, m), compiled->modules[m].options, e);
  return rc;
}

/* --- a user's file --- */

static bool leads_out(const char *path) {
  return path[0] == '/' || strncmp(path, "../", 3) == 0 || strstr(path, "/../");
}

struct adding {
  struct kit *kit;
  int result;
  struct err *e;
};

static void add_text(void *context, const char *path, const char *text) {
  struct adding *a = context;
  if (a->result)
    return;
  if (leads_out(path)) {
    a->result = err_set(a->e, ERR_USAGE,
                        "kit: %s does not lie below the current folder, so a kit cannot carry it under its name: call "
                        "kit in the folder of the kernel and put what it includes there",
                        path);
    return;
  }
  char *name = str_printf(FOLDER "%s", path);
  a->result = tar_add(&a->kit->tar, name, 0644, text, strlen(text), a->e);
  free(name);
}

int kit_add_source(struct kit *k, const struct rung_set *set, const char *path, struct err *e) {
  struct adding a = {.kit = k, .e = e};
  char *text = NULL;
  size_t n = 0;
  int rc = file_read(path, KERNEL_MAX, &text, &n, e);
  if (!rc) {
    struct compile_settings settings = {.set = set};
    struct compile_unit unit = {.name = path, .source = text};
    add_text(&a, path, text);
    includes_visit(&settings, &unit, add_text, &a);
    rc = a.result;
  }
  free(text);
  return rc;
}

/* --- the rest --- */

/* CUPTI asks the loader for libnvperf_*.so by name; they lie beside it. */
static int add_cupti(struct kit *k, struct err *e) {
  static const char *const companions[] = {"libnvperf_host.so", "libnvperf_target.so"};
  struct cupti *c = calloc(1, sizeof *c);
  int rc = cupti_load(c, e);
  if (rc) {
    free(c);
    return err_context(e, "kit");
  }
  const char *slash = strrchr(c->path, '/'), *base = slash ? slash + 1 : c->path;
  /* A file of another name would not be found on the node. */
  const char *soname = strncmp(base, "libcupti.so.1", 13) == 0 && strlen(base) == 14 ? base : "libcupti.so";
  char name[128];
  snprintf(name, sizeof name, FOLDER "cuda/lib64/%.32s", soname);
  rc = add_file(k, name, 0644, c->path, LIBRARY_MAX, e);
  snprintf(k->cupti, sizeof k->cupti, "%.16s", soname);
  for (size_t i = 0; i < sizeof companions / sizeof companions[0] && slash && !rc; i++) {
    char *path = str_printf("%.*s/%s", (int)(slash - c->path), c->path, companions[i]);
    size_t used = strlen(k->cupti);
    if (file_exists(path)) {
      snprintf(name, sizeof name, FOLDER "cuda/lib64/%s", companions[i]);
      snprintf(k->cupti + used, sizeof k->cupti - used, " %s", companions[i]);
      rc = add_file(k, name, 0644, path, LIBRARY_MAX, e);
    }
    free(path);
  }
  free(c->missing);
  free(c);
  return rc;
}

static void add_option(struct text *t, const char *name, const char *value) {
  if (!value)
    return;
  text_printf(t, " --%s ", name);
  shell_word(t, value);
}

static void write_script(struct text *t, const char *variants, const char *shapes, const char *kernel) {
  text_add(t, "#!/bin/sh\n"
              "# Profiles what this kit was made for, with the libraries of the kit.  Further options are passed on.\n"
              "set -e\n"
              "case $0 in */*) cd -- \"${0%/*}\" ;; esac\n"
              "NVFP4_CUDA_HOME=$PWD/cuda\n"
              "export NVFP4_CUDA_HOME\n"
              "exec ./nvfp4-prof");
  add_option(t, "kernel", kernel);
  if (variants || !kernel)
    add_option(t, "variant", variants ? variants : "all");
  add_option(t, "shape", shapes);
  text_add(t, " --out measured --no-plots \"$@\"\n");
}

static void write_readme(struct text *t, const struct kit *k, const char *version) {
  text_printf(
      t,
      "nvfp4-prof %s, a kit for %s\n\n"
      "On the node, which needs NVIDIA's driver for CUDA 13 and nothing else:\n\n"
      "    tar xf kit.tar && nvfp4-kit/run.sh\n\n"
      "It writes nvfp4-kit/measured.  At home, where gnuplot and the tool are:\n\n"
      "    nvfp4-prof report measured/run.json.gz\n\n"
      "kit/ holds %zu cubins that NVRTC %s made, with their SASS, and kit/manifest says of what.  Another kernel, or a shape\n"
      "that sets other constants of one, is refused by name: make a kit that carries it.  `nvfp4-prof ceilings` and\n"
      "`nvfp4-prof doctor` work here too.  cuBLAS is not carried: its controls are skipped where the node has none.\n\n"
      "cuda/lib64 holds NVIDIA's CUPTI (%s), as it was found where the kit was made.  It is NVIDIA's, under the\n"
      "CUDA Toolkit End User License Agreement, whose Attachment A says which of its files may be passed on and section 1.1.2\n"
      "under which conditions: libcupti.so is named there, libnvperf_*.so by no name.  Read it before you pass a kit on.\n",
      version, k->targets, k->n_cubins, k->nvrtc, k->cupti);
}

int kit_finish(struct kit *k, const char *version, const char *variants, const char *shapes, const char *kernel,
               struct err *e) {
  struct text manifest = {0}, script = {0}, readme = {0};
  int rc = add_cupti(k, e);
  text_printf(&manifest, "nvfp4-prof kit 1\nnvrtc %s\ntargets %s\ntool %s\n%s", k->nvrtc, k->targets, version,
              text_str(&k->entries));
  write_script(&script, variants, shapes, kernel);
  write_readme(&readme, k, version);
  if (!rc)
    rc = add_file(k, FOLDER "nvfp4-prof", 0755, "/proc/self/exe", PROGRAM_MAX, e);
  if (!rc)
    rc = tar_add(&k->tar, FOLDER "kit/manifest", 0644, text_str(&manifest), manifest.n, e);
  if (!rc)
    rc = tar_add(&k->tar, FOLDER "run.sh", 0755, text_str(&script), script.n, e);
  if (!rc)
    rc = tar_add(&k->tar, FOLDER "README.txt", 0644, text_str(&readme), readme.n, e);
  tar_end(&k->tar);
  if (!rc && !text_ok(&k->tar))
    rc = err_nomem(e, "the archive");
  text_release(&manifest);
  text_release(&script);
  text_release(&readme);
  return rc;
}

void kit_release(struct kit *k) {
  text_release(&k->tar);
  text_release(&k->entries);
}
