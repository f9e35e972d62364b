/* Comparing what was compiled: every quantity, verdict and partner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff_static.h"
#include "unit/assert_value.h"
#include "unit/made_side.h"

#include <string.h>

static void spills_and_instructions_are_gated(void **state) {
  static struct run_instruction sass[] = {
      {.text = (char *)"LDG R0"}, {.text = (char *)"EXIT"}, {.text = (char *)"NOP"}};
  struct run_kernel before = {.name = (char *)"k", .registers = 100, .sass = sass, .n_sass = 3}, after = before;
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d = {0};
  struct static_options o = {.fail_over = 0.05};
  struct err e = {0};
  (void)state;
  side_result(a, "v", "old", 0);
  side_result(b, "v", "new", 0);
  a->modules[0].kernels = &before;
  b->modules[0].kernels = &after;
  a->modules[0].n_kernels = b->modules[0].n_kernels = 1;
  after.registers = 105; /* 5 %, not more */
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_CHANGED);
  assert_float_equal(d.pairs[0].changes[4].before.v, 2, 0); /* the NOP fills */
  static_diff_release(&d);
  after.registers = 106;
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_WORSE);
  static_diff_release(&d);
  after.registers = 100;
  after.spill_load_bytes = 4;
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), 0);
  assert_int_equal(d.pairs[0].verdict, STATIC_WORSE);
  assert_true(d.pairs[0].changes[1].regression);
  static_diff_release(&d);
  b->modules[0].arch = (char *)"sm_100a";
  assert_int_equal(static_diff_make(&d, &a->made.run, &b->made.run, &o, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "compiled for sm_90a, the second for sm_100a"));
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

static void static_compare(struct static_diff *d, const struct made_side *a, const struct made_side *b,
                           struct static_options o) {
  struct err e = {0};
  if (static_diff_make(d, &a->made.run, &b->made.run, &o, &e))
    fail_msg("%s", e.text);
}

static const struct static_pair *static_pair_of(const struct static_diff *d, const char *id) {
  for (size_t i = 0; i < d->n; i++)
    if (strcmp(d->pairs[i].id_a ? d->pairs[i].id_a : d->pairs[i].id_b, id) == 0)
      return &d->pairs[i];
  fail_msg("no pair %s", id);
  return NULL;
}

static void quantities_are_of_the_largest_kernel_and_of_all_code(void **state) {
  static struct run_instruction one[] = {
      {.text = (char *)"LDG R0"}, {.text = (char *)"EXIT"}, {.text = (char *)"NOP ;"}};
  static struct run_instruction two[] = {
      {.text = (char *)"NOP ;"}, {.text = (char *)"EXIT"}, {.text = (char *)"NOP ;"}};
  static const struct {
    const char *key;
    double a;
    const char *b; /* absent, and why */
  } rows[] = {
      {"registers", 64, "no kernel"},          {"spill_bytes", 12, "not reported"}, {"local_bytes", 24, "no kernel"},
      {"smem_static_bytes", 512, "no kernel"}, {"sass_instructions", 4, "no SASS"}, {"cubin_bytes", 1, "not reported"},
  };
  struct run_kernel kernels[] = {
      {.registers = 64, .spill_store_bytes = 8, .spill_load_bytes = 4, .local_bytes = 16, .sass = one, .n_sass = 3},
      {.registers = 40, .spill_store_bytes = 4, .spill_load_bytes = -1, .local_bytes = 24, .sass = two, .n_sass = 3},
      {.registers = 32, .spill_store_bytes = -1, .spill_load_bytes = 99, .smem_static = 512, .sass = two, .n_sass = 3},
  };
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d;
  size_t n = 0;
  (void)state;
  const struct static_quantity *quantities = static_quantities(&n);
  side_result(a, "v", "old", 0);
  side_result(b, "v", "new", 0);
  a->modules[0].kernels = kernels;
  a->modules[0].n_kernels = 3;
  a->modules[0].cubin_bytes = 1;
  static_compare(&d, a, b, (struct static_options){0});
  assert_int_equal(n, 6);
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(quantities[i].key, rows[i].key);
    assert_value(d.pairs[0].changes[i].before, rows[i].a);
    assert_absent(d.pairs[0].changes[i].after, rows[i].b);
  }
  assert_int_equal(d.pairs[0].verdict, STATIC_SAME); /* nothing that both have */
  static_diff_release(&d);
  /* No spills are 0 bytes, and known; a kernel without SASS says why. */
  kernels[0] = (struct run_kernel){.sass_reason = (char *)"no nvdisasm"};
  a->modules[0].n_kernels = 1;
  static_compare(&d, a, b, (struct static_options){0});
  for (size_t i = 0; i < 4; i++)
    assert_value(d.pairs[0].changes[i].before, 0);
  assert_absent(d.pairs[0].changes[4].before, "no nvdisasm");
  static_diff_release(&d);
  kernels[0].sass_reason = NULL;
  static_compare(&d, a, b, (struct static_options){0});
  assert_absent(d.pairs[0].changes[4].before, "no SASS");
  static_diff_release(&d);
  assert_null(d.pairs);
  side_free(a);
  side_free(b);
}

static void every_verdict_has_a_pair(void **state) {
  static const struct {
    const char *id;
    enum static_verdict verdict;
    const char *name, *reason;
  } rows[] = {
      {"same", STATIC_SAME, "SAME", NULL},
      {"smaller", STATIC_CHANGED, "CHANGED", NULL},
      {"larger", STATIC_WORSE, "WORSE", NULL},
      {"broken", STATIC_BROKEN, "BROKEN", "a syntax error"},
      {"mended", STATIC_MENDED, "MENDED", "its machine code was not kept"},
      {"gone", STATIC_REMOVED, "REMOVED", NULL},
      {"skipped", STATIC_ABSENT, "ABSENT", "needs sm_100a"},
      {"fresh", STATIC_ADDED, "ADDED", NULL},
  };
  struct run_kernel light = {.registers = 10}, heavy = {.registers = 12, .smem_static = 8};
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d;
  (void)state;
  for (int i = 0; i < 7; i++)
    side_result(a, rows[i].id, "a", 0);
  for (int i = 0; i < 8; i++)
    if (i != 5)
      side_result(b, rows[i].id, i ? "b" : "a", 0);
  for (int i = 1; i < 3; i++) {
    a->modules[i].n_kernels = b->modules[i].n_kernels = 1;
    a->modules[i].kernels = i == 1 ? &heavy : &light;
    b->modules[i].kernels = i == 1 ? &light : &heavy;
  }
  b->made.results[3].module = a->made.results[4].module = b->made.results[5].module = -1;
  b->made.results[3].check.verdict = a->made.results[4].check.verdict = VERDICT_FAILED;
  b->made.results[5].check.verdict = VERDICT_SKIPPED;
  b->made.results[3].check.reason = (char *)"a syntax error";
  b->made.results[5].check.reason = (char *)"needs sm_100a";
  static_compare(&d, a, b, (struct static_options){0});
  assert_int_equal(d.n, 8);
  for (size_t i = 0; i < 8; i++) {
    const struct static_pair *p = static_pair_of(&d, rows[i].id);
    if (p->verdict != rows[i].verdict)
      fail_msg("%s: %s", rows[i].id, static_verdict_name(p->verdict));
    assert_string_equal(static_verdict_name(p->verdict), rows[i].name);
    assert_int_equal(d.counts[rows[i].verdict], 1);
    assert_int_equal(p->same_code, i == 0);
    assert_int_equal(p->shapes, 1);
    if (rows[i].reason)
      assert_string_equal(p->reason, rows[i].reason);
    else
      assert_null(p->reason);
  }
  assert_int_equal(d.regressions, 2); /* larger and broken */
  assert_absent(static_pair_of(&d, "gone")->changes[0].after, "not compiled");
  assert_absent(static_pair_of(&d, "broken")->changes[0].after, "not compiled");
  assert_absent(static_pair_of(&d, "fresh")->changes[0].before, "not compiled");
  assert_string_equal(static_verdict_name(STATIC_VERDICTS), "unknown");
  assert_string_equal(d.arch_a, "sm_90a");
  static_diff_release(&d);
  /* Compiled for several chips, of which none stands for the run: nothing to refuse. */
  a->modules[1].arch = (char *)"sm_100a";
  a->modules[2].arch = NULL;
  static_compare(&d, a, b, (struct static_options){0});
  assert_null(d.arch_a);
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

static void shapes_of_one_module_are_one_pair(void **state) {
  static const struct shape others[] = {{256, 1024, 1}, {512, 1024, 1}, {1024, 1024, 1}};
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d;
  (void)state;
  side_result(a, "v", "k", 0);
  side_result(b, "v", "k", 0);
  a->made.run.n_modules = b->made.run.n_modules = 2;
  a->modules[1] = b->modules[1] = (struct run_module){.key = (char *)"other", .arch = (char *)"sm_90a"};
  for (int i = 0; i < 3; i++)
    made_result(&a->made, "v", others[i])->module = i == 1;
  made_result(&b->made, "v", others[0])->module = 0;
  made_result(&b->made, "v", others[1])->module = 0; /* another choice than in A */
  static_compare(&d, a, b, (struct static_options){0});
  /* 128 and 256 are one, 512 is another, and 1024 has no B. */
  assert_int_equal(d.n, 3);
  assert_int_equal(d.pairs[0].shapes, 2);
  assert_int_equal(d.pairs[1].shapes, 1);
  assert_false(d.pairs[1].same_code);
  assert_int_equal(d.pairs[2].verdict, STATIC_REMOVED);
  assert_int_equal(d.counts[STATIC_SAME], 2);
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

static bool named(const void *context, const struct run_variant *v, struct shape s) {
  return s.m == 128 && strcmp(v->id, context) == 0;
}

static void a_renamed_variant_is_found_once(void **state) {
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_diff d;
  (void)state;
  side_result(a, "kept", "k", 0);
  side_result(a, "first", "r", 0);
  side_result(a, "second", "r", 0);
  side_result(a, "source", "s", 0);
  made_variant(&a->made, "no-result", "made", NULL);
  made_variant(&b->made, "no-result-either", "made", NULL);
  memset(&b->keys[0], 0, sizeof b->keys[0]);
  side_result(b, "kept", "r", 0); /* the machine code of `first`, but its name is in A */
  side_result(b, "renamed", "r", 0);
  side_result(b, "moved", "t", 0);
  struct run_source sources[] = {{(char *)"s.cu", (char *)"int x;\n"}};
  a->made.run.sources = b->made.run.sources = sources;
  a->made.run.n_sources = b->made.run.n_sources = 1;
  a->made.variants[3].file = b->made.variants[3].file = (char *)"s.cu";
  static_compare(&d, a, b, (struct static_options){0});
  assert_int_equal(d.n, 4);
  assert_string_equal(static_pair_of(&d, "first")->id_b, "renamed");
  assert_string_equal(static_pair_of(&d, "first")->renamed, "the same machine code");
  assert_int_equal(static_pair_of(&d, "second")->verdict, STATIC_REMOVED); /* taken */
  assert_string_equal(static_pair_of(&d, "source")->id_b, "moved");
  assert_string_equal(static_pair_of(&d, "source")->renamed, "the same source but for its name");
  assert_null(static_pair_of(&d, "kept")->renamed);
  static_diff_release(&d);
  /* A selection by the name of either side. */
  static const char *const selections[] = {"first", "renamed", "second", "moved"};
  for (int i = 0; i < 4; i++) {
    static_compare(&d, a, b, (struct static_options){.selects = named, .context = selections[i]});
    assert_int_equal(d.n, 1);
    static_diff_release(&d);
  }
  side_result(b, "fresh", "f", 0);
  static_compare(&d, a, b, (struct static_options){.selects = named, .context = "fresh"});
  assert_int_equal(d.n, 1);
  assert_int_equal(d.pairs[0].verdict, STATIC_ADDED);
  static_diff_release(&d);
  static_compare(&d, a, b, (struct static_options){.selects = named, .context = "kept"});
  assert_int_equal(d.n, 1);
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

static void the_size_stands_in_where_there_is_no_sass(void **state) {
  struct run_instruction sass[] = {{.text = (char *)"EXIT"}};
  struct run_kernel kernel = {.registers = 10}, read = {.registers = 10, .sass = sass, .n_sass = 1};
  static const struct {
    long before, after;
    bool worse;
  } rows[] = {{1000, 1050, false}, {1000, 1051, true}, {1000, 900, false}, {0, 900, false}, {900, 0, false}};
  struct made_side *a = side_new("1"), *b = side_new("2");
  struct static_options o = {.fail_over = 0.05};
  struct static_diff d;
  (void)state;
  side_result(a, "v", "old", 0);
  side_result(b, "v", "new", 0);
  a->modules[0].n_kernels = b->modules[0].n_kernels = 1;
  a->modules[0].kernels = &kernel;
  b->modules[0].kernels = &read;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    a->modules[0].cubin_bytes = rows[i].before;
    b->modules[0].cubin_bytes = rows[i].after;
    static_compare(&d, a, b, o);
    assert_true(d.pairs[0].size_stands_in);
    assert_int_equal(d.regressions, rows[i].worse);
    static_diff_release(&d);
  }
  a->modules[0].cubin_bytes = 500;
  b->modules[0].cubin_bytes = 900;
  a->modules[0].kernels = &read; /* SASS on both sides: the size is told only */
  static_compare(&d, a, b, o);
  assert_false(d.pairs[0].size_stands_in);
  assert_int_equal(d.pairs[0].verdict, STATIC_CHANGED);
  static_diff_release(&d);
  a->modules[0].kernels = b->modules[0].kernels = &kernel;
  snprintf(b->keys[0], sizeof b->keys[0], "old"); /* the same code needs no SASS */
  static_compare(&d, a, b, o);
  assert_false(d.pairs[0].size_stands_in);
  static_diff_release(&d);
  side_free(a);
  side_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spills_and_instructions_are_gated),
      cmocka_unit_test(quantities_are_of_the_largest_kernel_and_of_all_code),
      cmocka_unit_test(every_verdict_has_a_pair),
      cmocka_unit_test(shapes_of_one_module_are_one_pair),
      cmocka_unit_test(a_renamed_variant_is_found_once),
      cmocka_unit_test(the_size_stands_in_where_there_is_no_sass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
