/* ELF: where a cubin has a function of some name, and a cubin of that function alone. */
#include "profiler/attach/parts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const Elf64_Shdr *section_at(const char *elf, size_t n, size_t index) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)elf;
  if (n < sizeof *head || memcmp(elf, ELFMAG, SELFMAG) != 0 || index >= head->e_shnum || head->e_shoff > n ||
      head->e_shoff % _Alignof(Elf64_Shdr) || (n - head->e_shoff) / sizeof(Elf64_Shdr) <= index)
    return NULL;
  const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(elf + head->e_shoff) + index;
  return s->sh_offset <= n && s->sh_size <= n - s->sh_offset ? s : NULL;
}

static size_t sections_of(const char *elf, size_t n) {
  return n > sizeof(Elf64_Ehdr) ? ((const Elf64_Ehdr *)(const void *)elf)->e_shnum : 0;
}

static const Elf64_Shdr *symbols_of(const char *elf, size_t n) {
  for (size_t i = 0; i < sections_of(elf, n); i++) {
    const Elf64_Shdr *s = section_at(elf, n, i);
    if (s && s->sh_type == SHT_SYMTAB && s->sh_offset % _Alignof(Elf64_Sym) == 0)
      return s;
  }
  return NULL;
}

long cubin_symbol(const char *elf, size_t n, const char *name) {
  const Elf64_Shdr *symbols = symbols_of(elf, n);
  const Elf64_Shdr *strings = symbols ? section_at(elf, n, symbols->sh_link) : NULL;
  size_t length = strlen(name);
  for (size_t i = 0; strings && i < symbols->sh_size / sizeof(Elf64_Sym); i++) {
    const Elf64_Sym *s = (const Elf64_Sym *)(const void *)(elf + symbols->sh_offset) + i;
    if (ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_name < strings->sh_size &&
        strings->sh_size - s->st_name > length && memcmp(elf + strings->sh_offset + s->st_name, name, length + 1) == 0)
      return (long)i;
  }
  return -1;
}

static bool is_code(const Elf64_Sym *s, size_t sections) {
  return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_shndx < sections;
}

/* Whether the section says something of a function that is not kept: its sh_info is the function's section. */
static bool is_of_others(const Elf64_Shdr *s, const bool *code, size_t sections, size_t kept) {
  return s->sh_type != SHT_SYMTAB && s->sh_type != SHT_NOTE && s->sh_info < sections && code[s->sh_info] &&
         s->sh_info != kept;
}

bool cubin_cut(char *elf, size_t n, long symbol) {
  const Elf64_Shdr *table = symbols_of(elf, n);
  size_t count = table ? table->sh_size / sizeof(Elf64_Sym) : 0, sections = sections_of(elf, n), others = 0;
  bool *code = symbol >= 0 && (size_t)symbol < count ? calloc(sections + 1, sizeof *code) : NULL;
  if (!code)
    return false;
  Elf64_Sym *symbols = (Elf64_Sym *)(void *)(elf + table->sh_offset);
  size_t kept = symbols[symbol].st_shndx;
  for (size_t i = 0; i < count; i++) {
    if (!is_code(&symbols[i], sections))
      continue;
    code[symbols[i].st_shndx] = true;
    if (symbols[i].st_shndx != kept)
      symbols[i].st_size = 0; /* or nvdisasm looks for so much code in its section */
  }
  for (size_t i = 0; i < sections; i++) {
    const Elf64_Shdr *s = section_at(elf, n, i);
    if (!s || i == kept || !(code[i] || is_of_others(s, code, sections, kept)))
      continue;
    Elf64_Shdr *emptied = (Elf64_Shdr *)(void *)(elf + ((const char *)s - elf));
    emptied->sh_type = SHT_NULL;
    emptied->sh_size = 0;
    others++;
  }
  free(code);
  return others > 0;
}
