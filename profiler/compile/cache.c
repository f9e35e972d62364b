#include "profiler/compile/parts.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Raised when the same inputs would give another entry (new default options, another log format). */
static const char cache_version[] = "2";
enum { CACHE_ENTRY_MAX = 64 << 20 };

char *cache_folder(const char *asked) {
  const char *variable = getenv("NVFP4_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *folder = NULL;
  if (asked || (variable && *variable))
    folder = str_copy(asked ? asked : variable);
  else if (xdg && *xdg)
    folder = str_printf("%s/nvfp4-prof", xdg);
  else if (home && *home)
    folder = str_printf("%s/.cache/nvfp4-prof", home);
  if (folder && (file_mkdirs(folder, NULL) || access(folder, W_OK))) {
    free(folder);
    folder = NULL;
  }
  return folder;
}

static void hash_string(XXH3_state_t *h, const char *s) {
  XXH3_128bits_update(h, s, strlen(s) + 1); /* with the NUL: "ab","c" is not "a","bc" */
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
  for (size_t i = 0; i < s->set->n_files; i++)
    if (s->set->files[i].header) {
      hash_string(h, s->set->files[i].name);
      hash_string(h, s->set->files[i].text);
    }
  XXH128_hash_t sum = XXH3_128bits_digest(h);
  XXH3_freeState(h);
  snprintf(key, 33, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
}

static bool read_part(const char *folder, const char *key, const char *ending, char **out, size_t *n) {
  char *path = str_printf("%s/%s.%s", folder, key, ending);
  bool ok = path && file_exists(path) && file_read(path, CACHE_ENTRY_MAX, out, n, NULL) == 0;
  free(path);
  return ok;
}

bool cache_get(const char *folder, const char *key, struct cache_entry *out) {
  memset(out, 0, sizeof *out);
  size_t n;
  /* The cubin is written last, so an entry that has one is whole. */
  if (!folder || !read_part(folder, key, "cubin", &out->cubin, &out->cubin_bytes) ||
      !read_part(folder, key, "log", &out->log, &n)) {
    cache_entry_release(out);
    return false;
  }
  read_part(folder, key, "sass", &out->sass, &n);
  return true;
}

static void write_part(const char *folder, const char *key, const char *ending, const void *data, size_t n) {
  char *path = str_printf("%s/%s.%s", folder, key, ending);
  if (path)
    file_write(path, data, n, NULL); /* a cache that cannot be written is only slower */
  free(path);
}

void cache_put(const char *folder, const char *key, const struct cache_entry *entry) {
  if (!folder)
    return;
  if (entry->sass)
    write_part(folder, key, "sass", entry->sass, strlen(entry->sass));
  write_part(folder, key, "log", entry->log, strlen(entry->log));
  write_part(folder, key, "cubin", entry->cubin, entry->cubin_bytes);
}

void cache_entry_release(struct cache_entry *entry) {
  free(entry->cubin);
  free(entry->log);
  free(entry->sass);
  memset(entry, 0, sizeof *entry);
}
