/* PC samples, counts of instructions and activity on the fake CUPTI: what it is asked for, what comes of it, and what is let go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profiler/cuda/activity.h"
#include "profiler/cuda/pc_sampling.h"
#include "profiler/cuda/sass_metrics.h"
#include "unit/fake_cupti.h"

#include <stdio.h>
#include <string.h>

/* --- samples --- */

static const char *const told[] = {
    "smsp__pcsamp_samples_data_dropped",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
    "smsp__pcsamp_warps_issue_stalled_dispatch_stall",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_no_instructions_not_issued",
    "smsp__pcsamp_warps_issue_stalled_warpgroup_arrive",
    "smsp__pcsamp_warps_issue_stalled_no_instructions",
};
enum { TOLD = sizeof told / sizeof *told };

static CUptiResult tell_number(CUpti_PCSamplingGetNumStallReasonsParams *p) {
  *p->numStallReasons = TOLD;
  return CUPTI_SUCCESS;
}

static CUptiResult tell_reasons(CUpti_PCSamplingGetStallReasonsParams *p) {
  if (p->numStallReasons != TOLD)
    return CUPTI_ERROR_INVALID_PARAMETER;
  for (size_t i = 0; i < TOLD; i++) {
    p->stallReasonIndex[i] = (uint32_t)(30 - i);
    snprintf(p->stallReasons[i], CUPTI_STALL_REASON_STRING_SIZE, "%s", told[i]);
  }
  return CUPTI_SUCCESS;
}

static void reasons_have_our_names(void **state) {
  static const struct {
    const char *name;
    long base;
    bool not_issued;
  } wanted[TOLD] = {{NULL, -1, false},           {"long_scoreboard", 1, true},
                    {"dispatch", 2, false},      {"long_scoreboard", 1, false},
                    {"no_instruction", 4, true}, {"gmma", 5, false},
                    {"no_instruction", 4, false}};
  struct stall_reasons r = {0};
  (void)state;
  load();
  cupti.cuptiPCSamplingGetNumStallReasons = tell_number;
  cupti.cuptiPCSamplingGetStallReasons = tell_reasons;
  assert_int_equal(stall_reasons_ask(&r, &cupti, NULL, &e), 0);
  assert_int_equal(r.n, TOLD);
  for (size_t i = 0; i < TOLD; i++) {
    assert_int_equal(r.all[i].index, 30 - i);
    assert_int_equal(r.all[i].base, wanted[i].base);
    assert_int_equal(r.all[i].not_issued, wanted[i].not_issued);
    if (wanted[i].name)
      assert_string_equal(r.all[i].name, wanted[i].name);
    else
      assert_null(r.all[i].name);
    assert_ptr_equal(stall_reasons_find(&r, (uint32_t)(30 - i)), i ? &r.all[i] : NULL);
  }
  assert_null(stall_reasons_find(&r, 0));
  stall_reasons_release(&r);
  assert_int_equal(r.n, 0);
  for (int k = 0; k < 2; k++) {
    load();
    setenv("NVFP4_FAKE", k ? "cuptiPCSamplingGetStallReasons=35" : "cuptiPCSamplingGetNumStallReasons=35", 1);
    assert_int_not_equal(stall_reasons_ask(&r, &cupti, NULL, &e), 0);
    assert_non_null(strstr(e.text, k ? "cuptiPCSamplingGetStallReasons" : "cuptiPCSamplingGetNumStallReasons"));
    stall_reasons_release(&r);
  }
}

static CUpti_PCSamplingConfigurationInfo set_to[8];
static size_t n_set, n_off;

static CUptiResult take_attributes(CUpti_PCSamplingConfigurationInfoParams *p) {
  n_set = p->numAttributes;
  memcpy(set_to, p->pPCSamplingConfigurationInfo, n_set * sizeof *set_to);
  return CUPTI_SUCCESS;
}

static CUptiResult count_off(CUpti_PCSamplingDisableParams *p) {
  (void)p;
  n_off++;
  return CUPTI_SUCCESS;
}

static CUptiResult refuse_the_period(CUpti_PCSamplingConfigurationInfoParams *p) {
  for (size_t i = 0; i < p->numAttributes; i++)
    if (p->pPCSamplingConfigurationInfo[i].attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD)
      p->pPCSamplingConfigurationInfo[i].attributeStatus = CUPTI_ERROR_INVALID_PARAMETER;
  return CUPTI_SUCCESS;
}

static void sampling_is_set_as_asked(void **state) {
  struct pc_sampling_settings settings = {.exponent = 9, .hardware_bytes = 4096, .pcs = 3, .left_over_pcs = 2};
  struct pc_sampling s;
  (void)state;
  load();
  cupti.cuptiPCSamplingSetConfigurationAttribute = take_attributes;
  cupti.cuptiPCSamplingDisable = count_off;
  for (int k = 0; k < 2; k++) {
    settings.start_stop = k;
    settings.worker_sleep_ms = k ? 50 : 0;
    n_off = 0;
    assert_int_equal(pc_sampling_open(&s, &cupti, NULL, &settings, &e), 0);
    assert_int_equal(n_set, 5 + k); /* CUPTI's own sleep is left alone */
    assert_int_equal(set_to[0].attributeData.collectionModeData.collectionMode,
                     CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS);
    assert_int_equal(set_to[1].attributeData.samplingPeriodData.samplingPeriod, 9);
    assert_int_equal(set_to[2].attributeData.enableStartStopControlData.enableStartStopControl, k);
    assert_ptr_equal(set_to[3].attributeData.samplingDataBufferData.samplingDataBuffer, &s.left_over);
    assert_int_equal(set_to[4].attributeData.hardwareBufferSizeData.hardwareBufferSize, 4096);
    if (k)
      assert_int_equal(set_to[5].attributeData.workerThreadPeriodicSleepSpanData.workerThreadPeriodicSleepSpan, 50);
    assert_int_equal(s.data.collectNumPcs, 3);
    assert_int_equal(s.left_over.collectNumPcs, 2);
    assert_int_equal(s.data.pPcData[2].stallReasonCount, s.reasons.n);
    assert_true(pc_sampling_close(&s));
    assert_false(pc_sampling_close(&s));
    assert_int_equal(n_off, 1);
    pc_sampling_release(&s);
  }
  cupti.cuptiPCSamplingSetConfigurationAttribute = refuse_the_period;
  assert_int_not_equal(pc_sampling_open(&s, &cupti, NULL, &settings, &e), 0);
  char attribute[32];
  snprintf(attribute, sizeof attribute, "attribute %d", CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
  assert_non_null(strstr(e.text, attribute));
  pc_sampling_close(&s);
  pc_sampling_release(&s);
}

/* Hand-overs of 2, 2 and 1 PCs; then of none, though some are said to remain. */
static size_t handed[] = {2, 2, 1, 0}, n_handed, n_first, n_taken;

static CUptiResult hand_over(CUpti_PCSamplingGetDataParams *p) {
  CUpti_PCSamplingData *d = p->pcSamplingData;
  d->totalNumPcs = handed[n_handed++];
  d->remainingNumPcs = n_handed == 3 ? 0 : 5;
  return CUPTI_SUCCESS;
}

static int take(void *context, const CUpti_PCSamplingData *d, bool first, struct err *why) {
  n_first += first;
  n_taken += d->totalNumPcs;
  return n_handed == *(size_t *)context ? err_set(why, ERR_DATA, "no more") : 0;
}

static void samples_come_until_none_remain(void **state) {
  struct pc_sampling s = {.cupti = &cupti};
  size_t never = 9, second = 2;
  (void)state;
  load();
  cupti.cuptiPCSamplingGetData = hand_over;
  n_handed = n_first = n_taken = 0;
  assert_int_equal(pc_sampling_drain(&s, take, &never, &e), 0);
  assert_int_equal(n_taken, 5);
  assert_int_equal(n_first, 1);
  assert_int_equal(n_handed, 3);
  assert_int_equal(pc_sampling_drain(&s, take, &never, &e), 0);
  assert_int_equal(n_handed, 4); /* none came: it does not ask for ever */
  n_handed = 0;
  assert_int_equal(pc_sampling_drain(&s, take, &second, &e), ERR_DATA);
  assert_int_equal(n_handed, 2);
}

/* --- instructions and activity --- */

static size_t unset;

static CUptiResult count_unset(CUpti_SassMetricsUnsetConfig_Params *p) {
  unset += p->deviceIndex == 2;
  return CUPTI_SUCCESS;
}

static void counts_of_instructions_let_go(void **state) {
  struct sass_counting s;
  (void)state;
  load();
  cupti.cuptiSassMetricsUnsetConfig = count_unset;
  unset = 0;
  assert_int_equal(sass_counting_open(&s, &cupti, NULL, 2, &e), 0);
  assert_true(s.configured && s.ids[0] && s.ids[3] && !s.ids[4]); /* the fake lacks those of shared memory */
  assert_int_equal(sass_counting_on(&s, &e), 0);
  assert_int_equal(sass_counting_read(&s, &e), 0); /* nothing was launched */
  assert_int_equal(s.records, 0);
  assert_int_equal(sass_counting_off(&s, &e), 0);
  sass_counting_close(&s);
  assert_int_equal(unset, 1);
  setenv("NVFP4_FAKE", "cuptiSassMetricsSetConfig=35", 1);
  assert_int_not_equal(sass_counting_open(&s, &cupti, NULL, 2, &e), 0);
  assert_false(s.configured);
  sass_counting_close(&s);
  assert_int_equal(unset, 1);
  setenv("NVFP4_FAKE", "cuptiSassMetricsGetProperties=35", 1);
  assert_int_not_equal(sass_counting_open(&s, &cupti, NULL, 2, &e), 0);
  assert_non_null(strstr(e.text, "smsp__sass_inst_executed: cuptiSassMetricsGetProperties"));
  sass_counting_close(&s);
}

static CUpti_ActivityKind disabled_kind;

static CUptiResult take_kind(CUpti_ActivityKind kind) {
  disabled_kind = kind;
  return CUPTI_SUCCESS;
}

static void activity_is_of_kernels_and_ends(void **state) {
  const struct activity_record *records;
  size_t n = 9;
  bool whole = false;
  (void)state;
  load();
  assert_int_equal(activity_open(&cupti, &e), 0);
  assert_int_equal(activity_take(&cupti, &records, &n, &whole, &e), 0);
  assert_true(n == 0 && whole);
  setenv("NVFP4_FAKE", "cuptiActivityFlushAll=35", 1);
  assert_int_not_equal(activity_take(&cupti, &records, &n, &whole, &e), 0);
  assert_non_null(strstr(e.text, "cuptiActivityFlushAll"));
  unsetenv("NVFP4_FAKE");
  activity_close(&cupti);
  cupti.cuptiActivityDisable = take_kind;
  activity_close(&cupti);
  assert_int_equal(disabled_kind, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  static const char *const calls[] = {"cuptiActivityRegisterCallbacks", "cuptiActivityEnable"};
  for (size_t i = 0; i < 2; i++) {
    char fake[64];
    snprintf(fake, sizeof fake, "%s=35", calls[i]);
    setenv("NVFP4_FAKE", fake, 1);
    assert_int_not_equal(activity_open(&cupti, &e), 0);
    assert_non_null(strstr(e.text, calls[i]));
  }
  unsetenv("NVFP4_FAKE");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reasons_have_our_names),          cmocka_unit_test(sampling_is_set_as_asked),
      cmocka_unit_test(samples_come_until_none_remain),  cmocka_unit_test(counts_of_instructions_let_go),
      cmocka_unit_test(activity_is_of_kernels_and_ends),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
