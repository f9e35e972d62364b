/* Rungs to cubins: NVRTC, in parallel processes, with a content-addressed cache.  Needs no GPU.
 *
 * A unit is compiled once a (source, headers, options, architecture, NVRTC version); its cubin,
 * what ptxas says of its kernels and its SASS are kept in the cache folder under the hash of all
 * that.  The parent process never loads NVRTC: a compiler that crashes fails its unit.
 */
#pragma once

#include "base/err.h"
#include "kernels/rung.h"
#include "profiler/cuda/interrupted.h"
#include "run/run.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct compile_unit {
  const char *name;           /* "cuda/2-intrinsics.cu": for messages and line information */
  const char *source;         /* the text */
  const char *const *options; /* NVRTC's, without the architecture: "-DROWS=4", "-maxrregcount=32" */
  size_t n_options;
};

struct compiled {
  bool ok;
  struct run_module module; /* kernels with registers, shared memory, spills, and SASS where nvdisasm is there */
  void *cubin;
  size_t cubin_bytes;
  char *error; /* !ok: NVRTC's log, or what went wrong */
};

struct compile_settings {
  const char *arch;           /* "sm_90a" */
  const struct rung_set *set; /* every header of the set is offered to NVRTC */
  int processes;              /* 0: one a core */
  bool sass;                  /* disassemble too */
  bool stops;                 /* at profile_interrupted: units that no process has begun then are left out */
  /* NULL: NVFP4_CACHE, else XDG_CACHE_HOME/nvfp4-prof, else HOME/.cache/nvfp4-prof, else none */
  const char *cache_folder;
  progress_told *progress; /* may be NULL */
};

struct compile_tools { /* what the compiling processes found */
  char nvrtc_version[32];
  char note[512]; /* why there is no SASS, or no cache; "" where all is well */
};

/* Compiles every unit; out[n_units] is filled in the units' order, a unit that fails has ok = false
 * and is no error here.  ERR_MACHINE where NVRTC is missing.  The caller releases each with
 * compiled_release, also after failure. */
int compile_all(const struct compile_settings *s, const struct compile_unit *units, size_t n_units,
                struct compiled *out, struct compile_tools *tools, struct err *e);
void compiled_release(struct compiled *c);

/* The disassembly that compile_all left out (sass = false), by a process of its own while the
 * caller measures.  What it makes comes back through the cache folder, so there has to be one. */
bool compile_keeps(const struct compile_settings *s);
struct disassembly { /* borrows the units, and the set and the folder's name of the settings */
  struct compile_settings settings;
  const struct compile_unit *units;
  size_t n_units;
  pid_t child; /* 0: nothing is under way */
};
/* modules[i]: of units[i], as compile_all filled it in; NULL: none is wanted.  Starts nothing where
 * all have their SASS.  ERR_MACHINE: fork. */
int disassembly_start(struct disassembly *d, const struct compile_settings *s, const struct compile_unit *units,
                      size_t n_units, struct run_module *const *modules, struct err *e);
/* Waits, and gives the modules their SASS, or the reason why there is none.  Once *interrupted,
 * what is under way is ended instead.  To be called once after each start that succeeded. */
int disassembly_finish(struct disassembly *d, struct run_module *const *modules,
                       const volatile sig_atomic_t *interrupted, struct compile_tools *tools, struct err *e);

/* Calls visit for every file on disk that the unit may include, directly or not: beside its source,
 * beside the file that includes it, or in the folder of an -I option.  Which #if holds is not
 * asked, and a name that a macro makes is not seen. */
void includes_visit(const struct compile_settings *settings, const struct compile_unit *u,
                    void (*visit)(void *context, const char *path, const char *text), void *context);

/* "sm_90a" for 90: the chip's own target; sm_80, sm_86 and sm_89 have none.  Returns buffer. */
const char *compile_arch(int sm, char buffer[16]);

/* The options a plan asks for, each a string of its own: defines, register cap, math flags, the
 * rung's literal options. */
char **compile_options(const struct rung_plan *plan, size_t *n);

/* A cubin of another compiler: kernels with registers and memory from its ELF, and SASS, or why
 * there is none; its lines have no source.  name is for messages.  ERR_DATA where it cannot be read.
 * The caller releases *out with run_module_release, also after failure. */
int cubin_module(struct run_module *out, const char *name, const void *data, size_t n, struct err *e);
struct cubin_file {
  const char *name;
  const void *data;
  size_t n;
  struct run_source **sources; /* as sass_parse has it; NULL: lines have no source */
  size_t *n_sources;
  struct run_module module; /* filled; the caller's to release, also after failure */
  struct err why;           /* filled: why it cannot be read */
};
/* Many of them, by few runs of the disassembler.  One that cannot be read is no error here. */
void cubin_modules(struct cubin_file *files, size_t n);
/* PTX likewise, through ptxas for arch (NULL: what its .target line names).  ERR_MACHINE where
 * ptxas is missing, ERR_DATA with what it says. */
int ptx_module(struct run_module *out, const char *name, const char *text, size_t n, const char *arch, struct err *e);
/* A file of n bytes of CUDA C++ with host code likewise, through nvcc, which finds the headers of
 * the host's compiler and those beside the file. */
int nvcc_module(struct run_module *out, const char *path, size_t n, const char *arch, struct err *e);
