#include "analysis/model/code_place.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { OF_PROGRAM, UNNAMED, OF_LIBRARY, OF_TOOLKIT, KINDS };

/* Of several that a name holds the last tells: in CUTLASS the main loops and epilogues are what is chosen by a template argument, or copied and changed; what these
 * are made of wraps an instruction, an address or a layout, as PyTorch's number types do. */
static const struct folder {
  const char *name;
  enum kind kind;
} FOLDERS[] = {{"/usr/include/", OF_TOOLKIT},
               {"/include/c++/", OF_TOOLKIT},
               {"/usr/local/cuda", OF_TOOLKIT},
               {"/targets/x86_64-linux/include/", OF_TOOLKIT},
               {"/targets/sbsa-linux/include/", OF_TOOLKIT},
               {"/nvidia/cu13/", OF_TOOLKIT},
               {"/nvidia/cuda_runtime/include/", OF_TOOLKIT},
               {"/nvidia/cuda_cccl/include/", OF_TOOLKIT},
               {"/triton/language/", OF_TOOLKIT},
               {"/include/cccl/", OF_TOOLKIT},
               {"/cccl/cub/", OF_TOOLKIT},
               {"/cccl/thrust/", OF_TOOLKIT},
               {"/libcudacxx/include/", OF_TOOLKIT},
               {"/cub/cub/", OF_TOOLKIT},
               {"/thrust/thrust/", OF_TOOLKIT},
               {"/include/cub/", OF_TOOLKIT},
               {"/include/thrust/", OF_TOOLKIT},
               {"/cuda/std/", OF_TOOLKIT},
               {"/c10/util/", OF_TOOLKIT},
               {"/ATen/cuda/", OF_TOOLKIT},
               {"/include/cute/", OF_TOOLKIT},
               {"/include/cutlass/", OF_TOOLKIT},
               {"/include/cutlass/conv/", OF_LIBRARY},
               {"/include/cutlass/conv/warp/", OF_TOOLKIT},
               {"/include/cutlass/conv/thread/", OF_TOOLKIT},
               {"/include/cutlass/conv/threadblock/", OF_TOOLKIT},
               {"/include/cutlass/conv/threadblock/implicit_gemm", OF_LIBRARY},
               {"/include/cutlass/conv/threadblock/depthwise_fprop_direct_conv", OF_LIBRARY},
               {"/include/cutlass/epilogue/", OF_LIBRARY},
               {"/include/cutlass/epilogue/warp/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/thread/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/threadblock/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/threadblock/epilogue", OF_LIBRARY},
               {"/include/cutlass/gemm/", OF_LIBRARY},
               {"/include/cutlass/gemm/warp/", OF_TOOLKIT},
               {"/include/cutlass/gemm/thread/", OF_TOOLKIT}};

/* The last row of FOLDERS that the name holds; each begins with a slash. */
static enum kind kind_of(const struct run *r, int source) {
  if (source < 0)
    return UNNAMED;
  const char *at = (size_t)source < r->n_sources ? r->sources[source].name : "";
  size_t rows = 0;
  while ((at = strchr(at, '/'))) {
    for (size_t i = sizeof FOLDERS / sizeof FOLDERS[0]; i-- > rows;)
      if (at[1] == FOLDERS[i].name[1] && strncmp(at, FOLDERS[i].name, strlen(FOLDERS[i].name)) == 0)
        rows = i + 1;
    at++;
  }
  return rows ? FOLDERS[rows - 1].kind : OF_PROGRAM;
}

bool source_is_toolkits(const struct run *r, int source) {
  return source_wraps(r, source) || kind_of(r, source) == OF_LIBRARY;
}

bool source_wraps(const struct run *r, int source) {
  return kind_of(r, source) == OF_TOOLKIT;
}

const char *source_line(const struct run *r, int source, int line) {
  const char *text = source >= 0 && (size_t)source < r->n_sources ? r->sources[source].text : NULL;
  const char *at = text ? str_line(text, line) : "";
  return *at ? at : NULL;
}

/* "operator float() const { return x; }": its parameters, then a body that ends with the line, of at most two statements; no statement of a function has all that.  With
 * more it does work of its own, as a hash. */
static bool is_wrapper(const char *line) {
  enum { STATEMENTS_MOST = 2 };
  static const char *const statements[] = {"if", "for", "while", "switch", "}", "#", "//", "asm"};
  size_t n = line ? strcspn(line, "\n") : 0, begin = line ? strspn(line, " \t") : 0;
  const char *list = line ? memchr(line, ')', n) : NULL;
  const char *body = list ? memchr(list, '{', n - (size_t)(list - line)) : NULL;
  while (n > begin && strchr(" \t\r;", line[n - 1]))
    n--;
  for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
    if (body && strncmp(line + begin, statements[i], strlen(statements[i])) == 0)
      return false;
  size_t ends = 0;
  for (const char *c = body; c && c < line + n; c++)
    ends += *c == ';';
  return body && line[n - 1] == '}' && ends > 0 && ends <= STATEMENTS_MOST;
}

/* "return x;", "}": the end of a function, which says nothing of what it does. */
static bool is_end(const char *line) {
  size_t n = line ? strcspn(line, "\r\n") : 0, begin = line ? strspn(line, " \t") : 0;
  if (strncmp(line ? line + begin : "", "return ", 7) == 0)
    begin += 7;
  while (begin < n && (isalnum((unsigned char)line[begin]) || line[begin] == '_'))
    begin++;
  return n > begin && strspn(line + begin, "}; \t") >= n - begin;
}

/* The line that calls the function that the chain's line k is all or the end of, one of the same kind; else k itself. */
static size_t called_from(const struct run *r, const struct run_instruction *i, size_t k) {
  const struct run_line *l = i->lines;
  size_t next = k + 1;
  while (next < i->n_lines && l[next].source == l[k].source && l[next].line == l[k].line)
    next++;
  if (next == i->n_lines || kind_of(r, l[next].source) != OF_PROGRAM)
    return k;
  const char *text = source_line(r, l[k].source, l[k].line);
  return is_wrapper(text) || is_end(text) ? called_from(r, i, next) : k;
}

void code_place_of(struct code_place *out, const struct run *r, const struct run_instruction *i) {
  const struct run_line *inner[KINDS] = {0}, *outer[KINDS] = {0};
  for (size_t k = 0; k < i->n_lines; k++) {
    enum kind kind = kind_of(r, i->lines[k].source);
    inner[kind] = inner[kind] ? inner[kind] : &i->lines[k];
    outer[kind] = &i->lines[k];
  }
  *out = (struct code_place){0};
  if (inner[OF_PROGRAM] || inner[OF_LIBRARY] || inner[OF_TOOLKIT]) {
    enum kind kind = inner[OF_PROGRAM] ? OF_PROGRAM : inner[OF_LIBRARY] ? OF_LIBRARY : OF_TOOLKIT;
    out->line = kind == OF_PROGRAM ? &i->lines[called_from(r, i, (size_t)(inner[kind] - i->lines))] : inner[kind];
    out->inlined = out->line == inner[kind] ? NULL : inner[kind];
    bool same = outer[kind]->source == out->line->source && outer[kind]->line == out->line->line;
    out->caller = same ? NULL : outer[kind];
  }
  if (outer[UNNAMED] && !inner[OF_PROGRAM])
    *out = (struct code_place){.line = outer[UNNAMED]};
  if (out->line && out->line != inner[OF_TOOLKIT] && inner[OF_TOOLKIT] && inner[OF_TOOLKIT] < out->line)
    out->inlined = inner[OF_TOOLKIT];
}

/* --- lines of which the compiler loses where they were called --- */

enum { PRODUCERS_MAX = 32 };

/* All of its lines are of Triton's own files: a chain that has its caller ends in the program's. */
static bool is_lost(const struct run *r, const struct run_instruction *i) {
  for (size_t k = 0; k < i->n_lines; k++)
    if (!source_is_toolkits(r, i->lines[k].source) || !strstr(r->sources[i->lines[k].source].name, "/triton/language/"))
      return false;
  return i->n_lines > 0;
}

/* What it makes something of: of a store what is stored, of a load from an array nothing that is known here. */
static bool works_on(const struct sass_inst *x, const struct sass_range *r) {
  if (r->file != FILE_R || x->access == ACCESS_LOAD || x->n_reads == 0)
    return false;
  const struct sass_range *last = &x->reads[x->n_reads - 1];
  return x->access != ACCESS_STORE || (last->first == r->first && last->file == r->file);
}

/* Those before it in the text have theirs. */
static size_t caller_of(struct sass *s, size_t i, const size_t *before) {
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_producers(s, i, from, PRODUCERS_MAX), nearest = SASS_NONE;
  for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
    size_t at = from[k].inst;
    if (at < i && works_on(&s->insts[i], &from[k].range) && s->kernel->sass[at].n_lines > 0 &&
        (nearest == SASS_NONE || at > nearest))
      nearest = at;
  }
  return nearest == SASS_NONE ? SASS_NONE : before[nearest];
}

size_t *lost_callers(struct sass *s, const struct run *r) {
  size_t *of = calloc(s->n + 1, sizeof *of), last = SASS_NONE;
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    of[i] = i;
    if (!is_lost(r, &s->kernel->sass[i]))
      continue;
    size_t caller = caller_of(s, i, of);
    if (caller == SASS_NONE || is_lost(r, &s->kernel->sass[caller]))
      caller = last; /* a barrier, or what was handed on through an array: of the same call, the nearest before it */
    of[i] = caller == SASS_NONE ? i : caller;
    last = caller;
    any = any || of[i] != i;
  }
  if (any)
    return of;
  free(of);
  return NULL;
}
