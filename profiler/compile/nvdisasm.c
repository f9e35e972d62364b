/* nvdisasm -gi -c: SASS with source lines and inline chains. */
#include "base/array.h"
#include "profiler/compile/toolchain.h"

#include "profiler/cuda/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int nvdisasm_run(const char *program, const void *cubin, size_t cubin_bytes, char **text, struct err *e) {
  /* A file in memory: nothing is left behind by a process that is killed. */
  int fd = memfd_create("cubin", 0);
  char path[32];
  struct text out = {0};
  bool stored = fd >= 0 && write(fd, cubin, cubin_bytes) == (ssize_t)cubin_bytes;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  /* -ndf: no data-flow analysis. It finds the targets of branches that no chip of this tool has, and takes a third of the time. */
  char *argv[] = {(char *)program, "-gi", "-c", "-ndf", path, NULL};
  double limit_s = program_limit_s(cubin_bytes);
  int failed = stored ? program_capture(argv, STDOUT_FILENO, limit_s, &out) : errno;
  if (fd >= 0)
    close(fd);
  if (failed || !text_ok(&out) || !out.n) {
    text_release(&out);
    if (failed == ETIMEDOUT)
      return err_set(e, ERR_MACHINE, "the disassembler %s gave no answer within %.0f s (NVFP4_PROGRAM_LIMIT sets it)",
                     program, limit_s);
    return err_set(e, ERR_MACHINE, "%s failed: %s", program,
                   failed == ECHILD || !failed ? "it printed no SASS" : strerror(failed));
  }
  *text = text_take(&out);
  return 0;
}

enum { CHAIN_MAX = 16, LABELS_MAX = 4096, NAMES_MAX = 4096 };

struct label {
  char name[32];
  uint32_t offset;
};

struct reader {
  const struct rung_set *set;
  struct run_source **sources;
  size_t *n_sources, names_max;
  struct run_kernel *kernel;
  struct run_line chain[CHAIN_MAX];
  size_t n_chain;
  bool chain_open; /* the next "## File" line continues the chain */
  struct label *labels;
  size_t n_labels, pending_labels; /* pending: stand before the next instruction */
};

/* Index of the set's file that the path ends with ("/any/where/common/load.cuh" is "common/load.cuh"), or -1. */
static int find_source(const struct rung_set *set, const char *path, size_t n) {
  for (size_t i = 0; i < set->n_files; i++) {
    const char *name = set->files[i].name;
    size_t length = strlen(name);
    bool same = n >= length && (n == length || path[n - length - 1] == '/');
    for (size_t c = 0; c < length && same; c++)
      same = path[n - length + c] == compiled_name_char(name[c]);
    if (same)
      return (int)i;
  }
  return -1;
}

/* The same of whole names; a new one is added.  -1: there are too many. */
static int source_named(struct reader *r, const char *path, size_t n) {
  for (size_t i = 0; i < *r->n_sources; i++) {
    const char *name = (*r->sources)[i].name;
    if (strncmp(name, path, n) == 0 && !name[n])
      return (int)i;
  }
  if (*r->n_sources == r->names_max)
    return -1;
  struct run_source *added = array_add(r->sources, r->n_sources, sizeof *added);
  *added = (struct run_source){strndup(path, n), str_copy("")};
  return (int)*r->n_sources - 1;
}

/* //## File "PATH", line N [inlined at "PATH", line M]: one link of the chain, innermost first. */
static void read_line_info(struct reader *r, const char *line, const char *end) {
  const char *open = memchr(line, '"', (size_t)(end - line));
  const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  const char *number = close ? memmem(close, (size_t)(end - close), "line ", 5) : NULL;
  if (!number)
    return;
  if (!r->chain_open)
    r->n_chain = 0;
  if (r->n_chain < CHAIN_MAX) {
    struct run_line *l = &r->chain[r->n_chain++];
    size_t n = (size_t)(close - open - 1);
    l->line = (int)strtol(number + 5, NULL, 10);
    l->source = r->set ? find_source(r->set, open + 1, n) : r->sources ? source_named(r, open + 1, n) : -1;
  }
  r->chain_open = memmem(close, (size_t)(end - close), "inlined at", 10) != NULL;
}

static void add_instruction(struct reader *r, uint32_t offset, const char *text, size_t n) {
  struct run_kernel *k = r->kernel;
  struct run_instruction *i = array_add(&k->sass, &k->n_sass, sizeof *i);
  i->offset = offset;
  i->text = str_printf("%.*s", (int)n, text);
  if (r->n_chain) {
    i->lines = malloc(r->n_chain * sizeof *i->lines);
    memcpy(i->lines, r->chain, r->n_chain * sizeof *i->lines);
    i->n_lines = r->n_chain;
  }
  r->chain_open = false;
  for (; r->pending_labels; r->pending_labels--)
    r->labels[r->n_labels - r->pending_labels].offset = offset;
}

/* Writes branch targets, "`(.L_x_3)", as offsets, "0x70": a label means nothing once its line is gone. */
static void resolve_labels(struct reader *r) {
  struct run_kernel *k = r->kernel;
  r->n_labels -= r->pending_labels; /* of the section's end: no instruction stands there */
  for (size_t i = 0; k && i < k->n_sass; i++) {
    char *open = strstr(k->sass[i].text, "`(.L");
    char *close = open ? strchr(open, ')') : NULL;
    if (!close)
      continue;
    size_t n = (size_t)(close - open - 2);
    for (size_t l = 0; l < r->n_labels; l++)
      if (strlen(r->labels[l].name) == n && memcmp(r->labels[l].name, open + 2, n) == 0) {
        char *text =
            str_printf("%.*s0x%x%s", (int)(open - k->sass[i].text), k->sass[i].text, r->labels[l].offset, close + 1);
        free(k->sass[i].text);
        k->sass[i].text = text;
        break;
      }
  }
  r->n_labels = r->pending_labels = 0;
}

static struct run_kernel *find_kernel(struct run_module *m, const char *name, size_t n) {
  for (size_t i = 0; i < m->n_kernels; i++)
    if (strlen(m->kernels[i].name) == n && memcmp(m->kernels[i].name, name, n) == 0)
      return &m->kernels[i];
  return NULL;
}

/* An instruction, after spaces: its offset as a comment, then the text with its predicate, then a semicolon. */
static void read_instruction(struct reader *r, const char *line, const char *end) {
  const char *digits = line + strspn(line, " ") + 2;
  const char *text = memmem(digits, (size_t)(end - digits), "*/", 2);
  if (!text)
    return;
  text += 2;
  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  while (end > text && (end[-1] == ' ' || end[-1] == ';' || end[-1] == '\t'))
    end--;
  if (text < end)
    add_instruction(r, (uint32_t)strtoul(digits, NULL, 16), text, (size_t)(end - text));
}

static void read_line(struct reader *r, struct run_module *m, const char *line, const char *end) {
  static const char section[] = "\t.section\t.text.";
  if (strncmp(line, section, sizeof section - 1) == 0) {
    resolve_labels(r);
    const char *name = line + sizeof section - 1;
    r->kernel = find_kernel(m, name, strcspn(name, ",\n"));
    r->n_chain = 0;
    r->chain_open = false;
  } else if (strncmp(line, "\t.section\t", 10) == 0) {
    resolve_labels(r);
    r->kernel = NULL;
  } else if (r->kernel && memmem(line, (size_t)(end - line), "//## File", 9)) {
    read_line_info(r, line, end);
  } else if (r->kernel && strncmp(line, ".L_", 3) == 0 && end[-1] == ':' && r->n_labels < LABELS_MAX) {
    struct label *l = &r->labels[r->n_labels++];
    snprintf(l->name, sizeof l->name, "%.*s", (int)(end - line - 1), line);
    l->offset = 0;
    r->pending_labels++;
  } else if (r->kernel && strncmp(line + strspn(line, " "), "/*", 2) == 0) {
    read_instruction(r, line, end);
  }
}

void sass_parse(struct run_module *m, const char *text, const struct rung_set *set, struct run_source **sources,
                size_t *n_sources) {
  struct reader r = {.set = set,
                     .sources = sources,
                     .n_sources = n_sources,
                     .names_max = NAMES_MAX + (n_sources ? *n_sources : 0),
                     .labels = calloc(LABELS_MAX, sizeof(struct label))};
  for (const char *line = text; *line;) {
    const char *end = line + strcspn(line, "\n");
    if (end > line)
      read_line(&r, m, line, end);
    line = *end ? end + 1 : end;
  }
  resolve_labels(&r);
  free(r.labels);
}
