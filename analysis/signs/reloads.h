/* Addresses that a thread loads more than once, by the code. */
#pragma once

#include "analysis/signs/rule_input.h"

/* What stands between the two loads of most such bytes. */
enum reload {
  RELOAD_READ,    /* nothing that makes the compiler load twice: the source does */
  RELOAD_BARRIER, /* one of the block, and no store */
  RELOAD_STORE    /* a store or an atomic of global memory, or a call, which may write there */
};
/* Of the bytes of global loads, those at an address that the same thread has loaded before, in the same block of code.  0: none, or executed counts are unknown. */
double loads_again(const struct rule_input *in, enum reload *why);
