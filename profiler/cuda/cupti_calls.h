/* Calls of CUPTI that more than one of its instruments needs. */
#pragma once

#include "profiler/cuda/library.h"

#include <stddef.h>
#include <stdint.h>

/* One spelling for the call and its name; `c` is the library, `e` the error. */
#define CUPTI_CALL(c, call, params, e) cupti_check(c, (c)->call(params), #call, e)

/* Its version in digits; nothing where it does not know it, as 13.5 does not without a driver, which says 0. */
void cupti_version(const struct cupti *c, char *out, size_t n);
/* CUPTI's name of a device's chip, borrowed; starts CUPTI's profiler.  ERR_MACHINE where the
 * library lacks a call. */
int cupti_chip(const struct cupti *c, int device, const char **chip, struct err *e);
/* By which CRC CUPTI's samples and counts name a cubin.  The library must have cuptiGetCubinCrc. */
int cupti_cubin_crc(const struct cupti *c, const void *cubin, size_t bytes, uint64_t *crc, struct err *e);
