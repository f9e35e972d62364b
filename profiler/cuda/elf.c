#include "profiler/cuda/elf.h"

#include <stdint.h>
#include <string.h>

enum { MACHINE_CUDA = 190 };

int elf_refuse(const struct elf *f, const char *why, struct err *e) {
  return err_set(e, ERR_DATA, "%s: not a cubin that can be read: %s", f->name, why);
}

static bool within(const struct elf *f, uint64_t at, uint64_t n) {
  return at <= f->n && n <= f->n - at;
}

bool elf_section(const struct elf *f, size_t i, Elf64_Shdr *out) {
  if (i >= f->sections)
    return false;
  memcpy(out, f->data + f->head.e_shoff + i * sizeof *out, sizeof *out);
  return out->sh_type == SHT_NOBITS || within(f, out->sh_offset, out->sh_size);
}

const char *elf_section_name(const struct elf *f, const Elf64_Shdr *s) {
  return s->sh_name < f->strings_n ? (const char *)f->data + f->strings + s->sh_name : "";
}

int elf_open(struct elf *f, struct err *e) {
  Elf64_Shdr strings;
  if (f->n < sizeof f->head || memcmp(f->data, ELFMAG, SELFMAG) != 0)
    return elf_refuse(f, "it does not begin as an ELF file does", e);
  memcpy(&f->head, f->data, sizeof f->head);
  if (f->head.e_ident[EI_CLASS] != ELFCLASS64 || f->head.e_machine != MACHINE_CUDA)
    return elf_refuse(f, "it is an ELF file of another machine", e);
  if (f->head.e_shentsize != sizeof strings || !within(f, f->head.e_shoff, (uint64_t)f->head.e_shnum * sizeof strings))
    return elf_refuse(f, "it is cut short: its section table is not all there", e);
  f->sections = f->head.e_shnum;
  if (!elf_section(f, f->head.e_shstrndx, &strings) || strings.sh_type != SHT_STRTAB || strings.sh_size == 0 ||
      f->data[strings.sh_offset + strings.sh_size - 1])
    return elf_refuse(f, "it has no section names", e);
  f->strings = strings.sh_offset;
  f->strings_n = strings.sh_size;
  return 0;
}

bool elf_section_find(const struct elf *f, const char *prefix, const char *name, Elf64_Shdr *out) {
  size_t n = strlen(prefix);
  for (size_t i = 0; i < f->sections; i++)
    if (elf_section(f, i, out) && strncmp(elf_section_name(f, out), prefix, n) == 0 &&
        strcmp(elf_section_name(f, out) + n, name) == 0)
      return true;
  return false;
}

bool elf_symbols_open(struct elf_symbols *s, const struct elf *f) {
  *s = (struct elf_symbols){.f = f};
  for (size_t i = 0; i < f->sections; i++) {
    if (!elf_section(f, i, &s->table) || s->table.sh_type != SHT_SYMTAB)
      continue;
    s->n = s->table.sh_size / sizeof(Elf64_Sym);
    if (!elf_section(f, s->table.sh_link, &s->strings) || s->strings.sh_type != SHT_STRTAB || !s->strings.sh_size ||
        f->data[s->strings.sh_offset + s->strings.sh_size - 1])
      s->strings.sh_size = 0;
    return true;
  }
  return false;
}

/* Copied, since cuBLAS has cubins whose tables are not aligned. */
Elf64_Sym elf_symbol(const struct elf_symbols *s, size_t i) {
  Elf64_Sym out;
  memcpy(&out, s->f->data + s->table.sh_offset + i * sizeof out, sizeof out);
  return out;
}

const char *elf_symbol_name(const struct elf_symbols *s, const Elf64_Sym *symbol) {
  return symbol->st_name < s->strings.sh_size ? (const char *)s->f->data + s->strings.sh_offset + symbol->st_name : "";
}
