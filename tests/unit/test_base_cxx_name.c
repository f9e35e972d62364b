/* C++ names in tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cxx_name.h"

#include <stdio.h>
#include <stdlib.h>
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
  fits(elementwise, 72, "vectorized_elementwise_kernel: add (float)");
  fits(elementwise, 40, "vectorized_elementwise_kernel: add");
  fits(elementwise, 30, "vectorized_elementwise_k…: add");
  fits("void a::sort<b::of<4, c::d<e::f<float>>>, 80>(int)", 24, "sort<of<4, d<f<…>>>, 80>");
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

static void title_is(const char *name, const char *title, const char *words) {
  char *made = cxx_title(name);
  char all[256] = "";
  const char *word;
  size_t n;
  assert_string_equal(made ? made : "(none)", title);
  for (size_t i = 0; (word = cxx_word(name, i, &n)); i++)
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", i ? " " : "", (int)n, word);
  assert_string_equal(all, words);
  free(made);
}

/* Of PyTorch's kernels a functor or the function around a lambda says what is done; the innermost does. */
static void what_a_kernel_does(void **state) {
  (void)state;
  title_is("at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::(anonymous "
           "namespace)::masked_fill_kernel(at::TensorIterator&, c10::Scalar const&)::{lambda()#1}::operator()() "
           "const::{lambda(float, bool)#1}>(at::TensorIteratorBase&)::{lambda(int)#1}>",
           "elementwise_kernel: masked_fill", "128 2 gpu_kernel_impl_nocast masked_fill_kernel float bool int");
  title_is("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, bool, "
           "at::native::(anonymous namespace)::CompareEqFunctor<float> >, std::array<char*, 2ul> >(int)",
           "vectorized_elementwise_kernel: CompareEq", "4 AUnaryFunctor float float bool CompareEqFunctor float");
  title_is("at::native::reduce_kernel<512, 1, at::native::ReduceOp<bool, at::native::func_wrapper_t<bool, "
           "at::native::and_kernel_cuda(at::TensorIterator&)::{lambda()#1}::operator()() const::{lambda(bool, "
           "bool)#1}>, unsigned int, bool, -4, 4> >",
           "reduce_kernel: and",
           "512 1 ReduceOp bool func_wrapper_t bool and_kernel_cuda bool bool unsigned int bool -4 4");
  title_is("reduce_kernel<1, ReduceOp<float, MeanOps<float, float>, 4>>", "reduce_kernel: Mean",
           "1 ReduceOp float MeanOps float float 4");
  title_is("reduce_kernel<1, ReduceOp<long, func_wrapper_t<long, sum_functor<long>::operator()(at::TensorIterator&)"
           "::{lambda(long, long)#1}>>>",
           "reduce_kernel: sum", "1 ReduceOp long func_wrapper_t long sum_functor long long long");
  title_is("f<at::native::CUDAFunctorOnSelf_add<float>>(int)", "f: add", "CUDAFunctorOnSelf_add float");
  title_is("f<pow_tensor_scalar_kernel_impl<float, float>(at::TensorIteratorBase&, float)::{lambda(float)#1}>",
           "f: pow_tensor_scalar", "pow_tensor_scalar_kernel_impl float float float");
  title_is("a::b::cumulate", "cumulate", "");
  title_is("ns::gemm<float, (ns::Mode)4>(int)", "gemm", "float 4");
  title_is("void cutlass::Kernel2<cutlass_80_tensorop_gemm>(T1::Params)", "cutlass_80_tensorop_gemm", "");
  title_is("gemv", "(none)", "");
}

static void cut_to(const char *title, size_t chars, const char *cut) {
  char buffer[64];
  assert_string_equal(cxx_title_cut(buffer, sizeof buffer, title, chars), cut);
}

/* What is done stays whole while three characters are left of the function. */
static void a_title_cut(void **state) {
  (void)state;
  cut_to("elementwise_kernel: masked_fill", 31, "elementwise_kernel: masked_fill");
  cut_to("elementwise_kernel: masked_fill", 21, "element…: masked_fill");
  cut_to("elementwise_kernel: masked_fill", 16, "el…: masked_fill");
  cut_to("elementwise_kernel: masked_fill", 15, "elementwi…_fill");
  cut_to("elementwise_kernel", 9, "eleme…nel");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_type_and_arguments),
      cmocka_unit_test(what_fits_stays),
      cmocka_unit_test(step_by_step),
      cmocka_unit_test(what_tells_launches_apart_stays),
      cmocka_unit_test(spaces_without_a_name_go_too),
      cmocka_unit_test(what_a_kernel_does),
      cmocka_unit_test(a_title_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
