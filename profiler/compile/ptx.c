/* PTX that someone else made, through ptxas; CUDA C++ with host code, through nvcc, which runs ptxas. */
#include "profiler/compile/toolchain.h"

#include "base/file.h"
#include "profiler/cuda/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CUBIN_MAX = 64 << 20, ARCH_MAX = 16 };

/* What ".target sm_90a, ..." names; false: there is no such line. */
static bool ptx_target(const char *text, char arch[ARCH_MAX]) {
  const char *at = strstr(text, ".target");
  return at && sscanf(at, ".target %15[a-z0-9_]", arch) == 1 && strncmp(arch, "sm_", 3) == 0;
}

static int temporary_file(char *path, size_t size, struct err *e) {
  const char *folder = getenv("TMPDIR");
  snprintf(path, size, "%s/nvfp4-prof-ptx.XXXXXX", folder && *folder ? folder : "/tmp");
  int fd = mkstemp(path);
  if (fd < 0)
    return err_set(e, ERR_IO, "%s: %s (TMPDIR names another folder)", path, strerror(errno));
  close(fd);
  return 0;
}

struct assembling {
  const char *name;    /* for messages */
  const char *program; /* "ptxas" */
  const char *what;    /* "assembler" */
  const char *arch;
  size_t bytes; /* of what it reads: the time that it may take goes by that */
  int refused;  /* the error where it does not take what it reads */
};

/* What the program writes to its last argument but one, CUBIN, which follows -o, is a module; what it says on the way goes to *log. */
static int run_it(const struct assembling *a, char *const *argv, struct text *log, struct err *e) {
  double limit_s = program_limit_s(a->bytes);
  int failed = program_capture(argv, STDERR_FILENO, limit_s, log);
  if (failed == ETIMEDOUT)
    return err_set(e, ERR_MACHINE, "%s: the %s %s gave no answer within %.0f s (NVFP4_PROGRAM_LIMIT sets it)", a->name,
                   a->what, argv[0], limit_s);
  if (failed)
    return err_set(e, failed == ECHILD ? a->refused : ERR_MACHINE, "%s: %s for %s: %s", a->name, a->program, a->arch,
                   failed == ECHILD && log->n ? str_trim(log->s) : strerror(failed));
  return 0;
}

/* What ptxas said of each kernel goes to the module that was read from the cubin, which does not say how much was spilled. */
static void take_report(struct run_module *m, const char *log) {
  struct run_module said = {0};
  ptxas_parse(&said, log);
  for (size_t i = 0; i < said.n_kernels; i++)
    for (size_t k = 0; k < m->n_kernels; k++)
      if (strcmp(said.kernels[i].name, m->kernels[k].name) == 0) {
        m->kernels[k].spill_store_bytes = said.kernels[i].spill_store_bytes;
        m->kernels[k].spill_load_bytes = said.kernels[i].spill_load_bytes;
      }
  run_module_release(&said);
}

/* options: of the program, NULL after the last; input: the file that it reads. */
static int module_through(struct run_module *out, const struct assembling *a, const char *const *options,
                          const char *input, struct err *e) {
  enum { ARGS_MAX = 16 };
  char program[LIBRARY_PATH_MAX], cubin[LIBRARY_PATH_MAX], target[ARCH_MAX + 8], *data = NULL, *argv[ARGS_MAX];
  size_t bytes = 0, n = 0;
  struct text log = {0};
  *out = (struct run_module){0};
  int rc = program_find(program, a->program, e);
  if (!rc)
    rc = temporary_file(cubin, sizeof cubin, e);
  if (rc)
    return rc;
  snprintf(target, sizeof target, "-arch=%s", a->arch);
  argv[n++] = program;
  for (; *options; options++)
    argv[n++] = (char *)*options;
  char *const rest[] = {target, (char *)"-o", cubin, (char *)input, NULL};
  memcpy(argv + n, rest, sizeof rest);
  rc = run_it(a, argv, &log, e);
  if (!rc && a->refused == ERR_COMPILE && !strstr(text_str(&log), "Compiling entry function"))
    rc = err_set(e, ERR_COMPILE, "%s: it has no __global__ function (a template needs an instantiation)", a->name);
  if (!rc)
    rc = file_read(cubin, CUBIN_MAX, &data, &bytes, e);
  if (!rc)
    rc = cubin_module(out, a->name, data, bytes, e);
  if (!rc) {
    take_report(out, text_str(&log));
    free(out->arch);
    out->arch = str_copy(a->arch);
  }
  unlink(cubin);
  free(data);
  text_release(&log);
  return rc;
}

int ptx_module(struct run_module *out, const char *name, const char *text, size_t n, const char *arch, struct err *e) {
  static const char *const options[] = {"-v", NULL};
  char own[ARCH_MAX] = "", input[LIBRARY_PATH_MAX];
  *out = (struct run_module){0};
  if (!ptx_target(text, own))
    return err_set(e, ERR_DATA, "%s: it is not PTX: it has no line \".target sm_...\"", name);
  const struct assembling a = {name, "ptxas", "assembler", arch ? arch : own, n, ERR_DATA};
  int rc = temporary_file(input, sizeof input, e);
  if (rc)
    return rc;
  rc = file_write(input, text, n, e);
  if (!rc)
    rc = module_through(out, &a, options, input, e);
  unlink(input);
  return rc;
}

int nvcc_module(struct run_module *out, const char *path, size_t n, const char *arch, struct err *e) {
  static const char *const options[] = {"-cubin", "-lineinfo", "-Xptxas", "-v", "-x", "cu", NULL};
  const struct assembling a = {path, "nvcc", "compiler", arch, n, ERR_COMPILE};
  return module_through(out, &a, options, path, e);
}
