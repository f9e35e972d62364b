/* Kernels whose launch cannot be repeated: those that may take memory from the GPU's heap (malloc, new).  A replay restores what the program has allocated, and not what that heap has given out: a program whose
 * kernel fills a list so ended by an illegal access (CUPTI 13.0, an H200, 2026-11-27).
 *
 * Told by their modules: one that asks the driver for `malloc` has it undefined among its symbols, and its kernels defined. */
#include "profiler/attach/inside/inject.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static struct {
  char **names;
  size_t n, cap;
} allocating;

struct symbols {
  const Elf64_Sym *all;
  size_t n;
  const char *names; /* the last of which ends */
  size_t names_bytes;
};

static bool lies_within(uint64_t at, uint64_t n, size_t bytes) {
  return at <= bytes && n <= bytes - at && at % _Alignof(Elf64_Sym) == 0;
}

static bool symbols_of(const void *cubin, size_t bytes, struct symbols *out) {
  const Elf64_Ehdr *head = cubin;
  if (bytes < sizeof *head || (uintptr_t)cubin % _Alignof(Elf64_Ehdr) != 0 ||
      memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      !lies_within(head->e_shoff, head->e_shnum * sizeof(Elf64_Shdr), bytes))
    return false;
  const Elf64_Shdr *sections = (const void *)((const char *)cubin + head->e_shoff);
  for (size_t i = 0; i < head->e_shnum; i++) {
    const Elf64_Shdr *table = &sections[i];
    if (table->sh_type != SHT_SYMTAB || table->sh_link >= head->e_shnum)
      continue;
    const Elf64_Shdr *names = &sections[table->sh_link];
    if (!lies_within(table->sh_offset, table->sh_size, bytes) || names->sh_size == 0 || names->sh_offset > bytes ||
        names->sh_size > bytes - names->sh_offset)
      return false;
    *out = (struct symbols){(const void *)((const char *)cubin + table->sh_offset), table->sh_size / sizeof *out->all,
                            (const char *)cubin + names->sh_offset, names->sh_size};
    return out->names[out->names_bytes - 1] == '\0';
  }
  return false;
}

static bool is_function(const struct symbols *s, size_t i, bool defined) {
  const Elf64_Sym *x = &s->all[i];
  return ELF64_ST_TYPE(x->st_info) == STT_FUNC && (x->st_shndx != SHN_UNDEF) == defined && x->st_name < s->names_bytes;
}

static void remember(const char *name) {
  if (allocating.n == allocating.cap) {
    size_t cap = allocating.cap ? 2 * allocating.cap : 16;
    char **grown = realloc(allocating.names, cap * sizeof *grown);
    if (!grown)
      return;
    allocating.names = grown;
    allocating.cap = cap;
  }
  if ((allocating.names[allocating.n] = str_copy(name)))
    allocating.n++;
}

void allocating_note(const void *cubin, size_t bytes) {
  struct symbols s;
  bool found = false;
  if (!symbols_of(cubin, bytes, &s))
    return;
  for (size_t i = 0; i < s.n && !found; i++)
    found = is_function(&s, i, false) && strcmp(s.names + s.all[i].st_name, "malloc") == 0;
  for (size_t i = 0; i < s.n && found; i++)
    if (is_function(&s, i, true))
      remember(s.names + s.all[i].st_name);
}

bool kernel_allocates(const char *name) {
  for (size_t i = 0; i < allocating.n; i++)
    if (strcmp(allocating.names[i], name) == 0)
      return true;
  return false;
}
