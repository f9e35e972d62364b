/* Where a cubin has a function of some name, and a cubin of that function alone. */
#include "profiler/attach/outside/composing.h"

#include "profiler/cuda/elf.h"

#include <stdlib.h>
#include <string.h>

static bool is_code(const Elf64_Sym *s) {
  return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF;
}

static bool symbols_open(struct elf *f, struct elf_symbols *s, const char *cubin, size_t n) {
  *f = (struct elf){.name = "cubin", .data = (const unsigned char *)cubin, .n = n};
  return elf_open(f, NULL) == 0 && elf_symbols_open(s, f);
}

long cubin_symbol(const char *cubin, size_t n, const char *name) {
  struct elf f;
  struct elf_symbols s;
  for (size_t i = 0, count = symbols_open(&f, &s, cubin, n) ? s.n : 0; i < count; i++) {
    Elf64_Sym symbol = elf_symbol(&s, i);
    if (is_code(&symbol) && strcmp(elf_symbol_name(&s, &symbol), name) == 0)
      return (long)i;
  }
  return -1;
}

/* Marks the sections of code, and sets the sizes of functions outside `kept` to 0: or nvdisasm looks for so much code there. */
static void symbols_cut(const struct elf_symbols *s, char *cubin, size_t kept, bool *code) {
  for (size_t i = 0; i < s->n; i++) {
    Elf64_Sym symbol = elf_symbol(s, i);
    if (!is_code(&symbol) || symbol.st_shndx >= s->f->sections)
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
  struct elf f;
  struct elf_symbols s;
  bool known = symbols_open(&f, &s, cubin, n) && symbol >= 0 && (size_t)symbol < s.n;
  bool *code = known ? calloc(f.sections + 1, sizeof *code) : NULL;
  size_t others = 0;
  if (!code)
    return false;
  size_t kept = elf_symbol(&s, (size_t)symbol).st_shndx;
  symbols_cut(&s, cubin, kept, code);
  for (size_t i = 0; i < f.sections; i++) {
    Elf64_Shdr section;
    if (!elf_section(&f, i, &section) || i == kept || !(code[i] || is_of_others(&section, code, f.sections, kept)))
      continue;
    section.sh_type = SHT_NULL;
    section.sh_size = 0;
    memcpy(cubin + f.head.e_shoff + i * sizeof section, &section, sizeof section);
    others++;
  }
  free(code);
  return others > 0;
}
