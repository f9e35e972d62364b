/* Where a cubin has a function of some name, and a cubin of that function alone. */
#include "profiler/attach/outside/composing.h"

#include "profiler/compile/elf.h"

#include <stdlib.h>
#include <string.h>

struct symbols { /* of the file, whole */
  struct elf f;
  Elf64_Shdr table, strings;
};

static bool symbols_open(struct symbols *s, const char *cubin, size_t n) {
  *s = (struct symbols){.f = {.name = "cubin", .data = (const unsigned char *)cubin, .n = n}};
  if (elf_open(&s->f, NULL))
    return false;
  for (size_t i = 0; i < s->f.sections; i++)
    if (elf_section(&s->f, i, &s->table) && s->table.sh_type == SHT_SYMTAB)
      return elf_section(&s->f, s->table.sh_link, &s->strings) && s->strings.sh_type == SHT_STRTAB;
  return false;
}

static size_t symbols_n(const struct symbols *s) {
  return s->table.sh_size / sizeof(Elf64_Sym);
}

/* Copied, since cuBLAS has cubins whose tables are not aligned. */
static Elf64_Sym symbol_at(const struct symbols *s, size_t index) {
  Elf64_Sym out;
  memcpy(&out, s->f.data + s->table.sh_offset + index * sizeof out, sizeof out);
  return out;
}

static bool is_code(const Elf64_Sym *s) {
  return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF;
}

long cubin_symbol(const char *cubin, size_t n, const char *name) {
  struct symbols s;
  size_t length = strlen(name), count = symbols_open(&s, cubin, n) ? symbols_n(&s) : 0;
  for (size_t i = 0; i < count; i++) {
    Elf64_Sym symbol = symbol_at(&s, i);
    if (is_code(&symbol) && symbol.st_name < s.strings.sh_size && s.strings.sh_size - symbol.st_name > length &&
        memcmp(s.f.data + s.strings.sh_offset + symbol.st_name, name, length + 1) == 0)
      return (long)i;
  }
  return -1;
}

/* Marks the sections of code, and sets the sizes of functions outside `kept` to 0: or nvdisasm looks for so much code there. */
static void symbols_cut(const struct symbols *s, char *cubin, size_t kept, bool *code) {
  for (size_t i = 0; i < symbols_n(s); i++) {
    Elf64_Sym symbol = symbol_at(s, i);
    if (!is_code(&symbol) || symbol.st_shndx >= s->f.sections)
      continue;
    code[symbol.st_shndx] = true;
    if (symbol.st_shndx == kept)
      continue;
    symbol.st_size = 0;
    memcpy(cubin + s->table.sh_offset + i * sizeof symbol, &symbol, sizeof symbol);
  }
}

/* Whether the section says something of a function that is not kept: its sh_info is the function's section. */
static bool is_of_others(const Elf64_Shdr *s, const bool *code, size_t sections, size_t kept) {
  return s->sh_type != SHT_SYMTAB && s->sh_type != SHT_NOTE && s->sh_info < sections && code[s->sh_info] &&
         s->sh_info != kept;
}

bool cubin_cut(char *cubin, size_t n, long symbol) {
  struct symbols s;
  bool known = symbols_open(&s, cubin, n) && symbol >= 0 && (size_t)symbol < symbols_n(&s);
  bool *code = known ? calloc(s.f.sections + 1, sizeof *code) : NULL;
  size_t others = 0;
  if (!code)
    return false;
  size_t kept = symbol_at(&s, (size_t)symbol).st_shndx;
  symbols_cut(&s, cubin, kept, code);
  for (size_t i = 0; i < s.f.sections; i++) {
    Elf64_Shdr section;
    if (!elf_section(&s.f, i, &section) || i == kept || !(code[i] || is_of_others(&section, code, s.f.sections, kept)))
      continue;
    section.sh_type = SHT_NULL;
    section.sh_size = 0;
    memcpy(cubin + s.f.head.e_shoff + i * sizeof section, &section, sizeof section);
    others++;
  }
  free(code);
  return others > 0;
}
