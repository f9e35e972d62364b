/* Which machine code, launch and source of two builds are the same: one difference at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/compare/diff_match.h"

struct build {
  struct run run;
  struct run_module module;
  struct run_kernel kernel;
  struct run_instruction sass[2];
  struct run_launch launch;
  struct run_result result;
  struct run_variant variant;
  struct run_source source;
  struct run_key param;
};

/* One kernel of two instructions, without a key, launched once. */
static struct build *build_make(struct build *b) {
  *b = (struct build){.sass = {{.text = (char *)"LDG"}, {.text = (char *)"EXIT"}}};
  b->kernel = (struct run_kernel){
      .name = (char *)"k", .registers = 32, .smem_static = 16, .local_bytes = 8, .sass = b->sass, .n_sass = 2};
  b->module = (struct run_module){.arch = (char *)"sm_90a", .kernels = &b->kernel, .n_kernels = 1};
  b->launch = (struct run_launch){.kernel = (char *)"k", .grid = {7, 8, 1}, .block = {32, 4, 1}, .smem_dynamic = 64};
  b->param = (struct run_key){(char *)"WARPS", (char *)"4"};
  b->result = (struct run_result){.launches = &b->launch, .n_launches = 1, .params = &b->param, .n_params = 1};
  b->variant = (struct run_variant){.id = (char *)"x", .file = (char *)"x.cu"};
  b->source = (struct run_source){.name = (char *)"x.cu", .text = (char *)"//! id: x\n//! needs: a\nint a;\n"};
  b->run = (struct run){.modules = &b->module,
                        .n_modules = 1,
                        .variants = &b->variant,
                        .n_variants = 1,
                        .sources = &b->source,
                        .n_sources = 1};
  return b;
}

static bool same_code(struct build *a, struct build *b) {
  return diff_same_code(&a->run, &a->result, &b->run, &b->result);
}

static bool same_source(struct build *a, struct build *b) {
  return diff_same_source(&a->run, &a->result, &b->run, &b->result);
}

static void assert_differ(struct build *a, struct build *b) {
  assert_false(same_code(a, b));
  assert_false(same_code(b, a));
}

static void code_differs_in_one_thing(void **state) {
  static struct build a, b;
  (void)state;
  build_make(&a);
  assert_true(same_code(&a, build_make(&b)));
  build_make(&b)->sass[1].text = (char *)"BRA";
  assert_differ(&a, &b);
  build_make(&b)->sass[0].text = (char *)"LDS";
  assert_differ(&a, &b);
  build_make(&b)->kernel.n_sass = 1;
  assert_differ(&a, &b);
  build_make(&b)->kernel.name = (char *)"other";
  assert_differ(&a, &b);
  build_make(&b)->kernel.registers = 33;
  assert_differ(&a, &b);
  build_make(&b)->kernel.smem_static = 17;
  assert_differ(&a, &b);
  build_make(&b)->kernel.local_bytes = 9;
  assert_differ(&a, &b);
  build_make(&b)->module.arch = (char *)"sm_100a";
  assert_differ(&a, &b);
  build_make(&b)->module.arch = NULL;
  assert_differ(&a, &b);
  build_make(&b)->module.n_kernels = 0;
  assert_differ(&a, &b);
  build_make(&b)->result.module = -1;
  assert_differ(&a, &b);
  build_make(&b)->result.path = (char *)"native";
  assert_differ(&a, &b);
  build_make(&b)->result.n_launches = 0;
  assert_differ(&a, &b);
  build_make(&b)->launch.kernel = (char *)"other";
  assert_differ(&a, &b);
  build_make(&b)->launch.grid[1] = 9;
  assert_differ(&a, &b);
  build_make(&b)->launch.block[0] = 64;
  assert_differ(&a, &b);
  build_make(&b)->launch.cluster[0] = 2;
  assert_differ(&a, &b);
  build_make(&b)->launch.smem_dynamic = 0;
  assert_differ(&a, &b);
}

static void a_key_stands_for_the_code(void **state) {
  static struct build a, b;
  (void)state;
  build_make(&a)->module.key = (char *)"key";
  build_make(&b)->module.key = (char *)"key";
  a.kernel.n_sass = b.kernel.n_sass = 0;
  assert_true(same_code(&a, &b));
  b.module.key = (char *)"other"; /* and no SASS: taken to differ */
  assert_false(same_code(&a, &b));
  a.kernel.n_sass = b.kernel.n_sass = 2; /* other keys, the same SASS */
  assert_true(same_code(&a, &b));
  a.module.n_kernels = b.module.n_kernels = 0;
  assert_false(same_code(&a, &b));
  a.module.key = b.module.key = NULL; /* two keys that are not there are not one key */
  assert_false(same_code(&a, &b));
  a.result.module = b.result.module = -1;
  assert_false(same_code(&a, &b));
}

static void source_but_for_its_name(void **state) {
  static const struct {
    const char *text;
    bool same;
  } rows[] = {
      {"//! id: x\n//! needs: a\nint a;\n", true},
      {"//! id: renamed\n//! needs: a\nint a;\n", true},
      {"//!  \tid: y\n//! needs: a\n//! parent: z\nint a;\n", true},
      {"//! needs: a\nint a;\n", true},
      {"//! needs: a\nint a;\n//! parent: z", true},
      {"//! needs: a\nint a;", true}, /* the end of the last line is no line */
      {"//! id: x\n//! needs: b\nint a;\n", false},
      {"//! id: x\n//! needs: a\nint a;\nint b;\n", false},
      {"//! id: x\n//! needs: a\n", false},
      {"//! id: x\n//! needs: a\nint ab;\n", false},
      {"//! id: x\n// id: y\n//! needs: a\nint a;\n", false}, /* a comment is none of its keys */
      {"", false},
  };
  static struct build a, b;
  (void)state;
  build_make(&a);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    build_make(&b)->source.text = (char *)rows[i].text;
    if (same_source(&a, &b) != rows[i].same || same_source(&b, &a) != rows[i].same)
      fail_msg("row %zu", i);
  }
  build_make(&b)->param.value = (char *)"8";
  assert_false(same_source(&a, &b));
  build_make(&b)->param.key = (char *)"STAGES";
  assert_false(same_source(&a, &b));
  build_make(&b)->result.n_params = 0;
  assert_false(same_source(&a, &b));
  build_make(&b)->variant.file = (char *)"y.cu"; /* which the run does not hold */
  assert_false(same_source(&a, &b));
  build_make(&b)->variant.file = NULL;
  assert_false(same_source(&a, &b));
}

static bool code_known(struct build *a, struct build *b) {
  return diff_code_known(&a->run, &a->result, &b->run, &b->result) &&
         diff_code_known(&b->run, &b->result, &a->run, &a->result);
}

/* attach keeps no attributes of a kernel that it did not see launched: 0 registers are none that differ. */
static void attributes_that_nobody_asked_for(void **state) {
  static struct build a, b;
  (void)state;
  build_make(&a);
  build_make(&b)->kernel.registers = 0;
  b.kernel.smem_static = 0;
  b.kernel.local_bytes = 0;
  assert_true(same_code(&a, &b) && same_code(&b, &a));
  b.sass[1].text = (char *)"BRA";
  assert_differ(&a, &b);
}

static void code_that_was_not_kept_is_unknown(void **state) {
  static struct build a, b;
  (void)state;
  build_make(&a);
  assert_true(code_known(&a, build_make(&b)));
  b.kernel.n_sass = 0; /* and no key */
  assert_false(code_known(&a, &b));
  b.launch.grid[0] = 77; /* it is another launch, whatever the code */
  assert_true(code_known(&a, &b));
  build_make(&b)->result.module = -1;
  assert_false(code_known(&a, &b));
  build_make(&b)->module.n_kernels = 0;
  assert_false(code_known(&a, &b));
  a.module.key = (char *)"one"; /* two keys tell */
  b.module.key = (char *)"another";
  assert_true(code_known(&a, &b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(code_differs_in_one_thing),         cmocka_unit_test(a_key_stands_for_the_code),
      cmocka_unit_test(source_but_for_its_name),           cmocka_unit_test(attributes_that_nobody_asked_for),
      cmocka_unit_test(code_that_was_not_kept_is_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
