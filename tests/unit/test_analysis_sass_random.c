/* The control flow and the def-use of kernels of random branches, beside what their definitions say when they are taken
 * literally: walks over single instructions, and dominators by leaving a block out. */
#include "unit/made_sass.h"

#include <stdlib.h>

enum { INSTS = 260, TEXT = 64, KERNELS = 8, FOUND = 512 };

static struct run_instruction insts[INSTS];
static char text[INSTS][TEXT];
static struct sass s;

/* Branches, loads and sums, half of them under a guard, and what writes guards. */
static void made_random(uint32_t seed) {
  static struct run_kernel kernel = {.name = (char *)"made", .sass = insts, .n_sass = INSTS};
  struct err e = {0};
  uint32_t random = seed;
  for (uint32_t i = 0; i < INSTS; i++) {
    random = random * 1664525 + 1013904223;
    unsigned kind = random >> 28, a = random >> 10 & 15, b = random >> 14 & 15, p = random >> 18 & 3;
    const char *guards[] = {"", "@P2 ", "@P0 ", "@!P0 "};
    const char *guard = guards[random >> 20 & 3];
    /* Mostly near, so that there are loops within loops. */
    uint32_t to = (i + INSTS + (random >> 22 & 31) - (random >> 8 & 31) + (kind == 0 ? random >> 9 & 127 : 0)) % INSTS;
    if (i + 1 == INSTS)
      snprintf(text[i], TEXT, "EXIT");
    else if (kind == 1 && seed % 2)
      snprintf(text[i], TEXT, "BRA 0x%x", 16 * to);
    else if (kind < 6)
      snprintf(text[i], TEXT, "@P%u BRA 0x%x", p, 16 * to);
    else if (kind == 6)
      snprintf(text[i], TEXT, "@P1 EXIT");
    else if (kind < 9)
      snprintf(text[i], TEXT, "%sLDG.E R%u, desc[UR4][R%u.64]", guard, a, b & ~1U);
    else if (kind < 10)
      snprintf(text[i], TEXT, "ISETP.GE.AND P%u, PT, R%u, R%u, PT", p, a, b);
    else
      snprintf(text[i], TEXT, "%sFADD R%u, R%u, R%u", guard, a, b, random >> 6 & 15);
    insts[i] = (struct run_instruction){.offset = 16 * i, .text = text[i]};
  }
  if (sass_make(&s, &kernel, &e))
    fail_msg("%s", e.text);
}

/* Whether control may go from instruction i to k. */
static bool goes(size_t i, size_t k) {
  const struct sass_inst *x = &s.insts[i];
  bool falls = (!x->branches && !x->ends) || x->guarded;
  return (falls && k == i + 1) || (x->has_target && x->target == 16 * k);
}

/* --- def-use --- */

static bool writes(size_t i, unsigned file, unsigned reg) {
  const struct sass_inst *x = &s.insts[i];
  for (size_t w = 0; w < x->n_writes; w++)
    if (x->writes[w].file == file && reg >= x->writes[w].first && reg < x->writes[w].first + x->writes[w].count)
      return true;
  return false;
}

/* A writer of the reader's block under the reader's guard, which nothing between them writes. */
static bool settles(size_t writer, size_t reader) {
  const struct sass_inst *w = &s.insts[writer], *r = &s.insts[reader];
  if (!w->guarded)
    return true;
  bool same = r->guarded && w->guard.first == r->guard.first && w->guard_negated == r->guard_negated &&
              s.block_of[writer] == s.block_of[reader] && writer < reader;
  for (size_t i = writer + 1; same && i < reader; i++)
    same = !writes(i, w->guard.file, w->guard.first);
  return same;
}

/* Marks all that may have written the register before the reader. */
static void mark_writers(bool *found, size_t reader, unsigned file, unsigned reg) {
  static bool seen[INSTS];
  size_t stack[INSTS + 1], n = 0;
  memset(seen, 0, sizeof seen);
  stack[n++] = reader;
  while (n) {
    size_t at = stack[--n];
    for (size_t i = 0; i < INSTS; i++) {
      if (seen[i] || !goes(i, at))
        continue;
      seen[i] = true;
      bool is = writes(i, file, reg);
      found[i] = found[i] || is;
      if (!is || !settles(i, reader))
        stack[n++] = i;
    }
  }
}

static void producers_by_walking(void **state) {
  static struct sass_producer p[FOUND];
  (void)state;
  for (uint32_t seed = 1; seed <= KERNELS; seed++) {
    made_random(seed);
    for (size_t i = 0; i < INSTS; i += 3) {
      const struct sass_inst *x = &s.insts[i];
      size_t n = sass_producers(&s, i, p, FOUND), wanted = 0, at = 0;
      assert_true(n <= FOUND);
      for (size_t k = 0; k < x->n_reads + x->guarded; k++) {
        const struct sass_range *range = k < x->n_reads ? &x->reads[k] : &x->guard;
        bool found[INSTS] = {false};
        for (unsigned r = 0; r < range->count; r++)
          mark_writers(found, i, range->file, range->first + r);
        size_t of_range = 0;
        for (size_t w = 0; w < INSTS; w++)
          of_range += found[w];
        for (size_t end = at + of_range; at < end && at < n; at++)
          if (!found[p[at].inst] || memcmp(&p[at].range, range, sizeof *range) != 0)
            fail_msg("seed %u: %zu: '%s': not '%s'", seed, i, x->text, s.insts[p[at].inst].text);
        wanted += of_range;
      }
      if (n != wanted)
        fail_msg("seed %u: %zu: '%s': %zu producers, not %zu", seed, i, x->text, n, wanted);
    }
    sass_release(&s);
  }
}

/* --- loops --- */

/* Marks the blocks that are reached from the entry without `out`. */
static void mark_reached(bool *reached, size_t out) {
  size_t stack[INSTS], n = 0;
  memset(reached, 0, INSTS * sizeof *reached);
  if (out == 0)
    return;
  reached[0] = true;
  for (stack[n++] = 0; n;) {
    const struct sass_block *b = &s.blocks[stack[--n]];
    for (size_t k = 0; k < b->n_succ; k++)
      if (b->succ[k] != out && !reached[b->succ[k]]) {
        reached[b->succ[k]] = true;
        stack[n++] = b->succ[k];
      }
  }
}

static bool dominates[INSTS][INSTS]; /* block by block */
static bool inside[INSTS][INSTS];    /* of the loop of that header */

static void dominators_find(void) {
  bool all[INSTS], without[INSTS];
  mark_reached(all, SASS_NONE);
  for (size_t a = 0; a < s.n_blocks; a++) {
    mark_reached(without, a);
    for (size_t b = 0; b < s.n_blocks; b++)
      dominates[a][b] = all[b] && !without[b];
  }
}

/* The header, and all that reach the source of an edge back to it without passing it. */
static bool loop_find(size_t header) {
  bool is = false;
  memset(inside[header], 0, sizeof inside[header]);
  for (size_t b = 0; b < s.n_blocks; b++)
    for (size_t k = 0; k < s.blocks[b].n_succ && !is; k++)
      is = s.blocks[b].succ[k] == header && dominates[header][b];
  inside[header][header] = is;
  for (bool more = is; more;) {
    more = false;
    for (size_t b = 0; b < s.n_blocks; b++)
      for (size_t k = 0; k < s.blocks[b].n_succ && !inside[header][b]; k++) {
        size_t to = s.blocks[b].succ[k];
        if (dominates[header][b] && inside[header][to])
          inside[header][b] = more = true;
      }
  }
  return is;
}

static void loops_by_their_definition(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= KERNELS; seed++) {
    size_t headers = 0;
    made_random(seed);
    dominators_find();
    for (size_t b = 0; b < s.n_blocks; b++) {
      size_t nearest = SASS_NONE, most = 0;
      for (size_t a = 0; a < s.n_blocks; a++) {
        size_t above = 0; /* of the dominators of b the nearest has most itself */
        for (size_t c = 0; c < s.n_blocks && a != b && dominates[a][b]; c++)
          above += dominates[c][a];
        nearest = above > most ? a : nearest;
        most = above > most ? above : most;
      }
      assert_int_equal(s.blocks[b].reachable, b == 0 || nearest != SASS_NONE);
      assert_int_equal(s.blocks[b].idom, nearest);
      headers += loop_find(b);
    }
    assert_int_equal(s.n_loops, headers);
    assert_true(headers > 1);
    for (size_t l = 0; l < s.n_loops; l++) {
      size_t h = s.loops[l].header, blocks = 0, n = 0;
      int depth = 0;
      assert_true(inside[h][h]);
      for (size_t b = 0; b < s.n_blocks; b++) {
        blocks += inside[h][b];
        n += inside[h][b] ? s.blocks[b].n : 0;
        depth += inside[b][h];
        assert_int_equal(sass_in_loop(&s, s.blocks[b].first, l), inside[h][b]);
      }
      assert_int_equal(s.loops[l].n_blocks, blocks);
      assert_int_equal(s.loops[l].n_insts, n);
      assert_int_equal(s.loops[l].depth, depth);
    }
    sass_release(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(producers_by_walking),
      cmocka_unit_test(loops_by_their_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
