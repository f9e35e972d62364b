/* What a thread has of its own work at once. */
#pragma once

#include "analysis/signs/rule_input.h"

/* Bytes that a thread loads from global memory, each load counted once and not by the turns of its
 * loop, as far as threads come to it.  Without counts all loads of the code. */
double thread_loads(const struct rule_input *in);
/* A thread loads what four elements of 16 bytes have: it has several already. */
bool threads_have_several(const struct rule_input *in);
/* It stores as many bytes as four elements of 4 have, and has as many side by side: it stores or
 * loads them from one base address, so that they are no neighbours that a single element needs. */
bool threads_store_several(const struct rule_input *in);
