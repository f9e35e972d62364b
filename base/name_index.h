/* Where each name of a list stands: a hash table from strings to numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* FNV-1a, Fowler, Noll and Vo; the first call's hash is HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *data, size_t n);

struct name_place;
struct name_index {
  struct name_place *places;
  size_t n, room; /* room: a power of two, never more than half full */
};

enum { NAME_NEW = -1 };
/* The number of a name, which is NAME_NEW where the name was not there before; to be read or set until the next call.  The name is borrowed. */
long *name_index_at(struct name_index *x, const char *name);
/* The same number; NAME_NEW where the name is not there. */
long name_index_find(const struct name_index *x, const char *name);
void name_index_release(struct name_index *x); /* leaves *x all zero */
