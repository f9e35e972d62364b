/* Protobuf's wire format, a field at a time (https://protobuf.dev/programming-guides/encoding/).
 *
 * Nothing is copied and nothing allocated; a message inside a field is read by wire_open of its bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

struct wire {
  const uint8_t *at, *end;
  bool broken; /* what follows `at` is no field */
};

struct wire_field {
  uint32_t number;
  enum wire_type type;
  uint64_t value;       /* of WIRE_VARINT, WIRE_64 and WIRE_32, as it stands in the file */
  const uint8_t *bytes; /* of WIRE_BYTES: borrowed from the message */
  size_t n;
};

struct wire wire_open(const void *bytes, size_t n);
/* The next field; false at the end, and where the message is broken. */
bool wire_next(struct wire *w, struct wire_field *out);
/* The value of a field as a double: of WIRE_64 and WIRE_32 the IEEE number of that size. */
double wire_float(const struct wire_field *f);
