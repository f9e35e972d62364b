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

/* Copied piece by piece: CUPTI promises no alignment. */
struct symbols {
  const char *all;
  size_t n;
  const char *names; /* the last of which ends */
  size_t names_bytes;
};

static bool lies_within(uint64_t at, uint64_t n, size_t bytes) {
  return at <= bytes && n <= bytes - at;
}

static Elf64_Shdr section_of(const char *cubin, const Elf64_Ehdr *head, size_t i) {
  Elf64_Shdr out;
  memcpy(&out, cubin + head->e_shoff + i * sizeof out, sizeof out);
  return out;
}

static bool symbols_of(const char *cubin, size_t bytes, struct symbols *out) {
  Elf64_Ehdr head;
  if (bytes < sizeof head || memcmp(cubin, ELFMAG, SELFMAG) != 0)
    return false;
  memcpy(&head, cubin, sizeof head);
  if (!lies_within(head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr), bytes))
    return false;
  for (size_t i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr table = section_of(cubin, &head, i);
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= head.e_shnum)
      continue;
    Elf64_Shdr names = section_of(cubin, &head, table.sh_link);
    if (!lies_within(table.sh_offset, table.sh_size, bytes) || names.sh_size == 0 ||
        !lies_within(names.sh_offset, names.sh_size, bytes))
      return false;
    *out = (struct symbols){cubin + table.sh_offset, table.sh_size / sizeof(Elf64_Sym), cubin + names.sh_offset,
                            names.sh_size};
    return out->names[out->names_bytes - 1] == '\0';
  }
  return false;
}

/* The name of a function among them, defined or not; NULL: it is none such. */
static const char *function_of(const struct symbols *s, size_t i, bool defined) {
  Elf64_Sym x;
  memcpy(&x, s->all + i * sizeof x, sizeof x);
  bool is = ELF64_ST_TYPE(x.st_info) == STT_FUNC && (x.st_shndx != SHN_UNDEF) == defined && x.st_name < s->names_bytes;
  return is ? s->names + x.st_name : NULL;
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
  for (size_t i = 0; i < s.n && !found; i++) {
    const char *name = function_of(&s, i, false);
    found = name && strcmp(name, "malloc") == 0;
  }
  for (size_t i = 0; i < s.n && found; i++) {
    const char *name = function_of(&s, i, true);
    if (name)
      remember(name);
  }
}

void allocating_ask(struct kernel *k) {
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < allocating.n && !k->allocates; i++)
    k->allocates = strcmp(allocating.names[i], k->key.name) == 0;
  k->replay = k->replay && !k->allocates;
  pthread_mutex_unlock(&injection.lock);
}
