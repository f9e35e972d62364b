/* A cubin is an ELF file of 64 bits and little-endian; nothing in it is trusted. */
#pragma once

#include "base/err.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct elf {
  const char *name; /* for messages; set by the caller, as data and n */
  const unsigned char *data;
  size_t n;
  Elf64_Ehdr head;
  size_t strings, strings_n; /* the section names */
  size_t sections;
};

/* Reads the head.  ERR_DATA where it is no cubin. */
int elf_open(struct elf *f, struct err *e);
int elf_refuse(const struct elf *f, const char *why, struct err *e); /* ERR_DATA */
/* The i-th section's row; false where there is none, or its bytes are not all there. */
bool elf_section(const struct elf *f, size_t i, Elf64_Shdr *out);
const char *elf_section_name(const struct elf *f, const Elf64_Shdr *s); /* "" where it is cut short */
/* The section named "PREFIX" + "NAME"; false: there is none. */
bool elf_section_find(const struct elf *f, const char *prefix, const char *name, Elf64_Shdr *out);

struct elf_symbols { /* of the file's first table of them */
  const struct elf *f;
  Elf64_Shdr table, strings;
  size_t n;
};
/* False: there is no such table. */
bool elf_symbols_open(struct elf_symbols *s, const struct elf *f);
Elf64_Sym elf_symbol(const struct elf_symbols *s, size_t i); /* i < s->n */
/* "" where it has none that ends. */
const char *elf_symbol_name(const struct elf_symbols *s, const Elf64_Sym *symbol);
