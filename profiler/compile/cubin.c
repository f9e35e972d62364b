/* A cubin that someone else compiled (nvcc, Triton, CuTe): what its ELF says of each kernel, and its SASS.
 *
 * A kernel is a function of section .text.NAME that has a bank of parameters, .nv.constant0.NAME.  The attributes of .nv.info and
 * .nv.info.NAME are rows of format (1 byte), number (1 byte) and value or length (2 bytes); those used here, and what they hold, were read off
 * cubins of ptxas 13.0 for sm_89, sm_90a and sm_100a beside what ptxas -v says of them. */
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/elf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
  FORMAT_SIZED = 4,          /* the 2 bytes are the length of what follows */
  ATTRIBUTE_MAX_THREADS = 5, /* of .nv.info.NAME: three extents */
  ATTRIBUTE_FRAME = 0x11,    /* of .nv.info: symbol, bytes of local memory a thread */
  ATTRIBUTE_REGISTERS = 0x2f,
  ABI_SM_IN_BYTE_1 =
      8, /* from this version of the ABI on, e_flags holds the chip in its second byte; before, in its first */
  SMEM_RESERVED =
      1024, /* from sm_90 on .nv.shared.NAME begins with the driver's own bytes, which ptxas -v does not count */
};

/* The section in which a symbol's code lies; SIZE_MAX: unknown. */
static size_t symbol_section(const struct elf *f, uint32_t symbol) {
  struct elf_symbols s;
  return elf_symbols_open(&s, f) && symbol < s.n ? elf_symbol(&s, symbol).st_shndx : SIZE_MAX;
}

static uint32_t word(const unsigned char *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static int bounded(uint64_t v) {
  return v > INT_MAX ? INT_MAX : (int)v;
}

/* Reads the rows of an attribute section; text: the section that the kernel's code lies in. */
static void read_attributes(const struct elf *f, const Elf64_Shdr *s, size_t text, struct run_kernel *k) {
  if (s->sh_type == SHT_NOBITS) /* its place in the file is not checked: it has none */
    return;
  const unsigned char *p = f->data + s->sh_offset, *end = p + s->sh_size;
  while (end - p >= 4) {
    unsigned format = p[0], number = p[1], n = (unsigned)p[2] | (unsigned)p[3] << 8;
    p += 4;
    if (format != FORMAT_SIZED)
      continue;
    if (n > (size_t)(end - p))
      return;
    bool pair = n >= 8 && (number == ATTRIBUTE_REGISTERS || number == ATTRIBUTE_FRAME);
    if (pair && symbol_section(f, word(p)) == text)
      if (number == ATTRIBUTE_REGISTERS)
        k->registers = bounded(word(p + 4));
      else
        k->local_bytes = (long)word(p + 4);
    else if (number == ATTRIBUTE_MAX_THREADS && n >= 12)
      k->max_threads = bounded((uint64_t)word(p) * word(p + 4) * word(p + 8));
    p += n;
  }
}

static void read_kernel(const struct elf *f, struct run_kernel *k, size_t text, int sm) {
  Elf64_Shdr s;
  k->spill_store_bytes = k->spill_load_bytes = -1; /* the code shows them, no attribute does */
  if (elf_section_find(f, ".nv.info", "", &s))
    read_attributes(f, &s, text, k);
  if (elf_section_find(f, ".nv.info.", k->name, &s))
    read_attributes(f, &s, text, k);
  if (elf_section_find(f, ".nv.shared.", k->name, &s))
    k->smem_static = bounded(s.sh_size) - (sm >= 90 && s.sh_size >= SMEM_RESERVED ? SMEM_RESERVED : 0);
  if (elf_section_find(f, ".nv.constant0.", k->name, &s))
    k->const_bytes = bounded(s.sh_size);
}

static int read_kernels(const struct elf *f, struct run_module *m, int sm, struct err *e) {
  static const char text[] = ".text.";
  Elf64_Shdr s, bank;
  m->kernels = calloc(f->sections + 1, sizeof *m->kernels);
  for (size_t i = 0; i < f->sections; i++) {
    if (!elf_section(f, i, &s) || strncmp(elf_section_name(f, &s), text, sizeof text - 1) != 0)
      continue;
    const char *name = elf_section_name(f, &s) + sizeof text - 1;
    if (!elf_section_find(f, ".nv.constant0.", name, &bank))
      continue;
    struct run_kernel *k = &m->kernels[m->n_kernels++];
    k->name = str_copy(name);
    read_kernel(f, k, i, sm);
  }
  return m->n_kernels ? 0 : elf_refuse(f, "it holds no kernel", e);
}

/* What the ELF says. */
static int cubin_open(struct cubin_file *c, struct err *e) {
  struct elf f = {.name = c->name, .data = c->data, .n = c->n};
  struct run_module *m = &c->module;
  int rc = elf_open(&f, e);
  if (rc)
    return rc;
  unsigned flags = f.head.e_flags;
  int sm = (int)(f.head.e_ident[EI_ABIVERSION] >= ABI_SM_IN_BYTE_1 ? flags >> 8 & 0xff : flags & 0xff);
  m->arch = str_printf("sm_%d", sm);
  m->cubin_bytes = (long)c->n;
  return read_kernels(&f, m, sm, e);
}

/* The instructions, or for each kernel why there are none. */
static void sass_fill(struct cubin_file *c, const struct sass_text *sass) {
  if (sass->text)
    sass_parse(&c->module, sass->text, NULL, c->sources, c->n_sources);
  for (size_t i = 0; i < c->module.n_kernels; i++) {
    struct run_kernel *k = &c->module.kernels[i];
    if (!k->n_sass && !k->sass_reason)
      k->sass_reason = str_printf("%s: %s", c->name, sass->text ? "nvdisasm shows no code of it" : sass->why.text);
  }
}

void cubin_modules(struct cubin_file *files, size_t n) {
  char program[LIBRARY_PATH_MAX];
  struct err missing = {0};
  struct cubin_bytes *cubins = calloc(n + 1, sizeof *cubins);
  struct sass_text *sass = calloc(n + 1, sizeof *sass);
  size_t n_opened = 0, at = 0;
  bool there = program_find(program, "nvdisasm", &missing) == 0;
  for (size_t i = 0; i < n; i++) {
    files[i].module = (struct run_module){0};
    files[i].why = (struct err){0};
    if (cubin_open(&files[i], &files[i].why) == 0)
      cubins[n_opened++] = (struct cubin_bytes){files[i].data, files[i].n};
  }
  if (there)
    cubins_disassemble(sass, cubins, n_opened, program);
  for (size_t i = 0; i < n; i++)
    if (files[i].why.code == 0)
      sass_fill(&files[i], there ? &sass[at++] : &(struct sass_text){.why = missing});
  for (size_t i = 0; i < n; i++)
    free(sass[i].text);
  free(sass);
  free(cubins);
}

int cubin_module(struct run_module *out, const char *name, const void *data, size_t n, struct err *e) {
  struct cubin_file one = {.name = name, .data = data, .n = n};
  cubin_modules(&one, 1);
  *out = one.module;
  return one.why.code ? err_set(e, one.why.code, "%s", one.why.text) : 0;
}
