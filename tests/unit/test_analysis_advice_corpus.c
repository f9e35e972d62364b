/* What advice reached on the corpus, so that it cannot fall; apart from the ladders, whose runs take longer to read, so that mutants meet it. */
#include "unit/scored_run.h"

#include <string.h>

static const struct score_floor CORPUS[] = {
    {"tests/corpus/h200.json.gz", "train", 0.96, 1, 5.1},
    {"tests/corpus/h100.json.gz", "train", 0.97, 1, 4.7},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.97, 7.3},
    {"tests/corpus/h100.json.gz", "test", 0.81, 0.97, 6},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.95, 1, 5.7},
    {"tests/corpus/h200-seen.json.gz", "seen", 0.93, 1, 6.6},
    {"tests/corpus/h200.json.gz", "train", 0.93, 0.99, 5.6, AS_ATTACHED},
    {"tests/corpus/h100.json.gz", "train", 0.93, 1, 4.8, AS_ATTACHED},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.94, 6.3, AS_ATTACHED},
    {"tests/corpus/h100.json.gz", "test", 0.77, 0.94, 5.9, AS_ATTACHED},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.95, 1, 5.7, AS_ATTACHED},
    {"tests/corpus/h200-seen.json.gz", "seen", 0.91, 0.97, 7.2, AS_ATTACHED},
    {"tests/corpus/h200.json.gz", "train", 0.93, 0.99, 5.4, AS_UNSAMPLED},
    {"tests/corpus/h100.json.gz", "train", 0.93, 1, 5.4, AS_UNSAMPLED},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.94, 8.3, AS_UNSAMPLED},
    {"tests/corpus/h100.json.gz", "test", 0.77, 0.94, 6.8, AS_UNSAMPLED},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.91, 1, 5.8, AS_UNSAMPLED},
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
