#include "base/array.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void *array_add(void *array, size_t *n, size_t size) {
  char *all;
  size_t room = 4;
  while (room <= *n) /* to the same size most of the time, which costs realloc next to nothing */
    room *= 2;
  memcpy(&all, array, sizeof all); /* a T ** may not be read as a void ** */
  all = realloc(all, room * size);
  if (!all)
    return NULL;
  memcpy(array, &all, sizeof all);
  return memset(all + size * (*n)++, 0, size);
}

bool array_copy(char ***list, size_t *n, const char *s) {
  char *copy = str_copy(s), **item = copy ? array_add(list, n, sizeof *item) : NULL;
  if (item)
    *item = copy;
  else
    free(copy);
  return item != NULL;
}

void array_rank(void *items, size_t *n, size_t most, size_t size, const void *item,
                bool (*before)(const void *a, const void *b)) {
  char *at = items, *end = at + *n * size;
  while (at < end && before(at, item))
    at += size;
  if (at == (char *)items + most * size)
    return;
  if (*n < most)
    ++*n;
  else
    end -= size;
  memmove(at + size, at, (size_t)(end - at));
  memcpy(at, item, size);
}

void array_free(char **list, size_t n) {
  for (size_t i = 0; list && i < n; i++)
    free(list[i]);
  free(list);
}
