/* What the probe and doctor see of a machine that is fake in all, and what a kit for another holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "measured.h"
#include "profiler/kit/kit.h"
#include "profiler/kit/standalone.h"
#include "profiler/machine/machine.h"

#include <sys/stat.h>

static struct machine m;
static struct err e;

static const struct machine_row *row_of(const char *need) {
  for (size_t i = 0; i < m.n; i++)
    if (strcmp(m.rows[i].need, need) == 0)
      return &m.rows[i];
  fail_msg("no row %s", need);
  return NULL;
}

static void row_is(const char *need, enum machine_state state, const char *version, const char *where_ends,
                   const char *says) {
  const struct machine_row *r = row_of(need);
  size_t n = strlen(where_ends), length = strlen(r->where);
  if (r->state != state || strcmp(r->version, version) != 0 || length < n ||
      strcmp(r->where + length - n, where_ends) != 0 || (*says ? !strstr(r->text, says) : *r->text != 0))
    fail_msg("%s: state %d, version '%s', where '%s', text '%s'", need, (int)r->state, r->version, r->where, r->text);
}

static void program(const char *name, const char *script) {
  char *path = str_printf("%s/bin/%s", own_folder, name), *text = str_printf("#!/bin/sh\n%s\n", script);
  file_mkdirs_mode(own_folder, 0700, NULL);
  char *folder = str_printf("%s/bin", own_folder);
  mkdir(folder, 0700);
  assert_int_equal(file_write(path, text, strlen(text), &e), 0);
  assert_int_equal(chmod(path, 0700), 0);
  free(folder);
  free(text);
  free(path);
}

static void whole_machine(void) {
  char *path = str_printf("%s/none:%s/bin:/usr/bin:/bin", own_folder, own_folder),
       *disassembler = str_printf("%s/bin/nvdisasm", own_folder);
  bench_libraries("whole");
  setenv("NVFP4_LIBNVRTC", FAKES "/whole/libnvrtc.so.13", 1);
  program("gnuplot", "echo gnuplot 5.4 patchlevel 4");
  program("nvdisasm", "echo first; echo 'Cuda tools, release 13.7, V13.7.1 '; echo last");
  setenv("NVFP4_NVDISASM", disassembler, 1);
  setenv("PATH", path, 1);
  unsetenv("NVFP4_GNUPLOT");
  unsetenv("FAKE_UUID");
  free(path);
  free(disassembler);
}

static void a_whole_machine(void **state) {
  (void)state;
  whole_machine();
  machine_examine(&m, NULL, NULL, "none was recorded");
  row_is("driver", MACHINE_FOUND, "999.1, CUDA 13.0", "/whole/libcuda.so.1", "");
  row_is("GPU", MACHINE_FOUND, "Fake GPU 0 (1 of 1)", "", "sm_90, 4 SMs, 1000 MHz, 1 GB, chip FAKE100");
  row_is("CUPTI", MACHINE_FOUND, "130000", "/whole/libcupti.so.13", "");
  row_is("hardware counters", MACHINE_FOUND, "", "", "they can be read, and no other profiler holds them");
  row_is("PC sampling", MACHINE_FOUND, "", "", "stalls can be sampled");
  row_is("SASS metrics", MACHINE_FOUND, "", "", "executions can be counted");
  row_is("NVRTC", MACHINE_FOUND, "13.7", "/whole/libnvrtc.so.13", "");
  row_is("CUPTI library", MACHINE_FOUND, "130000", "/whole/libcupti.so.13", "");
  row_is("nvdisasm", MACHINE_FOUND, "release 13.7, V13.7.1", "/bin/nvdisasm", "");
  row_is("gnuplot", MACHINE_FOUND, "gnuplot 5.4 patchlevel 4", "/bin/gnuplot", "");
  row_is("compile cache", MACHINE_FOUND, "", "/cache", "");
  row_is("recorded run", MACHINE_MISSING, "", "", "none was recorded");
  assert_true(machine_lacks(&m, MACHINE_REPORTS)); /* for the recorded run */
  assert_false(machine_lacks(&m, MACHINE_MEASURES));
  assert_int_equal(row_of("NVRTC")->uses, MACHINE_COMPILES | MACHINE_MEASURES);
  assert_int_equal(row_of("gnuplot")->uses, MACHINE_REPORTS);
  assert_int_equal(row_of("GPU")->uses, MACHINE_MEASURES);
  machine_release(&m);
  assert_int_equal(m.n, 0);
}

static void a_recorded_run_is_told_by_its_device(void **state) {
  (void)state;
  whole_machine();
  machine_examine(&m, NULL, TEST_SOURCE_DIR "/tests/fixtures/cuda.json.gz", "none was recorded");
  row_is("recorded run", MACHINE_FOUND, "NVIDIA H200", "/tests/fixtures/cuda.json.gz", "2026-11-22T08:34:26Z");
  assert_false(machine_lacks(&m, MACHINE_REPORTS));
  machine_release(&m);
}

static void what_is_missing_costs_its_row(void **state) {
  (void)state;
  whole_machine();
  setenv("NVFP4_LIBNVML", "/nonexistent/libnvidia-ml.so", 1);
  setenv("NVFP4_GNUPLOT", "/nonexistent/gnuplot", 1);
  setenv("NVFP4_LIBNVRTC", "/nonexistent/libnvrtc.so", 1);
  setenv("NVFP4_CACHE", "/proc/none", 1);
  setenv("NVFP4_FAKE", "cuptiPCSamplingSetConfigurationAttribute=35,cuptiRangeProfilerSetConfig=35", 1);
  machine_examine(&m, "0", "/nonexistent/run.json", "");
  row_is("driver", MACHINE_FOUND, "unknown, CUDA 13.0", "/whole/libcuda.so.1", "");
  row_is("NVML", MACHINE_MISSING, "", "", "NVFP4_LIBNVML: /nonexistent/libnvidia-ml.so");
  row_is("hardware counters", MACHINE_MISSING, "", "", "ERR_NVGPUCTRPERM");
  row_is("PC sampling", MACHINE_MISSING, "", "", "cuptiPCSamplingSetConfigurationAttribute");
  row_is("SASS metrics", MACHINE_FOUND, "", "", "executions");
  row_is("NVRTC", MACHINE_MISSING, "", "", "NVFP4_LIBNVRTC: /nonexistent/libnvrtc.so");
  row_is("gnuplot", MACHINE_MISSING, "", "", "charts stay .gp and .dat files");
  row_is("compile cache", MACHINE_LIMITED, "", "", "no folder can be written");
  row_is("recorded run", MACHINE_MISSING, "", "/nonexistent/run.json", "No such file");
  assert_true(machine_lacks(&m, MACHINE_COMPILES));
  machine_release(&m);
  unsetenv("NVFP4_FAKE");
  setenv("NVFP4_CACHE", own_cache, 1);

  whole_machine();
  setenv("NVFP4_LIBCUPTI", FAKES "/lacks-optional/libcupti.so.13", 1);
  program("gnuplot", "sleep 100");
  setenv("NVFP4_PROGRAM_LIMIT", "0.2", 1);
  machine_examine(&m, NULL, NULL, "");
  row_is("CUPTI", MACHINE_LIMITED, "130000", "/lacks-optional/libcupti.so.13",
         "cuptiRangeProfilerEnable cuptiPCSamplingStart");
  row_is("CUPTI library", MACHINE_LIMITED, "130000", "/lacks-optional/libcupti.so.13",
         "cuptiRangeProfilerEnable cuptiPCSamplingStart");
  row_is("gnuplot", MACHINE_LIMITED, "", "/bin/gnuplot", "it did not print its version in time");
  assert_false(machine_lacks(&m, MACHINE_COMPILES));
  machine_release(&m);
  unsetenv("NVFP4_PROGRAM_LIMIT");

  whole_machine();
  setenv("NVFP4_LIBCUPTI", "/nonexistent/libcupti.so", 1);
  machine_examine(&m, NULL, NULL, "");
  row_is("CUPTI", MACHINE_MISSING, "", "", "NVFP4_LIBCUPTI: /nonexistent/libcupti.so");
  row_is("CUPTI library", MACHINE_MISSING, "", "", "NVFP4_LIBCUPTI: /nonexistent/libcupti.so");
  for (size_t i = 0; i < m.n; i++)
    assert_string_not_equal(m.rows[i].need, "PC sampling");
  machine_release(&m);

  whole_machine();
  setenv("NVFP4_FAKE", "cuInit=100", 1);
  machine_examine(&m, NULL, NULL, "");
  row_is("driver and GPU", MACHINE_MISSING, "", "/whole/libcuda.so.1", "cuInit: FAKE_ERROR_100");
  row_is("CUPTI", MACHINE_LIMITED, "", "", "asked only where there is a GPU");
  machine_release(&m);
  unsetenv("NVFP4_FAKE");
}

/* --- the probe --- */

static void a_probe_tells_the_card(void **state) {
  struct gpu_probe p;
  struct run_device d;
  (void)state;
  whole_machine();
  setenv("NVFP4_FAKE", "devices=2", 1);
  assert_int_equal(gpu_probe(&p, "1", false, &e), 0);
  assert_true(p.found);
  assert_string_equal(p.name, "Fake GPU 1");
  assert_int_equal(p.index, 1);
  assert_int_equal(p.count, 2);
  assert_string_equal(p.uuid, "GPU-a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1");
  assert_int_equal(strlen(p.uuid_hash), 16);
  gpu_probe_device(&d, &p);
  assert_string_equal(d.name, "Fake GPU 1");
  assert_string_equal(d.chip, "FAKE100");
  assert_int_equal(d.sm, 90);
  assert_int_equal(d.sms, 4);
  assert_int_equal(d.warps_per_sm, 64);
  assert_int_equal(d.regs_per_sm, 65536);
  assert_int_equal(d.smem_per_sm, 233472);
  assert_int_equal(d.smem_optin, 232448);
  assert_float_equal(d.l2_bytes, 1048576, 0);
  assert_float_equal(d.memory_bytes, 1073741824, 0);
  assert_float_equal(d.clock_max_hz, 1e9, 0);
  assert_float_equal(d.memory_clock_hz, 1e9, 0);
  assert_int_equal(d.memory_bus_bits, 1024);
  assert_string_equal(d.driver, "999.1");
  assert_string_equal(d.cuda_driver, "13.0");
  assert_string_equal(d.cupti, "130000");
  assert_int_equal(gpu_probe(&p, "a1a1", false, &e), 0); /* by its UUID, with GPU- or without */
  assert_int_equal(p.index, 1);
  assert_int_equal(gpu_probe(&p, "GPU-a0", false, &e), 0);
  assert_int_equal(p.index, 0);
  static const char *const nobody[] = {"2", "-1", "", "GPU-ff", "1a1a"};
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(gpu_probe(&p, nobody[i], false, &e), ERR_USAGE);
    assert_false(p.found);
    char *says = str_printf("--gpu %s: this machine has 2 GPUs (0 to 1); nvidia-smi -L lists their UUIDs", nobody[i]);
    assert_string_equal(e.text, says);
    free(says);
  }
  setenv("NVFP4_FAKE", "devices=0", 1);
  assert_int_equal(gpu_probe(&p, NULL, false, &e), ERR_MACHINE);
  assert_string_equal(e.text, "the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?)");
  setenv("NVFP4_FAKE", "cuDeviceGetUuid_v2=999", 1);
  assert_int_equal(gpu_probe(&p, NULL, false, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "cuDeviceGetUuid: FAKE_ERROR_999"));
  unsetenv("NVFP4_FAKE");
  struct gpu_probing going;
  assert_int_equal(gpu_probe_start(&going, NULL, false, &e), 0);
  gpu_probe_drop(&going);
  assert_null(going.shared);
  gpu_probe_drop(&going); /* it does not run */
  free(d.name), free(d.uuid_hash), free(d.chip), free(d.driver), free(d.cuda_driver), free(d.cupti);
}

/* --- a kit --- */

static struct bench b;
#define RUNG(more)                                                                                                     \
  "//! id: k\n//! ladder: k\n//! param: ROWS = 4\n//! options: maxrregcount = 64\n" more                               \
  "#include \"common/a.cuh\"\n#include \"common/b.cuh\"\n"                                                             \
  "extern \"C\" __global__ void gemv(int n) {}\n"
static const char plain[] =
    RUNG("//! scratch: t = 4 * M; fill = 7\n//! reset: fill t = 9\n//! reset: fill c = 1\n"
         "//! step: kernel = gemv; grid = ceil(M / 128), L; block = 128\n"
         "//! step: kernel = gemv; grid = 2, 3, 5; block = 32, 2, 4; smem = 77; cluster = 2, 1, 1; "
         "args = t, M + 1, i64(K), f32(1.5), f64(2.5)\n");

static void plan(const char *source) {
  const char *const files[] = {source};
  assert_int_equal(bench_plan(&b, files, 1, (struct shape){.m = 256, .k = 64, .l = 2}), 0);
  assert_int_equal(rung_set_add(&b.set, "common/a.cuh", "#pragma once\nint a;\n", &e), 0);
  assert_int_equal(rung_set_add(&b.set, "common/b.cuh", "#pragma once\n#include \"common/a.cuh\"\nint b;\n", &e), 0);
}

static void a_rung_becomes_one_file(void **state) {
  struct text out = {0};
  (void)state;
  plan(plain);
  const struct standalone s = {
      .set = &b.set, .plan = &b.trials[0].plan, .arch = "sm_90a", .sms = 4, .version = "1.2", .file = "mine.cu"};
  assert_int_equal(standalone_text(&out, &s, &e), 0);
  static const char *const says[] = {
      "#define ROWS 4",
      "sm_90a",
      "mine.cu",
      "--maxrregcount=64",
      "256x64x2",
      "2, 2, 1",
      "128, 1, 1",
      "2, 3, 5",
      "32, 2, 4",
      "77",
      "2, 1, 1",
      ", gemv_detail::pointer{t}, int(257), 64LL, float(1.5), double(2.5)",
      ", gemv_detail::pointer{a}, gemv_detail::pointer{b}, gemv_detail::pointer{sfa}, gemv_detail::pointer{sfb}, ",
      "gemv_detail::pointer{sfb}, gemv_detail::pointer{c}, int(256), int(64), int(2)",
      "1024"};
  for (size_t i = 0; i < sizeof says / sizeof *says; i++)
    if (!strstr(text_str(&out), says[i]))
      fail_msg("the file lacks %s:\n%s", says[i], text_str(&out));
  const char *a = strstr(text_str(&out), "int a;"), *second = strstr(text_str(&out), "int b;");
  assert_true(a && second && a < second && !strstr(a + 1, "int a;")); /* each header once, where it is first included */
  assert_null(strstr(text_str(&out), "//! id"));
  assert_null(strstr(text_str(&out), "#pragma once"));
  text_release(&out);
}

/* No scratch memory, no reset, no option, and an include as tight as C has it. */
static void a_rung_of_nothing_but_its_launch(void **state) {
  struct text out = {0};
  (void)state;
  plan("//! id: k\n//! ladder: k\n//! step: kernel = gemv; grid = 1; block = 32\n#include\"common/a.cuh\"\n"
       "extern \"C\" __global__ void gemv(int n) {}\n");
  const struct standalone s = {
      .set = &b.set, .plan = &b.trials[0].plan, .arch = "sm_90a", .sms = 4, .version = "1.2", .file = "mine.cu"};
  if (standalone_text(&out, &s, &e))
    fail_msg("%s", e.text);
  assert_non_null(strstr(text_str(&out), "int a;"));
  assert_null(strstr(text_str(&out), "#include\"common"));
  text_release(&out);
}

static void what_one_file_cannot_hold(void **state) {
  static const struct {
    const char *front, *why;
  } rows[] = {
      {"//! needs: sm >= 100\n//! step: kernel = gemv; grid = 1; block = 32\n", "k does not run there: "},
      {"//! output: none\n//! step: kernel = gemv; grid = 1; block = 32\n",
       "k computes no C, so one file cannot hold it; choose another rung"},
      {"//! host: cublas\n//! scratch: x = 64\n//! step: call = gemm; args = x, x, c\n", "k calls a library, so"},
      {"//! sf_layout: 128x4\n//! step: kernel = gemv; grid = 1; block = 32\n",
       "k takes scales in a layout other than the stored one"},
      {"//! setup: kernel = gemv; grid = 1; block = 32\n//! step: kernel = gemv; grid = 1; block = 32\n",
       "k has a set-up of its own"},
      {"//! reset: kernel = gemv; grid = 1; block = 32\n//! step: kernel = gemv; grid = 1; block = 32\n",
       "k launches another kernel before each repetition"},
      {"//! tensormap: map = a; type = u8; dims = 32, M; strides = 32; box = 32, 8\n//! step: kernel = gemv; grid = 1; block = 32; args = map\n",
       "k needs a tensor map, which the driver makes at run time"}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct text out = {0};
    char *source =
        str_printf("//! id: k\n//! ladder: k\n%sextern \"C\" __global__ void gemv(int n) {}\n", rows[i].front);
    plan(source);
    const struct standalone s = {
        .set = &b.set, .plan = &b.trials[0].plan, .arch = "sm_90a", .sms = 4, .version = "1", .file = "k.cu"};
    assert_int_equal(standalone_text(&out, &s, &e), ERR_USAGE);
    if (!strstr(e.text, rows[i].why))
      fail_msg("%s", e.text);
    text_release(&out);
    free(source);
  }
  struct text out = {0};
  plan(RUNG("//! step: kernel = gemv; grid = 1; block = 32\n"));
  b.set.n_files--; /* without common/b.cuh */
  const struct standalone s = {
      .set = &b.set, .plan = &b.trials[0].plan, .arch = "sm_90a", .sms = 4, .version = "1", .file = "k.cu"};
  assert_int_equal(standalone_text(&out, &s, &e), ERR_DATA);
  assert_string_equal(e.text, "x/0.cu includes \"common/b.cuh\", which is not among the rungs' headers");
  b.set.n_files++;
  text_release(&out);
}

/* Where a file of the tar begins, NULL: there is none; a head is 512 bytes, its size in octal at 124. */
static const char *in_tar(const struct text *tar, const char *name, size_t *n) {
  for (size_t at = 0; at + 512 <= tar->n && tar->s[at];) {
    *n = strtoul(tar->s + at + 124, NULL, 8);
    if (strcmp(tar->s + at, name) == 0)
      return tar->s + at + 512;
    at += 512 + (*n + 511) / 512 * 512;
  }
  return NULL;
}

/* As chmod takes it: octal at 100 of the head. */
static void mode_is(const struct text *tar, const char *name, unsigned mode) {
  size_t n = 0;
  const char *file = in_tar(tar, name, &n);
  assert_non_null(file);
  assert_int_equal(strtoul(file - 512 + 100, NULL, 8), mode);
}

static void tar_says(const struct text *tar, const char *name, const char *says) {
  size_t n = 0;
  const char *file = in_tar(tar, name, &n);
  if (!file || !memmem(file, n, says, strlen(says)))
    fail_msg("%s lacks %s:\n%.*s", name, says, file ? (int)n : 0, file ? file : "");
}

static void a_kit_holds_what_a_node_needs(void **state) {
  struct kit k = {{0}};
  struct run run;
  struct profile_options o;
  bool chosen[1] = {true};
  size_t n;
  const struct shape shapes[] = {{.m = 256, .k = 64, .l = 2}};
  (void)state;
  whole_machine();
  plan(plain);
  profile_options_default(&o);
  o.sass = false;
  const struct selection s = {b.set, chosen, (struct shape *)shapes, 1};
  assert_int_equal(profile_compile(&o, "sm_90a", &bench_chip, &s, &run, &e), 0);
  /* The profiler's own kernels are packed with SASS, so the rungs' too. */
  if (kit_add_cubins(&k, &run, "sm_90a", &b.set, &e))
    fail_msg("%s", e.text);
  assert_int_equal(k.n_cubins, 1 + 4 + 1);
  assert_string_equal(k.nvrtc, "13.7");
  assert_int_equal(kit_add_cubins(&k, &(struct run){0}, "sm_100a", &b.set, &e), 0);
  assert_string_equal(k.targets, "sm_90a,sm_100a");
  assert_int_equal(k.n_cubins, 6 + 5);
  assert_int_equal(kit_finish(&k, "1.2", NULL, "256x64x2", NULL, &e), 0);
  tar_says(&k.tar, "nvfp4-kit/kit/manifest", "nvfp4-prof kit 1\nnvrtc 13.7\ntargets sm_90a,sm_100a\ntool 1.2\ncubin ");
  char *line = str_printf("cubin %s sm_90a x/0.cu -DROWS=4 --maxrregcount=64\n", run.modules[0].key);
  tar_says(&k.tar, "nvfp4-kit/kit/manifest", line);
  tar_says(&k.tar, "nvfp4-kit/kit/manifest", " sm_90a nvfp4-prof.cu\ncubin ");
  tar_says(&k.tar, "nvfp4-kit/kit/manifest", " sm_100a ceilings\n");
  tar_says(&k.tar, "nvfp4-kit/run.sh",
           "exec ./nvfp4-prof --variant all --shape 256x64x2 --out measured --no-plots \"$@\"\n");
  tar_says(&k.tar, "nvfp4-kit/README.txt", "nvfp4-prof 1.2, a kit for sm_90a,sm_100a\n");
  tar_says(&k.tar, "nvfp4-kit/README.txt", "kit/ holds 11 cubins that NVRTC 13.7 made");
  tar_says(&k.tar, "nvfp4-kit/README.txt", "CUPTI (libcupti.so.13)");
  assert_non_null(in_tar(&k.tar, "nvfp4-kit/cuda/lib64/libcupti.so.13", &n));
  assert_non_null(in_tar(&k.tar, "nvfp4-kit/nvfp4-prof", &n));
  assert_true(n > 100000);
  mode_is(&k.tar, "nvfp4-kit/nvfp4-prof", 0755);
  mode_is(&k.tar, "nvfp4-kit/run.sh", 0755);
  mode_is(&k.tar, "nvfp4-kit/README.txt", 0644);
  mode_is(&k.tar, "nvfp4-kit/kit/manifest", 0644);
  mode_is(&k.tar, "nvfp4-kit/cuda/lib64/libcupti.so.13", 0644);
  char *entry = str_printf("nvfp4-kit/kit/%s.entry", run.modules[0].key);
  tar_says(&k.tar, entry, "cubin of x/0.cu\n");
  mode_is(&k.tar, entry, 0644);
  free(entry);
  free(line);
  kit_release(&k);
  /* What the script asks for where a kernel or variants were named. */
  static const struct {
    const char *variants, *kernel, *line;
  } rows[] = {{"cuda-*", NULL, "--variant 'cuda-*' --out"},
              {NULL, "k.cu", "--kernel k.cu --out"},
              {"k", "k.cu", "--kernel k.cu --variant k --out"}};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(kit_finish(&k, "1", rows[i].variants, NULL, rows[i].kernel, &e), 0);
    tar_says(&k.tar, "nvfp4-kit/run.sh", rows[i].line);
    kit_release(&k);
    k = (struct kit){{0}};
  }
  run_release(&run);
}

static void a_kit_without_its_parts(void **state) {
  struct kit k = {{0}};
  (void)state;
  whole_machine();
  plan(plain);
  setenv("NVFP4_LIBCUPTI", "/nonexistent/libcupti.so", 1);
  assert_int_equal(kit_finish(&k, "1", NULL, NULL, NULL, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "kit: "));
  kit_release(&k);
  k = (struct kit){
      .targets =
          "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"};
  assert_int_equal(kit_add_cubins(&k, &(struct run){0}, "sm_90a", &b.set, &e), ERR_USAGE);
  assert_string_equal(e.text, "--target: too many chips for one kit");
  setenv("NVFP4_CACHE", "/proc/none", 1);
  k.targets[0] = 0;
  assert_int_equal(kit_add_cubins(&k, &(struct run){0}, "sm_90a", &b.set, &e), ERR_IO);
  assert_non_null(strstr(e.text, "set NVFP4_CACHE to a folder"));
  setenv("NVFP4_CACHE", own_cache, 1);
  kit_release(&k);
}

static void a_users_file_comes_with_what_it_includes(void **state) {
  struct kit k = {{0}};
  static const char source[] = "#include \"near.h\"\n#include \"common/a.cuh\"\n", near[] = "int near;\n";
  (void)state;
  plan(plain);
  assert_int_equal(chdir(own_folder), 0);
  assert_int_equal(file_write("mine.cu", source, strlen(source), &e), 0);
  assert_int_equal(file_write("near.h", near, strlen(near), &e), 0);
  assert_int_equal(kit_add_source(&k, &b.set, "mine.cu", &e), 0);
  tar_says(&k.tar, "nvfp4-kit/mine.cu", source);
  tar_says(&k.tar, "nvfp4-kit/near.h", near);
  size_t n;
  assert_null(in_tar(&k.tar, "nvfp4-kit/common/a.cuh", &n)); /* which the program carries */
  char *absolute = str_printf("%s/mine.cu", own_folder);
  assert_int_equal(kit_add_source(&k, &b.set, absolute, &e), ERR_USAGE);
  assert_non_null(strstr(e.text, "does not lie below the current folder"));
  assert_int_equal(kit_add_source(&k, &b.set, "none.cu", &e), ERR_IO);
  free(absolute);
  kit_release(&k);
  assert_int_equal(chdir("/"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_whole_machine),
      cmocka_unit_test(what_is_missing_costs_its_row),
      cmocka_unit_test(a_recorded_run_is_told_by_its_device),
      cmocka_unit_test(a_probe_tells_the_card),
      cmocka_unit_test(a_rung_becomes_one_file),
      cmocka_unit_test(a_rung_of_nothing_but_its_launch),
      cmocka_unit_test(what_one_file_cannot_hold),
      cmocka_unit_test(a_kit_holds_what_a_node_needs),
      cmocka_unit_test(a_kit_without_its_parts),
      cmocka_unit_test(a_users_file_comes_with_what_it_includes),
  };
  return cmocka_run_group_tests(tests, own_open, own_close);
}
