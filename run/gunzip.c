#include "run/gunzip.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 16 + MAX_WBITS }; /* 16: gzip's header and checksum, not zlib's */

struct inflation {
  z_stream z;
  char *text;
  size_t cap, max;
};

bool gunzip_is(const char *data, size_t n) {
  return n >= 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

static size_t inflated(const struct inflation *i) {
  return i->text ? (size_t)((char *)i->z.next_out - i->text) : 0;
}

/* Room up to one byte beyond max: that byte tells a text that is too long from one that just fits. */
static void room_make(struct inflation *i) {
  enum { FIRST = 64 * 1024 };
  size_t used = inflated(i), cap = i->cap ? i->cap * 2 : FIRST;
  if (cap > i->max + 1)
    cap = i->max + 1;
  i->text = realloc(i->text, cap + 1);
  i->cap = cap;
  i->z.next_out = (Bytef *)i->text + used;
  i->z.avail_out = (uInt)(cap - used);
}

/* 1: there is more to inflate; 0: that was all. */
static int inflate_some(struct inflation *i, struct err *e) {
  static const char remedy[] = "the file is cut short or damaged: profile again, or restore it";
  if (i->z.avail_out == 0)
    room_make(i);
  int rc = inflate(&i->z, Z_NO_FLUSH);
  if (inflated(i) > i->max)
    return err_set(
        e, ERR_DATA,
        "it inflates to more than the %zu bytes that a run may have: profile fewer variants or shapes at once", i->max);
  if (rc == Z_OK)
    return 1;
  if (rc == Z_MEM_ERROR)
    return err_nomem(e, "zlib");
  if (rc == Z_BUF_ERROR)
    return err_set(e, ERR_DATA, "its gzip data ends too early, %zu bytes into the run; %s", inflated(i), remedy);
  if (rc != Z_STREAM_END)
    return err_set(e, ERR_DATA, "its gzip data is wrong (%s), %zu bytes into the run; %s",
                   i->z.msg ? i->z.msg : "zlib does not say how", inflated(i), remedy);
  if (i->z.avail_in == 0)
    return 0;
  if (!gunzip_is((const char *)i->z.next_in, i->z.avail_in))
    return err_set(e, ERR_DATA, "%u bytes that are not gzip's follow its gzip data; %s", i->z.avail_in, remedy);
  inflateReset(&i->z);
  return 1;
}

int gunzip(const char *data, size_t n, size_t max, char **out, size_t *n_out, struct err *e) {
  struct inflation i = {.z = {.next_in = (z_const Bytef *)data, .avail_in = (uInt)n}, .max = max};
  if (inflateInit2(&i.z, GZIP_WINDOW_BITS) != Z_OK)
    return err_nomem(e, "zlib");
  int rc;
  do
    rc = inflate_some(&i, e);
  while (rc > 0);
  if (rc == 0) {
    *n_out = inflated(&i);
    i.text[*n_out] = '\0';
    *out = i.text;
    i.text = NULL;
  }
  inflateEnd(&i.z);
  free(i.text);
  return rc;
}

bool gzip_wanted(const char *path) {
  return str_ends(path, ".gz");
}

int gzip_pack(const char *data, size_t n, char **out, size_t *n_out, struct err *e) {
  enum { MEMORY_LEVEL = 8 }; /* zlib's own; level 9 saves 5 % of a run and takes four times as long */
  z_stream z = {.next_in = (z_const Bytef *)data, .avail_in = (uInt)n};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    return err_nomem(e, "zlib");
  size_t room = deflateBound(&z, n);
  *out = malloc(room);
  z.next_out = (Bytef *)*out;
  z.avail_out = (uInt)room;
  bool whole = *out && deflate(&z, Z_FINISH) == Z_STREAM_END;
  *n_out = room - z.avail_out;
  deflateEnd(&z);
  if (whole)
    return 0;
  free(*out);
  *out = NULL;
  return err_nomem(e, "a compressed file");
}
