/* A problem of one's own (`problem: generic`): its arrays on the host, what its reference says, and the check. */
#pragma once

#include "base/err.h"
#include "kernels/rung.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "fp32", "i8" (or int8), "u8" ...; ERR_DATA lists them. */
int element_parse(enum element *out, const char *name, struct err *e);
size_t element_bytes(enum element t);
/* Element i of an array as a number; integers of 64 bits are rounded to a double. */
double element_value(enum element t, const void *array, size_t i);

struct generic_array {
  void *data; /* as it is put on the device; NULL: an output without init */
  size_t bytes;
};

struct generic {
  const struct rung_plan *plan; /* one whose arrays these are */
  struct generic_array *arrays; /* plan->n_arrays */
  size_t n;
};

/* Fills the arrays: the same bytes for a seed on every machine.  ERR_IO, ERR_DATA: a file of another length.  The plan must outlive *out, which
 * the caller releases, also after failure. */
int generic_make(struct generic *out, const struct rung_plan *plan, uint64_t seed, struct err *e);
void generic_release(struct generic *g);
/* Whether two plans have the same arrays, so that they can share them. */
bool generic_same(const struct rung_plan *a, const struct rung_plan *b);

/* Every byte of an output without init before it is written: a NaN in each floating type, -1 in the integers. */
enum { GENERIC_POISON = 0xff };

/* Outputs one after the other in the order of the buffers, as they lie in a reference's file and in the texts compared below. */
size_t generic_output_bytes(const struct rung_plan *plan);
/* Reads the rung's reference file; *out is the caller's. */
int generic_reference_read(void **out, const struct rung_plan *plan, struct err *e);

struct generic_check {
  uint64_t total, failed;
  double max_error, max_ratio; /* absolute; over the tolerance (0 where that is 0 and met) */
  const char *buffer;          /* of the worst element; of the first that is not finite, if any failed so */
  size_t index;
  double got, want;
  bool unwritten; /* the poison is still in every byte of a failing element */
};
/* Every element of every output against the reference.  NaN fails unless the reference has one there too. */
void generic_compare(struct generic_check *out, const struct rung_plan *plan, const void *got, const void *want);
