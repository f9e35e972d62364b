/* Nsight Compute's reports: what is taken can be saved; a cubin is read, but not disassembled. */
#include "fuzz/fuzz.h"

#include "profiler/import/import.h"
#include "run/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static const char magic[] = {'N', 'V', 'R', '\0'};
  struct run run;
  struct err e = {0};
  char *bytes = malloc(n + sizeof magic);
  if (!bytes)
    abort();
  setenv("NVFP4_NVDISASM", "/nonexistent", 1);
  memcpy(bytes, magic, sizeof magic); /* what is no report is another target's */
  if (n)
    memcpy(bytes + sizeof magic, data, n);
  struct import_file file = {"fuzz.ncu-rep", bytes, n + sizeof magic};
  if (fuzz_checked(import_ncu(&run, &(struct import_options){.files = &file, .n_files = 1}, &e), &e) == 0) {
    fuzz_require(run.n_results > 0 && run.n_results == run.n_variants);
    for (size_t i = 0; i < run.n_results; i++) {
      char *line = run_result_to_line(&run.results[i], &e);
      fuzz_require(line != NULL);
      free(line);
    }
  }
  run_release(&run);
  free(bytes);
  return 0;
}
