/* A run file, as it stands or compressed.  Each result that loads must survive the line that a worker sends its parent. */
#include "fuzz/fuzz.h"

#include "run/gunzip.h"
#include "run/run.h"

static void results_resent(const struct run *r) {
  for (size_t i = 0; i < r->n_results; i++) {
    struct run_result back;
    struct err e = {0};
    char *line = run_result_to_line(&r->results[i], &e);
    fuzz_require(line != NULL);
    fuzz_require(fuzz_checked(run_result_from_line(&back, line, &e), &e) == 0);
    run_result_release(&back);
    free(line);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  enum { INFLATED_MAX = 1 << 20 }; /* far below RUN_FILE_MAX, for speed */
  char *text = fuzz_text(data, n);
  struct err e = {0};
  if (gunzip_is(text, n)) {
    char *inflated = NULL;
    int rc = fuzz_checked(gunzip(text, n, INFLATED_MAX, &inflated, &n, &e), &e);
    free(text);
    if (rc)
      return 0;
    text = inflated;
  }
  struct run r = {0};
  if (fuzz_checked(run_load_text(&r, "fuzz.json", text, n, &e), &e) == 0)
    results_resent(&r);
  run_release(&r);
  free(text);
  return 0;
}
