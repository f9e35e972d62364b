/* The parts of compile/: one cubin, what ptxas said of it, its SASS, and the cache. */
#pragma once

#include "base/text.h"
#include "profiler/compile/compile.h"
#include "profiler/cuda/library.h"

/* Compiles one unit.  On failure the error holds NVRTC's log.  log: ptxas's report, for ptxas_parse.  cubin: the caller's to free. */
int nvrtc_compile(const struct nvrtc *n, const struct compile_settings *s, const struct compile_unit *u, void **cubin,
                  size_t *cubin_bytes, struct text *log, struct err *e);

/* Adds a kernel to the module for each entry function that ptxas -v reports.  Lines that it does not know are passed over. */
void ptxas_parse(struct run_module *m, const char *log);

/* Runs a program and adds what it writes to stream (STDOUT_FILENO or STDERR_FILENO) to *out.  0, an errno, ECHILD where it failed, or ETIMEDOUT:
 * it was ended after limit_s. */
int program_capture(char *const *argv, int stream, double limit_s, struct text *out);
/* Runs nvdisasm on a cubin; *text is the caller's to free. */
int nvdisasm_run(const char *program, const void *cubin, size_t cubin_bytes, char **text, struct err *e);
char compiled_name_char(char c); /* what stands for it in the name of a file that NVRTC is given */
/* Many cubins of one chip as one file that nvdisasm reads.  ERR_DATA where one cannot be read. */
struct cubin_bytes {
  const void *data;
  size_t n;
};
int cubins_merge(const struct cubin_bytes *cubins, size_t n, struct text *out, struct err *e);
/* Cuts what nvdisasm -c printed of the merged file into n texts, each as if its cubin had been disassembled alone, but for the labels' numbers;
 * one of which nothing was printed stays empty. */
void merged_sass_split(const char *text, struct text *parts, size_t n);
/* The SASS of each cubin: many by one run of nvdisasm, each by itself where they cannot be merged.  text is the caller's to free; NULL: why. */
struct sass_text {
  char *text;
  struct err why;
};
void cubins_disassemble(struct sass_text *out, const struct cubin_bytes *cubins, size_t n, const char *program);
/* Gives each kernel of the module its instructions from nvdisasm -gi -c; branch targets are written
 * as offsets.  set: the files of run.sources, in order; names are matched by their ends with these.
 * NULL: names are matched whole with *sources, to which those that are new are added without a text;
 * where sources is NULL, too, lines have no source. */
void sass_parse(struct run_module *m, const char *text, const struct rung_set *set, struct run_source **sources,
                size_t *n_sources);

/* The cache.  A NULL folder means none: get finds nothing, put does nothing. */
/* Made if absent, for this user alone; NULL where it cannot be, or where another owns it or may write it; the caller's to free. */
char *cache_folder(const char *asked);
enum { CACHE_BYTES_MAX = 512 << 20 };
/* Removes entries until max_bytes are left, the ones not used for longest first, and the temporary files of killed processes. */
void cache_trim(const char *folder, size_t max_bytes);
/* The hash of all that the cubin depends on, files on disk among it. */
void cache_key(char key[33], const struct compile_settings *s, const struct compile_unit *u, const char *nvrtc_version);
/* One file an entry, KEY.entry, with a checksum: an entry is whole or it is not there. */
struct cache_entry {
  char *cubin, *log, *sass; /* log: of ptxas; sass: nvdisasm's text, NULL where it was not made */
  size_t cubin_bytes;
};
/* An entry that another user owns or may write is none. */
bool cache_get(const char *folder, const char *key, struct cache_entry *out);
bool cache_get_carried(const char *folder, const char *key,
                       struct cache_entry *out); /* of a kit, which is trusted as the program is */
/* An entry as its file has it. */
void cache_encode(const struct cache_entry *entry, struct text *out);
bool cache_decode(const char *data, size_t n, struct cache_entry *out);
int cache_put(const char *folder, const char *key, const struct cache_entry *entry, struct err *e); /* ERR_IO */
void cache_entry_release(struct cache_entry *entry);
/* The file of an entry as it is kept; *data is the caller's to free.  ERR_IO. */
int cache_read(const char *folder, const char *key, char **data, size_t *n, struct err *e);

/* What a kit carries: entries in the folder `kit` beside the binary, and a manifest that begins with these lines. */
#define CARRIED_HEAD "nvfp4-prof kit 1\nnvrtc %31s\ntargets %127s\n"
struct carried {
  char *folder;      /* NULL: no kit */
  char nvrtc[32];    /* the version that compiled the entries, which their keys hold */
  char targets[128]; /* "sm_90a,sm_100a" */
};
/* A folder without a manifest is no kit.  ERR_DATA: a manifest that is none. */
int carried_open(struct carried *c, struct err *e);
void carried_release(struct carried *c);
