/* What each of CUPTI's instruments needs of the library, and the Range Profiler on the fake CUPTI: what it is asked for, what a call that fails says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profiler/cuda/pc_sampling.h"
#include "profiler/cuda/range_profiler.h"
#include "profiler/cuda/sass_metrics.h"
#include "unit/fake_cupti.h"

#include <stdio.h>
#include <string.h>

/* --- what a library must have --- */

#define CALL(name)                                                                                                     \
  { #name, offsetof(struct cupti, name) }
struct call {
  const char *name;
  size_t at;
};

static void lack(const struct call *x) {
  static char missing[64];
  load();
  memset((char *)&cupti + x->at, 0, sizeof(void (*)(void)));
  snprintf(missing, sizeof missing, "%s", x->name);
  cupti.missing = missing;
}

static void refused(int rc, const char *why, const struct call *x) {
  char wanted[5000];
  snprintf(wanted, sizeof wanted, "%s is too old for %s: it lacks %s; CUDA 13.0 ha", cupti.path, why, x->name);
  if (rc != ERR_MACHINE || strncmp(e.text, wanted, strlen(wanted)) != 0)
    fail_msg("without %s: %d, '%s'", x->name, rc, e.text);
  cupti.missing = NULL;
}

static void each_instrument_names_the_call_it_lacks(void **state) {
  static const struct call host[] = {
      CALL(cuptiProfilerHostInitialize),         CALL(cuptiProfilerHostDeinitialize),
      CALL(cuptiProfilerHostConfigAddMetrics),   CALL(cuptiProfilerHostGetConfigImageSize),
      CALL(cuptiProfilerHostGetConfigImage),     CALL(cuptiProfilerHostGetNumOfPasses),
      CALL(cuptiProfilerHostEvaluateToGpuValues)};
  static const struct call range[] = {CALL(cuptiDeviceGetChipName), CALL(cuptiProfilerGetCounterAvailability),
                                      CALL(cuptiRangeProfilerEnable), CALL(cuptiProfilerInitialize)};
  static const struct call sampling[] = {CALL(cuptiGetCubinCrc),
                                         CALL(cuptiPCSamplingEnable),
                                         CALL(cuptiPCSamplingDisable),
                                         CALL(cuptiPCSamplingStart),
                                         CALL(cuptiPCSamplingStop),
                                         CALL(cuptiPCSamplingGetData),
                                         CALL(cuptiPCSamplingGetNumStallReasons),
                                         CALL(cuptiPCSamplingGetStallReasons),
                                         CALL(cuptiPCSamplingSetConfigurationAttribute)};
  static const struct call sass[] = {CALL(cuptiGetCubinCrc),
                                     CALL(cuptiSassMetricsGetProperties),
                                     CALL(cuptiSassMetricsSetConfig),
                                     CALL(cuptiSassMetricsUnsetConfig),
                                     CALL(cuptiSassMetricsEnable),
                                     CALL(cuptiSassMetricsDisable),
                                     CALL(cuptiSassMetricsGetDataProperties),
                                     CALL(cuptiSassMetricsFlushData)};
  (void)state;
  for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
    struct metric_host h;
    lack(&host[i]);
    refused(metric_host_open(&h, &cupti, "FAKE100", NULL, &e), "hardware counters", &host[i]);
  }
  for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
    lack(&range[i]);
    refused(counters_available(&cupti, NULL, 0, &e), "the Range Profiler", &range[i]);
  }
  for (size_t i = 0; i < sizeof sampling / sizeof *sampling; i++) {
    lack(&sampling[i]);
    refused(stalls_available(&cupti, NULL, 0, &e), "PC sampling", &sampling[i]);
  }
  for (size_t i = 0; i < sizeof sass / sizeof *sass; i++) {
    lack(&sass[i]);
    refused(sass_available(&cupti, NULL, 0, &e), "SASS metrics", &sass[i]);
  }
  load();
  assert_int_equal(counters_available(&cupti, NULL, 0, &e), 0);
  assert_int_equal(stalls_available(&cupti, NULL, 0, &e), 0);
  assert_int_equal(sass_available(&cupti, NULL, 0, &e), 0);
}

/* --- counters --- */

static size_t disabled;
static CUpti_RangeProfiler_SetConfig_Params asked;
static size_t asked_ranges, asked_nodes;

static CUptiResult count_disable(CUpti_RangeProfiler_Disable_Params *p) {
  disabled += p->pRangeProfilerObject != NULL;
  return CUPTI_SUCCESS;
}

static CUptiResult take_config(CUpti_RangeProfiler_SetConfig_Params *p) {
  asked = *p;
  return CUPTI_SUCCESS;
}

static CUptiResult take_size(CUpti_RangeProfiler_GetCounterDataSize_Params *p) {
  asked_ranges = p->maxNumOfRanges;
  asked_nodes = p->maxNumRangeTreeNodes;
  p->counterDataSize = 48;
  return CUPTI_SUCCESS;
}

static void config_of(struct counter_config *g, enum counter_groups groups) {
  if (counter_config_make(g, &cupti, NULL, 0, groups, (struct pass_set){0}, NULL, &e))
    fail_msg("%s", e.text);
}

static void a_session_is_asked_for_as_it_will_be_used(void **state) {
  struct counter_config g;
  struct range_session s;
  (void)state;
  load();
  cupti.cuptiRangeProfilerDisable = count_disable;
  cupti.cuptiRangeProfilerSetConfig = take_config;
  cupti.cuptiRangeProfilerGetCounterDataSize = take_size;
  config_of(&g, COUNTERS_SHARED);
  for (int replay = 0; replay <= 1; replay++) {
    disabled = 0;
    assert_int_equal(range_session_open(&s, &g, NULL, 7, replay, &e), 0);
    assert_int_equal(asked.range, replay ? CUPTI_AutoRange : CUPTI_UserRange);
    assert_int_equal(asked.replayMode, replay ? CUPTI_KernelReplay : CUPTI_UserReplay);
    assert_int_equal(asked.maxRangesPerPass, 7);
    assert_int_equal(asked.numNestingLevels, 1);
    assert_int_equal(asked.minNestingLevel, 1);
    assert_int_equal(asked.targetNestingLevel, 1);
    assert_int_equal(asked.passIndex, 0);
    assert_int_equal(asked.counterDataImageSize, 48);
    assert_int_equal(asked_ranges, 7);
    assert_int_equal(asked_nodes, 7);
    range_session_close(&s);
    assert_int_equal(disabled, 1);
    range_session_close(&s); /* it is not open */
    assert_int_equal(disabled, 1);
  }
  disabled = 0;
  assert_int_equal(counters_available(&cupti, NULL, 0, &e), 0);
  assert_int_equal(disabled, 1);
  counter_config_release(&g);
}

/* Every row is of one of two kinds, and both kinds together are all of them. */
static void groups_apart_and_shared_are_all(void **state) {
  struct counter_config g[3];
  size_t apart = 0;
  (void)state;
  load();
  for (int k = 0; k < 3; k++)
    config_of(&g[k], (enum counter_groups)k);
  assert_true(g[COUNTERS_SHARED].table.n > 0 && g[COUNTERS_APART].table.n > 0);
  assert_int_equal(g[COUNTERS_SHARED].table.n + g[COUNTERS_APART].table.n, g[COUNTERS_APART_FIRST].table.n);
  for (size_t i = 0; i < g[COUNTERS_APART].names.n; i++) {
    assert_true(name_list_find(&g[COUNTERS_APART_FIRST].names, g[COUNTERS_APART].names.names[i]) >= 0);
    apart += name_list_find(&g[COUNTERS_SHARED].names, g[COUNTERS_APART].names.names[i]) >= 0;
  }
  assert_true(apart < g[COUNTERS_APART].names.n);
  for (int k = 0; k < 3; k++)
    counter_config_release(&g[k]);
}

/* Two ranks ask for some counters each, and for all of them together. */
static void sets_share_the_names(void **state) {
  struct counter_config all, half[2];
  double value;
  (void)state;
  load();
  config_of(&all, COUNTERS_SHARED);
  for (int k = 0; k < 2; k++)
    assert_int_equal(counter_config_make(&half[k], &cupti, NULL, 0, COUNTERS_SHARED,
                                         (struct pass_set){.set = k + 1, .sets = 2}, NULL, &e),
                     0);
  for (int k = 0; k < 2; k++)
    assert_true(half[k].names.n > 0 && half[k].names.n < all.names.n);
  for (size_t i = 0; i < all.names.n; i++)
    assert_true(name_list_find(&half[0].names, all.names.names[i]) >= 0 ||
                name_list_find(&half[1].names, all.names.names[i]) >= 0);
  const struct range_session s = {.config = &half[0]};
  size_t others = 0;
  for (size_t i = 0; i < half[0].table.n; i++)
    if (half[0].chosen[i] && pass_set_lacks(half[0].set, &half[0].table, i)) {
      others++;
      assert_int_equal(range_value(&s, i, &value, &e), ERR_MACHINE);
      assert_string_equal(e.text, "another rank counts it (--split-passes)");
    }
  assert_true(others > 0);
  for (int k = 0; k < 2; k++)
    counter_config_release(&half[k]);
  counter_config_release(&all);
}

static int questions_left;

static bool go_on(void) {
  return questions_left-- > 0;
}

static void a_plan_that_is_stopped_is_none(void **state) {
  struct counter_plan p;
  (void)state;
  load();
  questions_left = 1000;
  assert_int_equal(counter_plan_make(&p, &cupti, "FAKE100", go_on, &e), 0);
  counter_plan_release(&p);
  for (int left = 1000 - questions_left - 1; left >= 0; left--) { /* before each of its questions, and after the last */
    questions_left = left;
    assert_int_not_equal(counter_plan_make(&p, &cupti, "FAKE100", go_on, &e), 0);
    counter_plan_release(&p);
  }
}

static void a_plan_is_used_up_by_its_chip(void **state) {
  struct counter_plan p;
  struct counter_config g, alone;
  (void)state;
  load();
  config_of(&alone, COUNTERS_APART_FIRST);
  questions_left = 1000;
  for (int own = 0; own <= 1; own++) {
    assert_int_equal(counter_plan_make(&p, &cupti, own ? "FAKE100" : "GH100", go_on, &e), 0);
    assert_int_equal(p.table.n, alone.table.n);
    assert_int_equal(counter_config_make(&g, &cupti, NULL, 0, COUNTERS_APART_FIRST, (struct pass_set){0}, &p, &e), 0);
    assert_int_equal(p.chip == NULL, own);
    assert_int_equal(g.table.n, alone.table.n);
    assert_int_equal(g.names.n, alone.names.n);
    counter_config_release(&g);
    counter_plan_release(&p);
  }
  assert_int_equal(counter_plan_make(&p, &cupti, "FAKE100", go_on, &e), 0);
  config_of(&g, COUNTERS_SHARED);
  counter_config_release(&g);
  assert_int_equal(counter_config_make(&g, &cupti, NULL, 0, COUNTERS_SHARED, (struct pass_set){0}, &p, &e), 0);
  assert_non_null(p.chip); /* it is of all groups */
  counter_config_release(&g);
  counter_plan_release(&p);
  setenv("NVFP4_FAKE", "cuptiProfilerHostInitialize=35", 1);
  assert_int_not_equal(counter_plan_make(&p, &cupti, "FAKE100", go_on, &e), 0);
  assert_non_null(strstr(e.text, "cuptiProfilerHostInitialize"));
  counter_plan_release(&p);
  counter_config_release(&alone);
}

static CUptiResult drop_three(CUpti_RangeProfiler_DecodeData_Params *p) {
  p->numOfRangeDropped = 3;
  return CUPTI_SUCCESS;
}

/* A session of two names and two passes, in which nothing is launched. */
static void ranges_have_names_and_values(void **state) {
  struct counter_config g;
  struct range_session s;
  size_t dropped = 9, n = 9, zeros = 0, lacking = 0;
  const char *name = NULL;
  double value = -1;
  bool last = true;
  (void)state;
  load();
  config_of(&g, COUNTERS_SHARED);
  assert_int_equal(range_session_open(&s, &g, NULL, 2, false, &e), 0);
  for (int pass = 0; pass < 2; pass++) {
    assert_int_equal(range_pass_begin(&s, &e), 0);
    assert_int_equal(range_push(&s, "first", &e) || range_pop(&s, &e), 0);
    assert_int_equal(range_push(&s, "second", &e) || range_pop(&s, &e), 0);
    assert_int_equal(range_pass_end(&s, &last, &e), 0);
    assert_int_equal(last, pass == 1);
  }
  assert_int_equal(range_decode(&s, &dropped, &e), 0);
  assert_int_equal(dropped, 0);
  assert_int_equal(range_count(&s, &n, &e), 0);
  assert_int_equal(n, 2);
  assert_int_equal(range_name(&s, 1, &name, &e), 0);
  assert_string_equal(name, "second");
  assert_int_equal(range_evaluate(&s, 1, &e), 0);
  for (size_t i = 0; i < g.table.n; i++) {
    int rc = range_value(&s, i, &value, &e);
    if (g.chosen[i]) {
      zeros += !rc && value == 0;
    } else {
      lacking++;
      assert_int_equal(rc, ERR_MACHINE);
      assert_string_equal(e.text, "chip FAKE100 has no such counter");
    }
  }
  assert_true(lacking == 1 && zeros > g.table.n / 2); /* the stall of gmma; no block was launched */
  cupti.cuptiRangeProfilerDecodeData = drop_three;
  assert_int_equal(range_decode(&s, &dropped, &e), 0);
  assert_int_equal(dropped, 3);
  range_session_close(&s);
  counter_config_release(&g);
}

static int whole_way(void) {
  struct counter_config g;
  struct range_session s = {0};
  size_t n;
  const char *name;
  int rc = counter_config_make(&g, &cupti, NULL, 0, COUNTERS_APART_FIRST, (struct pass_set){0}, NULL, &e);
  if (!rc)
    rc = range_session_open(&s, &g, NULL, 1, false, &e);
  if (!rc)
    rc = range_pass_begin(&s, &e);
  if (!rc)
    rc = range_push(&s, "one", &e);
  if (!rc)
    rc = range_pop(&s, &e);
  if (!rc)
    rc = range_pass_end(&s, NULL, &e);
  if (!rc)
    rc = range_decode(&s, &n, &e);
  if (!rc)
    rc = range_count(&s, &n, &e);
  if (!rc)
    rc = range_name(&s, 0, &name, &e);
  if (!rc)
    rc = range_evaluate(&s, 0, &e);
  range_session_close(&s);
  counter_config_release(&g);
  return rc;
}

static void a_call_that_fails_is_named(void **state) {
  static const char *const calls[] = {"cuptiProfilerInitialize",
                                      "cuptiDeviceGetChipName",
                                      "cuptiProfilerGetCounterAvailability",
                                      "cuptiProfilerHostInitialize",
                                      "cuptiProfilerHostGetConfigImageSize",
                                      "cuptiProfilerHostGetConfigImage",
                                      "cuptiProfilerHostGetNumOfPasses",
                                      "cuptiRangeProfilerEnable",
                                      "cuptiRangeProfilerGetCounterDataSize",
                                      "cuptiRangeProfilerCounterDataImageInitialize",
                                      "cuptiRangeProfilerSetConfig",
                                      "cuptiRangeProfilerStart",
                                      "cuptiRangeProfilerPushRange",
                                      "cuptiRangeProfilerPopRange",
                                      "cuptiRangeProfilerStop",
                                      "cuptiRangeProfilerDecodeData",
                                      "cuptiRangeProfilerGetCounterDataInfo",
                                      "cuptiRangeProfilerCounterDataGetRangeInfo",
                                      "cuptiProfilerHostEvaluateToGpuValues"};
  (void)state;
  load();
  assert_int_equal(whole_way(), 0);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    char fake[96];
    snprintf(fake, sizeof fake, "%s=35", calls[i]);
    load();
    setenv("NVFP4_FAKE", fake, 1);
    if (!whole_way() || !strstr(e.text, calls[i]))
      fail_msg("%s: '%s'", fake, e.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_instrument_names_the_call_it_lacks),
      cmocka_unit_test(a_session_is_asked_for_as_it_will_be_used),
      cmocka_unit_test(groups_apart_and_shared_are_all),
      cmocka_unit_test(sets_share_the_names),
      cmocka_unit_test(a_plan_is_used_up_by_its_chip),
      cmocka_unit_test(a_plan_that_is_stopped_is_none),
      cmocka_unit_test(ranges_have_names_and_values),
      cmocka_unit_test(a_call_that_fails_is_named),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
