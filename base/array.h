/* Arrays that grow by one. */
#pragma once

#include <stddef.h>

/* The next element of *array, all zero; *n counts them.  `array` is the address of a typed pointer, NULL or of malloc.  NULL: memory ran out, and
 * nothing has changed. */
void *array_add(void *array, size_t *n, size_t size);
