/* PTX that someone else made, through ptxas. */
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

static int assemble(const char *name, const char *text, size_t n, const char *arch, const char *cubin, struct text *log,
                    struct err *e) {
  char program[LIBRARY_PATH_MAX], input[LIBRARY_PATH_MAX], target[ARCH_MAX + 8];
  int result = program_find(program, "ptxas", e);
  if (!result)
    result = temporary_file(input, sizeof input, e);
  if (result)
    return result;
  snprintf(target, sizeof target, "-arch=%s", arch);
  char *argv[] = {program, "-v", target, "-o", (char *)cubin, input, NULL};
  result = file_write(input, text, n, e);
  double limit_s = program_limit_s(n);
  int failed = result ? 0 : program_capture(argv, STDERR_FILENO, limit_s, log);
  if (failed == ETIMEDOUT)
    result = err_set(e, ERR_MACHINE, "%s: the assembler %s gave no answer within %.0f s (NVFP4_PROGRAM_LIMIT sets it)",
                     name, program, limit_s);
  else if (failed)
    result = err_set(e, failed == ECHILD ? ERR_DATA : ERR_MACHINE, "%s: ptxas for %s: %s", name, arch,
                     failed == ECHILD && log->n ? str_trim(log->s) : strerror(failed));
  unlink(input);
  return result;
}

/* What ptxas said of each kernel goes to the module that was read from the cubin, which does not say how much was spilled. */
static int take_report(struct run_module *m, const char *log, struct err *e) {
  struct run_module said = {0};
  int result = ptxas_parse(&said, log, e);
  for (size_t i = 0; i < said.n_kernels && !result; i++)
    for (size_t k = 0; k < m->n_kernels; k++)
      if (strcmp(said.kernels[i].name, m->kernels[k].name) == 0) {
        m->kernels[k].spill_store_bytes = said.kernels[i].spill_store_bytes;
        m->kernels[k].spill_load_bytes = said.kernels[i].spill_load_bytes;
      }
  run_module_release(&said);
  return result;
}

int ptx_module(struct run_module *out, const char *name, const char *text, size_t n, const char *arch, struct err *e) {
  char own[ARCH_MAX] = "", cubin[LIBRARY_PATH_MAX], *data = NULL;
  size_t bytes = 0;
  struct text log = {0};
  *out = (struct run_module){0};
  if (!ptx_target(text, own))
    return err_set(e, ERR_DATA, "%s: it is not PTX: it has no line \".target sm_...\"", name);
  arch = arch ? arch : own;
  int result = temporary_file(cubin, sizeof cubin, e);
  if (result)
    return result;
  result = assemble(name, text, n, arch, cubin, &log, e);
  if (!result)
    result = file_read(cubin, CUBIN_MAX, &data, &bytes, e);
  if (!result)
    result = cubin_module(out, name, data, bytes, NULL, e);
  if (!result)
    result = take_report(out, text_str(&log), e);
  char *named = result ? NULL : str_copy(arch);
  if (!result && !named)
    result = err_nomem(e, "a module");
  if (named) {
    free(out->arch);
    out->arch = named;
  }
  unlink(cubin);
  free(data);
  text_release(&log);
  return result;
}
