/* Nsight Compute's own reports: the values against ncu's CSV of the same reports, and reports that are broken. */
#include "base/file.h"
#include "profiler/import/import.h"
#include "run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES TEST_SOURCE_DIR "/tests/import/"

static struct import_file sample(const char *name) {
  char path[512];
  char *text = NULL;
  struct import_file file = {name};
  struct err e = {0};
  snprintf(path, sizeof path, SAMPLES "%s", name);
  if (import_file_read(&text, &file.n, path, &e))
    fail_msg("%s", e.text);
  file.text = text;
  return file;
}

static int import_one(struct run *run, const struct import_file *file, struct err *e) {
  return import_ncu(run, &(struct import_options){.files = file, .n_files = 1}, e);
}

static double metric(const struct run_result *r, const char *name) {
  for (size_t i = 0; i < r->n_metrics; i++)
    if (strcmp(r->metrics[i].name, name) == 0 && r->metrics[i].present)
      return r->metrics[i].value;
  fail_msg("no metric %s", name);
  return 0;
}

static bool disassembled(const struct run *run) {
  if (run->n_modules)
    return true;
  print_message("SKIPPED: the code of reports: nvdisasm is not here\n");
  return false;
}

/* What `ncu --page raw --csv --print-units base` prints of it. */
static void a_launch_is_what_ncu_prints(void **state) {
  (void)state;
  struct import_file file = sample("transpose.ncu-rep.gz");
  struct run run;
  struct err e = {0};
  if (import_one(&run, &file, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.n_results, 1);
  const struct run_result *r = &run.results[0];
  assert_string_equal(run.variants[0].id, "transpose_conflict(const float *, float *, int)");
  assert_int_equal(r->launches[0].grid[0], 128);
  assert_int_equal(r->launches[0].grid[1], 128);
  assert_int_equal(r->launches[0].block[1], 32);
  assert_int_equal(r->launches[0].registers, 16);
  assert_int_equal(r->launches[0].smem_static, 4096);
  assert_true(r->timing.samples_ns[0] == 124800);
  assert_true(metric(r, "dram_read_bytes") == 67137792);
  assert_true(metric(r, "inst_executed") == 19922944);
  assert_string_equal(run.device.name, "NVIDIA H200");
  assert_int_equal(run.device.sm, 90);
  run_release(&run);
  free((char *)file.text);
}

/* A C name is no demangled one; of cycles of the L1 ncu's full set has the share of their peak alone: our counter had 121,114,372 of the same launch. */
static void a_rung_of_ours(void **state) {
  (void)state;
  struct import_file file = sample("rung.ncu-rep.gz");
  struct run run;
  struct err e = {0};
  if (import_one(&run, &file, &e))
    fail_msg("%s", e.text);
  assert_string_equal(run.variants[0].id, "gemv");
  double wavefronts = metric(&run.results[0], "l1_wavefronts");
  assert_true(wavefronts > 0.9999 * 121114372 && wavefronts < 1.0001 * 121114372);
  if (disassembled(&run)) { /* the report carries no file, and its cubin names two */
    const struct run_kernel *k = &run.modules[0].kernels[0];
    size_t inlined = 0;
    assert_int_equal(run.n_sources, 2);
    assert_true(str_ends(run.sources[0].name, "/cuda/0-naive.cu"));
    assert_true(str_ends(run.sources[1].name, "/common/decode_bits.cuh"));
    assert_string_equal(run.sources[0].text, "");
    for (size_t i = 0; i < k->n_sass; i++)
      inlined += k->sass[i].n_lines == 2 && k->sass[i].lines[0].source == 1 && k->sass[i].lines[0].line == 18 &&
                 k->sass[i].lines[1].source == 0 && k->sass[i].lines[1].line == 31;
    assert_int_equal(inlined, 42);
    for (size_t i = 0; i < run.n_notes; i++)
      assert_null(strstr(run.notes[i], "call order")); /* which the cubin tells */
  }
  run_release(&run);
  free((char *)file.text);
}

/* Of `ncu --page source --csv --print-source sass`: 48 instructions and 14,897 samples; an LDS of 16,777,216 wavefronts where 524,288 would do, at
 * 0x260 from the start, on line 9 of the file. */
static void an_instruction_has_its_samples_counts_and_line(void **state) {
  (void)state;
  struct import_file file = sample("transpose.ncu-rep.gz");
  struct run run;
  struct err e = {0};
  if (import_one(&run, &file, &e))
    fail_msg("%s", e.text);
  if (disassembled(&run)) {
    const struct run_result *r = &run.results[0];
    const struct run_kernel *k = &run.modules[0].kernels[0];
    uint64_t samples = 0;
    bool found = false;
    for (size_t i = 0; i < r->n_samples; i++)
      samples += r->samples[i].samples;
    assert_int_equal(samples, 14897);
    assert_int_equal(k->n_sass, 48);
    for (size_t i = 0; i < r->n_counts; i++) {
      if (r->counts[i].shared_wavefronts != 16777216)
        continue;
      found = true;
      assert_true(r->counts[i].shared_wavefronts_ideal == 524288);
      for (size_t j = 0; j < k->n_sass; j++) {
        if (k->sass[j].offset != r->counts[i].offset)
          continue;
        assert_string_equal(k->sass[j].text, "LDS R9, [R0]");
        assert_int_equal(k->sass[j].lines[0].line, 9);
      }
    }
    assert_true(found);
    assert_string_equal(run.sources[0].name, "samples.cu");
    assert_non_null(strstr(run.sources[0].text, "transpose_conflict"));
  }
  run_release(&run);
  free((char *)file.text);
}

/* Two ranges, a command list with a name of its own and a graph, in three blocks: 161.28 us each, and no geometry. */
static void what_is_several_kernels_is_a_result(void **state) {
  static const char *const names[] = {"range 1", "range 2", "my list", "graph 1"};
  (void)state;
  struct import_file file = sample("kinds.ncu-rep.gz");
  struct run run;
  struct err e = {0};
  bool said = false;
  if (import_one(&run, &file, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.n_results, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(run.variants[i].id, names[i]);
    assert_true(run.results[i].timing.samples_ns[0] == 161280);
    for (int k = 0; k < 3; k++)
      assert_true(run.results[i].launches[0].grid[k] == 0 && run.results[i].launches[0].block[k] == 0);
    assert_int_equal(run.results[i].n_counts, 0);
  }
  for (size_t i = 0; i < run.n_notes; i++)
    said = said || strstr(run.notes[i], "a range, graph or command list holds several kernels");
  assert_true(said);
  run_release(&run);
  free((char *)file.text);
}

/* Five kernels; the string table of the first block holds for the others, the cubin of the first for all. */
static void later_blocks_use_what_came_before(void **state) {
  (void)state;
  struct import_file file = sample("source-counters.ncu-rep.gz");
  struct run run;
  struct err e = {0};
  if (import_one(&run, &file, &e))
    fail_msg("%s", e.text);
  assert_int_equal(run.n_results, 5);
  assert_string_equal(run.variants[4].id, "void strided<float, (int)8>(const T1 *, T1 *, unsigned long)");
  if (disassembled(&run))
    for (size_t i = 0; i < run.n_results; i++)
      assert_true(run.results[i].module >= 0 && run.results[i].n_samples > 0);
  run_release(&run);
  free((char *)file.text);
}

/* Cut anywhere, a report is refused by its name and byte; it is never read beyond its end (the tests run under AddressSanitizer too). */
static void a_report_cut_short_is_refused(void **state) {
  (void)state;
  struct import_file whole = sample("transpose.ncu-rep.gz");
  size_t refused = 0, cuts = 0;
  for (size_t n = 4; n < whole.n; n += whole.n / 97, cuts++) {
    char *bytes = malloc(n);
    struct run run;
    struct err e = {0};
    assert_non_null(bytes);
    memcpy(bytes, whole.text, n);
    struct import_file cut = {"cut.ncu-rep", bytes, n};
    if (import_one(&run, &cut, &e)) {
      refused++;
      assert_int_equal(e.code, ERR_DATA);
      assert_non_null(strstr(e.text, "cut.ncu-rep"));
    }
    run_release(&run);
    free(bytes);
  }
  /* What lies behind the last result are settings: a cut between its blocks is no loss. */
  assert_true(refused >= cuts - 2);
  free((char *)whole.text);
}

static void sizes_beyond_the_end_are_refused_by_byte(void **state) {
  (void)state;
  static const char bytes[] = "NVR\0\x02\0\0\0\x08\x07\xff\xff\xff\x7f";
  struct import_file file = {"x.ncu-rep", bytes, sizeof bytes - 1};
  struct run run;
  struct err e = {0};
  assert_int_equal(import_one(&run, &file, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "x.ncu-rep: byte 10: a size goes beyond the end"));
  assert_non_null(strstr(e.text, "--page raw"));
  run_release(&run);
}

static void a_report_without_kernels_says_so(void **state) {
  (void)state;
  static const char bytes[] = "NVR\0\x02\0\0\0\x08\x07";
  struct import_file file = {"x.ncu-rep", bytes, sizeof bytes - 1};
  struct run run;
  struct err e = {0};
  assert_int_equal(import_one(&run, &file, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "holds no kernel"));
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_launch_is_what_ncu_prints),
      cmocka_unit_test(a_rung_of_ours),
      cmocka_unit_test(an_instruction_has_its_samples_counts_and_line),
      cmocka_unit_test(what_is_several_kernels_is_a_result),
      cmocka_unit_test(later_blocks_use_what_came_before),
      cmocka_unit_test(a_report_cut_short_is_refused),
      cmocka_unit_test(sizes_beyond_the_end_are_refused_by_byte),
      cmocka_unit_test(a_report_without_kernels_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
