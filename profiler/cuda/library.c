#include "profiler/cuda/library.h"

#include "base/file.h"
#include "base/text.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum need { REQUIRED, OPTIONAL };

struct symbol {
  enum need need;
  const char *name;
  size_t offset; /* of the pointer in the library's struct */
};

struct library {
  const char *variable;   /* names a file that is taken before all others */
  const char *names[4];   /* sonames, newest first; NULL closes */
  const char *wanted_for; /* what is lost without it */
  const char *remedy;
  const struct symbol *symbols;
  size_t n_symbols;
};

#define ROW(library, need, name) {need, #name, offsetof(struct library, name)},
#define DRIVER_ROW(need, name)   ROW(driver, need, name)
#define CUPTI_ROW(need, name)    ROW(cupti, need, name)
#define NVRTC_ROW(need, name)    ROW(nvrtc, need, name)
#define NVML_ROW(need, name)     ROW(nvml, need, name)
#define CUBLAS_ROW(need, name)   ROW(cublas, need, name)
#define CUBLASLT_ROW(need, name) ROW(cublaslt, need, name)
static const struct symbol driver_symbols[] = {DRIVER_SYMBOLS(DRIVER_ROW)};
static const struct symbol cupti_symbols[] = {CUPTI_SYMBOLS(CUPTI_ROW)};
static const struct symbol nvrtc_symbols[] = {NVRTC_SYMBOLS(NVRTC_ROW)};
static const struct symbol nvml_symbols[] = {NVML_SYMBOLS(NVML_ROW)};
static const struct symbol cublas_symbols[] = {CUBLAS_SYMBOLS(CUBLAS_ROW)};
static const struct symbol cublaslt_symbols[] = {CUBLASLT_SYMBOLS(CUBLASLT_ROW)};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct library driver_library = {
    "NVFP4_LIBCUDA", {"libcuda.so.1", "libcuda.so"}, "anything on a GPU", "install NVIDIA's driver",
    driver_symbols,  COUNT(driver_symbols),
};
static const struct library cupti_library = {
    "NVFP4_LIBCUPTI",
    {"libcupti.so.13", "libcupti.so.12", "libcupti.so"},
    "kernel timestamps and hardware counters",
    "set CUDA_HOME to a CUDA toolkit of 13.0 or later, or run scripts/setup, which fetches CUPTI",
    cupti_symbols,
    COUNT(cupti_symbols),
};
static const struct library nvrtc_library = {
    "NVFP4_LIBNVRTC",
    {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
    "compiling the rungs",
    "set CUDA_HOME to a CUDA toolkit of 13.0 or later, or run scripts/setup, which fetches NVRTC",
    nvrtc_symbols,
    COUNT(nvrtc_symbols),
};
static const struct library nvml_library = {
    "NVFP4_LIBNVML",
    {"libnvidia-ml.so.1", "libnvidia-ml.so"},
    "the driver's version and throttle reasons",
    "install NVIDIA's driver",
    nvml_symbols,
    COUNT(nvml_symbols),
};
static const struct library cublas_library = {
    "NVFP4_LIBCUBLAS",     {"libcublas.so.13", "libcublas.so.12", "libcublas.so"},
    "the cuBLAS controls", "set CUDA_HOME to a CUDA toolkit that has cuBLAS",
    cublas_symbols,        COUNT(cublas_symbols),
};
static const struct library cublaslt_library = {
    "NVFP4_LIBCUBLASLT",    {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"},
    "the cublasLt control", "set CUDA_HOME to a CUDA toolkit that has cuBLAS",
    cublaslt_symbols,       COUNT(cublaslt_symbols),
};

enum { ROOTS_MAX = 10 };

/* Folders of NVIDIA's wheels in the other places that Python imports from, which our Python entry
 * knows: pip installs beside ours only what none of them has. */
static size_t wheel_roots(char roots[][LIBRARY_PATH_MAX], size_t max) {
  const char *at = getenv("NVFP4_CUDA_WHEELS");
  size_t n = 0;
  while (at && *at && n < max) {
    size_t length = strcspn(at, ":");
    if (length)
      snprintf(roots[n++], LIBRARY_PATH_MAX, "%.*s", (int)length, at);
    at += length + (at[length] == ':');
  }
  return n;
}

bool program_folder(char out[LIBRARY_PATH_MAX]) {
  ssize_t n = readlink("/proc/self/exe", out, LIBRARY_PATH_MAX - 1);
  out[n > 0 ? n : 0] = 0;
  char *slash = strrchr(out, '/');
  if (slash)
    *slash = 0;
  return slash != NULL;
}

bool program_on_path(char out[LIBRARY_PATH_MAX], const char *name) {
  const char *path = getenv("PATH");
  for (const char *at = path ? path : ""; *at;) {
    size_t n = strcspn(at, ":");
    snprintf(out, LIBRARY_PATH_MAX, "%.*s/%s", (int)n, at, name);
    if (n && access(out, X_OK) == 0)
      return true;
    at += n + (at[n] == ':');
  }
  out[0] = 0;
  return false;
}

/* Roots of CUDA installations, in the order in which they are tried; the folder `cuda` beside the
 * binary and those of NVIDIA's wheels are before the last. */
static size_t toolkit_roots(char roots[][LIBRARY_PATH_MAX]) {
  const char *const variables[] = {"NVFP4_CUDA_HOME", "CUDA_HOME", "CUDA_PATH"};
  size_t n = 0;
  for (size_t i = 0; i < COUNT(variables); i++) {
    const char *value = getenv(variables[i]);
    if (value && *value)
      snprintf(roots[n++], LIBRARY_PATH_MAX, "%s", value);
  }
  const char *tool = getenv("NVFP4_ATTACH_TOOL"); /* in a program that attach has started, which is not the tool */
  char self[LIBRARY_PATH_MAX];
  if (program_folder(self) || tool) {
    enum { FOLDER_MAX = LIBRARY_PATH_MAX - 32 };
    snprintf(roots[n++], LIBRARY_PATH_MAX, "%.*s/cuda", FOLDER_MAX, tool ? tool : self);
    /* NVIDIA's wheels beside ours: nvfp4_prof/bin is the program's folder. */
    snprintf(roots[n++], LIBRARY_PATH_MAX, "%.*s/../../nvidia/cu13", FOLDER_MAX, tool ? tool : self);
  }
  n += wheel_roots(roots + n, ROOTS_MAX - n - 1);
  snprintf(roots[n++], LIBRARY_PATH_MAX, "/usr/local/cuda");
  return n;
}

static const char *const library_folders[] = {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib",
                                              "targets/sbsa-linux/lib"};

/* The loader says of a library for another architecture that there is no such file. */
static bool is_foreign(const char *path) {
  Elf64_Ehdr theirs = {0}, ours = {0};
  FILE *file = fopen(path, "re"), *self = fopen("/proc/self/exe", "re");
  bool foreign = file && self && fread(&theirs, sizeof theirs, 1, file) == 1 &&
                 fread(&ours, sizeof ours, 1, self) == 1 && memcmp(theirs.e_ident, ELFMAG, SELFMAG) == 0 &&
                 theirs.e_machine != ours.e_machine;
  if (file)
    fclose(file);
  if (self)
    fclose(self);
  return foreign;
}

/* Why the file could not be opened; of many, the first is enough. */
static void opening_failed(struct text *tried, const char *variable, const char *path) {
  const char *why = dlerror();
  if (!tried->n)
    text_printf(tried, "; %s%s%s%s", variable, *variable ? ": " : "", why ? why : path,
                is_foreign(path) ? " (it is a library for another architecture)" : "");
}

static void *open_in_roots(const char *soname, struct text *tried) {
  char roots[ROOTS_MAX][LIBRARY_PATH_MAX];
  size_t n_roots = toolkit_roots(roots);
  for (size_t r = 0; r < n_roots; r++)
    for (size_t f = 0; f < COUNT(library_folders); f++) {
      char *path = str_printf("%s/%s/%s", roots[r], library_folders[f], soname);
      void *handle = path && file_exists(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
      if (path && !handle && file_exists(path))
        opening_failed(tried, "", path);
      free(path);
      if (handle)
        return handle;
    }
  return NULL;
}

static void *library_open(const struct library *l, struct text *tried) {
  const char *named = getenv(l->variable);
  if (named && *named) {
    void *handle = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      opening_failed(tried, l->variable, named);
    return handle; /* who names a file wants that file or an error */
  }
  for (size_t i = 0; i < COUNT(l->names) && l->names[i]; i++) {
    void *handle = dlopen(l->names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (handle)
      return handle;
  }
  for (size_t i = 0; i < COUNT(l->names) && l->names[i]; i++) {
    void *handle = open_in_roots(l->names[i], tried);
    if (!handle)
      handle = dlopen(l->names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle)
      return handle;
  }
  if (l != &driver_library)
    text_add(
        tried,
        "; searched: NVFP4_CUDA_HOME, CUDA_HOME, CUDA_PATH, the folder cuda beside this program, NVIDIA's wheels, /usr/local/cuda "
        "and the system's library path");
  return NULL;
}

/* Fills the struct, of which `path` is the first member.  missing: names of absent optional symbols are added to it. */
static int library_load(const struct library *l, void *out, size_t bytes, struct text *missing, struct err *e) {
  struct text tried = {0};
  char *path = memset(out, 0, bytes);
  int rc = 0;
  void *handle = library_open(l, &tried);
  if (!handle) {
    rc = l == &driver_library /* which lies where the loader looks, or nowhere */
             ? err_set(e, ERR_MACHINE, "no NVIDIA driver: %s was not found%s; %s", l->names[0], text_str(&tried),
                       l->remedy)
             : err_set(e, ERR_MACHINE, "%s was not found; %s (needed for %s%s)", l->names[0], l->remedy, l->wanted_for,
                       text_str(&tried));
    goto out;
  }
  struct link_map *map = NULL;
  bool known = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0];
  snprintf(path, LIBRARY_PATH_MAX, "%s", known ? map->l_name : l->names[0]);
  for (size_t i = 0; i < l->n_symbols; i++) {
    const struct symbol *s = &l->symbols[i];
    void *address = dlsym(handle, s->name);
    if (address) {
      memcpy((char *)out + s->offset, &address, sizeof address);
    } else if (s->need == REQUIRED) {
      rc = err_set(e, ERR_MACHINE, "%s lacks %s, so it is too old (or too new) for %s: %s", path, s->name,
                   l->wanted_for, l->remedy);
      goto out;
    } else if (missing) {
      text_printf(missing, "%s%s", missing->n ? " " : "", s->name);
    }
  }
out:
  text_release(&tried);
  return rc;
}

int driver_load(struct driver *d, struct err *e) {
  return library_load(&driver_library, d, sizeof *d, NULL, e);
}

int driver_open(struct driver *d, int index, CUdevice *device, CUcontext *context, CUstream *stream, struct err *e) {
  int rc = driver_load(d, e);
  if (!rc)
    rc = CU_CALL(d, e, cuInit, 0);
  if (!rc)
    rc = CU_CALL(d, e, cuDeviceGet, device, index);
  if (!rc)
    rc = CU_CALL(d, e, cuDevicePrimaryCtxRetain, context, *device);
  if (!rc)
    rc = CU_CALL(d, e, cuCtxSetCurrent, *context);
  return rc ? rc : CU_CALL(d, e, cuStreamCreate, stream, CU_STREAM_NON_BLOCKING);
}

int driver_launch(const struct driver *d, CUfunction f, const struct driver_grid *g, CUstream stream, void **args,
                  struct err *e) {
  CUlaunchConfig config = {.gridDimX = g->grid,
                           .gridDimY = 1,
                           .gridDimZ = 1,
                           .blockDimX = g->block,
                           .blockDimY = 1,
                           .blockDimZ = 1,
                           .sharedMemBytes = g->smem,
                           .hStream = stream};
  return CU_CALL(d, e, cuLaunchKernelEx, &config, f, args, NULL);
}

/* Opens a library that another, already opened, will ask the loader for by name: where a toolkit is
 * neither in the loader's path nor has a run path (NVIDIA's wheels), it would not be found.  One
 * that is not there is found out by who wants it. */
static void open_companion(const char *library_path, const char *name) {
  const char *slash = strrchr(library_path, '/');
  char *path = slash ? str_printf("%.*s/%s", (int)(slash - library_path), library_path, name) : NULL;
  if (path && file_exists(path))
    dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  free(path);
}

int cupti_load_alone(struct cupti *c, struct err *e) {
  struct text missing = {0};
  int rc = library_load(&cupti_library, c, sizeof *c, &missing, e);
  if (rc == 0 && missing.n)
    c->missing = text_take(&missing);
  text_release(&missing);
  return rc;
}

void cupti_companions(const struct cupti *c) {
  open_companion(c->path, "libnvperf_host.so");
  open_companion(c->path, "libnvperf_target.so");
}

int cupti_load(struct cupti *c, struct err *e) {
  int rc = cupti_load_alone(c, e);
  if (rc == 0)
    cupti_companions(c);
  return rc;
}

int nvml_load(struct nvml *n, struct err *e) {
  return library_load(&nvml_library, n, sizeof *n, NULL, e);
}

int cublas_load(struct cublas *c, struct err *e) {
  return library_load(&cublas_library, c, sizeof *c, NULL, e);
}

int cublaslt_load(struct cublaslt *c, struct err *e) {
  return library_load(&cublaslt_library, c, sizeof *c, NULL, e);
}

/* What rungs include: a header, and the folder below the toolkit's `include` that names it. */
static const struct header {
  const char *file, *folder;
} headers[NVRTC_INCLUDES] = {{"cuda_fp16.h", ""}, {"cuda/std/cstdint", "/cccl"}, {"crt/host_defines.h", ""}};

static bool header_in(char out[LIBRARY_PATH_MAX], const struct header *h, const char *root) {
  static const char *const folders[] = {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"};
  for (size_t f = 0; f < COUNT(folders); f++) {
    char *path = str_printf("%s/%s%s/%s", root, folders[f], h->folder, h->file);
    bool there = path && file_exists(path);
    free(path);
    if (there) {
      snprintf(out, LIBRARY_PATH_MAX, "%.*s/%s%s", (int)(LIBRARY_PATH_MAX - 64), root, folders[f], h->folder);
      return true;
    }
  }
  return false;
}

/* NVIDIA's wheels are parts of one toolkit, which pip may have put in several folders. */
static bool is_of_wheels(const char *root) {
  return str_ends(root, "nvidia/cu13");
}

/* NVRTC has no include path of its own: the folder that holds cuda_fp16.h, that of CCCL's cuda/std
 * and that of crt; those of the toolkit that NVRTC was found in come first, and the last two are of
 * the toolkit of the first. */
static void find_includes(struct nvrtc *n) {
  char roots[ROOTS_MAX + 1][LIBRARY_PATH_MAX];
  size_t n_roots = toolkit_roots(roots + 1) + 1, found = n_roots;
  snprintf(roots[0], sizeof roots[0], "%s", n->path);
  for (int up = 0; up < 2; up++) { /* ROOT/lib64/libnvrtc.so.13 */
    char *slash = strrchr(roots[0], '/');
    if (slash)
      *slash = 0;
  }
  for (size_t r = 0; r < n_roots && found == n_roots; r++)
    if (header_in(n->include[0], &headers[0], roots[r]))
      found = r;
  for (size_t i = 1; i < NVRTC_INCLUDES && found < n_roots; i++) {
    bool there = header_in(n->include[i], &headers[i], roots[found]);
    for (size_t r = 0; r < n_roots && !there && is_of_wheels(roots[found]); r++)
      there = is_of_wheels(roots[r]) && header_in(n->include[i], &headers[i], roots[r]);
    if (strcmp(n->include[i], n->include[0]) == 0)
      n->include[i][0] = 0;
  }
}

int nvrtc_load(struct nvrtc *n, struct err *e) {
  int rc = library_load(&nvrtc_library, n, sizeof *n, NULL, e);
  if (rc == 0) {
    int major = 0, minor = 0;
    n->nvrtcVersion(&major, &minor);
    char builtins[64];
    snprintf(builtins, sizeof builtins, "libnvrtc-builtins.so.%d.%d", major, minor);
    open_companion(n->path, builtins);
    find_includes(n);
  }
  return rc;
}

/* Programs of the toolkit: the variable that names one, and NVIDIA's wheel that has it. */
static const struct program {
  const char *name, *variable, *wheel;
} programs[] = {
    {"nvdisasm", "NVFP4_NVDISASM", "nvidia-cuda-nvdisasm"},
    {"ptxas", "NVFP4_PTXAS", "nvidia-cuda-nvcc"},
    {"nvcc", "NVFP4_NVCC", "nvidia-cuda-nvcc"},
};

/* In NVIDIA's wheels of a Python whose bin folder is on PATH, as that of an active environment is. */
static bool program_in_wheels(char out[LIBRARY_PATH_MAX], const char *name) {
  const char *path = getenv("PATH");
  bool found = false;
  for (const char *at = path ? path : ""; *at && !found;) {
    char pattern[LIBRARY_PATH_MAX];
    glob_t files = {0};
    size_t n = strcspn(at, ":");
    snprintf(pattern, sizeof pattern, "%.*s/../lib/python3*/*-packages/nvidia/cu13/bin/%s", (int)n, at, name);
    found = n && glob(pattern, 0, NULL, &files) == 0 && access(files.gl_pathv[0], X_OK) == 0;
    if (found)
      snprintf(out, LIBRARY_PATH_MAX, "%s", files.gl_pathv[0]);
    globfree(&files);
    at += n + (at[n] == ':');
  }
  return found;
}

int program_find(char out[LIBRARY_PATH_MAX], const char *name, struct err *e) {
  const struct program *p = NULL;
  for (size_t i = 0; i < COUNT(programs); i++)
    if (strcmp(programs[i].name, name) == 0)
      p = &programs[i];
  const char *named = p ? getenv(p->variable) : NULL;
  out[0] = 0;
  if (named && *named) {
    if (access(named, X_OK)) /* who names a file wants that file or an error */
      return err_set(e, ERR_MACHINE, "%s: %s: %s", p->variable, named, strerror(errno));
    snprintf(out, LIBRARY_PATH_MAX, "%s", named);
    return 0;
  }
  char roots[ROOTS_MAX][LIBRARY_PATH_MAX];
  size_t n_roots = toolkit_roots(roots);
  for (size_t r = 0; r < n_roots; r++) {
    snprintf(out, LIBRARY_PATH_MAX, "%.*s/bin/%s", (int)(LIBRARY_PATH_MAX - 64), roots[r], name);
    if (access(out, X_OK) == 0)
      return 0;
  }
  if (program_on_path(out, name) || program_in_wheels(out, name))
    return 0;
  if (!p)
    return err_set(e, ERR_MACHINE,
                   "%s was not found in CUDA_HOME/bin, beside this program, on PATH or in the wheels of a Python there",
                   name);
  return err_set(e, ERR_MACHINE,
                 "%s was not found in CUDA_HOME/bin, beside this program, on PATH or in the wheels of a Python there: "
                 "pip install %s, or set %s or NVFP4_CUDA_HOME",
                 name, p->wheel, p->variable);
}

void gpu_uuid_text(char out[GPU_UUID_BYTES], const CUuuid *uuid) {
  const unsigned char *b = (const unsigned char *)uuid->bytes;
  char *p = out + sprintf(out, "GPU-");
  for (int i = 0; i < 16; i++)
    p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

int driver_check(const struct driver *d, CUresult result, const char *call, struct err *e) {
  if (result == CUDA_SUCCESS)
    return 0;
  const char *name = NULL, *text = NULL;
  d->cuGetErrorName(result, &name);
  d->cuGetErrorString(result, &text);
  return err_set(e, ERR_GPU, "%s: %s: %s", call, name ? name : "unknown error", text ? text : "");
}

/* What the user can do about the errors that a machine's settings cause. */
static const char *cupti_remedy(CUptiResult result) {
  switch (result) {
  case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    return " (ERR_NVGPUCTRPERM: the driver lets only the administrator read counters; run as root, or load the module with "
           "NVreg_RestrictProfilingToAdminUsers=0)";
  case CUPTI_ERROR_HARDWARE_BUSY:
  case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    return " (another profiler holds the counters: stop ncu, nsys or DCGM; `dcgmi profile --pause` frees them)";
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    return " (this virtual machine does not pass the counters through)";
  case CUPTI_ERROR_INVALID_CHIP_NAME:
    return " (this CUPTI is older than the chip: install a newer one and name it in NVFP4_LIBCUPTI)";
  case CUPTI_ERROR_NOT_INITIALIZED:
  case CUPTI_ERROR_API_NOT_IMPLEMENTED:
  case CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT:
    return " (this CUPTI and this driver do not fit together: `nvidia-smi` shows the newest CUDA that the driver supports; name the CUPTI of that CUDA in NVFP4_LIBCUPTI)";
  case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    return " (this is a MIG slice: only a whole GPU has counters)";
  case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    return " (confidential computing is on and hides the counters)";
  case CUPTI_ERROR_NOT_SUPPORTED:
    return " (this GPU, its driver or this virtual machine does not support it)";
  default:
    return "";
  }
}

int cupti_check(const struct cupti *c, CUptiResult result, const char *call, struct err *e) {
  if (result == CUPTI_SUCCESS)
    return 0;
  const char *name = NULL, *text = NULL;
  c->cuptiGetResultString(result, &name);
  if (c->cuptiGetErrorMessage)
    c->cuptiGetErrorMessage(result, &text);
  bool more = text && !(name && strcmp(name, text) == 0); /* some results have no message but their name */
  return err_set(e, ERR_GPU, "%s: %s%s%s%s", call, name ? name : "unknown error", more ? ": " : "", more ? text : "",
                 cupti_remedy(result));
}
