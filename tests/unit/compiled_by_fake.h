/* The fake NVRTC and a folder of the test's own, with a cache in it; cubins made by hand.  FAKES is the folder of the fake libraries. */
#pragma once

#include "base/file.h"
#include "base/text.h"
#include "profiler/compile/compile.h"

#include <elf.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char own_folder[512], own_cache[600];

static inline int own_remove(const char *path, const struct stat *st, int kind, struct FTW *place) {
  (void)st, (void)kind, (void)place;
  return remove(path);
}

/* A cache that is empty. */
static inline void own_cache_clear(void) {
  nftw(own_cache, own_remove, 16, FTW_DEPTH | FTW_PHYS);
  file_mkdirs_mode(own_cache, 0700, NULL);
}

static inline int own_open(void **state) {
  const char *temporary = getenv("TMPDIR");
  (void)state;
  setenv("NVFP4_LIBNVRTC", FAKES "/whole/libnvrtc.so.13", 1);
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1);
  unsetenv("NVFP4_FAKE");
  snprintf(own_folder, sizeof own_folder, "%s/nvfp4-test.XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (!mkdtemp(own_folder))
    return -1;
  snprintf(own_cache, sizeof own_cache, "%s/cache", own_folder);
  setenv("NVFP4_CACHE", own_cache, 1);
  own_cache_clear();
  return 0;
}

static inline int own_close(void **state) {
  (void)state;
  return nftw(own_folder, own_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* --- a cubin, put together section by section --- */

enum { SECTIONS_MAX = 24 };
static struct made_cubin {
  unsigned char data[8192];
  size_t n;
  char names[1024];
  size_t n_names;
  Elf64_Shdr sections[SECTIONS_MAX];
  size_t n_sections;
} made_cubin;

static inline size_t section(const char *name, unsigned type, const void *data, size_t n) {
  Elf64_Shdr *s = &made_cubin.sections[made_cubin.n_sections];
  *s =
      (Elf64_Shdr){.sh_name = (Elf64_Word)made_cubin.n_names, .sh_type = type, .sh_offset = made_cubin.n, .sh_size = n};
  made_cubin.n_names += (size_t)sprintf(made_cubin.names + made_cubin.n_names, "%s", name) + 1;
  if (type != SHT_NOBITS) {
    if (n)
      memcpy(made_cubin.data + made_cubin.n, data, n);
    made_cubin.n += (n + 7) / 8 * 8;
  }
  return made_cubin.n_sections++;
}

static inline void cubin_begin(void) {
  memset(&made_cubin, 0, sizeof made_cubin);
  made_cubin.n = sizeof(Elf64_Ehdr);
  section("", SHT_NULL, NULL, 0);
}

static inline void cubin_end(unsigned char abi, unsigned flags) {
  size_t strings = section(".shstrtab", SHT_STRTAB, "", 0);
  made_cubin.sections[strings].sh_size = made_cubin.n_names;
  memcpy(made_cubin.data + made_cubin.n, made_cubin.names, made_cubin.n_names);
  made_cubin.n += (made_cubin.n_names + 7) / 8 * 8;
  Elf64_Ehdr head = {.e_machine = 190,
                     .e_flags = flags,
                     .e_shoff = made_cubin.n,
                     .e_shentsize = sizeof(Elf64_Shdr),
                     .e_shnum = (Elf64_Half)made_cubin.n_sections,
                     .e_shstrndx = (Elf64_Half)strings};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_ABIVERSION] = abi;
  memcpy(made_cubin.data, &head, sizeof head);
  memcpy(made_cubin.data + made_cubin.n, made_cubin.sections, made_cubin.n_sections * sizeof *made_cubin.sections);
  made_cubin.n += made_cubin.n_sections * sizeof *made_cubin.sections;
}
