/* An expression over some names that are known and any that are not. */
#include "fuzz/fuzz.h"

#include "base/expr.h"

#include <math.h>

static bool lookup(void *context, const char *name, double *value) {
  static const struct {
    const char *name;
    double value;
  } known[] = {{"M", 7168}, {"K", 2048}, {"L", 4}, {"sm", 90}, {"zero", 0}, {"dram__bytes_read.sum", 1e300}};
  (void)context;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) {
      *value = known[i].value;
      return true;
    }
  return false;
}

static void visit(void *context, const char *name) {
  size_t *n = context;
  *n += strlen(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n);
  struct expr *x = NULL;
  struct err e = {0};
  if (fuzz_checked(expr_parse(&x, text, &e), &e) == 0) {
    fuzz_require(strcmp(expr_text(x), text) == 0);
    size_t letters = 0;
    expr_names(x, visit, &letters);
    fuzz_require(letters <= strlen(text));
    double value = NAN;
    struct err why = {0};
    if (fuzz_checked(expr_eval(x, lookup, NULL, &value, &why), &why) == 0)
      fuzz_require(isfinite(value));
    long count = -1;
    why = (struct err){0};
    if (fuzz_checked(expr_eval_long(x, lookup, NULL, "a count", 0, 1L << 40, &count, &why), &why) == 0)
      fuzz_require(count >= 0 && count <= 1L << 40);
  }
  expr_free(x);
  free(text);
  return 0;
}
