/* A report against the file of tests/golden that says what it must be.  NVFP4_GOLDEN_UPDATE=1 writes the file anew. */
#ifndef TESTS_UNIT_GOLDEN_FILE_H
#define TESTS_UNIT_GOLDEN_FILE_H

#include "base/file.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void show_difference(const char *name, const char *want, const char *got) {
  int line = 1, shown = 0;

  while ((*want || *got) && shown < 5) {
    size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");

    if (w != g || memcmp(want, got, w) != 0) {
      print_error("%s:%d\n  - %.*s\n  + %.*s\n", name, line, w > 400 ? 400 : (int)w, want, g > 400 ? 400 : (int)g, got);
      shown++;
    }
    want += w + (want[w] == '\n');
    got += g + (got[g] == '\n');
    line++;
  }
}

static inline void check_golden(const char *name, struct text *got) {
  const char *update = getenv("NVFP4_GOLDEN_UPDATE");
  char path[512], *want = NULL;
  struct err e = {0};
  size_t n = 0;
  bool same;

  assert_true(text_ok(got));
  snprintf(path, sizeof path, "%s/tests/golden/%s", TEST_SOURCE_DIR, name);
  if (update && strcmp(update, "1") == 0)
    assert_int_equal(file_write(path, text_str(got), got->n, &e), 0);
  if (file_read(path, 1 << 24, &want, &n, &e) != 0)
    fail_msg("%s; NVFP4_GOLDEN_UPDATE=1 writes it", e.text);
  same = n == got->n && memcmp(want, text_str(got), n) == 0;
  if (!same)
    show_difference(name, want, text_str(got));
  free(want);
  text_release(got);
  if (!same)
    fail_msg("%s differs; where the change is meant, NVFP4_GOLDEN_UPDATE=1 writes it anew", name);
}

#endif
