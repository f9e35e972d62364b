#include "analysis/idioms/buffers.h"
#include "base/expr.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCERS_MAX = 16, POINTER_BYTES = 8, WORD_BYTES = 4 };

/* Where a kernel's parameters begin in bank 0: EIATTR_PARAM_CBANK of cubins that NVRTC 13.0 makes for sm_89, sm_90a and sm_100a. */
static unsigned params_base(int sm) {
  return sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160;
}

/* --- the arguments: `args = a, b, ...` of the step that launches the kernel, else the default list --- */

/* Whether a key's value begins with this name, whole. */
static bool names(const struct run_variant *v, const char *key, const char *name, size_t n) {
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, key) == 0 && strncmp(v->keys[i].value, name, n) == 0 &&
        strchr(" =", v->keys[i].value[n]))
      return true;
  return false;
}

/* BUFFER_UNKNOWN: no pointer. */
static enum buffer buffer_of(const struct run_variant *v, const char *name, size_t n) {
  static const struct {
    const char *name;
    enum buffer buffer;
  } named[] = {{"a", BUFFER_A}, {"b", BUFFER_B}, {"sfa", BUFFER_SFA}, {"sfb", BUFFER_SFB}, {"c", BUFFER_OTHER}};
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (strlen(named[i].name) == n && memcmp(named[i].name, name, n) == 0)
      return named[i].buffer;
  return names(v, "scratch", name, n) ? BUFFER_OTHER : BUFFER_UNKNOWN;
}

/* False where the list cannot be laid out: a tensor map, or too many. */
static bool params_add(struct buffers *b, const struct run_variant *v, const char *name, size_t n, unsigned *at) {
  if (names(v, "tensormap", name, n) || b->n_params == BUFFERS_MAX)
    return false;
  enum buffer buffer = buffer_of(v, name, n);
  bool pointer = buffer != BUFFER_UNKNOWN;
  bool wide = pointer || strncmp(name, "i64(", 4) == 0 || strncmp(name, "f64(", 4) == 0;
  if (wide)
    *at = (*at + POINTER_BYTES - 1) / POINTER_BYTES * POINTER_BYTES;
  b->params[b->n_params++] = (struct buffer_param){*at, buffer, name, n};
  *at += wide ? POINTER_BYTES : WORD_BYTES;
  return true;
}

static bool params_parse(struct buffers *b, const struct run_variant *v, const char *list, unsigned base) {
  unsigned at = base;
  for (const char *s = list; *s && *s != ';';) {
    s += strspn(s, " \t");
    size_t n = 0;
    int open = 0;
    while (s[n] && s[n] != ';' && (s[n] != ',' || open)) {
      open += (s[n] == '(') - (s[n] == ')');
      n++;
    }
    size_t length = n;
    while (length && s[length - 1] == ' ')
      length--;
    if (length && !params_add(b, v, s, length, &at))
      return false;
    s += n + (s[n] == ',');
  }
  for (size_t i = 0; i < b->n_params; i++)
    if (b->params[i].buffer != BUFFER_UNKNOWN)
      return true;
  return false;
}

/* The step's text where it launches this kernel. */
static const char *step_of(const struct run_variant *v, const char *kernel) {
  char wanted[160];
  snprintf(wanted, sizeof wanted, "kernel = %s;", kernel);
  for (size_t i = 0; i < v->n_keys; i++)
    if (strcmp(v->keys[i].key, "step") == 0 && strstr(v->keys[i].value, wanted))
      return v->keys[i].value;
  return NULL;
}

static bool params_of(struct buffers *b, const struct run_variant *v, int sm) {
  static const char args[] = "args = ", usual[] = "a, b, sfa, sfb, c, M, K, L";
  const char *step = step_of(v, b->sass->kernel->name), *given = step ? strstr(step, args) : NULL;
  return step &&
         !names(v, "problem", "generic", strlen("generic")) && /* its buffers are its own: what they hold is not said */
         params_parse(b, v, given ? given + strlen(args) : usual, params_base(sm));
}

static void walk_begin(struct buffers *b) {
  b->seen = calloc(b->sass->n + 1, sizeof *b->seen);
  b->stack = calloc(b->sass->n + 1, sizeof *b->stack);
}

bool buffers_begin(struct buffers *b, struct sass *s, const struct run_variant *v, int sm) {
  *b = (struct buffers){.sass = s};
  if (!s->n || !params_of(b, v, sm))
    return false;
  walk_begin(b);
  return true;
}

void buffers_begin_any(struct buffers *b, struct sass *s, int sm) {
  *b = (struct buffers){.sass = s, .n_params = BUFFERS_MAX};
  for (unsigned i = 0; i < BUFFERS_MAX; i++)
    b->params[i] = (struct buffer_param){params_base(sm) + i * POINTER_BYTES, BUFFER_OTHER};
  walk_begin(b);
}

void buffers_release(struct buffers *b) {
  free(b->seen);
  free(b->stack);
  *b = (struct buffers){0};
}

/* --- what parameters hold --- */

static bool extent(void *context, const char *name, double *value) {
  static const char names[] = "MKL";
  const struct shape *s = context;
  const long extents[] = {s->m, s->k, s->l};
  const char *at = name[0] && !name[1] ? strchr(names, *name) : NULL;
  *value = at ? (double)extents[at - names] : 0;
  return at != NULL;
}

/* Of expressions of integers. */
static bool number_of(const struct buffer_param *p, const struct shape *shape, long *out) {
  char text[128];
  struct expr *x = NULL;
  struct shape s = *shape;
  bool wide = strncmp(p->text, "i64(", 4) == 0;
  snprintf(text, sizeof text, "%.*s", (int)p->length - (wide ? 3 : 0), p->text + (wide ? 3 : 0));
  bool known = p->length < sizeof text && !expr_parse(&x, text, NULL) &&
               !expr_eval_long(x, extent, &s, "an argument", 0, LONG_MAX, out, NULL);
  expr_free(x);
  return known;
}

bool buffers_word(const struct buffers *b, const struct shape *shape, unsigned offset, uint32_t *value) {
  for (size_t i = 0; i < b->n_params; i++) {
    const struct buffer_param *p = &b->params[i];
    long number = 0;
    unsigned upper = offset - p->offset;
    bool pointer = p->buffer != BUFFER_UNKNOWN, wide = pointer || strncmp(p->text, "i64(", 4) == 0;
    if (offset < p->offset || upper >= (wide ? POINTER_BYTES : WORD_BYTES) || upper % WORD_BYTES)
      continue;
    if (!pointer && !number_of(p, shape, &number))
      return false;
    uint64_t word = pointer ? (uint64_t)(i + 1) << 32 : (uint64_t)number;
    *value = (uint32_t)(upper ? word >> 32 : word);
    return true;
  }
  return false;
}

enum buffer buffers_at(const struct buffers *b, uint64_t address) {
  uint64_t at = address >> 32;
  return at >= 1 && at <= b->n_params ? b->params[at - 1].buffer : BUFFER_UNKNOWN;
}

/* --- from a load to its parameter --- */

static void met(struct buffers *b, unsigned offset, unsigned bytes) {
  for (size_t i = 0; i < b->n_params; i++) {
    unsigned first = b->params[i].offset;
    if (b->params[i].buffer != BUFFER_UNKNOWN && offset < first + POINTER_BYTES && first < offset + bytes)
      b->found[i] = true;
  }
}

/* Constants among the operands; range: the registers that the reader takes of a constant load, which may bring several parameters at once. */
static void meet_constants(struct buffers *b, const struct sass_inst *i, const struct sass_range *range) {
  for (const char *s = i->text; (s = strstr(s, "c[0x0][0x")); s++) {
    unsigned offset = (unsigned)strtoul(s + strlen("c[0x0]["), NULL, 16);
    if (i->class == SASS_LOAD_CONSTANT && i->n_writes && range && range->file == i->writes[0].file &&
        range->first >= i->writes[0].first)
      met(b, offset + 4 * (unsigned)(range->first - i->writes[0].first), 4 * (unsigned)range->count);
    else
      met(b, offset, 4);
  }
}

static void follow(struct buffers *b, size_t inst) {
  struct sass *s = b->sass;
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_first_producers(s, inst, from, PRODUCERS_MAX);
  for (size_t k = 0; k < n; k++) {
    const struct sass_inst *p = &s->insts[from[k].inst];
    if (from[k].range.file == FILE_P || from[k].range.file == FILE_UP)
      continue;
    meet_constants(b, p, &from[k].range);
    if (b->seen[from[k].inst] || p->class == SASS_LOAD_GLOBAL || p->class == SASS_LOAD_CONSTANT)
      continue;
    b->seen[from[k].inst] = true;
    b->stack[b->depth++] = from[k].inst;
  }
}

static void find_params(struct buffers *b, size_t load) {
  memset(b->seen, 0, b->sass->n * sizeof *b->seen);
  memset(b->found, 0, sizeof b->found);
  b->depth = 0;
  meet_constants(b, &b->sass->insts[load], NULL);
  b->stack[b->depth++] = load;
  while (b->depth)
    follow(b, b->stack[--b->depth]);
}

enum buffer buffers_load(struct buffers *b, size_t load) {
  find_params(b, load);
  enum buffer buffer = BUFFER_UNKNOWN;
  size_t n = 0;
  for (size_t i = 0; i < b->n_params; i++)
    if (b->found[i]) {
      n++;
      buffer = b->params[i].buffer;
    }
  return n == 1 ? buffer : BUFFER_UNKNOWN;
}

unsigned buffers_arguments(struct buffers *b, size_t load) {
  unsigned out = 0;
  find_params(b, load);
  for (size_t i = 0; i < b->n_params; i++)
    out |= b->found[i] ? 1U << i : 0;
  return out;
}
