#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

struct name_place {
  const char *name; /* NULL: empty */
  uint64_t hash;
  long number;
};

enum { ROOM_LEAST = 64 };

uint64_t hash_bytes(uint64_t hash, const void *data, size_t n) {
  const unsigned char *b = data;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ b[i]) * 0x100000001b3;
  return hash;
}

/* The name's place, or the empty one where it belongs.  There is always an empty one. */
static struct name_place *place_of(const struct name_index *x, const char *name, uint64_t hash) {
  size_t at = hash & (x->room - 1);
  while (x->places[at].name && (x->places[at].hash != hash || strcmp(x->places[at].name, name) != 0))
    at = (at + 1) & (x->room - 1);
  return &x->places[at];
}

static void grow(struct name_index *x) {
  struct name_index more = {.n = x->n, .room = x->room ? 2 * x->room : ROOM_LEAST};
  more.places = calloc(more.room, sizeof *more.places);
  for (size_t i = 0; i < x->room; i++)
    if (x->places[i].name)
      *place_of(&more, x->places[i].name, x->places[i].hash) = x->places[i];
  free(x->places);
  *x = more;
}

long *name_index_at(struct name_index *x, const char *name) {
  uint64_t hash = hash_bytes(HASH_START, name, strlen(name));
  if (2 * (x->n + 1) > x->room)
    grow(x);
  struct name_place *p = place_of(x, name, hash);
  if (!p->name) {
    *p = (struct name_place){name, hash, NAME_NEW};
    x->n++;
  }
  return &p->number;
}

long name_index_find(const struct name_index *x, const char *name) {
  if (x->n == 0)
    return NAME_NEW;
  const struct name_place *p = place_of(x, name, hash_bytes(HASH_START, name, strlen(name)));
  return p->name ? p->number : NAME_NEW;
}

void name_index_release(struct name_index *x) {
  free(x->places);
  *x = (struct name_index){0};
}
