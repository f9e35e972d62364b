/* nvbench's JSON: the bytes up to the first \x01 are the JSON, the rest Nsight Compute's CSV of the same program.  What is taken can be saved and read
 * back. */
#include "fuzz/fuzz.h"

#include "profiler/import/nvbench.h"
#include "run/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  char *csv = strchr(text, '\x01');
  struct run run, counters = {0};
  struct err e = {0}, refused = {0};
  if (csv)
    *csv++ = '\0';
  struct import_file file = {"fuzz.json", text}, table = {"counters.csv", csv};
  struct import_options o = {.files = &table, .n_files = 1};
  bool counted = csv && fuzz_checked(import_ncu(&counters, &o, &refused), &refused) == 0;
  if (fuzz_checked(import_nvbench(&run, &file, counted ? &counters : NULL, &e), &e) == 0) {
    fuzz_require(run.n_results > 0 && run.device.name);
    for (size_t i = 0; i < run.n_results; i++) {
      char *line = run_result_to_line(&run.results[i], &e);
      fuzz_require(line != NULL);
      free(line);
    }
  }
  run_release(&run);
  run_release(&counters);
  free(text);
  return 0;
}
