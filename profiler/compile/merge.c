/* Many cubins as one, for nvdisasm, which takes a quarter of a second before it reads its first instruction.
 *
 * What it needs to print instructions with their source lines was found by leaving sections of cubins out (nvdisasm 13.2): code in
 * .text.NAME with a symbol NAME, .debug_line with its relocations, and .nv.compat.  Functions of different cubins bear the same names, so
 * those of cubin 7 become 7.NAME, and its kernels' sections .text.7.NAME; merged_sass_split takes that back. */
#include "base/array.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/elf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, NAMES, STRINGS, SYMBOLS, LINES, LINE_RELOCATIONS, COMPAT, FIRST_TEXT }; /* sections of the merged file */
enum { ALIGNMENT = 128, COMPAT_TYPE = SHT_LOPROC + 0x86, INFO_SYMBOL = 0xffffff };   /* a kernel's symbol in sh_info */
static const char text_prefix[] = ".text.";

struct code { /* a .text section */
  Elf64_Shdr head;
  const unsigned char *data;
  char *name;
};

struct merging {
  struct text strings, symbols, lines, relocations, compat;
  struct code *codes;
  size_t n_codes;
  size_t *moved; /* of the cubin being added: a section's index in the merged file, 0: left out */
  size_t n_moved;
  size_t first_symbol; /* of the cubin being added, where its symbol 1 went */
};

static void add_bytes(struct text *to, const void *from, size_t n) {
  text_add_n(to, from, n);
}

static bool find(const struct elf *f, const char *name, uint32_t type, Elf64_Shdr *out) {
  return elf_section_find(f, name, "", out) && out->sh_type == type;
}

/* --- one cubin --- */

static void add_codes(struct merging *m, const struct elf *f, size_t cubin) {
  Elf64_Shdr s;
  free(m->moved);
  m->moved = calloc(f->sections + 1, sizeof *m->moved);
  m->n_moved = f->sections;
  for (size_t i = 0; i < f->sections; i++) {
    if (!elf_section(f, i, &s) || s.sh_type != SHT_PROGBITS ||
        strncmp(elf_section_name(f, &s), text_prefix, sizeof text_prefix - 1) != 0)
      continue;
    struct code *added = array_add(&m->codes, &m->n_codes, sizeof *added);
    s.sh_link = SYMBOLS;
    s.sh_info = (uint32_t)((s.sh_info & ~(uint32_t)INFO_SYMBOL) |
                           (((s.sh_info & INFO_SYMBOL) + m->first_symbol - 1) & INFO_SYMBOL));
    m->moved[i] = FIRST_TEXT + m->n_codes - 1;
    *added =
        (struct code){s, f->data + s.sh_offset,
                      str_printf("%s%zu.%s", text_prefix, cubin, elf_section_name(f, &s) + sizeof text_prefix - 1)};
  }
}

static int add_symbols(struct merging *m, const struct elf *f, size_t cubin, struct err *e) {
  struct elf_symbols all;
  if (!elf_symbols_open(&all, f) || !all.strings.sh_size)
    return elf_refuse(f, "it has no symbols", e);
  for (size_t i = 1; i < all.n; i++) {
    Elf64_Sym symbol = elf_symbol(&all, i);
    const char *name = elf_symbol_name(&all, &symbol);
    size_t to = symbol.st_shndx < m->n_moved ? m->moved[symbol.st_shndx] : 0;
    symbol.st_name = (uint32_t)m->strings.n;
    if (to && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
      text_printf(&m->strings, "%zu.", cubin);
    add_bytes(&m->strings, name, strlen(name) + 1);
    if (symbol.st_shndx != SHN_UNDEF)
      symbol.st_shndx = (uint16_t)(to ? to : SHN_ABS);
    add_bytes(&m->symbols, &symbol, sizeof symbol);
  }
  return 0;
}

static void add_lines(struct merging *m, const struct elf *f) {
  Elf64_Shdr lines, relocations;
  Elf64_Rela r;
  if (!find(f, ".debug_line", SHT_PROGBITS, &lines))
    return;
  size_t moved_by = m->lines.n;
  add_bytes(&m->lines, f->data + lines.sh_offset, lines.sh_size);
  if (!find(f, ".rela.debug_line", SHT_RELA, &relocations))
    return;
  for (size_t i = 0; i < relocations.sh_size / sizeof r; i++) {
    memcpy(&r, f->data + relocations.sh_offset + i * sizeof r, sizeof r);
    r.r_offset += moved_by;
    r.r_info = ELF64_R_INFO(ELF64_R_SYM(r.r_info) + m->first_symbol - 1, ELF64_R_TYPE(r.r_info));
    add_bytes(&m->relocations, &r, sizeof r);
  }
}

static int add_cubin(struct merging *m, const struct elf *f, size_t cubin, struct err *e) {
  Elf64_Shdr compat;
  m->first_symbol = m->symbols.n / sizeof(Elf64_Sym);
  add_codes(m, f, cubin);
  int rc = add_symbols(m, f, cubin, e);
  if (rc)
    return rc;
  add_lines(m, f);
  if (!m->compat.n && find(f, ".nv.compat", COMPAT_TYPE, &compat))
    add_bytes(&m->compat, f->data + compat.sh_offset, compat.sh_size);
  return 0;
}

/* --- the file --- */

static void add_section(struct text *file, struct text *heads, struct text *names, const char *name, Elf64_Shdr head,
                        const void *data, size_t n) {
  static const char zeros[ALIGNMENT];
  add_bytes(file, zeros, (ALIGNMENT - file->n % ALIGNMENT) % ALIGNMENT);
  head.sh_name = (uint32_t)names->n;
  head.sh_offset = file->n;
  head.sh_size = n;
  add_bytes(names, name, strlen(name) + 1);
  add_bytes(file, data, n);
  add_bytes(heads, &head, sizeof head);
}

static void write_file(const struct merging *m, const Elf64_Ehdr *first, struct text *out) {
  const struct {
    const char *name;
    Elf64_Shdr head;
    const struct text *data;
  } fixed[FIRST_TEXT] = {
      [STRINGS] = {".strtab", {.sh_type = SHT_STRTAB, .sh_addralign = 1}, &m->strings},
      [SYMBOLS] = {".symtab",
                   {.sh_type = SHT_SYMTAB,
                    .sh_link = STRINGS,
                    .sh_info = (uint32_t)(m->symbols.n / sizeof(Elf64_Sym)),
                    .sh_addralign = 8,
                    .sh_entsize = sizeof(Elf64_Sym)},
                   &m->symbols},
      [LINES] = {".debug_line", {.sh_type = SHT_PROGBITS, .sh_addralign = 1}, &m->lines},
      [LINE_RELOCATIONS] = {".rela.debug_line",
                            {.sh_type = SHT_RELA,
                             .sh_flags = SHF_INFO_LINK,
                             .sh_link = SYMBOLS,
                             .sh_info = LINES,
                             .sh_addralign = 8,
                             .sh_entsize = sizeof(Elf64_Rela)},
                            &m->relocations},
      [COMPAT] = {m->compat.n ? ".nv.compat" : "",
                  {.sh_type = m->compat.n ? COMPAT_TYPE : SHT_NULL, .sh_addralign = 4},
                  &m->compat},
  };
  Elf64_Ehdr head = *first;
  Elf64_Shdr names_head = {.sh_type = SHT_STRTAB, .sh_addralign = 1}, none = {0};
  struct text heads = {0}, names = {0};
  add_bytes(out, &head, sizeof head);
  add_bytes(&names, "", 1);
  add_bytes(&heads, &none, sizeof none);
  add_bytes(&heads, &names_head, sizeof names_head); /* filled in below: the names are not all known */
  for (size_t i = STRINGS; i < FIRST_TEXT; i++)
    add_section(out, &heads, &names, fixed[i].name, fixed[i].head, text_str(fixed[i].data), fixed[i].data->n);
  for (size_t i = 0; i < m->n_codes; i++)
    add_section(out, &heads, &names, m->codes[i].name, m->codes[i].head, m->codes[i].data, m->codes[i].head.sh_size);
  names_head.sh_name = (uint32_t)names.n;
  add_bytes(&names, ".shstrtab", sizeof ".shstrtab");
  names_head.sh_offset = out->n;
  names_head.sh_size = names.n;
  add_bytes(out, text_str(&names), names.n);
  add_bytes(out, "\0\0\0\0\0\0\0", (8 - out->n % 8) % 8);
  head.e_shoff = out->n;
  head.e_shnum = (uint16_t)(FIRST_TEXT + m->n_codes);
  head.e_shstrndx = NAMES;
  head.e_phoff = head.e_phnum = 0;
  add_bytes(out, text_str(&heads), heads.n);
  memcpy(out->s, &head, sizeof head);
  memcpy(out->s + head.e_shoff + NAMES * sizeof names_head, &names_head, sizeof names_head);
  text_release(&heads);
  text_release(&names);
}

int cubins_merge(const struct cubin_bytes *cubins, size_t n, struct text *out, struct err *e) {
  static const Elf64_Sym no_symbol;
  struct merging m = {0};
  Elf64_Ehdr first = {0};
  int rc = 0;
  add_bytes(&m.strings, "", 1);
  add_bytes(&m.symbols, &no_symbol, sizeof no_symbol);
  for (size_t i = 0; i < n && !rc; i++) {
    struct elf f = {.name = "a cubin to disassemble", .data = cubins[i].data, .n = cubins[i].n};
    rc = elf_open(&f, e);
    if (!rc && i && f.head.e_flags != first.e_flags)
      rc = elf_refuse(&f, "it is of another chip than the one before", e);
    first = i ? first : f.head;
    if (!rc)
      rc = add_cubin(&m, &f, i, e);
  }
  if (!rc && FIRST_TEXT + m.n_codes >= SHN_LORESERVE)
    rc = err_set(e, ERR_DATA, "%zu kernels are too many for one file", m.n_codes);
  if (!rc)
    write_file(&m, &first, out);
  for (size_t i = 0; i < m.n_codes; i++)
    free(m.codes[i].name);
  free(m.codes);
  free(m.moved);
  text_release(&m.strings);
  text_release(&m.symbols);
  text_release(&m.lines);
  text_release(&m.relocations);
  text_release(&m.compat);
  return rc;
}

/* --- what nvdisasm says of it --- */

/* Adds code in which functions bear the cubin's number: CALL.REL.NOINC `(7.NAME). */
static void add_code(struct text *part, const char *from, const char *end, size_t cubin) {
  char numbered[32];
  size_t n = (size_t)snprintf(numbered, sizeof numbered, "`(%zu.", cubin);
  for (const char *at; (at = memmem(from, (size_t)(end - from), numbered, n)); from = at + n) {
    text_add_n(part, from, (size_t)(at - from));
    text_add(part, "`(");
  }
  text_add_n(part, from, (size_t)(end - from));
}

void merged_sass_split(const char *text, struct text *parts, size_t n) {
  static const char any[] = "\n\t.section\t", code[] = "\t.section\t.text.";
  const char *stop = text + strlen(text);
  const char *at =
      strncmp(text, any + 1, sizeof any - 2) == 0 ? text : memmem(text, (size_t)(stop - text), any, sizeof any - 1);
  while (at) {
    at += *at == '\n';
    const char *next = memmem(at, (size_t)(stop - at), any, sizeof any - 1);
    const char *end = next ? next + 1 : stop;
    char *name = NULL;
    bool is_code = strncmp(at, code, sizeof code - 1) == 0;
    unsigned long cubin = is_code ? strtoul(at + sizeof code - 1, &name, 10) : n;
    if (cubin < n && name && *name == '.') {
      text_add(&parts[cubin], code);
      add_code(&parts[cubin], name + 1, end, cubin);
    }
    at = next;
  }
}

/* --- both --- */

enum { BATCH = 64 }; /* what one run of nvdisasm is given: it takes as long to start as to read 20 small cubins */

static void batch_disassemble(struct sass_text *out, const struct cubin_bytes *cubins, size_t n, const char *program) {
  struct text file = {0}, parts[BATCH] = {{0}};
  char *all = NULL;
  if (n > 1 && cubins_merge(cubins, n, &file, NULL) == 0 && nvdisasm_run(program, file.s, file.n, &all, NULL) == 0)
    merged_sass_split(all, parts, n);
  for (size_t i = 0; i < n; i++) {
    out[i] = (struct sass_text){0};
    if (parts[i].n)
      out[i].text = text_take(&parts[i]);
    else
      nvdisasm_run(program, cubins[i].data, cubins[i].n, &out[i].text, &out[i].why);
    text_release(&parts[i]);
  }
  text_release(&file);
  free(all);
}

void cubins_disassemble(struct sass_text *out, const struct cubin_bytes *cubins, size_t n, const char *program) {
  for (size_t i = 0; i < n; i += BATCH)
    batch_disassemble(out + i, cubins + i, n - i < BATCH ? n - i : BATCH, program);
}
