/* A fake NVRTC: see fake.h. */
#include "fake/fake.h"

#include <nvrtc.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _nvrtcProgram {
  char source[1 << 16], cubin[1 << 14], log[1 << 14];
};

static void add(char *to, size_t size, const char *format, ...) {
  size_t n = strlen(to);
  va_list args;
  va_start(args, format);
  vsnprintf(to + n, size - n, format, args);
  va_end(args);
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  *major = 13;
  *minor = 7;
  return (nvrtcResult)fake_value(__func__, 0);
}

const char *nvrtcGetErrorString(nvrtcResult result) {
  return result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "FAKE_NVRTC_ERROR";
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int n_headers,
                               const char *const *headers, const char *const *names) {
  nvrtcProgram p = *program = calloc(1, sizeof **program);
  add(p->source, sizeof p->source, "%s", source);
  add(p->cubin, sizeof p->cubin, "cubin of %s\n", name);
  for (int i = 0; i < n_headers; i++)
    add(p->cubin, sizeof p->cubin, "header %s %zu\n", names[i], strlen(headers[i]));
  return (nvrtcResult)fake_value(__func__, 0);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n_options, const char *const *options) {
  static const char kernel[] = "__global__";
  for (int i = 0; i < n_options; i++)
    add(p->cubin, sizeof p->cubin, "option %s\n", options[i]);
  if (strstr(p->source, "#error crash"))
    abort();
  for (const char *at = p->source; (at = strstr(at, kernel));) {
    at += sizeof kernel - 1;
    bool plain = strncmp(at, " void ", 6) == 0; /* else a macro makes its name, or it has attributes */
    const char *name = plain ? at + 6 : "kernel";
    int n = (int)strcspn(name, "( ");
    add(p->log, sizeof p->log,
        "ptxas info    : Compiling entry function '%.*s' for 'sm_90a'\nptxas info    : Function properties for %.*s\n"
        "    16 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
        "ptxas info    : Used 32 registers, 1024 bytes smem, 400 bytes cmem[0]\n",
        n, name, n, name);
  }
  if (strstr(p->source, "KERNEL(")) /* those of the ceilings, whose header has the word */
    add(p->log, sizeof p->log, "ptxas info    : Compiling entry function 'kernel' for 'sm_90a'\n");
  if (!strstr(p->source, "#error"))
    return (nvrtcResult)fake_value(__func__, 0);
  snprintf(p->log, sizeof p->log, "mine.cu(1): warning: odd\nmine.cu(2): error: wrong\n");
  return NVRTC_ERROR_COMPILATION;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes) {
  *bytes = strlen(p->log) + 1;
  return (nvrtcResult)fake_value(__func__, 0);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) {
  memcpy(log, p->log, strlen(p->log) + 1);
  return (nvrtcResult)fake_value(__func__, 0);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes) {
  *bytes = strlen(p->cubin);
  return (nvrtcResult)fake_value(__func__, 0);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin) {
  memcpy(cubin, p->cubin, strlen(p->cubin));
  return (nvrtcResult)fake_value(__func__, 0);
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  free(*program);
  *program = NULL;
  return (nvrtcResult)fake_value(__func__, 0);
}
