/* How long a source was when the compiler read it, from a cubin's .debug_line (DWARF 2 to 4,
 * 6.2.4): nvcc writes the size of each file beside its name. */
#include "profiler/attach/outside/composing.h"

#include "profiler/cuda/elf.h"

#include <string.h>

enum { VERSION_FIRST = 2, VERSION_LAST = 4, VERSION_OF_OPS = 4 };

struct bytes { /* what is not read yet; nothing in it is trusted */
  const unsigned char *at, *end;
  bool short_; /* more was asked for than there is */
};

static uint64_t little(struct bytes *b, size_t n) {
  uint64_t v = 0;
  b->short_ |= (size_t)(b->end - b->at) < n;
  for (size_t i = 0; i < n && !b->short_; i++)
    v |= (uint64_t)*b->at++ << 8 * i;
  return v;
}

static uint64_t leb(struct bytes *b) {
  uint64_t v = 0;
  for (unsigned shift = 0; !b->short_; shift += 7) {
    uint64_t next = little(b, 1);
    v |= shift < 64 ? (next & 0x7f) << shift : 0;
    if (!(next & 0x80))
      break;
  }
  return v;
}

/* "" at the end of a list, and where there is no more. */
static const char *string(struct bytes *b) {
  const unsigned char *s = b->at, *zero = b->at < b->end ? memchr(s, 0, (size_t)(b->end - s)) : NULL;
  b->short_ |= !zero;
  if (zero)
    b->at = zero + 1;
  return zero ? (const char *)s : "";
}

/* The index-th of a list, from 1; NULL: there is none. */
static const char *string_at(struct bytes list, uint64_t index) {
  const char *s = NULL;
  for (uint64_t i = 0; i < index; i++)
    if (!*(s = string(&list)))
      return NULL;
  return s;
}

/* nvdisasm names a file by its folder and its name; folder: 0: it has none. */
static bool is_path(struct bytes folders, uint64_t folder, const char *name, const char *path) {
  size_t all = strlen(path), n = strlen(name);
  if (n > all || strcmp(path + all - n, name) != 0)
    return false;
  const char *of = string_at(folders, folder);
  size_t before = of ? strlen(of) : 0;
  if (!of)
    return n == all;
  return before + 1 + n == all && strncmp(of, path, before) == 0 && path[before] == '/';
}

/* Goes over a unit's files. */
static void unit_read(struct bytes b, const char *path, long *bytes, bool *differ) {
  uint64_t version = little(&b, 2);
  little(&b, 4); /* length of what follows up to the lines */
  if (version < VERSION_FIRST || version > VERSION_LAST)
    return;
  little(&b, version >= VERSION_OF_OPS ? 5 : 4);
  uint64_t opcodes = little(&b, 1);
  for (uint64_t i = 1; i < opcodes; i++)
    little(&b, 1);
  struct bytes folders = b;
  while (*string(&b))
    ;
  for (const char *name; !b.short_ && *(name = string(&b));) {
    uint64_t folder = leb(&b);
    leb(&b); /* when it was changed */
    uint64_t n = leb(&b);
    if (b.short_ || n == 0 || n > INT32_MAX || !is_path(folders, folder, name, path))
      continue;
    *differ |= *bytes > 0 && *bytes != (long)n;
    *bytes = (long)n;
  }
}

long cubin_source_bytes(const char *cubin, size_t n, const char *path) {
  struct elf f = {.name = "cubin", .data = (const unsigned char *)cubin, .n = n};
  Elf64_Shdr s;
  long bytes = 0;
  bool differ = false;
  if (elf_open(&f, NULL) || !elf_section_find(&f, ".debug_line", "", &s) || s.sh_type == SHT_NOBITS)
    return 0;
  struct bytes all = {.at = f.data + s.sh_offset, .end = f.data + s.sh_offset + s.sh_size};
  while (all.at < all.end && !all.short_) {
    uint64_t unit = little(&all, 4);
    if (all.short_ || unit > (size_t)(all.end - all.at))
      break;
    unit_read((struct bytes){.at = all.at, .end = all.at + unit}, path, &bytes, &differ);
    all.at += unit;
  }
  return differ ? 0 : bytes;
}
