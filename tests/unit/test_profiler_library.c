#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profiler/cuda/library.h"

/* FAKES: the folder of the fake libraries, one folder a kind (tests/fake/fake.h). */

static char error[4096];

#define assert_says(e, part)                                                                                           \
  do {                                                                                                                 \
    snprintf(error, sizeof error, "\"%s\" does not say \"%s\"", (e).text, part);                                       \
    if (!strstr((e).text, part))                                                                                       \
      fail_msg("%s", error);                                                                                           \
  } while (0)

/* Libraries are looked for nowhere but where a test says. */
static int forget(void **state) {
  (void)state;
  const char *const names[] = {"NVFP4_LIBCUDA",   "NVFP4_LIBCUPTI",  "NVFP4_LIBNVML",     "NVFP4_LIBNVRTC",
                               "NVFP4_CUDA_HOME", "NVFP4_NVDISASM",  "CUDA_HOME",         "CUDA_PATH",
                               "NVFP4_FAKE",      "NVFP4_LIBCUBLAS", "NVFP4_LIBCUBLASLT", "NVFP4_CUDA_WHEELS"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    unsetenv(names[i]);
  return 0;
}

static struct driver driver;
static struct cupti cupti;
static struct nvml nvml;

static void the_named_file_is_loaded(void **state) {
  (void)state;
  struct err e = {0};
  setenv("NVFP4_LIBCUDA", FAKES "/whole/libcuda.so.1", 1);
  setenv("NVFP4_LIBCUPTI", FAKES "/whole/libcupti.so.13", 1);
  setenv("NVFP4_LIBNVML", FAKES "/whole/libnvidia-ml.so.1", 1);
  assert_int_equal(driver_load(&driver, &e), 0);
  assert_string_equal(driver.path, FAKES "/whole/libcuda.so.1");
  assert_int_equal(cupti_load(&cupti, &e), 0);
  assert_string_equal(cupti.path, FAKES "/whole/libcupti.so.13");
  assert_null(cupti.missing); /* every symbol of symbols.h is there */
  assert_int_equal(nvml_load(&nvml, &e), 0);
  assert_int_equal(e.code, 0);
  int version = 0;
  assert_int_equal(driver.cuDriverGetVersion(&version), CUDA_SUCCESS);
  assert_int_equal(version, 13000);
  assert_non_null(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor);
}

static void a_named_file_that_is_absent_is_an_error(void **state) {
  (void)state;
  struct err e = {0};
  /* A driver that lies in CUDA_HOME does not help: who names a file wants that one. */
  setenv("CUDA_HOME", FAKES "/home", 1);
  setenv("NVFP4_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
  assert_int_equal(driver_load(&driver, &e), ERR_MACHINE);
  assert_says(e, "libcuda.so.1 was not found");
  assert_says(e, "NVFP4_LIBCUDA: /nonexistent/libcuda.so.1");
  assert_says(e, "install NVIDIA's driver");
}

static void a_required_symbol_that_is_missing_is_named(void **state) {
  (void)state;
  struct err e = {0};
  setenv("NVFP4_LIBCUDA", FAKES "/lacks-required/libcuda.so.1", 1);
  assert_int_equal(driver_load(&driver, &e), ERR_MACHINE);
  assert_says(e, FAKES "/lacks-required/libcuda.so.1 lacks cuLaunchKernelEx");
  setenv("NVFP4_LIBCUPTI", FAKES "/lacks-required/libcupti.so.13", 1);
  assert_int_equal(cupti_load(&cupti, &e), ERR_MACHINE);
  assert_says(e, FAKES "/lacks-required/libcupti.so.13 lacks cuptiActivityEnable");
  assert_says(e, "kernel timestamps and hardware counters");
  setenv("NVFP4_LIBNVML", FAKES "/lacks-required/libnvidia-ml.so.1", 1);
  assert_int_equal(nvml_load(&nvml, &e), ERR_MACHINE);
  assert_says(e, FAKES "/lacks-required/libnvidia-ml.so.1 lacks nvmlInit_v2"); /* the first of its symbols */
}

static void an_optional_symbol_that_is_missing_is_null(void **state) {
  (void)state;
  struct err e = {0};
  setenv("NVFP4_LIBCUDA", FAKES "/lacks-optional/libcuda.so.1", 1);
  assert_int_equal(driver_load(&driver, &e), 0);
  assert_null(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor);
  assert_non_null(driver.cuTensorMapEncodeTiled);
  setenv("NVFP4_LIBCUPTI", FAKES "/lacks-optional/libcupti.so.13", 1);
  assert_int_equal(cupti_load(&cupti, &e), 0);
  assert_null(cupti.cuptiRangeProfilerEnable);
  assert_string_equal(cupti.missing, "cuptiRangeProfilerEnable cuptiPCSamplingStart cuptiSassMetricsEnable");
  free(cupti.missing);
  setenv("NVFP4_LIBNVML", FAKES "/lacks-optional/libnvidia-ml.so.1", 1);
  assert_int_equal(nvml_load(&nvml, &e), 0);
  assert_null(nvml.nvmlDeviceGetCurrentClocksThrottleReasons);
}

static void a_file_that_is_no_library_is_named(void **state) {
  (void)state;
  struct err e = {0};
  char path[] = "/tmp/nvfp4-library-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, "text", 4), 4);
  close(fd);
  setenv("NVFP4_LIBNVRTC", path, 1);
  static struct nvrtc nvrtc;
  int result = nvrtc_load(&nvrtc, &e);
  unlink(path);
  assert_int_equal(result, ERR_MACHINE);
  assert_says(e, path);
  assert_says(e, "compiling the rungs");
}

/* NVFP4_CUDA_HOME comes before CUDA_HOME, and lib64 and extras/CUPTI/lib64 are searched in each. */
static void toolkits_are_searched_in_order(void **state) {
  (void)state;
  struct err e = {0};
  char first[] = "/tmp/nvfp4-toolkit-XXXXXX", second[] = "/tmp/nvfp4-toolkit-XXXXXX", path[PATH_MAX], link[PATH_MAX];
  assert_non_null(mkdtemp(first));
  assert_non_null(mkdtemp(second));
  snprintf(path, sizeof path, "%s/bin", second);
  assert_int_equal(mkdir(path, 0777), 0);
  snprintf(link, sizeof link, "%s/bin/nvdisasm", second);
  assert_int_equal(symlink("/bin/true", link), 0);
  setenv("NVFP4_CUDA_HOME", first, 1);
  setenv("CUDA_HOME", second, 1);
  char found[LIBRARY_PATH_MAX];
  int result = program_find(found, "nvdisasm", &e);
  unlink(link);
  rmdir(path);
  rmdir(second);
  rmdir(first);
  assert_int_equal(result, 0);
  assert_string_equal(found, link);
}

static char place[PATH_MAX];

/* An empty file, or a link to target, whose folders are made; its path lies in `place`. */
static void put(const char *folder, const char *file, const char *target) {
  snprintf(place, sizeof place, "%s/%s", folder, file);
  for (char *slash = place + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = 0;
    mkdir(place, 0777);
  }
  if (target) {
    assert_int_equal(symlink(target, place), 0);
    return;
  }
  FILE *made = fopen(place, "wbe");
  assert_non_null(made);
  fclose(made);
}

/* pip puts beside us only what PyTorch has not brought elsewhere: the parts of one toolkit lie in several folders. */
static void wheels_lie_in_several_folders(void **state) {
  (void)state;
  struct err e = {0};
  static struct nvrtc nvrtc;
  char folder[] = "/tmp/nvfp4-wheels-XXXXXX", ours[64], theirs[64], toolkit[64], list[256], command[2 * PATH_MAX];
  assert_non_null(mkdtemp(folder));
  snprintf(ours, sizeof ours, "%s/ours/nvidia/cu13", folder);
  snprintf(theirs, sizeof theirs, "%s/theirs/nvidia/cu13", folder);
  snprintf(toolkit, sizeof toolkit, "%s/cuda-12", folder);
  put(folder, "ours/nvidia/cu13/bin/nvdisasm", "/bin/true");
  put(ours, "include/cccl/cuda/std/cstdint", NULL);
  put(ours, "include/crt/host_defines.h", NULL);
  put(theirs, "include/cuda_fp16.h", NULL);
  put(theirs, "lib/libnvrtc.so.13", FAKES "/whole/libnvrtc.so.13");
  put(toolkit, "include/cuda_fp16.h", NULL);
  put(toolkit, "lib64/libnvrtc.so.13", NULL);
  snprintf(command, sizeof command, "cp %s %s", FAKES "/whole/libnvrtc.so.13",
           place); /* a link would be the library that is loaded already */
  assert_int_equal(system(command), 0);
  snprintf(list, sizeof list, ":%s::%s", theirs, ours);
  setenv("NVFP4_CUDA_WHEELS", list, 1);
  char found[LIBRARY_PATH_MAX];
  assert_int_equal(program_find(found, "nvdisasm", &e), 0);
  snprintf(place, sizeof place, "%s/bin/nvdisasm", ours);
  assert_string_equal(found, place);
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  snprintf(place, sizeof place, "%s/lib/libnvrtc.so.13", theirs);
  assert_string_equal(nvrtc.path, place);
  snprintf(place, sizeof place, "%s/include", theirs);
  assert_string_equal(nvrtc.include[0], place);
  snprintf(place, sizeof place, "%s/include/cccl", ours);
  assert_string_equal(nvrtc.include[1], place);
  snprintf(place, sizeof place, "%s/include", ours);
  assert_string_equal(nvrtc.include[2], place);
  /* An installed toolkit is whole or not: headers of another would be of another version. */
  snprintf(place, sizeof place, "%s/lib64/libnvrtc.so.13", toolkit);
  setenv("NVFP4_LIBNVRTC", place, 1);
  nvrtc.path[0] = 0;
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
  snprintf(place, sizeof place, "%s/include", toolkit);
  assert_string_equal(nvrtc.include[0], place);
  assert_string_equal(nvrtc.include[1], "");
  assert_string_equal(nvrtc.include[2], "");
}

/* A library of the other architecture, in the named place and in a toolkit: the loader says "No such file". */
static void a_library_of_another_architecture_is_told(void **state) {
  (void)state;
  struct err e = {0};
  char folder[] = "/tmp/nvfp4-test-library.XXXXXX", path[128];
  static unsigned char head[4096];
  FILE *self = fopen("/proc/self/exe", "rbe");
  assert_non_null(self);
  assert_int_equal(fread(head, sizeof head, 1, self), 1);
  fclose(self);
  head[18] ^= 0xff; /* e_machine */
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/libcupti.so.13", folder);
  FILE *file = fopen(path, "wbe");
  assert_non_null(file);
  assert_int_equal(fwrite(head, sizeof head, 1, file), 1);
  fclose(file);
  setenv("NVFP4_LIBCUPTI", path, 1);
  assert_int_equal(cupti_load(&cupti, &e), ERR_MACHINE);
  assert_says(e, "(it is a library for another architecture)");
  unlink(path);
  rmdir(folder);
}

static void a_program_that_is_absent_is_named_with_its_remedy(void **state) {
  (void)state;
  struct err e = {0};
  char found[LIBRARY_PATH_MAX], *path = strdup(getenv("PATH"));
  setenv("PATH", "/nonexistent::relative", 1);
  int result = program_find(found, "no-such-program", &e);
  setenv("PATH", path, 1);
  free(path);
  assert_int_equal(result, ERR_MACHINE);
  assert_string_equal(found, "");
  assert_says(e, "no-such-program was not found");
}

/* A disassembler that was named and is not there must not be replaced by another in silence. */
static void a_named_nvdisasm_that_is_absent_is_an_error(void **state) {
  (void)state;
  struct err e = {0};
  char found[LIBRARY_PATH_MAX];
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1);
  assert_int_equal(program_find(found, "nvdisasm", &e), ERR_MACHINE);
  assert_says(e, "/nonexistent/nvdisasm");
}

static void a_failed_call_is_named(void **state) {
  (void)state;
  struct err e = {0};
  setenv("NVFP4_LIBCUDA", FAKES "/whole/libcuda.so.1", 1);
  setenv("NVFP4_LIBCUPTI", FAKES "/whole/libcupti.so.13", 1);
  assert_int_equal(driver_load(&driver, &e), 0);
  assert_int_equal(cupti_load(&cupti, &e), 0);
  assert_int_equal(driver_check(&driver, CUDA_SUCCESS, "cuInit", &e), 0);
  assert_int_equal(e.code, 0);
  assert_int_equal(driver_check(&driver, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", &e), ERR_GPU);
  assert_string_equal(e.text, "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: said by the fake driver");
  assert_int_equal(cupti_check(&cupti, CUPTI_SUCCESS, "cuptiActivityEnable", &e), 0);
  assert_int_equal(cupti_check(&cupti, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "cuptiRangeProfilerStart", &e), ERR_GPU);
  assert_says(e, "cuptiRangeProfilerStart: FAKE_CUPTI_ERROR_35: said by the fake CUPTI");
  assert_says(e, "NVreg_RestrictProfilingToAdminUsers=0");
  assert_int_equal(cupti_check(&cupti, CUPTI_ERROR_HARDWARE_BUSY, "cuptiRangeProfilerStart", &e), ERR_GPU);
  assert_says(e, "dcgmi profile --pause");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(the_named_file_is_loaded, forget),
      cmocka_unit_test_setup(a_named_file_that_is_absent_is_an_error, forget),
      cmocka_unit_test_setup(a_required_symbol_that_is_missing_is_named, forget),
      cmocka_unit_test_setup(an_optional_symbol_that_is_missing_is_null, forget),
      cmocka_unit_test_setup(a_file_that_is_no_library_is_named, forget),
      cmocka_unit_test_setup(toolkits_are_searched_in_order, forget),
      cmocka_unit_test_setup(a_library_of_another_architecture_is_told, forget),
      cmocka_unit_test_setup(a_program_that_is_absent_is_named_with_its_remedy, forget),
      cmocka_unit_test_setup(a_named_nvdisasm_that_is_absent_is_an_error, forget),
      cmocka_unit_test_setup(a_failed_call_is_named, forget),
      cmocka_unit_test_setup(wheels_lie_in_several_folders, forget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
