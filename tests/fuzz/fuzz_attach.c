/* What the injected library left of a process: the program that was profiled may have written it.  What is taken can be ranked and totalled. */
#include "fuzz/fuzz.h"

#include "profiler/attach/outside/composing.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  struct attached_process p, empty = {0};
  struct text chosen = {0};
  struct err e = {0};
  double ns;
  if (fuzz_checked(attached_parse(&p, "1.part", text, &e), &e) == 0) {
    const struct attached_kernel **kernels = attached_by_time(&p);
    fuzz_require(kernels != NULL);
    for (size_t i = 1; i < p.n_kernels; i++)
      fuzz_require(!(attached_time_ns(kernels[i - 1]) < attached_time_ns(kernels[i])));
    free(kernels);
    fuzz_require(attached_counted(&p, &ns) <= p.n_kernels);
    fuzz_require(!isnan(attached_total_ns(&p)));
    chosen_add(&chosen, &p, 0.9, 10);
    text_release(&chosen);
    attached_release(&p);
  }
  fuzz_require(memcmp(&p, &empty, sizeof p) == 0);
  free(text);
  return 0;
}
