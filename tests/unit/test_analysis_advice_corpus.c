/* What advice reached on the corpus, so that it cannot fall; apart from the ladders, whose runs take longer to read, so that mutants meet it. */
#include "unit/scored_run.h"

#include <string.h>

static const struct score_floor CORPUS[] = {
    {"tests/corpus/h200.json.gz", "train", 0.94, 1, 7.8},
    {"tests/corpus/h100.json.gz", "train", 0.97, 1, 6.3},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.94, 16.1},
    {"tests/corpus/h100.json.gz", "test", 0.81, 0.97, 8.9},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.95, 1, 8.5},
    {"tests/corpus/h200.json.gz", "train", 0.90, 0.97, 7.9, .attached = true},
    {"tests/corpus/h100.json.gz", "train", 0.93, 1, 5.8, .attached = true},
    {"tests/corpus/h200.json.gz", "test", 0.81, 0.90, 16.1, .attached = true},
    {"tests/corpus/h100.json.gz", "test", 0.81, 0.93, 8.7, .attached = true},
    {"tests/corpus/h200-fresh.json.gz", "fresh", 0.91, 0.95, 8.5, .attached = true},
};

static void scores(void **state) {
  (void)state;
  size_t slow = 0;
  for (size_t i = 0; i < sizeof CORPUS / sizeof CORPUS[0]; i++) {
    static struct scored_run x;
    scored_make(&x, CORPUS[i].path, CORPUS[i].half, CORPUS[i].attached);
    score_holds(&CORPUS[i], &x.score);
    if (strcmp(CORPUS[i].half, "train") == 0 && !CORPUS[i].attached) /* each run once */
      slow += slow_are_told_why(&x.findings);
    scored_release(&x);
  }
  assert_true(slow > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
