/* A kernel's SASS, an instruction a line: parsed, its blocks and loops found, every def-use walked, with counts made from the text. */
#include "fuzz/fuzz.h"

#include "analysis/idioms/tree.h"
#include "analysis/sass/sass.h"

#include <math.h>
#include <stdlib.h>

enum { LINES_MAX = 512 };

static void check_inst(struct sass *s, size_t i) {
  struct sass_producer p[4];
  struct sass_feed f[4];
  const struct sass_inst *x = &s->insts[i];
  fuzz_require(x->n_reads <= SASS_READS_MAX && x->n_writes <= SASS_WRITES_MAX);
  for (size_t k = 0; k < x->n_writes; k++)
    fuzz_require(x->writes[k].count > 0 && x->writes[k].first + x->writes[k].count <= 255);
  size_t n = sass_producers(s, i, p, 4);
  for (size_t k = 0; k < n && k < 4; k++)
    fuzz_require(p[k].inst < s->n);
  n = sass_waited_for(s, i, f, 4);
  fuzz_require(n <= s->n);
  for (size_t k = 0; k < n && k < 4; k++)
    fuzz_require(f[k].inst < s->n);
  n = sass_stores_before(s, i, f, 4);
  fuzz_require(n <= s->n);
  for (size_t k = 0; k < n && k < 4; k++)
    fuzz_require(f[k].inst < s->n);
}

static void check_steps(struct sass *s) {
  struct sass_step *steps = NULL;
  steps = sass_steps_make(s, 0);
  for (size_t i = 0; i < s->n; i++)
    fuzz_require(steps[i].kind == STEP_BYTES || steps[i].bytes == 0);
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].bytes > 0)
      fuzz_require(sass_step_turns(steps[i].bytes, s->insts[i].bytes) >= 1);
  free(steps);
}

static void check_tree(struct sass *s) {
  struct sass_tree t;
  sass_tree_make(&t, s);
  for (size_t i = 0; i < s->n; i++)
    fuzz_require(t.of[i] == TREE_NOT || t.levels > 0);
  fuzz_require(isfinite(t.turns) && isfinite(t.entered) && t.in_warp <= t.entered);
  sass_tree_release(&t);
}

static void check_loops(const struct sass *s) {
  for (size_t l = 0; l < s->n_loops; l++) {
    const struct sass_loop *x = &s->loops[l];
    fuzz_require(x->n_insts <= s->n && x->depth >= 1 && x->header < s->n_blocks);
    fuzz_require(x->parent == SASS_NONE || s->loops[x->parent].depth == x->depth - 1);
    fuzz_require(!x->trips.present || isfinite(x->trips.v));
    fuzz_require(x->trips.present || x->trips.reason);
  }
  for (size_t b = 1; b < s->n_blocks; b++)
    fuzz_require(s->blocks[b].reachable == (s->blocks[b].idom != SASS_NONE));
}

static void check_kernel(const struct run_kernel *k) {
  struct sass s;
  struct err e = {0};
  if (fuzz_checked(sass_make(&s, k, &e), &e))
    return;
  static struct run_count counts[LINES_MAX];
  struct run_result r = {.counts = counts};
  for (size_t i = 0; i < s.n; i++) {
    check_inst(&s, i);
    if (i % 3)
      counts[r.n_counts++] = (struct run_count){.offset = s.insts[i].offset, .executed = (double)(i * 7 % 5)};
  }
  check_loops(&s);
  check_steps(&s);
  struct sass_summary u;
  sass_summarise(&s, &u);
  fuzz_require(u.insts <= s.n && u.flight.known_bytes >= 0);
  sass_count(&s, &r, 0, 0);
  check_loops(&s);
  check_tree(&s);
  sass_summarise(&s, &u);
  fuzz_require(!u.insts_per_byte.present || isfinite(u.insts_per_byte.v));
  sass_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = fuzz_text(data, n), *rest = text;
  struct run_instruction insts[LINES_MAX] = {0};
  struct run_kernel k = {.name = (char *)"made", .sass = insts};
  for (char *line; k.n_sass < LINES_MAX && (line = strsep(&rest, "\n"));) {
    insts[k.n_sass].offset = (uint32_t)(16 * k.n_sass);
    insts[k.n_sass++].text = line;
  }
  check_kernel(&k);
  free(text);
  return 0;
}
