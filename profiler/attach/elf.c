/* ELF: where a cubin has a function of some name, and a cubin of that function alone.  Tables are copied out and back: cuBLAS has cubins whose tables
 * are not aligned. */
#include "profiler/attach/parts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct elf_table { /* within the file, whole */
  size_t at, n;    /* its first byte; its entries */
};

static struct elf_table sections_of(const char *elf, size_t n) {
  Elf64_Ehdr head;
  if (n < sizeof head || memcmp(elf, ELFMAG, SELFMAG) != 0)
    return (struct elf_table){0};
  memcpy(&head, elf, sizeof head);
  bool whole = head.e_shoff <= n && (n - head.e_shoff) / sizeof(Elf64_Shdr) >= head.e_shnum;
  return whole ? (struct elf_table){head.e_shoff, head.e_shnum} : (struct elf_table){0};
}

/* False: it is not within the file. */
static bool section_at(const char *elf, size_t n, struct elf_table sections, size_t index, Elf64_Shdr *out) {
  if (index >= sections.n)
    return false;
  memcpy(out, elf + sections.at + index * sizeof *out, sizeof *out);
  return out->sh_offset <= n && out->sh_size <= n - out->sh_offset;
}

/* *strings are the symbols' names. */
static struct elf_table symbols_of(const char *elf, size_t n, struct elf_table *strings) {
  struct elf_table sections = sections_of(elf, n);
  Elf64_Shdr s, names;
  for (size_t i = 0; i < sections.n; i++) {
    if (!section_at(elf, n, sections, i, &s) || s.sh_type != SHT_SYMTAB)
      continue;
    bool named = section_at(elf, n, sections, s.sh_link, &names);
    *strings = named ? (struct elf_table){names.sh_offset, names.sh_size} : (struct elf_table){0};
    return (struct elf_table){s.sh_offset, s.sh_size / sizeof(Elf64_Sym)};
  }
  return *strings = (struct elf_table){0};
}

static Elf64_Sym symbol_at(const char *elf, struct elf_table symbols, size_t index) {
  Elf64_Sym s;
  memcpy(&s, elf + symbols.at + index * sizeof s, sizeof s);
  return s;
}

static bool is_code(const Elf64_Sym *s) {
  return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF;
}

long cubin_symbol(const char *elf, size_t n, const char *name) {
  struct elf_table strings, symbols = symbols_of(elf, n, &strings);
  size_t length = strlen(name);
  for (size_t i = 0; i < symbols.n; i++) {
    Elf64_Sym s = symbol_at(elf, symbols, i);
    if (is_code(&s) && s.st_name < strings.n && strings.n - s.st_name > length &&
        memcmp(elf + strings.at + s.st_name, name, length + 1) == 0)
      return (long)i;
  }
  return -1;
}

/* Marks the sections of code, and sets the sizes of functions outside `kept` to 0: or nvdisasm looks for so much code there. */
static void symbols_cut(char *elf, struct elf_table symbols, size_t kept, bool *code, size_t sections) {
  for (size_t i = 0; i < symbols.n; i++) {
    Elf64_Sym s = symbol_at(elf, symbols, i);
    if (!is_code(&s) || s.st_shndx >= sections)
      continue;
    code[s.st_shndx] = true;
    if (s.st_shndx == kept)
      continue;
    s.st_size = 0;
    memcpy(elf + symbols.at + i * sizeof s, &s, sizeof s);
  }
}

/* Whether the section says something of a function that is not kept: its sh_info is the function's section. */
static bool is_of_others(const Elf64_Shdr *s, const bool *code, size_t sections, size_t kept) {
  return s->sh_type != SHT_SYMTAB && s->sh_type != SHT_NOTE && s->sh_info < sections && code[s->sh_info] &&
         s->sh_info != kept;
}

bool cubin_cut(char *elf, size_t n, long symbol) {
  struct elf_table strings, symbols = symbols_of(elf, n, &strings), sections = sections_of(elf, n);
  bool *code = symbol >= 0 && (size_t)symbol < symbols.n ? calloc(sections.n + 1, sizeof *code) : NULL;
  size_t others = 0;
  if (!code)
    return false;
  size_t kept = symbol_at(elf, symbols, (size_t)symbol).st_shndx;
  symbols_cut(elf, symbols, kept, code, sections.n);
  for (size_t i = 0; i < sections.n; i++) {
    Elf64_Shdr s;
    if (!section_at(elf, n, sections, i, &s) || i == kept || !(code[i] || is_of_others(&s, code, sections.n, kept)))
      continue;
    s.sh_type = SHT_NULL;
    s.sh_size = 0;
    memcpy(elf + sections.at + i * sizeof s, &s, sizeof s);
    others++;
  }
  free(code);
  return others > 0;
}
