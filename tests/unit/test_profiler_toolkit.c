/* Where a CUDA toolkit lies: its libraries, headers and programs in a folder made here; and what its errors say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "profiler/cuda/library.h"

#include <sys/stat.h>
#include <unistd.h>

static struct err e;
static struct nvrtc nvrtc;

static const char *at(const char *name) {
  static char path[4][700];
  static size_t next;
  char *to = path[next++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", own_folder, name);
  return to;
}

static void put(const char *name, const char *data, size_t n, mode_t mode) {
  char *folder = str_copy(at(name));
  *strrchr(folder, '/') = 0;
  assert_int_equal(file_mkdirs_mode(folder, 0700, &e), 0);
  free(folder);
  assert_int_equal(file_write(at(name), data, n, &e), 0);
  assert_int_equal(chmod(at(name), mode), 0);
}

static int forget(void **state) {
  static const char *const names[] = {"NVFP4_LIBNVRTC", "NVFP4_CUDA_HOME", "CUDA_HOME",         "CUDA_PATH",
                                      "NVFP4_NVDISASM", "NVFP4_PTXAS",     "NVFP4_ATTACH_TOOL", "NVFP4_NVCC"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    unsetenv(names[i]);
  return 0;
}

/* A copy: a link to a file that is loaded already would be that file. */
static void a_toolkit_has_its_library_and_its_headers(void **state) {
  char *data = NULL;
  size_t n = 0;
  (void)state;
  assert_int_equal(file_read(FAKES "/whole/libnvrtc.so.13", 16 << 20, &data, &n, &e), 0);
  put("home/extras/CUPTI/lib64/libnvrtc.so.13", data, n, 0700);
  free(data);
  put("empty/bin/none", "", 0, 0600);
  setenv("CUDA_HOME", at("empty"), 1);
  setenv("CUDA_PATH", at("home"), 1);
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  assert_string_equal(nvrtc.path, at("home/extras/CUPTI/lib64/libnvrtc.so.13"));
  /* Of the toolkit that the library came from first, however deep its folder of libraries lies. */
  setenv("CUDA_PATH", at("other"), 1);
  setenv("CUDA_HOME", at("home"), 1);
  put("other/include/cuda_fp16.h", "", 0, 0600);
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  assert_string_equal(nvrtc.include[0], at("other/include"));
  put("home/targets/sbsa-linux/include/cuda_fp16.h", "", 0, 0600);
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  assert_string_equal(nvrtc.include[0], at("home/targets/sbsa-linux/include"));
  put("home/include/cuda_fp16.h", "", 0, 0600);
  put("home/include/cccl/cuda/std/cstdint", "", 0, 0600);
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  assert_string_equal(nvrtc.include[0], at("home/include"));
  assert_string_equal(nvrtc.include[1], at("home/include/cccl"));
  put("home/extras/CUPTI/include/cuda_fp16.h", "", 0, 0600); /* two folders above the library */
  assert_int_equal(nvrtc_load(&nvrtc, &e), 0);
  assert_string_equal(nvrtc.include[0], at("home/extras/CUPTI/include"));
}

static void a_program_is_of_the_first_place_that_has_it(void **state) {
  char found[LIBRARY_PATH_MAX], *was = str_copy(getenv("PATH")),
                                *path = str_printf("%s:%s:%s:", at("none"), at("on/path"), at("venv/bin"));
  (void)state;
  setenv("PATH", path, 1);
  free(path);
  assert_int_equal(program_find(found, "tool-of-ours", &e), ERR_MACHINE);
  assert_string_equal(
      e.text,
      "tool-of-ours was not found in CUDA_HOME/bin, beside this program, on PATH or in the wheels of a Python there");
  assert_string_equal(found, "");
  put("venv/bin/python3", "", 0, 0700);
  put("venv/lib/python3.11/site-packages/nvidia/cu13/bin/tool-of-ours", "", 0, 0600);
  assert_int_equal(program_find(found, "tool-of-ours", &e), ERR_MACHINE); /* it cannot be executed */
  assert_string_equal(found, "");
  chmod(at("venv/lib/python3.11/site-packages/nvidia/cu13/bin/tool-of-ours"), 0700);
  assert_int_equal(program_find(found, "tool-of-ours", &e), 0); /* pip installed its wheel there */
  assert_string_equal(found, at("venv/bin/../lib/python3.11/site-packages/nvidia/cu13/bin/tool-of-ours"));
  unlink(found);
  setenv("NVFP4_ATTACH_TOOL", at("attach"), 1);
  put("on/path/tool-of-ours", "", 0, 0600);
  assert_int_equal(program_find(found, "tool-of-ours", &e), ERR_MACHINE); /* it cannot be executed */
  chmod(at("on/path/tool-of-ours"), 0700);
  assert_int_equal(program_find(found, "tool-of-ours", &e), 0);
  assert_string_equal(found, at("on/path/tool-of-ours"));
  put("attach/cuda/bin/tool-of-ours", "", 0, 0700); /* beside the tool that attached, in a program of another folder */
  assert_int_equal(program_find(found, "tool-of-ours", &e), 0);
  assert_string_equal(found, at("attach/cuda/bin/tool-of-ours"));
  put("home/bin/tool-of-ours", "", 0, 0700);
  setenv("CUDA_PATH", at("home"), 1);
  assert_int_equal(program_find(found, "tool-of-ours", &e), 0);
  assert_string_equal(found, at("home/bin/tool-of-ours"));
  setenv("NVFP4_PTXAS", at("on/path/tool-of-ours"), 1);
  assert_int_equal(program_find(found, "ptxas", &e), 0);
  assert_string_equal(found, at("on/path/tool-of-ours"));
  setenv("PATH", was, 1);
  free(was);
}

static void a_card_is_named_as_nvidia_smi_does(void **state) {
  CUuuid uuid;
  char text[GPU_UUID_BYTES];
  (void)state;
  for (int i = 0; i < 16; i++)
    uuid.bytes[i] = (char)(i * 17);
  gpu_uuid_text(text, &uuid);
  assert_string_equal(text, "GPU-00112233-4455-6677-8899-aabbccddeeff");
}

/* --- errors --- */

static CUptiResult no_name(CUptiResult result, const char **text) {
  (void)result, (void)text;
  return CUPTI_SUCCESS;
}

static CUptiResult one_name(CUptiResult result, const char **text) {
  (void)result;
  *text = "CUPTI_ERROR_OUT_OF_MEMORY";
  return CUPTI_SUCCESS;
}

/* Some results have no message but their name. */
static void an_error_is_named_once(void **state) {
  const struct cupti c = {.cuptiGetResultString = one_name, .cuptiGetErrorMessage = one_name};
  (void)state;
  assert_int_equal(cupti_check(&c, CUPTI_ERROR_OUT_OF_MEMORY, "cuptiCall", &e), ERR_GPU);
  assert_string_equal(e.text, "cuptiCall: CUPTI_ERROR_OUT_OF_MEMORY");
}

static void an_error_says_what_can_be_done(void **state) {
  static const struct {
    CUptiResult result;
    const char *says;
  } rows[] = {
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "run as root"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "run as root"},
      {CUPTI_ERROR_HARDWARE_BUSY, "stop ncu, nsys or DCGM"},
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "stop ncu, nsys or DCGM"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "virtual machine does not pass the counters"},
      {CUPTI_ERROR_INVALID_CHIP_NAME, "older than the chip"},
      {CUPTI_ERROR_NOT_INITIALIZED, "do not fit together"},
      {CUPTI_ERROR_API_NOT_IMPLEMENTED, "do not fit together"},
      {CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, "do not fit together"},
      {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "only a whole GPU has counters"},
      {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "confidential computing is on"},
      {CUPTI_ERROR_NOT_SUPPORTED, "does not support it"},
  };
  const struct cupti c = {.cuptiGetResultString = no_name};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(cupti_check(&c, rows[i].result, "cuptiCall", &e), ERR_GPU);
    if (strncmp(e.text, "cuptiCall: unknown error (", 26) != 0 || !strstr(e.text, rows[i].says))
      fail_msg("%d: %s", (int)rows[i].result, e.text);
  }
  assert_int_equal(cupti_check(&c, CUPTI_ERROR_UNKNOWN, "cuptiCall", &e), ERR_GPU);
  assert_string_equal(e.text, "cuptiCall: unknown error");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_toolkit_has_its_library_and_its_headers, forget),
      cmocka_unit_test_setup(a_program_is_of_the_first_place_that_has_it, forget),
      cmocka_unit_test_setup(a_card_is_named_as_nvidia_smi_does, forget),
      cmocka_unit_test_setup(an_error_says_what_can_be_done, forget),
      cmocka_unit_test_setup(an_error_is_named_once, forget),
  };
  return cmocka_run_group_tests(tests, own_open, own_close);
}
