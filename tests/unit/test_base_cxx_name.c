/* C++ names in tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cxx_name.h"

#include <stdio.h>
#include <string.h>

static void bare_is(const char *name, const char *bare, const char *behind) {
  size_t n;
  const char *rest, *begin = cxx_bare(name, &n, &rest);
  char text[256];
  snprintf(text, sizeof text, "%.*s", (int)n, begin);
  assert_string_equal(text, bare);
  assert_string_equal(rest, behind);
}

static void without_type_and_arguments(void **state) {
  (void)state;
  bare_is("gemv", "gemv", "");
  bare_is("void ns::f<int, (int)4>(T1 *, void (*)(int)) <<<8x1x1, 32x1x1>>>", "ns::f<int, (int)4>",
          " <<<8x1x1, 32x1x1>>>");
  bare_is("matmul <<<64x64x1, 16x16x1>>> 32 registers", "matmul", " <<<64x64x1, 16x16x1>>> 32 registers");
  bare_is("void (anonymous namespace)::f(int)", "(anonymous namespace)::f", "");
  bare_is("F::operator()(int) (2)", "F::operator()", " (2)");
  bare_is("f<g->h, 3>(int)", "f<g->h, 3>", "");
  bare_is("f(int", "f", "");
  bare_is("", "", "");
}

static void fits(const char *name, size_t chars, const char *shown) {
  char buffer[4 * 72];
  assert_string_equal(cxx_fit(buffer, sizeof buffer, name, chars), shown);
}

static const char elementwise[] =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char *, 80>>(int, T2, T3)";

static void what_fits_stays(void **state) {
  (void)state;
  fits(elementwise, sizeof elementwise, elementwise);
  fits("at::native::f(int)", 18, "at::native::f(int)");
  fits("größe", 5, "größe"); /* characters, not bytes */
}

/* Each step only where the one before did not do. */
static void step_by_step(void **state) {
  (void)state;
  fits(elementwise, 111,
       "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char *, 80>>");
  fits(elementwise, 80, "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, array<char *, 80>>");
  fits(elementwise, 72, "vectorized_elementwise_kernel<4, CUDAFunctor_add<…>, array<…>>");
  fits(elementwise, 40, "vectorized_elementwise_ker……>, array<…>>");
  fits("void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x486_tn_align8>(T1::Params)", 72,
       "Kernel2<cutlass_80_tensorop_bf16_s16816gemm_rel…_64x64_64x486_tn_align8>");
}

static void what_tells_launches_apart_stays(void **state) {
  (void)state;
  fits("void a::kernel<b::c<d::e<1>>, f<2>>(int *) <<<8x1x1, 32x1x1>>>", 41,
       "kernel<c<e<1>>, f<2>> <<<8x1x1, 32x1x1>>>");
  fits("void a::kernel<b::c<d::e<1>>, f<2>>(int *) <<<8x1x1, 32x1x1>>>", 40, "kernel<c<…>, f<…>> <<<8x1x1, 32x1x1>>>");
}

static void spaces_without_a_name_go_too(void **state) {
  (void)state;
  fits("void at::native::(anonymous namespace)::reduce<x::y>(int)", 12, "reduce<y>");
  fits("a<int>::b<c::d>", 14, "a<int>::b<d>"); /* whose b it is, stays */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_type_and_arguments),
      cmocka_unit_test(what_fits_stays),
      cmocka_unit_test(step_by_step),
      cmocka_unit_test(what_tells_launches_apart_stays),
      cmocka_unit_test(spaces_without_a_name_go_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
