/* One .cu file: its front matter, the order of its rungs, and each of them planned at one shape on one chip. */
#include "fuzz/fuzz.h"

#include "kernels/rung.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static const struct shape shape = {7168, 2048, 4};
  static const struct rung_chip h200 = {
      .sm = 90,
      .sms = 132,
      .smem_optin = 232448,
      .regs_per_sm = 65536,
      .warps_per_sm = 64,
      .l2_bytes = 62914560,
  };
  char *text = fuzz_text(data, n);
  struct rung_set set = {0};
  struct err e = {0};
  int rc = fuzz_checked(rung_set_add(&set, "fuzz/0-it.cu", text, &e), &e);
  if (rc == 0)
    rc = fuzz_checked(rung_set_finish(&set, &e), &e);
  for (size_t i = 0; rc == 0 && i < set.n; i++) {
    struct rung_plan plan;
    struct err why = {0};
    struct shape at = shape;
    const struct shape none = {0};
    if (set.rungs[i].generic && fuzz_checked(rung_sizes(&at, &set.rungs[i], &none, &why), &why))
      continue;
    int planned = fuzz_checked(rung_plan(&plan, &set.rungs[i], at, &h200, &why), &why);
    fuzz_require(planned || plan.runnable || plan.reason);
    rung_plan_release(&plan);
  }
  rung_set_release(&set);
  free(text);
  return 0;
}
