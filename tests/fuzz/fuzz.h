/* What every fuzz target shares.  fuzz_NAME.c takes its seeds from seeds/NAME/; scripts/fuzz builds and runs them all. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer calls this with each input; it returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A copy that ends where its NUL does, so that AddressSanitizer sees a byte read beyond it.  The caller's to free. */
static inline char *fuzz_text(const uint8_t *data, size_t n) {
  char *text = malloc(n + 1);
  if (!text)
    abort();
  if (n)
    memcpy(text, data, n);
  text[n] = '\0';
  return text;
}

static inline void fuzz_require(int holds) {
  if (!holds)
    abort();
}

/* The contract of base/err.h: untouched on success; on failure the code that was returned, and a sentence.  Returns rc. */
static inline int fuzz_checked(int rc, const struct err *e) {
  fuzz_require(rc == 0 ? e->code == ERR_NONE && e->text[0] == '\0' : rc == (int)e->code && e->text[0] != '\0');
  return rc;
}

#endif
