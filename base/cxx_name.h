/* C++ names of functions, shortened for tables. */
#pragma once

#include <stddef.h>

/* "void ns::f<int>(T *) <<<8x1x1, 32x1x1>>>" without type and arguments: *n bytes from what is returned, "ns::f<int>"; *rest: what stands behind
 * the arguments, " <<<8x1x1, 32x1x1>>>". */
const char *cxx_bare(const char *name, size_t *n, const char **rest);

/* The name where it has no more than `chars` characters; else, in this order until it has, without type and arguments, without name spaces, as its title with
 * as many of its words as have room ("f: add (4, float)") or, where it has no operation, without the inner template arguments ("f<g<…>>"), without its middle.  Returns name or buffer. */
const char *cxx_fit(char *buffer, size_t size, const char *name, size_t chars);

/* The function's own name in "void ns::f<int>(T *)", *n bytes: "f"; of a wrapper that says nothing (CUTLASS's Kernel2), that of its template argument.
 * NULL where it is no such name. */
const char *cxx_function(const char *name, size_t *n);

/* What the function does, as its template arguments have it, *n bytes: of "elementwise_kernel<128, impl<masked_fill_kernel(T &)::{lambda()#1}>>" "masked_fill", of
 * "f<BinaryFunctor<float, MulFunctor<float>>>" "Mul": the innermost function or functor, without what says that it is one.  NULL: they do not say. */
const char *cxx_operation(const char *name, size_t *n);
/* "elementwise_kernel: masked_fill", or the function alone; the caller's to free.  NULL where it is no such name. */
char *cxx_title(const char *name);
/* The title in no more than `chars` characters, its function cut before its operation.  Returns title or buffer. */
const char *cxx_title_cut(char *buffer, size_t size, const char *title, size_t chars);
/* The i-th of the names and numbers in the function's template arguments that may tell it from another, *n bytes; NULL: there are fewer. */
const char *cxx_word(const char *name, size_t i, size_t *n);
