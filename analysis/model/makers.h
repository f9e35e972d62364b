/* Who wrote a program's kernel, where its caller did not: what the caller can change in its place.  Pure. */
#pragma once

#include <stdbool.h>

struct maker {
  const char *name;  /* "cuBLAS" */
  const char *lever; /* what its caller can do; a sentence's end */
  const char *fuses; /* how it is fused with its neighbours, where DRAM is full; NULL: no such way is known */
  bool writes;       /* it writes its kernels' files itself, wherever these lie */
};

/* By the kernel's demangled name; NULL: nobody known, so the code may be the user's. */
const struct maker *maker_of(const char *kernel);
/* What answers the advice of a rule where its kernel is of a known kind; else the maker's lever. */
const char *maker_answer(const struct maker *m, const char *kernel, const char *rule);
/* A file of a library that a maker built its kernels from: whose lines lie in it nobody else wrote. */
bool file_is_makers(const char *path);
