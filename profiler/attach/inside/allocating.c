/* Kernels whose launch cannot be repeated: those that may take memory from the GPU's heap (malloc, new).  A replay restores what the program has allocated, and not what that heap has given out: a program whose
 * kernel fills a list so ended by an illegal access (CUPTI 13.0, an H200, 2026-11-27).
 *
 * Told by their modules: one that asks the driver for `malloc` has it undefined among its symbols, and its kernels defined. */
#include "profiler/attach/inside/inject.h"

#include "base/array.h"
#include "profiler/cuda/elf.h"

#include <string.h>

static struct {
  char **names;
  size_t n;
} allocating;

/* The name of a function among them, defined or not; "": it is none such. */
static const char *function_of(const struct elf_symbols *s, size_t i, bool defined) {
  Elf64_Sym x = elf_symbol(s, i);
  bool is = ELF64_ST_TYPE(x.st_info) == STT_FUNC && (x.st_shndx != SHN_UNDEF) == defined;
  return is ? elf_symbol_name(s, &x) : "";
}

void allocating_note(const void *cubin, size_t bytes) {
  struct elf f = {.name = "cubin", .data = cubin, .n = bytes};
  struct elf_symbols s;
  bool found = false;
  if (elf_open(&f, NULL) || !elf_symbols_open(&s, &f))
    return;
  for (size_t i = 0; i < s.n && !found; i++)
    found = strcmp(function_of(&s, i, false), "malloc") == 0;
  for (size_t i = 0; i < s.n && found; i++)
    if (*function_of(&s, i, true))
      array_copy(&allocating.names, &allocating.n, function_of(&s, i, true)); /* where memory is out it is not known */
}

void allocating_ask(struct kernel *k) {
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < allocating.n && !k->allocates; i++)
    k->allocates = strcmp(allocating.names[i], k->key.name) == 0;
  k->replay = k->replay && !k->allocates;
  pthread_mutex_unlock(&injection.lock);
}
