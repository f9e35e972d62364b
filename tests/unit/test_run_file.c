/* The run file: what the golden run holds, and that saving it gives back its bytes. */
#include "base/file.h"
#include "base/text.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GOLDEN TEST_SOURCE_DIR "/tests/golden/small.json"

static const struct shape one = {7168, 16384, 1}, eight = {4096, 7168, 8};
static const char scratch[] = "test_run_file.tmp.json"; /* in the build folder */

static void golden_load(struct run *r) {
  struct err e = {0};
  int rc = run_load(r, GOLDEN, &e);
  if (rc)
    fail_msg("%s", e.text);
}

static char *whole(const char *path, size_t *n) {
  char *s = NULL;
  struct err e = {0};
  if (file_read(path, RUN_FILE_MAX, &s, n, &e))
    fail_msg("%s", e.text);
  return s;
}

static void test_golden_head(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  assert_string_equal(r.created, "2025-11-20T12:00:00Z");
  assert_string_equal(r.tool, "0.1.0");
  assert_false(r.partial);
  assert_null(r.partial_reason);
  assert_int_equal(r.origin, ORIGIN_MEASURED);
  assert_true(r.seed == 1);
  assert_true(r.flush_bytes == 536870912.0);
  assert_string_equal(r.device.name, "NVIDIA H200");
  assert_int_equal(r.device.sm, 90);
  assert_int_equal(r.device.memory_bus_bits, 6144);
  assert_true(r.device.memory_clock_hz == 3.201e9);
  assert_true(r.device.memory_bytes == 150e9);
  assert_int_equal(r.n_notes, 2);
  assert_int_equal(r.n_sources, 3);
  assert_int_equal(r.n_modules, 6);
  assert_int_equal(r.n_variants, 7);
  assert_int_equal(r.n_results, 14);
  run_release(&r);
}

static void test_golden_modules(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  const struct run_kernel *k = &r.modules[2].kernels[0];
  assert_true(r.modules[2].cached);
  assert_int_equal(k->registers, 64);
  assert_int_equal(k->n_sass, 8);
  assert_null(k->sass_reason);
  const struct run_instruction *load = &k->sass[1];
  assert_int_equal(load->offset, 16);
  assert_string_equal(load->text, "LDG.E.128.CONSTANT R4, desc[UR4][R2.64]");
  assert_int_equal(load->n_lines, 2);
  assert_string_equal(r.sources[load->lines[0].source].name, "common/load.cuh");
  assert_int_equal(load->lines[0].line, 2);
  assert_string_equal(r.sources[load->lines[1].source].name, "cuda/2-intrinsics.cu");
  assert_int_equal(k->sass[3].lines[0].source, -1);
  assert_int_equal(r.modules[3].kernels[0].spill_load_bytes, 256);
  assert_int_equal(r.modules[4].kernels[1].spill_load_bytes, -1);
  assert_string_equal(r.modules[4].kernels[1].sass_reason, "nvdisasm was not found");
  assert_true(r.modules[4].compile_s == 0.0625);
  run_release(&r);
}

static void test_golden_results(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  const struct run_result *fast = run_result_find(&r, "cuda-2-intrinsics", one);
  assert_non_null(fast);
  assert_string_equal(fast->path, "software conversion");
  assert_true(fast->bytes_minimal == 66083840.0);
  assert_true(fast->bytes_contest == 66213888.0);
  assert_int_equal(fast->timing.n, 12);
  assert_true(fast->timing.samples_ns[4] == 31936.0);
  assert_int_equal(fast->launches[0].grid[0], 896);
  assert_int_equal(fast->launches[0].cluster[0], 0);
  assert_int_equal(fast->n_samples, 8);
  assert_string_equal(fast->samples[0].reason, "long_scoreboard");
  assert_true(fast->samples[0].samples == 600 && fast->samples[0].not_issued == 580);
  assert_true(fast->sampling.user == 1000 && fast->sampling.dropped == 5 && fast->sampling.period_cycles == 2048);
  assert_null(fast->sampling.reason);
  assert_int_equal(fast->n_counts, 2);
  assert_true(fast->counts[0].executed == 57344 && fast->counts[0].threads == 1835008);
  assert_true(fast->counts[0].global_sectors == 917504 && fast->counts[0].shared_wavefronts == -1);
  assert_string_equal(fast->params[0].key, "THREADS_PER_ROW");

  const struct run_metric *read = run_metric_find(fast, "dram_read_bytes");
  assert_true(read->present && read->value == 66069504.0);
  assert_string_equal(read->source, "dram__bytes_read.sum");
  const struct run_metric *absent = run_metric_find(fast, "stall_imc_miss");
  assert_false(absent->present);
  assert_string_equal(absent->reason, "no metric of this name on GH100");
  assert_null(run_metric_find(fast, "no_such_metric"));

  const struct run_result *side = run_result_find(&r, "cuda-2-side", eight);
  assert_int_equal(side->check.verdict, VERDICT_FAILED);
  assert_int_equal(side->timing.n, 0);
  assert_null(side->timing.samples_ns);
  assert_int_equal(run_result_find(&r, "control-null", eight)->check.verdict, VERDICT_SKIPPED);
  assert_int_equal(run_result_find(&r, "control-null", eight)->module, -1);

  const struct run_check *wrong = &run_result_find(&r, "wrong-nibbles", one)->check;
  assert_int_equal(wrong->verdict, VERDICT_WRONG);
  assert_string_equal(wrong->cause, "nibbles");
  assert_true(wrong->got_present && wrong->got == -12.5 && wrong->max_ratio == 640);
  assert_false(run_result_find(&r, "wrong-nibbles", eight)->check.got_present);
  run_release(&r);
}

/* The stall reasons of the golden rung are shares of its warp cycles: 1.5 GHz x 50 us counted = 60,000 cycles, of which 54,000 active on
 * 132 SMs with 32 warps each. */
static void test_golden_adds_up(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  const struct run_result *fast = run_result_find(&r, "cuda-2-intrinsics", one);
  double stalls = 0;
  for (size_t i = 0; i < fast->n_metrics; i++) {
    if (strncmp(fast->metrics[i].name, "stall_", 6) == 0 && fast->metrics[i].present)
      stalls += fast->metrics[i].value;
  }
  assert_true(stalls == 132.0 * 54000 * 32);
  assert_true(run_metric_find(fast, "warps_active")->value == stalls);
  assert_true(run_metric_find(fast, "sm_clock_hz")->value == 1.5e9);
  run_release(&r);
}

static void test_accessors(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  struct shape shapes[3] = {{0}};
  assert_int_equal(run_shapes(&r, shapes, 3), 2);
  assert_true(shape_equal(shapes[0], one) && shape_equal(shapes[1], eight));
  struct shape first = {0};
  assert_int_equal(run_shapes(&r, &first, 1), 2);
  assert_int_equal(run_shapes(&r, NULL, 0), 2);

  const struct run_variant *v = run_variant_find(&r, "cuda-2-intrinsics");
  assert_string_equal(v->parent, "cuda-1-coalesced");
  assert_int_equal(v->n_published, 2);
  assert_true(v->published[0].time_ns == 39000 && v->published[1].approximate);
  assert_string_equal(run_variant_key(v, "cures"), "issue-slots");
  assert_null(run_variant_key(v, "wrong"));
  assert_true(run_variant_find(&r, "cuda-2-side")->side);
  assert_true(run_variant_find(&r, "wrong-nibbles")->wrong);
  assert_null(run_variant_find(&r, "cuda-9"));
  assert_null(run_result_find(&r, "cuda-9", one));
  assert_null(run_result_find(&r, "cuda-2-intrinsics", (struct shape){128, 256, 1}));

  assert_string_equal(run_origin_name(ORIGIN_PUBLISHED), "published");
  assert_string_equal(run_verdict_name(VERDICT_OUT_OF_RANGE), "out of range");
  assert_string_equal(run_verdict_name((enum run_verdict)99), "unknown");
  run_release(&r);
  static const struct run zero;
  assert_memory_equal(&r, &zero, sizeof r);
  run_release(&r);
}

static void test_round_trip(void **state) {
  (void)state;
  struct run r;
  struct err e = {0};
  size_t n = 0, n_golden = 0;
  golden_load(&r);
  assert_int_equal(run_save(&r, scratch, &e), 0);
  char *golden = whole(GOLDEN, &n_golden), *saved = whole(scratch, &n);
  assert_int_equal(n, n_golden);
  assert_memory_equal(saved, golden, n);
  free(golden);
  free(saved);
  unlink(scratch);
  run_release(&r);
}

/* Saves and loads a run whose flush_bytes, l2 and seed are these; the loaded run is the caller's. */
static void through_file(struct run *out, double number, char *string, uint64_t seed) {
  struct run r = {.tool = "t", .l2 = string, .inputs = "default", .flush_bytes = number, .seed = seed};
  struct err e = {0};
  r.device.name = "d";
  if (run_save(&r, scratch, &e) || run_load(out, scratch, &e))
    fail_msg("%s", e.text);
  unlink(scratch);
}

static void test_numbers(void **state) {
  (void)state;
  const double exact[] = {
      0.1, 1.0 / 3, 5e-324, DBL_MAX, 9007199254740993.0, 123456.789, 1e15, 1e-7, 66213888.0 / 7.68e12};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
    struct run r = {0};
    through_file(&r, exact[i], "cold", 0);
    assert_true(r.flush_bytes == exact[i]);
    run_release(&r);
  }
  const uint64_t seeds[] = {0, 1ull << 53, (1ull << 53) + 1, INT64_MAX, UINT64_MAX};
  for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
    struct run r = {0};
    through_file(&r, 0, "cold", seeds[i]);
    assert_true(r.seed == seeds[i]);
    run_release(&r);
  }
}

static void test_number_text(void **state) {
  (void)state;
  struct run_result r = {.shape = one, .bytes_minimal = 0.1, .bytes_contest = -0.0, .flops = 7.68e12};
  struct err e = {0};
  char *line = run_result_to_line(&r, &e);
  assert_non_null(line);
  assert_non_null(strstr(line, "\"bytes_minimal\": 0.1, \"bytes_contest\": 0, "));
  assert_non_null(strstr(line, "\"flops\": 7680000000000, "));
  free(line);
}

static void test_strings(void **state) {
  (void)state;
  static const struct {
    char *in, *out;
  } strings[] = {
      {"", ""},
      {"a \"quoted\" \\ / \t\n\r\x01\x7f", "a \"quoted\" \\ / \t\n\r\x01\x7f"},
      {"µs × 3 \xF0\x9F\x98\x80", "µs × 3 \xF0\x9F\x98\x80"},
      {"Latin-1: \xE9t\xE9.", "Latin-1: \uFFFDt\uFFFD."},
      {"cut \xE2\x82", "cut \uFFFD\uFFFD"},
      {"overlong \xC0\xAF", "overlong \uFFFD\uFFFD"},
      {"surrogate \xED\xA0\x80", "surrogate \uFFFD\uFFFD\uFFFD"},
      {"least of two, three, four \xC2\x80\xE0\xA0\x80\xF0\x90\x80\x80",
       "least of two, three, four \xC2\x80\xE0\xA0\x80\xF0\x90\x80\x80"},
      {"greatest \xDF\xBF\xED\x9F\xBF\xEF\xBF\xBF\xF4\x8F\xBF\xBF",
       "greatest \xDF\xBF\xED\x9F\xBF\xEF\xBF\xBF\xF4\x8F\xBF\xBF"},
      {"overlong \xE0\x9F\xBF", "overlong \uFFFD\uFFFD\uFFFD"},
      {"overlong \xF0\x8F\xBF\xBF", "overlong \uFFFD\uFFFD\uFFFD\uFFFD"},
      {"none begins so \xF5\x80", "none begins so \uFFFD\uFFFD"},
      {"beyond \xF4\x90\x80\x80", "beyond \uFFFD\uFFFD\uFFFD\uFFFD"},
  };
  for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
    struct run r = {0};
    through_file(&r, 0, strings[i].in, 0);
    assert_string_equal(r.l2, strings[i].out);
    run_release(&r);
  }
}

/* A refused save names the place and leaves the file of before as it was. */
static void save_fails(const struct run *r, enum err_code code, const char *words) {
  struct err e = {0};
  size_t n = 0;
  assert_int_equal(file_write(scratch, "before", 6, &e), 0);
  assert_int_equal(run_save(r, scratch, &e), code);
  if (!strstr(e.text, words))
    fail_msg("\"%s\" is not in \"%s\"", words, e.text);
  char *still = whole(scratch, &n);
  assert_string_equal(still, "before");
  free(still);
  unlink(scratch);
}

static void test_save_refuses(void **state) {
  (void)state;
  struct run r;
  golden_load(&r);
  struct run_result *fast = &r.results[4];

  fast->metrics[2].value = NAN;
  save_fails(&r, ERR_DATA, "results[4].metrics[2].value: the number is not finite");
  fast->metrics[2].value = 1;

  fast->timing.samples_ns[7] = INFINITY;
  save_fails(&r, ERR_DATA, "results[4].timing.samples_ns[7]: the number is not finite");
  fast->timing.samples_ns[7] = -1;
  save_fails(&r, ERR_DATA, "results[4].timing.samples_ns[7]: -1 is less than 0");
  fast->timing.samples_ns[7] = 1;

  fast->module = 6;
  save_fails(&r, ERR_DATA, "results[4].module: 6 is not an index into modules, which has 6 entries");
  fast->module = 2;

  fast->check.verdict = (enum run_verdict)77;
  save_fails(&r, ERR_DATA, "results[4].check.verdict: 77 is not one of the 6");
  fast->check.verdict = VERDICT_PASS;

  char *id = r.variants[1].id;
  r.variants[1].id = NULL;
  save_fails(&r, ERR_DATA, "variants[1].id: missing");
  r.variants[1].id = id;

  char *tool = r.tool;
  r.tool = NULL;
  save_fails(&r, ERR_DATA, "tool: missing");
  r.tool = tool;

  char *note = r.notes[1];
  r.notes[1] = NULL;
  save_fails(&r, ERR_DATA, "notes[1]: missing");
  r.notes[1] = note;

  r.modules[2].kernels[0].spill_load_bytes = -2;
  save_fails(&r, ERR_DATA, "modules[2].kernels[0].spill_load_bytes: -2 is less than -1");
  r.modules[2].kernels[0].spill_load_bytes = 0;

  const struct shape was = fast->shape;
  fast->shape = (struct shape){.sizes = "N=4K"};
  save_fails(&r, ERR_DATA, "results[4].shape: the sizes 'N=4K' are not written as this tool writes them");
  fast->shape = (struct shape){.sizes = "N=x"};
  save_fails(&r, ERR_DATA, "N must be a whole number");
  fast->shape = (struct shape){.m = 1, .sizes = "N=4096"};
  save_fails(&r, ERR_DATA, "results[4].shape: it has sizes 'N=4096' and extents too");
  fast->shape = was;

  static const char *const nowhere[] = {"no/such/folder/run.json", "no/such/folder/run.json.gz"};
  for (size_t i = 0; i < 2; i++) {
    struct err e = {0};
    assert_int_equal(run_save(&r, nowhere[i], &e), ERR_IO);
    assert_non_null(strstr(e.text, nowhere[i]));
  }
  run_release(&r);
}

/* An absent number is not looked at: whatever stands in its place. */
static void test_absent_is_null(void **state) {
  (void)state;
  struct run_result r = {.shape = one, .check.got = NAN};
  struct err e = {0};
  char *line = run_result_to_line(&r, &e);
  assert_non_null(line);
  assert_non_null(strstr(line, "\"got\": null, \"want\": 0}"));
  free(line);
}

static void test_result_line(void **state) {
  (void)state;
  struct run r;
  struct err e = {0};
  golden_load(&r);
  for (size_t i = 0; i < r.n_results; i++) {
    char *line = run_result_to_line(&r.results[i], &e);
    assert_non_null(line);
    assert_null(strchr(line, '\n'));
    struct run_result back;
    assert_int_equal(run_result_from_line(&back, line, &e), 0);
    char *again = run_result_to_line(&back, &e);
    assert_string_equal(line, again);
    assert_int_equal(back.n_metrics, r.results[i].n_metrics);
    run_result_release(&back);
    free(line);
    free(again);
  }
  r.results[0].flops = NAN;
  assert_null(run_result_to_line(&r.results[0], &e));
  assert_string_equal(e.text, "flops: the number is not finite, and only finite numbers are saved");
  run_release(&r);
}

static void line_fails(const char *line, const char *words) {
  static const struct run_result zero;
  struct run_result r;
  struct err e = {0};
  assert_int_equal(run_result_from_line(&r, line, &e), ERR_DATA);
  if (!strstr(e.text, words))
    fail_msg("\"%s\" is not in \"%s\"", words, e.text);
  assert_memory_equal(&r, &zero, sizeof r);
}

static void test_line_refuses(void **state) {
  (void)state;
  line_fails("", "a worker's result:1:");
  line_fails("[]", "a worker's result: the whole: expected an object, found an array");
  line_fails("{\"variant\": 0", "the line is cut short or damaged");
  line_fails("{\"variant\": 0}", "a worker's result: shape: missing");
  struct run_result r = {.shape = {7168, 100, 1}};
  char *line = run_result_to_line(&r, NULL);
  line_fails(line, "a worker's result: shape: ");
  free(line);
}

/* The outline of a file is the file without its long arrays; a fault is told as of the whole. */
static void test_outline(void **state) {
  (void)state;
  static const char path[] = "test_run_file.outline.json";
  struct run whole_run, outline;
  struct err e = {0}, other = {0};
  golden_load(&whole_run);
  assert_int_equal(run_load_outline(&outline, GOLDEN, &e), 0);
  assert_int_equal(outline.n_results, whole_run.n_results);
  for (size_t i = 0; i < outline.n_results; i++) {
    assert_int_equal(outline.results[i].timing.n, 0);
    assert_int_equal(outline.results[i].n_samples, 0);
    assert_int_equal(outline.results[i].n_counts, 0);
    assert_int_equal(outline.results[i].n_metrics, whole_run.results[i].n_metrics);
    assert_int_equal(outline.results[i].timing.discarded, whole_run.results[i].timing.discarded);
  }
  assert_int_equal(outline.modules[2].kernels[0].n_sass, 0);
  assert_string_equal(outline.sources[1].text, whole_run.sources[1].text);
  run_release(&outline);
  run_release(&whole_run);
  size_t n;
  char *text = whole(GOLDEN, &n), *samples = strstr(text, "\"samples_ns\": [") + strlen("\"samples_ns\": [");
  const struct {
    size_t at;
    char byte;
  } faults[] = {
      {(size_t)(samples - text), 'x'}, {(size_t)(samples - text), '{'}, {(size_t)(samples - text), 1}, {n / 2, 0}};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    char was = text[faults[i].at];
    text[faults[i].at] = faults[i].byte;
    assert_int_equal(file_write(path, text, faults[i].byte ? n : faults[i].at, &e), 0);
    assert_int_equal(run_load_outline(&outline, path, &e), ERR_DATA);
    assert_int_equal(run_load(&whole_run, path, &other), ERR_DATA);
    assert_string_equal(e.text, other.text);
    text[faults[i].at] = was;
  }
  free(text);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden_head),    cmocka_unit_test(test_outline),
      cmocka_unit_test(test_golden_modules), cmocka_unit_test(test_golden_results),
      cmocka_unit_test(test_golden_adds_up), cmocka_unit_test(test_accessors),
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_number_text),    cmocka_unit_test(test_strings),
      cmocka_unit_test(test_save_refuses),   cmocka_unit_test(test_absent_is_null),
      cmocka_unit_test(test_result_line),    cmocka_unit_test(test_line_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
