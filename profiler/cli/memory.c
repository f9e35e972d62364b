/* What asks for memory and gets none ends the program: rooms that are linked into it alone check no allocation, texts, tables and statistics have no way to say that a
 * part of them is missing, and jansson, where a call of malloc fails, asserts, frees twice or drops characters (2.14, lex_save).  What asks for more than MUCH, as the
 * inputs of a problem, is told, and says so itself.
 *
 * The linker puts these functions in the place of libc's (--wrap), in this program and nowhere else. */
#include "profiler/cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MUCH = 1 << 30 };

static bool may_fail;
static int failure = EXIT_MACHINE;

void cli_memory_may_fail(bool may) {
  may_fail = may;
}

void cli_memory_failure(int code) {
  failure = code;
}

static void *given(void *p, size_t n) {
  static const char told[] = "nvfp4-prof: out of memory\n";
  if (p || n == 0 || n >= MUCH || may_fail)
    return p;
  if (write(STDERR_FILENO, told, sizeof told - 1) < 0)
    _exit(failure);
  __fpurge(stdout); /* half a table is none */
  exit(failure);
}

/* The names are the linker's. */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t most);
int __wrap_vasprintf(char **out, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
int __real_vasprintf(char **out, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

void *__wrap_malloc(size_t n) {
  return given(__real_malloc(n), n);
}

void *__wrap_calloc(size_t n, size_t size) {
  size_t bytes = size && n > MUCH / size ? MUCH : n * size;
  return given(__real_calloc(n, size), bytes);
}

void *__wrap_realloc(void *p, size_t n) {
  return given(__real_realloc(p, n), n);
}

char *__wrap_strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = __wrap_malloc(n);
  return copy ? memcpy(copy, s, n) : NULL;
}

char *__wrap_strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *copy = __wrap_malloc(n + 1);
  if (!copy)
    return NULL;
  copy[n] = 0;
  return memcpy(copy, s, n);
}

int __wrap_vasprintf(char **out, const char *format, va_list args) {
  int n = __real_vasprintf(out, format, args);
  given(n < 0 ? NULL : *out, 1);
  return n;
}
