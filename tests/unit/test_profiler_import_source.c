/* Nsight Compute's views of the source, which say what each instruction did. */
#include "unit/imported.h"

/* --- views of the source --- */

static double executed_sum(const struct run_result *r) {
  double sum = 0;
  for (size_t i = 0; i < r->n_counts; i++)
    sum += r->counts[i].executed;
  return sum;
}

static uint64_t samples_of(const struct run_result *r, uint32_t offset, const char *reason) {
  for (size_t i = 0; i < r->n_samples; i++)
    if (r->samples[i].offset == offset && strcmp(r->samples[i].reason, reason) == 0)
      return r->samples[i].samples;
  return 0;
}

/* Launches add to the samples that are there: an instruction and reason stand once, and nothing is lost. */
static void samples_are_summed(const struct run_result *r) {
  uint64_t sum = 0;
  for (size_t i = 0; i < r->n_samples; i++) {
    sum += r->samples[i].samples;
    for (size_t j = 0; j < i; j++)
      assert_false(r->samples[i].offset == r->samples[j].offset &&
                   strcmp(r->samples[i].reason, r->samples[j].reason) == 0);
  }
  assert_true(r->n_samples > 0 && sum == r->sampling.user);
}

static void source_of_all_launches(void **state) {
  (void)state;
  struct run run = imported("raw-auto.csv", "source-sass.csv");
  const struct run_result *large = result_of(&run, AXPY_LARGE), *small = result_of(&run, AXPY_SMALL),
                          *matmul = result_of(&run, "matmul");
  /* What each instruction executed adds up to what the kernel did. */
  near(executed_sum(large), metric(large, "inst_executed"), 1e-12);
  near(executed_sum(small), metric(small, "inst_executed"), 1e-12);
  near(executed_sum(matmul), metric(matmul, "inst_executed"), 1e-12);
  assert_int_equal(large->sampling.launches, 3); /* the block that stands twice counts once */
  assert_int_equal(matmul->sampling.launches, 2);
  near(large->sampling.period_cycles, 2048, 1e-12);
  samples_are_summed(large);
  samples_are_summed(small);
  samples_are_summed(matmul);
  const struct run_kernel *k = &run.modules[small->module].kernels[0];
  assert_int_equal(k->n_sass, 64);
  assert_string_equal(k->sass[0].text, "LDC R1, c[0x0][0x28]");
  assert_int_equal(k->sass[1].offset, 16);
  assert_int_equal(samples_of(small, 0, "no_instruction"), 49);
  /* A lane loads 4 of every 16 bytes: a warp's load touches 16 sectors where 4 would do; 65,536 warps. */
  size_t load = 0;
  while (load < k->n_sass && !strstr(k->sass[load].text, "LDG"))
    load++;
  assert_int_equal(small->counts[load].offset, k->sass[load].offset);
  near(small->counts[load].global_sectors, 16 * 65536, 1e-12);
  near(small->counts[load].global_sectors_ideal, 4 * 65536, 1e-12);
  run_release(&run);
}

static void source_lines(void **state) {
  (void)state;
  struct run run;
  struct err e = {0};
  char *metrics = sample("raw-auto.csv"), *view = sample("source-lines.csv");
  assert_int_equal(import_texts(&run, metrics, view, NULL, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "s.csv: "
                                 "void axpy<float, (int)4>"));
  assert_non_null(strstr(e.text, "may be any of 2 kernels of m.csv"));
  run_release(&run);
  free(metrics);
  metrics = sample("transposed.csv"); /* one axpy */
  if (import_texts(&run, metrics, view, NULL, &e))
    fail_msg("%s", e.text);
  const struct run_result *axpy = result_of(&run, AXPY);
  const struct run_kernel *k = &run.modules[axpy->module].kernels[0];
  assert_int_equal(k->n_sass, 64);
  assert_int_equal(k->sass[0].n_lines, 1);
  assert_int_equal(k->sass[0].lines[0].line, 3);
  assert_int_equal(k->sass[1].lines[0].line, 4); /* S2R R2, SR_TID.X */
  assert_string_equal(run.sources[k->sass[0].lines[0].source].name, "foreign.cu");
  assert_string_equal(run.sources[0].text,
                      "\n\ntemplate <typename T, int N> __global__ void axpy(T a, const T *x, T *y, long n) {\n"
                      "long i = (blockIdx.x * (long)blockDim.x + threadIdx.x) * N;\n\n\n"
                      "if (i + j < n) y[i + j] = a * x[i + j] + y[i + j];\n}\n");
  run_release(&run);
  free(metrics);
  free(view);
}

static void malformed_source(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"\"Address\",\"Samples\"\n", "s.csv:1:1: a view of the source needs the columns \"Source\" and \"Address\""},
      {"\"Address\",\"Source\"\n\"zero\",\"NOP\"\n", "s.csv:2:1: 'zero' is not the address of an instruction"},
      {"\"Address\",\"Source\",\"stall_wait\"\n\"0x10\",\"NOP\",\"many\"\n", "s.csv:2:14: 'many' is not a number"},
      {"\"Address\",\"Source\",\"stall_wait\"\n\"0x10\",\"NOP\"\n", "s.csv:2:8: the row has 2 cells, its head 3"},
      {"\"Address\",\"Source\"\n", "s.csv:1:1: the view of the source holds no instruction"},
      {"\"Kernel Name\",\"other\"\n\"Address\",\"Source\"\n\"0x10\",\"NOP\"\n",
       "s.csv: shows the kernel other, which m.csv does not launch"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct run run;
    struct err e = {0};
    if (import_texts(&run, HEAD UNITS ROW("1"), cases[i].text, NULL, &e) != ERR_DATA || !strstr(e.text, cases[i].says))
      fail_msg("\"%s\" is not in \"%s\"", cases[i].says, e.text);
    run_release(&run);
  }
}

/* Ideal is what is asked for less what is excessive: 32768 - 28672 sectors, 4096 - 3072 wavefronts. */
static void source_of_the_user_interface(void **state) {
  (void)state;
  char *metrics = sample("no-geometry.csv"), *view = sample("source-gui.csv");
  struct run run;
  struct err e = {0};
  if (import_texts(&run, metrics, view, "gelu", &e))
    fail_msg("%s", e.text);
  const struct run_result *r = &run.results[0];
  assert_int_equal(r->n_counts, 4);
  assert_int_equal(r->counts[1].offset, 16);
  near(r->counts[1].global_sectors_ideal, 4096, 1e-12);
  near(r->counts[2].shared_wavefronts_ideal, 1024, 1e-12);
  assert_int_equal(r->sampling.user, 3 + 11 + 7 + 2);
  assert_string_equal(r->samples[1].reason, "unknown");
  assert_int_equal(r->samples[1].not_issued, 9);
  run_release(&run);
  free(metrics);
  free(view);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(source_of_all_launches),
      cmocka_unit_test(source_lines),
      cmocka_unit_test(malformed_source),
      cmocka_unit_test(source_of_the_user_interface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
