#include "profiler/compile/toolchain.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Raised when the same inputs would give another entry (new default options, another log format). */
static const char cache_version[] = "3";
enum { CACHE_ENTRY_MAX = 64 << 20 };

/* An entry begins with a tag, the hash of all that follows it, and the bytes of the cubin, the log and the SASS (0: none); then these three. */
#define TAG   "nvfp4-prof entry %016llx\n"
#define SIZES "%016zx %016zx %016zx\n"
enum { TAG_BYTES = 34, SIZES_BYTES = 51 };

static void hash_string(XXH3_state_t *h, const char *s) {
  XXH3_128bits_update(h, s, strlen(s) + 1); /* with the NUL: "ab","c" is not "a","bc" */
}

/* Where a list of strings ends: one option and two headers are not two options and one header. */
static void hash_list_end(XXH3_state_t *h) {
  XXH3_128bits_update(h, "\n", 2);
}

static void hash_file(void *context, const char *path, const char *text) {
  hash_string(context, path);
  hash_string(context, text);
}

void cache_key(char key[33], const struct compile_settings *s, const struct compile_unit *u,
               const char *nvrtc_version) {
  XXH3_state_t *h = XXH3_createState();
  XXH3_128bits_reset(h);
  hash_string(h, cache_version);
  hash_string(h, nvrtc_version);
  hash_string(h, s->arch);
  hash_string(h, u->name);
  hash_string(h, u->source);
  for (size_t i = 0; i < u->n_options; i++)
    hash_string(h, u->options[i]);
  hash_list_end(h);
  for (size_t i = 0; i < s->set->n_files; i++)
    if (s->set->files[i].header)
      hash_file(h, s->set->files[i].name, s->set->files[i].text);
  hash_list_end(h);
  includes_visit(s, u, hash_file, h);
  XXH128_hash_t sum = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  snprintf(key, 33, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
}

static char *entry_path(const char *folder, const char *key) {
  return str_printf("%s/%s.entry", folder, key);
}

/* A NUL-terminated copy of the next n bytes. */
static char *take_part(const char **from, size_t n) {
  char *part = malloc(n + 1);
  memcpy(part, *from, n);
  part[n] = 0;
  *from += n;
  return part;
}

static void make_tag(char tag[TAG_BYTES + 1], const char *data, size_t n) {
  snprintf(tag, TAG_BYTES + 1, TAG, (unsigned long long)XXH3_64bits(data + TAG_BYTES, n - TAG_BYTES));
}

/* Whether data is an entry that lost nothing. */
static bool entry_whole(const char *data, size_t n, size_t sizes[3]) {
  char tag[TAG_BYTES + 1];
  if (n < TAG_BYTES + SIZES_BYTES)
    return false;
  make_tag(tag, data, n);
  return memcmp(tag, data, TAG_BYTES) == 0 && sscanf(data + TAG_BYTES, SIZES, &sizes[0], &sizes[1], &sizes[2]) == 3 &&
         sizes[0] + sizes[1] + sizes[2] == n - TAG_BYTES - SIZES_BYTES;
}

bool cache_decode(const char *data, size_t n, struct cache_entry *out) {
  size_t sizes[3];
  memset(out, 0, sizeof *out);
  if (!entry_whole(data, n, sizes))
    return false;
  const char *next = data + TAG_BYTES + SIZES_BYTES;
  out->cubin_bytes = sizes[0];
  out->cubin = take_part(&next, sizes[0]);
  out->log = take_part(&next, sizes[1]);
  out->sass = sizes[2] ? take_part(&next, sizes[2]) : NULL;
  return true;
}

static bool entry_get(const char *folder, const char *key, bool own, struct cache_entry *out) {
  char *path = folder ? entry_path(folder, key) : NULL, *data = NULL;
  size_t n = 0;
  memset(out, 0, sizeof *out);
  bool found =
      path && file_read_regular(path, CACHE_ENTRY_MAX, own, &data, &n, NULL) == 0 && cache_decode(data, n, out);
  if (found && own)
    utimensat(AT_FDCWD, path, NULL, 0); /* what is used stays longest */
  free(data);
  free(path);
  return found;
}

bool cache_get(const char *folder, const char *key, struct cache_entry *out) {
  return entry_get(folder, key, true, out);
}

bool cache_get_carried(const char *folder, const char *key, struct cache_entry *out) {
  return entry_get(folder, key, false, out);
}

int cache_read(const char *folder, const char *key, char **data, size_t *n, struct err *e) {
  char *path = entry_path(folder, key);
  int rc = file_read(path, CACHE_ENTRY_MAX, data, n, e);
  free(path);
  return rc;
}

void cache_encode(const struct cache_entry *entry, struct text *out) {
  char tag[TAG_BYTES + 1];
  const char *sass = entry->sass ? entry->sass : "";
  text_printf(out, TAG, 0ULL);
  text_printf(out, SIZES, entry->cubin_bytes, strlen(entry->log), strlen(sass));
  text_add_n(out, entry->cubin, entry->cubin_bytes);
  text_add(out, entry->log);
  text_add(out, sass);
  make_tag(tag, out->s, out->n);
  memcpy(out->s, tag, TAG_BYTES);
}

/* Removes what cache_get would not take: file_write would write through a pipe or another's file, and keep a mode. */
static int untrusted_remove(const char *path, struct err *e) {
  struct stat st;
  if (lstat(path, &st) != 0 || S_ISDIR(st.st_mode))
    return 0;
  bool trusted =
      S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH));
  if (trusted || unlink(path) == 0 || errno == ENOENT)
    return 0;
  return err_set(e, ERR_IO, "%s: not trusted, and it cannot be removed: %s", path, strerror(errno));
}

int cache_put(const char *folder, const char *key, const struct cache_entry *entry, struct err *e) {
  if (!folder)
    return 0;
  char *path = entry_path(folder, key);
  struct text file = {0};
  cache_encode(entry, &file);
  int rc = untrusted_remove(path, e);
  if (!rc) {
    mode_t before = umask(S_IRWXG | S_IRWXO); /* cache_get takes no entry that others may write */
    rc = file_write(path, file.s, file.n, e);
    umask(before);
  }
  text_release(&file);
  free(path);
  return rc;
}

void cache_entry_release(struct cache_entry *entry) {
  free(entry->cubin);
  free(entry->log);
  free(entry->sass);
  memset(entry, 0, sizeof *entry);
}
