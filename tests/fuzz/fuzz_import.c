/* Nsight Compute's CSV: the bytes up to the first \x01 are a file of metrics, the rest a view of the source.  What is taken can be saved and
 * read back. */
#include "fuzz/fuzz.h"

#include "profiler/import/import.h"
#include "run/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  char *source = strchr(text, '\x01');
  struct run run;
  struct err e = {0};
  if (source)
    *source++ = '\0';
  struct import_file file = {"fuzz.csv", text}, view = {"source.csv", source};
  struct import_options o = {.files = &file, .n_files = 1, .sources = &view, .n_sources = source ? 1 : 0};
  if (fuzz_checked(import_ncu(&run, &o, &e), &e) == 0) {
    fuzz_require(run.n_results > 0 && run.n_results == run.n_variants && run.device.name);
    for (size_t i = 0; i < run.n_results; i++) {
      char *line = run_result_to_line(&run.results[i], &e);
      fuzz_require(line != NULL);
      free(line);
    }
  }
  run_release(&run);
  free(text);
  return 0;
}
