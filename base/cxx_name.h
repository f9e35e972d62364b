/* C++ names of functions, shortened for tables. */
#pragma once

#include <stddef.h>

/* "void ns::f<int>(T *) <<<8x1x1, 32x1x1>>>" without type and arguments: *n bytes from what is returned, "ns::f<int>"; *rest: what stands behind
 * the arguments, " <<<8x1x1, 32x1x1>>>". */
const char *cxx_bare(const char *name, size_t *n, const char **rest);

/* The name where it has no more than `chars` characters; else, in this order until it has, without type and arguments, without name spaces, without the
 * inner template arguments ("f<g<…>>"), without its middle.  Returns name or buffer. */
const char *cxx_fit(char *buffer, size_t size, const char *name, size_t chars);

/* The function's own name in "void ns::f<int>(T *)", *n bytes: "f"; of a wrapper that says nothing (CUTLASS's Kernel2), that of its template argument.
 * NULL where it is no such name. */
const char *cxx_function(const char *name, size_t *n);
