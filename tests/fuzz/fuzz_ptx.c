/* PTX of another compiler, and what ptxas says of it: a script in its place says the text itself and leaves a cubin, so that the report of any text is
 * joined with kernels that are there.  No temporary file is left. */
#include "fuzz/fuzz.h"

#include "profiler/compile/compile.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

static const char CUBIN[] = "tests/fuzz/seeds/cubin/small.cubin"; /* scripts/fuzz runs where the tree begins */
static char folder[] = "/tmp/nvfp4-fuzz-ptx.XXXXXX";

static void remove_folder(void) {
  char path[sizeof folder + 32];
  snprintf(path, sizeof path, "rm -rf %s", folder);
  fuzz_require(system(path) == 0); /* NOLINT(cert-env33-c): a folder of our own */
}

static void make_ptxas(void) {
  char path[sizeof folder + 32];
  fuzz_require(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
  setenv("NVFP4_NVDISASM", "/nonexistent", 1);
  setenv("NVFP4_CUDA_HOME", folder, 1);
  snprintf(path, sizeof path, "%s/bin", folder);
  fuzz_require(mkdir(path, 0700) == 0);
  snprintf(path, sizeof path, "%s/bin/ptxas", folder);
  FILE *script = fopen(path, "we");
  fuzz_require(script != NULL);
  fprintf(script, "#!/bin/sh\n# -v -arch=A -o CUBIN PTX\ncat \"$5\" >&2\nexec cp %s \"$4\"\n", CUBIN);
  fuzz_require(fclose(script) == 0 && chmod(path, 0700) == 0);
  snprintf(path, sizeof path, "%s/tmp", folder);
  fuzz_require(mkdir(path, 0700) == 0);
  setenv("TMPDIR", path, 1);
}

static void check_empty(const char *path) {
  DIR *d = opendir(path);
  fuzz_require(d != NULL);
  for (struct dirent *entry; (entry = readdir(d));)
    fuzz_require(entry->d_name[0] == '.');
  closedir(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  if (!getenv("TMPDIR") || strncmp(getenv("TMPDIR"), folder, sizeof folder - 1) != 0)
    make_ptxas();
  char *text = fuzz_text(data, n);
  struct run_module m;
  struct err e = {0};
  if (fuzz_checked(ptx_module(&m, "fuzz.ptx", text, n, n % 2 ? NULL : "sm_90a", &e), &e) == 0) {
    fuzz_require(m.arch && strncmp(m.arch, "sm_", 3) == 0 && m.n_kernels > 0);
    for (size_t i = 0; i < m.n_kernels; i++)
      fuzz_require(m.kernels[i].name && m.kernels[i].spill_store_bytes >= -1 && m.kernels[i].spill_load_bytes >= -1);
  }
  check_empty(getenv("TMPDIR"));
  run_module_release(&m);
  free(text);
  return 0;
}
