#include "base/tar.h"

#include <stdio.h>
#include <string.h>

/* Offsets and lengths: POSIX.1-2017, pax, "ustar Interchange Format". */
enum { BLOCK = 512, NAME_MAX_BYTES = 100, CHECKSUM_AT = 148, CHECKSUM_BYTES = 8 };
static const long written_s = 946684800; /* 2000-01-01; tar warns of older times */

static void pad(struct text *tar) {
  static const char zeros[BLOCK];
  text_add_n(tar, zeros, (BLOCK - tar->n % BLOCK) % BLOCK);
}

int tar_add(struct text *tar, const char *name, unsigned mode, const void *data, size_t n, struct err *e) {
  char header[BLOCK] = {0};
  if (strlen(name) > NAME_MAX_BYTES)
    return err_set(e, ERR_USAGE, "%s: a name in the archive has at most %d bytes", name, NAME_MAX_BYTES);
  if ((unsigned long long)n >= 1ULL << 33) /* eleven octal digits */
    return err_set(e, ERR_USAGE, "%s: a file in the archive has less than 8 GiB", name);
  snprintf(header, sizeof header, "%s", name);
  snprintf(header + 100, 8, "%07o", mode & 07777u);
  snprintf(header + 108, 8, "%07o", 0u);
  snprintf(header + 116, 8, "%07o", 0u);
  snprintf(header + 124, 12, "%011llo", (unsigned long long)n);
  snprintf(header + 136, 12, "%011lo", (unsigned long)written_s);
  header[156] = '0'; /* a plain file */
  snprintf(header + 257, 6, "ustar");
  header[263] = header[264] = '0'; /* the version, which no zero ends */
  snprintf(header + 265, 32, "root");
  snprintf(header + 297, 32, "root");
  /* The sum is taken with blanks in its own place. */
  memset(header + CHECKSUM_AT, ' ', CHECKSUM_BYTES);
  unsigned sum = 0;
  for (int i = 0; i < BLOCK; i++)
    sum += (unsigned char)header[i];
  snprintf(header + CHECKSUM_AT, CHECKSUM_BYTES, "%06o", sum & 0777777u);
  text_add_n(tar, header, BLOCK);
  text_add_n(tar, data, n);
  pad(tar);
  return text_ok(tar) ? 0 : err_nomem(e, "the archive");
}

void tar_end(struct text *tar) {
  static const char zeros[2 * BLOCK];
  text_add_n(tar, zeros, sizeof zeros);
}
