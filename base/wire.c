#include "base/wire.h"

#include <string.h>

enum { NUMBER_SHIFT = 3, TYPE_MASK = 7, PAYLOAD_BITS = 7, PAYLOAD_MASK = 0x7f, MORE = 0x80, BITS = 64 };

struct wire wire_open(const void *bytes, size_t n) {
  return (struct wire){.at = bytes, .end = bytes ? (const uint8_t *)bytes + n : NULL};
}

static bool varint(struct wire *w, uint64_t *out) {
  *out = 0;
  for (int shift = 0; w->at < w->end && shift < BITS; shift += PAYLOAD_BITS) {
    uint8_t byte = *w->at++;
    *out |= (uint64_t)(byte & PAYLOAD_MASK) << shift;
    if (!(byte & MORE))
      return true;
  }
  return false;
}

static bool fixed(struct wire *w, size_t n, uint64_t *out) {
  if ((size_t)(w->end - w->at) < n)
    return false;
  *out = 0;
  memcpy(out, w->at, n); /* little-endian, as the machines that this runs on */
  w->at += n;
  return true;
}

static bool field(struct wire *w, struct wire_field *out) {
  uint64_t key, length;
  *out = (struct wire_field){0};
  if (!varint(w, &key) || key >> NUMBER_SHIFT == 0 || key >> NUMBER_SHIFT > UINT32_MAX)
    return false;
  out->number = (uint32_t)(key >> NUMBER_SHIFT);
  out->type = (enum wire_type)(key & TYPE_MASK);
  switch (out->type) {
  case WIRE_VARINT:
    return varint(w, &out->value);
  case WIRE_64:
    return fixed(w, sizeof(uint64_t), &out->value);
  case WIRE_32:
    return fixed(w, sizeof(uint32_t), &out->value);
  case WIRE_BYTES:
    if (!varint(w, &length) || length > (uint64_t)(w->end - w->at))
      return false;
    out->bytes = w->at;
    out->n = (size_t)length;
    w->at += length;
    return true;
  }
  return false; /* groups are of protobuf 1 */
}

bool wire_next(struct wire *w, struct wire_field *out) {
  if (w->broken || w->at == w->end)
    return false;
  w->broken = !field(w, out);
  return !w->broken;
}

double wire_float(const struct wire_field *f) {
  if (f->type == WIRE_64) {
    double d;
    memcpy(&d, &f->value, sizeof d);
    return d;
  }
  if (f->type == WIRE_32) {
    uint32_t bits = (uint32_t)f->value;
    float single;
    memcpy(&single, &bits, sizeof single);
    return single;
  }
  return (double)f->value;
}
