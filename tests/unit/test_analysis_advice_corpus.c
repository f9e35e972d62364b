/* What advice reached on the corpus, so that it cannot fall; apart from the ladders, whose runs take longer to read, so that mutants meet it. */
#include "unit/scored_run.h"

#include <string.h>

static const struct score_floor CORPUS[] = {
    {"tests/corpus/h200.json.gz", "train", 0.96, 1, 4.8},
    {"tests/corpus/h100.json.gz", "train", 0.97, 1, 4.9},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.97, 8.85},
    {"tests/corpus/h100.json.gz", "test", 0.81, 0.97, 6.4},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.91, 1, 5.9},
    {"tests/corpus/h200-seen.json.gz", "seen", 0.93, 1, 7.5},
    {"tests/corpus/h200.json.gz", "train", 0.93, 0.99, 5.1, AS_ATTACHED},
    {"tests/corpus/h100.json.gz", "train", 0.97, 1, 4.9, AS_ATTACHED},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.94, 5.8, AS_ATTACHED},
    {"tests/corpus/h100.json.gz", "test", 0.77, 0.93, 6.1, AS_ATTACHED},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.91, 1, 5.8, AS_ATTACHED},
    {"tests/corpus/h200-seen.json.gz", "seen", 0.90, 0.97, 7.9, AS_ATTACHED},
    {"tests/corpus/h200.json.gz", "train", 0.93, 0.99, 5.2, AS_UNSAMPLED},
    {"tests/corpus/h100.json.gz", "train", 0.93, 1, 5.0, AS_UNSAMPLED},
    {"tests/corpus/h200.json.gz", "test", 0.80, 0.93, 13.3, AS_UNSAMPLED},
    {"tests/corpus/h100.json.gz", "test", 0.80, 0.93, 8.2, AS_UNSAMPLED},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.91, 1, 5.9, AS_UNSAMPLED},
};

static void scores(void **state) {
  (void)state;
  size_t slow = 0;
  for (size_t i = 0; i < sizeof CORPUS / sizeof CORPUS[0]; i++) {
    static struct scored_run x;
    scored_make(&x, CORPUS[i].path, CORPUS[i].half, CORPUS[i].as);
    score_holds(&CORPUS[i], &x.score);
    if (strcmp(CORPUS[i].half, "train") == 0 && CORPUS[i].as == AS_MEASURED) /* each run once */
      slow += slow_are_told_why(&x.findings);
    scored_release(&x);
  }
  assert_true(slow > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
