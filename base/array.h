/* Arrays that grow by one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The next element of *array, all zero; *n counts them.  `array` is the address of a typed pointer,
 * NULL or of malloc.  NULL: memory ran out, and nothing has changed. */
void *array_add(void *array, size_t *n, size_t size);
/* A copy of s behind the others of *list; false: memory ran out, and nothing has changed. */
bool array_copy(char ***list, size_t *n, const char *s);
/* Puts a copy of the item among the n of an array with room for `most`, behind those that are before it; the last makes room. */
void array_rank(void *items, size_t *n, size_t most, size_t size, const void *item,
                bool (*before)(const void *a, const void *b));
void array_free(char **list, size_t n); /* its strings too; NULL is none */
