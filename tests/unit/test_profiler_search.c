/* The search of `tune` without a GPU: configurations, the rungs that they become, what is kept between two searches; and what a session says of
 * itself: phases, counters, classes of registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "kernels/rung.h"
#include "profiler/measure/collect.h"
#include "profiler/measure/profile.h"
#include "profiler/measure/session.h"
#include "profiler/measure/tune_batch.h"
#include "profiler/measure/tune_file.h"
#include "profiler/measure/tune_search.h"
#include "profiler/measure/tune_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source[] = "//! id: x-tuned\n"
                             "//! ladder: x\n"
                             "//! change: none\n"
                             "//! param: A = 2 in {1, 2, 4}\n"
                             "//! param: B = 7\n"
                             "//! param: C = 5 in {5, 6}\n"
                             "//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128\n"
                             "//! accumulate: fp32\n"
                             "extern \"C\" __global__ void gemv(const void *a, const void *b, const void *sfa, "
                             "const void *sfb, void *c, int M, int K, int L) {}\n";

static struct rung_set set;

static int setup(void **state) {
  struct err e = {0};
  (void)state;
  if (rung_set_add(&set, "x/tuned.cu", source, &e) || rung_set_finish(&set, &e)) {
    print_error("%s\n", e.text);
    return -1;
  }
  return 0;
}

static int teardown(void **state) {
  (void)state;
  rung_set_release(&set);
  return 0;
}

/* Three values of A, one of B, two of C: configuration i has A's value i % 3 and C's value i / 3. */
static void a_space_is_the_product_of_its_axes(void **state) {
  static const long a[] = {1, 2, 4, 1, 2, 4}, c[] = {5, 5, 5, 6, 6, 6};
  struct tune_space s;
  (void)state;
  assert_int_equal(tune_space_make(&s, set.rungs, NULL, NULL), 0);
  assert_int_equal(s.n, 6);
  assert_int_equal(s.n_axes, 3);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(tune_space_value(&s, i, 0), a[i]);
    assert_int_equal(tune_space_value(&s, i, 1), 7);
    assert_int_equal(tune_space_value(&s, i, 2), c[i]);
  }
  char *id = tune_configuration_id(&s, 5);
  assert_string_equal(id, "x-tuned#A=4,C=6"); /* B has one value, which goes without saying */
  free(id);
  tune_space_release(&s);
  assert_null(s.axes);
}

static void values_are_given_in_place_of_the_written(void **state) {
  struct tune_space s;
  (void)state;
  assert_int_equal(tune_space_make(&s, set.rungs, " A in {8, 16, 8} ; C = 6;", NULL), 0);
  assert_int_equal(s.n, 2); /* 8 is there once */
  assert_int_equal(tune_space_value(&s, 1, 0), 16);
  assert_int_equal(tune_space_value(&s, 1, 2), 6);
  tune_space_release(&s);
}

static void refused(const char *text, const char *why) {
  struct tune_space s;
  struct err e = {0};
  assert_int_equal(tune_space_make(&s, set.rungs, text, &e), ERR_USAGE);
  assert_string_equal(e.text, why);
  tune_space_release(&s);
}

static void a_wrong_value_is_named(void **state) {
  (void)state;
  refused("A in {1, x}", "--params: A: 'x' is not an integer");
  refused("A in {1, 3000000000}", "--params: A: '3000000000' is not an integer");
  refused("A in {1, 2", "--params: 'A in {1, 2': write NAME in {A, B, C} or NAME = A, separated by ';'");
  refused("A on {1, 2}", "--params: 'A on {1, 2}': write NAME in {A, B, C} or NAME = A, separated by ';'");
  refused("a in {1, 2}", "--params: x-tuned has no param 'a'");
  refused("A = 1; C = 5", "x-tuned has nothing to search: no param has a set of values; write `//! param: NAME = A in "
                          "{A, B}` or --params \"NAME in {A, B}\"");
}

/* 141 values of A, then 142, times 142 of C: 20022 and 20164; of 140 there are 19880. */
static void a_space_has_its_limit(void **state) {
  (void)state;
  for (int n = 140; n <= 142; n++) {
    struct tune_space s;
    struct text text = {0};
    struct err e = {0};
    for (int i = 0; i < n + 142; i++)
      text_printf(&text, "%s%d", i == 0 ? "A in {" : i == n ? "}; C in {" : ", ", i);
    text_add(&text, "}");
    int rc = tune_space_make(&s, set.rungs, text_str(&text), &e);
    assert_int_equal(rc, n == 140 ? 0 : ERR_USAGE);
    if (rc)
      assert_string_equal(e.text, "x-tuned has more than 20000 configurations; narrow them with --params");
    tune_space_release(&s);
    text_release(&text);
  }
}

static void configurations_become_rungs(void **state) {
  static const size_t these[] = {0, 5};
  struct tune_space s;
  struct tune_batch b;
  (void)state;
  assert_int_equal(tune_space_make(&s, set.rungs, NULL, NULL), 0);
  tune_batch_make(&b, &set, &s, these, 2, 3);
  assert_int_equal(b.set.n, 2);
  assert_string_equal(b.set.rungs[1].id, "x-tuned#A=4,C=6");
  assert_null(b.set.rungs[1].parent);
  assert_int_equal(b.set.rungs[1].params[0].value, 4);
  assert_int_equal(b.set.rungs[1].params[1].value, 7);
  assert_int_equal(b.set.rungs[1].params[2].value, 6);
  assert_int_equal(set.rungs[0].params[0].value, 2); /* the rung itself is left alone */
  const struct rung_key *last = &b.set.rungs[1].keys[b.set.rungs[1].n_keys - 1];
  struct run_key key = {.key = last->key, .value = last->value};
  assert_int_equal(tune_stage_of(&(struct run_variant){.keys = &key, .n_keys = 1}), 3);
  assert_int_equal(tune_stage_of(&(struct run_variant){0}), TUNE_FINAL_STAGE);
  tune_batch_release(&b);
  tune_batch_make(&b, &set, &s, these, 2, TUNE_FINAL_STAGE);
  assert_int_equal(b.set.n, 3); /* in the final stage the rung takes part */
  assert_string_equal(b.set.rungs[2].id, "x-tuned");
  assert_true(b.chosen[0] && b.chosen[1] && b.chosen[2]);
  assert_int_equal(b.set.rungs[0].n_keys, set.rungs[0].n_keys); /* and no stage is told */
  tune_batch_release(&b);
  tune_space_release(&s);
}

static void the_tuned_file_is_read_back(void **state) {
  struct text out = {0};
  struct err e = {0};
  (void)state;
  assert_int_equal(tune_file(&out, set.rungs, "//! when: M == 128: A = 4\n", &e), 0);
  assert_memory_equal(text_str(&out), "//! id: x-tuned\n//! when: M == 128: A = 4\n//! ladder: x\n", 56);
  assert_int_equal(out.n, strlen(source) + 26);
  text_release(&out);
  assert_int_equal(tune_file(&out, set.rungs, "//! when: M == 128: A = 3\n", &e), ERR_DATA); /* A has no 3 */
  assert_non_null(strstr(e.text, "the tuned file would not be read: "));
  text_release(&out);
}

/* Lines that held of a shape before stand below the new ones, those of the variant's own file only. */
static void what_was_inherited_stays(void **state) {
  static const char two[] = "//! when:   K == 64: A = 1\n"
                            "//! id: y-first\n//! ladder: y\n//! change: none\n//! param: A = 2 in {1, 2, 4}\n"
                            "//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128\n//! accumulate: fp32\n"
                            "extern \"C\" __global__ void gemv(const void *a, const void *b, const void *sfa, "
                            "const void *sfb, void *c, int M, int K, int L) {}\n";
  struct rung_set again = {0};
  struct text out = {0};
  struct err e = {0};
  (void)state;
  if (rung_set_add(&again, "y/first.cu", two, &e) || rung_set_finish(&again, &e))
    fail_msg("%s", e.text);
  assert_int_equal(tune_file(&out, again.rungs, "//! when: M == 128: A = 4\n", &e), 0);
  const char *lines = strstr(text_str(&out), "//! id: y-first\n");
  assert_non_null(lines);
  assert_memory_equal(lines, "//! id: y-first\n//! when: M == 128: A = 4\n//! when:       K == 64: A = 1\n//! ladder",
                      83);
  text_release(&out);
  rung_set_release(&again);
}

static struct run measured(const char *id, double ns) {
  struct run r = {.l2 = str_copy("cold"),
                  .inputs = str_copy("default"),
                  .command = str_copy("key"),
                  .tool = str_copy("a test"),
                  .variants = calloc(1, sizeof *r.variants),
                  .results = calloc(1, sizeof *r.results),
                  .n_variants = 1,
                  .n_results = 1};
  r.variants[0].id = str_copy(id);
  r.results[0] = (struct run_result){.shape = {1, 2, 3}, .module = -1};
  r.results[0].timing.samples_ns = malloc(sizeof(double));
  r.results[0].timing.samples_ns[0] = ns;
  r.results[0].timing.n = 1;
  return r;
}

/* What was measured before is replaced, what was not is added. */
static void a_search_grows(void **state) {
  struct run all = {0}, first = measured("a", 10), second = measured("b", 20), again = measured("a", 30);
  (void)state;
  tune_state_append(&all, &first);
  tune_state_append(&all, &second);
  assert_int_equal(all.n_variants, 2);
  tune_state_append(&all, &again);
  assert_int_equal(all.n_variants, 2);
  assert_int_equal(all.n_results, 2);
  for (size_t i = 0; i < 2; i++) {
    const char *id = all.variants[all.results[i].variant].id;
    assert_float_equal(all.results[i].timing.samples_ns[0], strcmp(id, "a") == 0 ? 30 : 20, 0);
  }
  assert_null(again.variants);
  run_release(&all);
}

static void phases_are_parsed(void **state) {
  enum profile_phase p[PROFILE_PHASES];
  struct err e = {0};
  size_t n = 0;
  (void)state;
  assert_int_equal(profile_phases_parse(p, &n, "check,stalls,time", &e), 0);
  assert_int_equal(n, 3);
  assert_int_equal(p[0], PHASE_CHECK);
  assert_int_equal(p[1], PHASE_STALLS);
  assert_int_equal(p[2], PHASE_TIME);
  assert_int_equal(profile_phases_parse(p, &n, "check,time,time", &e), ERR_USAGE);
  assert_string_equal(e.text, "--phases check,time,time: 'time' is not one of check, time, stalls, counters, sass, "
                              "each at most once");
  assert_int_equal(profile_phases_parse(p, &n, "check,tim", &e), ERR_USAGE);
  assert_int_equal(profile_phases_parse(p, &n, "time", &e), ERR_USAGE);
  assert_string_equal(e.text, "--phases time: check must come first, because a wrong kernel is not timed");
  assert_int_equal(profile_phases_parse(p, &n, "", &e), ERR_USAGE);
}

static void modes_are_parsed(void **state) {
  static const char *const policies[] = {[L2_COLD] = "cold", [L2_DIRTY] = "dirty", [L2_WARM] = "warm"};
  struct profile_options o;
  enum l2_policy policy;
  enum harness harness;
  struct err e = {0};
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(l2_policy_parse(&policy, policies[i], &e), 0);
    assert_int_equal(policy, i);
    assert_string_equal(l2_policy_name(policy), policies[i]);
  }
  assert_int_equal(l2_policy_parse(&policy, "hot", &e), ERR_USAGE);
  assert_string_equal(e.text, "--l2 hot: it is cold, dirty or warm");
  assert_int_equal(harness_parse(&harness, "contest", &e), 0);
  assert_int_equal(harness, HARNESS_CONTEST);
  assert_int_equal(harness_parse(&harness, "kernel", &e), 0);
  assert_int_equal(harness, HARNESS_KERNEL);
  assert_int_equal(harness_parse(&harness, "both", &e), ERR_USAGE);
  assert_string_equal(e.text, "--harness both: it is kernel or contest");
  /* What `profile` does where the user says nothing, as its help has it. */
  profile_options_default(&o);
  assert_true(o.l2 == L2_COLD && o.harness == HARNESS_KERNEL && o.inputs == INPUTS_DEFAULT && o.sass);
  assert_true(o.min_rounds == 20 && o.max_rounds == 100 && o.time_limit_s == 10 && o.hang_limit_s == 10);
  assert_true(o.seed == 1 && o.samples == 20000);
  assert_int_equal(o.n_phases, PROFILE_PHASES);
  for (size_t i = 0; i < PROFILE_PHASES; i++)
    assert_int_equal(o.phases[i], i);
}

/* Registers are allocated to a warp by 256, so to a thread by 8: at least 16, at most 255. */
static void registers_come_in_classes(void **state) {
  static const int of[][2] = {{0, 16}, {16, 16}, {17, 24}, {24, 24}, {25, 32}, {248, 248}, {249, 255}, {255, 255}};
  (void)state;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    assert_int_equal(session_register_class(of[i][0]), of[i][1]);
}

static void a_counter_is_kept_once(void **state) {
  static const char *const names[] = {"a", "b", "a"};
  struct run_result r = {0};
  (void)state;
  for (int i = 0; i < 3; i++)
    collect_put_metric(&r, names[i], "inst", str_copy("somewhere"), i, i == 1 ? "it was not there" : NULL);
  assert_int_equal(r.n_metrics, 2);
  assert_string_equal(r.metrics[0].name, "a");
  assert_float_equal(r.metrics[0].value, 2, 0); /* the last word */
  assert_true(r.metrics[0].present && !r.metrics[0].reason);
  assert_float_equal(r.metrics[1].value, 0, 0);
  assert_false(r.metrics[1].present);
  assert_string_equal(r.metrics[1].reason, "it was not there");
  for (size_t i = 0; i < 2; i++) {
    free(r.metrics[i].name);
    free(r.metrics[i].unit);
    free(r.metrics[i].source);
    free(r.metrics[i].reason);
  }
  free(r.metrics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_space_is_the_product_of_its_axes),
      cmocka_unit_test(values_are_given_in_place_of_the_written),
      cmocka_unit_test(a_wrong_value_is_named),
      cmocka_unit_test(a_space_has_its_limit),
      cmocka_unit_test(configurations_become_rungs),
      cmocka_unit_test(the_tuned_file_is_read_back),
      cmocka_unit_test(what_was_inherited_stays),
      cmocka_unit_test(a_search_grows),
      cmocka_unit_test(phases_are_parsed),
      cmocka_unit_test(modes_are_parsed),
      cmocka_unit_test(registers_come_in_classes),
      cmocka_unit_test(a_counter_is_kept_once),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
