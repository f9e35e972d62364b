/* The pool: processes that take units from a shared counter and leave their work in the cache folder. */
#include "profiler/compile/toolchain.h"

#include "base/clock.h"
#include "profiler/cuda/child.h"
#include "profiler/cuda/interrupted.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum slot_state { SLOT_PENDING, SLOT_CLAIMED, SLOT_DONE, SLOT_FAILED };

struct compile_slot {
  _Atomic int state;
  bool cached, carried; /* carried: by a kit, in its folder */
  double seconds;
  char key[33];
  char error[8192];
  off_t spilled_at; /* of the entry in the spill file, where the cache did not take it */
  size_t spilled_bytes;
};

struct board { /* shared by all processes */
  _Atomic size_t next;
  _Atomic off_t spilled;
  _Atomic int cache_failed; /* it does not take entries: cache_error says why */
  char cache_error[512];
  _Atomic int sass_failed; /* of a unit: tools.note says why */
  _Atomic int load_failed; /* NVRTC is not there: load_error says why */
  char load_error[2048];
  struct compile_tools tools;
  struct compile_slot slots[];
};

struct compilers {
  const struct compile_settings *settings;
  const struct compile_unit *units;
  size_t n;
  char *folder;           /* the cache; NULL: none */
  int spill;              /* a file in memory: what the cache does not take reaches the parent nevertheless */
  struct carried carried; /* asked before the cache and NVRTC: a kit runs what was compiled where it was made */
  struct board *board;
  size_t board_bytes;
};

/* What a note of the run begins with; a kernel's reason is what follows. */
static const char NO_SASS[] = "no SASS: ";

enum { BATCH = 16 }; /* cubins that are disassembled together, since nvdisasm takes long to start */
struct pending {     /* a unit whose entry is kept, but for its SASS */
  size_t slot;
  struct cache_entry entry;
};

struct compiler { /* of one process */
  const struct compilers *pool;
  struct pending pending[BATCH];
  size_t n_pending;
  struct nvrtc *nvrtc; /* NULL: not asked for yet, or not here */
  char version[32], disassembler[LIBRARY_PATH_MAX];
  struct err why; /* NVRTC is not here */
};

/* Opens NVRTC when the first unit needs it: for what a kit carries, none is. */
static bool compiler_open(struct compiler *c) {
  int major = 0, minor = 0;
  if (c->nvrtc || c->why.code)
    return c->nvrtc != NULL;
  struct nvrtc *n = calloc(1, sizeof *n);
  if (nvrtc_load(n, &c->why)) {
    free(n);
    return false;
  }
  n->nvrtcVersion(&major, &minor);
  snprintf(c->version, sizeof c->version, "%d.%d", major, minor);
  struct compile_tools *tools = &c->pool->board->tools; /* every process writes the same */
  snprintf(tools->nvrtc_version, sizeof tools->nvrtc_version, "%s", c->version);
  struct err e = {0};
  if (c->pool->settings->sass && program_find(c->disassembler, "nvdisasm", &e))
    snprintf(tools->note, sizeof tools->note, "%s%.480s", NO_SASS, e.text);
  c->nvrtc = n;
  return true;
}

/* Keeps an entry for the parent: in the cache, or else in memory. */
static int keep(const struct compilers *p, struct compile_slot *slot, const struct cache_entry *entry, struct err *e) {
  struct err why = {0};
  if (p->folder && cache_put(p->folder, slot->key, entry, &why) == 0)
    return 0;
  if (p->folder && !atomic_exchange(&p->board->cache_failed, 1))
    snprintf(p->board->cache_error, sizeof p->board->cache_error, "%.500s", why.text);
  struct text file = {0};
  int rc = 0;
  cache_encode(entry, &file);
  off_t at = atomic_fetch_add(&p->board->spilled, (off_t)file.n);
  if (pwrite(p->spill, file.s, file.n, at) != (ssize_t)file.n)
    rc = err_set(e, ERR_NOMEM, "a cubin of %zu bytes: %s", file.n, strerror(errno));
  if (!rc) {
    slot->spilled_at = at;
    slot->spilled_bytes = file.n;
  }
  text_release(&file);
  return rc;
}

/* The entry that `keep` kept, or that was there. */
static bool kept(const struct compilers *p, const struct compile_slot *slot, struct cache_entry *out) {
  if (slot->carried)
    return cache_get_carried(p->carried.folder, slot->key, out);
  char *data = slot->spilled_bytes ? malloc(slot->spilled_bytes) : NULL;
  if (!data)
    return cache_get(p->folder, slot->key, out);
  bool whole = pread(p->spill, data, slot->spilled_bytes, slot->spilled_at) == (ssize_t)slot->spilled_bytes &&
               cache_decode(data, slot->spilled_bytes, out);
  free(data);
  return whole;
}

/* The run notes the first that nvdisasm fails on, each kernel its own reason. */
static void no_sass(const struct compilers *p, size_t i, const char *why) {
  struct board *b = p->board;
  snprintf(b->slots[i].error, sizeof b->slots[i].error, "%s", why);
  if (!atomic_exchange(&b->sass_failed, 1))
    snprintf(b->tools.note, sizeof b->tools.note, "no SASS of %.100s: %.380s", p->units[i].name, why);
}

static void disassemble_pending(struct compiler *c) {
  const struct compilers *p = c->pool;
  struct cubin_bytes cubins[BATCH];
  struct sass_text sass[BATCH];
  for (size_t i = 0; i < c->n_pending; i++)
    cubins[i] = (struct cubin_bytes){c->pending[i].entry.cubin, c->pending[i].entry.cubin_bytes};
  cubins_disassemble(sass, cubins, c->n_pending, c->disassembler);
  for (size_t i = 0; i < c->n_pending; i++) {
    struct cache_entry *entry = &c->pending[i].entry;
    entry->sass = sass[i].text;
    struct compile_slot *slot = &p->board->slots[c->pending[i].slot];
    if (entry->sass) /* without it the entry stands as it was put */
      keep(p, slot, entry, NULL);
    else
      no_sass(p, c->pending[i].slot, sass[i].why.text);
    cache_entry_release(entry);
  }
  c->n_pending = 0;
}

static void compile_slot(struct compiler *c, size_t i) {
  const struct compilers *p = c->pool;
  struct compile_slot *slot = &p->board->slots[i];
  cache_key(slot->key, p->settings, &p->units[i], c->version);
  struct cache_entry entry;
  struct text log = {0};
  struct err e = {0};
  slot->cached = cache_get(p->folder, slot->key, &entry);
  int rc = 0;
  if (!slot->cached) {
    double start = clock_now_s();
    void *cubin = NULL;
    rc = nvrtc_compile(c->nvrtc, p->settings, &p->units[i], &cubin, &entry.cubin_bytes, &log, &e);
    slot->seconds = clock_now_s() - start;
    entry.cubin = cubin;
    entry.log = str_copy(text_str(&log));
  }
  /* The parent reads the entry.  It is put before its SASS is there: a crash over the next unit costs this one nothing else. */
  if (!rc && !slot->cached && keep(p, slot, &entry, &e))
    rc = err_context(&e, "%s", p->units[i].name);
  if (rc)
    snprintf(slot->error, sizeof slot->error, "%s", e.text);
  atomic_store(&slot->state, rc ? SLOT_FAILED : SLOT_DONE);
  text_release(&log);
  if (!rc && p->settings->sass && !entry.sass && c->disassembler[0])
    c->pending[c->n_pending++] = (struct pending){i, entry};
  else
    cache_entry_release(&entry);
  if (c->n_pending == BATCH)
    disassemble_pending(c);
}

static bool carried_slot(const struct compilers *p, size_t i) {
  struct compile_slot *slot = &p->board->slots[i];
  struct cache_entry entry;
  if (!p->carried.folder)
    return false;
  cache_key(slot->key, p->settings, &p->units[i], p->carried.nvrtc);
  slot->carried = slot->cached = cache_get_carried(p->carried.folder, slot->key, &entry);
  if (slot->carried) {
    cache_entry_release(&entry);
    atomic_store(&slot->state, SLOT_DONE);
  }
  return slot->carried;
}

/* A kit is there, does not hold the unit, and there is no compiler. */
static void refuse_slot(const struct compiler *c, size_t i) {
  const struct compilers *p = c->pool;
  struct compile_slot *slot = &p->board->slots[i];
  struct text options = {0};
  for (size_t o = 0; o < p->units[i].n_options; o++)
    text_printf(&options, " %s", p->units[i].options[o]);
  snprintf(slot->error, sizeof slot->error,
           "%s for %s%s: this kit, made for %s, does not carry it, and there is no NVRTC to compile it: make a kit "
           "with its variant, shape and chip (nvfp4-prof kit --variant, --shape, --target)",
           p->units[i].name, p->settings->arch, text_str(&options), p->carried.targets);
  text_release(&options);
  atomic_store(&slot->state, SLOT_FAILED);
}

/* The life of one compiling process; it never returns. */
static void child_main(const struct compilers *p) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  /* NVRTC 12.9 and later has a cache of its own where there is a driver; what comes from it comes without ptxas's report. */
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  struct compiler *c = calloc(1, sizeof *c);
  c->pool = p;
  for (size_t i; (i = atomic_fetch_add(&p->board->next, 1)) < p->n;) {
    atomic_store(&p->board->slots[i].state, SLOT_CLAIMED);
    if (carried_slot(p, i))
      continue;
    if (compiler_open(c)) {
      compile_slot(c, i);
    } else if (p->carried.folder) {
      refuse_slot(c, i);
    } else {
      snprintf(p->board->load_error, sizeof p->board->load_error, "%s", c->why.text);
      atomic_store(&p->board->load_failed, 1);
      _exit(1);
    }
  }
  disassemble_pending(c);
  _exit(0);
}

static void report_progress(const struct compilers *p, size_t *shown) {
  size_t done = 0;
  const char *last = "";
  for (size_t i = 0; i < p->n; i++)
    if (atomic_load(&p->board->slots[i].state) >= SLOT_DONE) {
      done++;
      last = p->units[i].name;
    }
  if (p->settings->progress && done != *shown)
    p->settings->progress("compile", done, p->n, last);
  *shown = done;
}

/* Takes in one of our processes that has ended, and no other child of the caller's: true with its status. */
static bool reap(pid_t *children, size_t n, int *status) {
  for (size_t i = 0; i < n; i++) {
    pid_t ended = children[i] ? waitpid(children[i], status, WNOHANG) : 0;
    if (ended == 0 || (ended < 0 && errno == EINTR))
      continue;
    if (ended < 0)
      *status = 0; /* someone else has waited for it */
    children[i] = 0;
    return true;
  }
  return false;
}

/* Starts the processes and waits for all; one that crashes leaves its unit claimed, and another is started for the rest. */
static int run_processes(const struct compilers *p, struct err *e) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t wanted = p->settings->processes > 0 ? (size_t)p->settings->processes : (size_t)(cores > 0 ? cores : 1);
  wanted = wanted > p->n ? p->n : wanted;
  pid_t *children = calloc(2 * p->n + 1, sizeof *children); /* all that were ever started */
  size_t n_children = 0;
  size_t alive = 0, shown = 0, restarts = p->n; /* each restart has a crashed unit behind it, or it is one too many */
  fflush(NULL);                                 /* what is buffered must not be written twice */
  for (size_t started = 0; started < wanted || alive;) {
    if (started < wanted) {
      pid_t child = fork();
      if (child == 0)
        child_main(p);
      if (child < 0 && !alive) {
        free(children);
        return err_set(e, ERR_MACHINE, "fork: %s", strerror(errno));
      }
      if (child > 0)
        children[n_children++] = child;
      alive += child > 0;
      started++;
      continue;
    }
    int status;
    if (p->settings->stops && profile_interrupted)
      atomic_store(&p->board->next, p->n);
    if (reap(children, n_children, &status)) {
      alive--;
      if (status && !atomic_load(&p->board->load_failed) && atomic_load(&p->board->next) < p->n && restarts) {
        restarts--;
        started--;
      }
    } else {
      nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    report_progress(p, &shown);
  }
  free(children);
  return 0;
}

/* Reads one unit's entry back into what the caller wants. */
static void collect(const struct compilers *p, size_t i, struct compiled *out) {
  const struct compile_slot *slot = &p->board->slots[i];
  if (atomic_load(&slot->state) != SLOT_DONE) {
    const char *why = atomic_load(&slot->state) == SLOT_PENDING ? "interrupted" : "NVRTC crashed";
    out->error = slot->error[0] ? str_copy(slot->error) : str_printf("%s: %s", p->units[i].name, why);
    return;
  }
  struct cache_entry entry;
  if (!kept(p, slot, &entry)) {
    out->error = str_printf("%s: its cubin vanished from the compile cache", p->units[i].name);
    return;
  }
  struct run_module *m = &out->module;
  struct text options = {0};
  for (size_t o = 0; o < p->units[i].n_options; o++)
    text_printf(&options, "%s%s", o ? " " : "", p->units[i].options[o]);
  m->key = str_copy(slot->key);
  m->arch = str_copy(p->settings->arch);
  m->options = str_copy(text_str(&options));
  m->cached = slot->cached;
  m->compile_s = slot->cached ? 0 : slot->seconds;
  m->cubin_bytes = (long)entry.cubin_bytes;
  text_release(&options);
  ptxas_parse(m, entry.log);
  if (entry.sass)
    sass_parse(m, entry.sass, p->settings->set, NULL, NULL);
  const char *note = p->board->tools.note;
  const char *failed = slot->carried    ? "the kit was made where there was no nvdisasm"
                       : slot->error[0] ? slot->error
                       : note[0] ? note + (strncmp(note, NO_SASS, sizeof NO_SASS - 1) == 0 ? sizeof NO_SASS - 1 : 0)
                                 : "nvdisasm failed";
  const char *why = p->settings->sass ? failed : "not asked for";
  for (size_t k = 0; k < m->n_kernels; k++)
    if (!m->kernels[k].n_sass)
      m->kernels[k].sass_reason = str_copy(why);
  out->cubin = entry.cubin;
  out->cubin_bytes = entry.cubin_bytes;
  entry.cubin = NULL;
  cache_entry_release(&entry);
  out->ok = m->n_kernels > 0;
  if (!out->ok)
    out->error = str_printf("%s: it has no __global__ function (a template needs an instantiation)", p->units[i].name);
}

static int pool_open(struct compilers *p, struct err *e) {
  int rc = carried_open(&p->carried, e);
  if (rc)
    return rc;
  p->folder = cache_folder(p->settings->cache_folder);
  p->spill = memfd_create("cubins", MFD_CLOEXEC);
  if (p->spill < 0)
    return err_set(e, ERR_MACHINE, "memfd_create: %s", strerror(errno));
  p->board_bytes = sizeof *p->board + p->n * sizeof p->board->slots[0];
  p->board = child_share(p->board_bytes);
  return p->board ? 0 : err_nomem(e, "the compilers' shared memory");
}

static void pool_close(struct compilers *p) {
  child_unshare(p->board, p->board_bytes);
  if (p->spill >= 0)
    close(p->spill);
  cache_trim(p->folder, CACHE_BYTES_MAX);
  carried_release(&p->carried);
  free(p->folder);
}

int compile_all(const struct compile_settings *s, const struct compile_unit *units, size_t n_units,
                struct compiled *out, struct compile_tools *tools, struct err *e) {
  memset(out, 0, n_units * sizeof *out);
  memset(tools, 0, sizeof *tools);
  if (!n_units)
    return 0;
  struct compilers p = {.settings = s, .units = units, .n = n_units, .spill = -1};
  int rc = pool_open(&p, e);
  if (rc)
    goto out;
  rc = run_processes(&p, e);
  if (rc)
    goto out;
  if (atomic_load(&p.board->load_failed)) {
    rc = err_set(e, ERR_MACHINE, "%s", p.board->load_error);
    goto out;
  }
  *tools = p.board->tools;
  if (p.carried.folder)
    snprintf(tools->nvrtc_version, sizeof tools->nvrtc_version, "%s", p.carried.nvrtc);
  if (!p.folder || p.board->cache_failed) {
    size_t used = strlen(tools->note);
    snprintf(tools->note + used, sizeof tools->note - used,
             "%sno compile cache: %s%sset NVFP4_CACHE to a folder of "
             "yours that nobody else can write",
             used ? "; " : "", p.board->cache_error, p.folder ? "; " : "");
  }
  for (size_t i = 0; i < n_units; i++)
    collect(&p, i, &out[i]);
out:
  pool_close(&p);
  return rc;
}

void compiled_release(struct compiled *c) {
  run_module_release(&c->module);
  free(c->cubin);
  free(c->error);
  memset(c, 0, sizeof *c);
}
