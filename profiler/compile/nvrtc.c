#include "profiler/compile/toolchain.h"

#include <stdlib.h>
#include <string.h>

enum { OWN_OPTIONS = 5 + NVRTC_INCLUDES };

static int nvrtc_check(const struct nvrtc *n, nvrtcResult result, const char *call, struct err *e) {
  if (result == NVRTC_SUCCESS)
    return 0;
  return err_set(e, ERR_COMPILE, "%s: %s", call, n->nvrtcGetErrorString(result));
}

static size_t gather_options(const struct nvrtc *n, const struct compile_settings *s, const struct compile_unit *u,
                             struct text *scratch, const char **options) {
  size_t count = 0;
  text_printf(scratch, "--gpu-architecture=%s%c", s->arch, 0);
  for (int i = 0; i < NVRTC_INCLUDES; i++)
    text_printf(scratch, "--include-path=%s%c", n->include[i], 0);
  const char *slash = strrchr(u->name, '/'); /* where NVRTC would look by the name, which may be another */
  text_printf(scratch, "--include-path=%.*s%c", slash ? (int)(slash - u->name) + 1 : 0, u->name, 0);
  const char *p = text_str(scratch);
  for (int i = 0; i < NVRTC_INCLUDES + 2; i++, p += strlen(p) + 1)
    if (i == 0 || (i <= NVRTC_INCLUDES && n->include[i - 1][0]) ||
        (i > NVRTC_INCLUDES && slash && strchr(u->name, '"')))
      options[count++] = p;
  options[count++] = "-std=c++17";
  options[count++] = "-lineinfo";
  options[count++] = "--ptxas-options=-v";
  for (size_t i = 0; i < u->n_options; i++)
    options[count++] = u->options[i];
  return count;
}

/* PTX names the file between quotes and knows no way to write one there. */
char compiled_name_char(char c) {
  return c == '"' || (unsigned char)c < ' ' ? '_' : c;
}

static char *compiled_name(const char *name) {
  char *copy = str_copy(name);
  for (char *c = copy; *c; c++)
    *c = compiled_name_char(*c);
  return copy;
}

/* The log from its first error on: what an error can hold is limited, and warnings may stand before it. */
static const char *first_error(const char *log) {
  const char *at = strstr(log, "error");
  while (at && at > log && at[-1] != '\n')
    at--;
  return at ? at : log;
}

/* Behind a log that lacks a header of the host's. */
static const char *header_remedy(const char *log) {
  return strstr(log, "cannot open source file")
             ? "NVRTC has no headers of the host: in place of <cstdint> and <stdint.h> write using uint8_t = unsigned char and "
               "the like, and put headers of your own beside the file\n"
             : "";
}

int nvrtc_compile(const struct nvrtc *n, const struct compile_settings *s, const struct compile_unit *u, void **cubin,
                  size_t *cubin_bytes, struct text *log, struct err *e) {
  const char **names = calloc(s->set->n_files + 1, sizeof *names), **texts = calloc(s->set->n_files + 1, sizeof *texts);
  const char **options = calloc(OWN_OPTIONS + u->n_options, sizeof *options);
  struct text scratch = {0};
  nvrtcProgram program = NULL;
  char *bytes = NULL;
  int n_headers = 0, result = 0;
  char *name = compiled_name(u->name);
  for (size_t i = 0; i < s->set->n_files; i++)
    if (s->set->files[i].header) {
      names[n_headers] = s->set->files[i].name;
      texts[n_headers++] = s->set->files[i].text;
    }
  size_t n_options = gather_options(n, s, u, &scratch, options);

  result = nvrtc_check(n, n->nvrtcCreateProgram(&program, u->source, name, n_headers, texts, names),
                       "nvrtcCreateProgram", e);
  if (result)
    goto out;
  nvrtcResult compiled = n->nvrtcCompileProgram(program, (int)n_options, options);
  size_t log_bytes = 0;
  if (n->nvrtcGetProgramLogSize(program, &log_bytes) == NVRTC_SUCCESS && log_bytes > 1) {
    char *raw = calloc(1, log_bytes + 1);
    if (n->nvrtcGetProgramLog(program, raw) == NVRTC_SUCCESS)
      text_add(log, raw);
    free(raw);
  }
  if (compiled != NVRTC_SUCCESS) {
    result = err_set(e, ERR_COMPILE, "%s for %s: %s\n%s%s", u->name, s->arch, n->nvrtcGetErrorString(compiled),
                     header_remedy(text_str(log)), first_error(text_str(log)));
    goto out;
  }
  result = nvrtc_check(n, n->nvrtcGetCUBINSize(program, cubin_bytes), "nvrtcGetCUBINSize", e);
  if (result)
    goto out;
  bytes = malloc(*cubin_bytes ? *cubin_bytes : 1);
  result = nvrtc_check(n, n->nvrtcGetCUBIN(program, bytes), "nvrtcGetCUBIN", e);
  if (result)
    goto out;
  *cubin = bytes;
  bytes = NULL;
out:
  free(bytes);
  if (program)
    n->nvrtcDestroyProgram(&program);
  text_release(&scratch);
  free(name);
  free(names);
  free(texts);
  free(options);
  return result;
}
