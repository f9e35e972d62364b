/* Which of the hot loop's loads bring what is read once: A and its scales.  B's bytes pass through the same loop, once a row, and must not be
 * counted as progress.  A load is followed back through its address to the kernel parameter that it starts from. */
#include "analysis/static.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_MAX = 32, PRODUCERS_MAX = 16, POINTER_BYTES = 8 };

struct param {     /* a buffer of the launch's arguments */
  unsigned offset; /* in the constant bank */
  bool once;       /* a or sfa */
};

struct params {
  struct param items[PARAMS_MAX];
  size_t n;
};

struct trace {
  struct static_code *code;
  const struct params *params;
  bool *seen;
  size_t *stack, depth;
  bool found[PARAMS_MAX];
};

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

static bool is(const char *name, size_t n, const char *const *list) {
  for (; *list; list++)
    if (strlen(*list) == n && memcmp(*list, name, n) == 0)
      return true;
  return false;
}

/* False where the list cannot be laid out: a tensor map, or too many. */
static bool params_add(struct params *p, const struct run_variant *v, const char *name, size_t n, unsigned *at) {
  static const char *const buffers[] = {"a", "b", "sfa", "sfb", "c", NULL}, *const once[] = {"a", "sfa", NULL};
  if (names(v, "tensormap", name, n) || p->n == PARAMS_MAX)
    return false;
  bool pointer = is(name, n, buffers) || names(v, "scratch", name, n);
  if (!pointer && strncmp(name, "i64(", 4) != 0 && strncmp(name, "f64(", 4) != 0) {
    *at += 4;
    return true;
  }
  *at = (*at + POINTER_BYTES - 1) / POINTER_BYTES * POINTER_BYTES;
  if (pointer)
    p->items[p->n++] = (struct param){*at, is(name, n, once)};
  *at += POINTER_BYTES;
  return true;
}

static bool params_parse(struct params *p, const struct run_variant *v, const char *list, unsigned base) {
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
    if (length && !params_add(p, v, s, length, &at))
      return false;
    s += n + (s[n] == ',');
  }
  return p->n > 0;
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

static bool params_of(struct params *p, const struct static_code *c) {
  const struct run_variant *v = &c->run->variants[c->result->variant];
  const char *step = step_of(v, c->kernel->name), *args = step ? strstr(step, "args = ") : NULL;
  *p = (struct params){.n = 0};
  return step &&
         !names(v, "problem", "generic",
                strlen("generic")) && /* its buffers are its own: which is read once is not said */
         params_parse(p, v, args ? args + strlen("args = ") : "a, b, sfa, sfb, c, M, K, L", params_base(c->device->sm));
}

/* --- from a load to its parameter --- */

static void met(struct trace *t, unsigned offset, unsigned bytes) {
  for (size_t i = 0; i < t->params->n; i++) {
    unsigned first = t->params->items[i].offset;
    if (offset < first + POINTER_BYTES && first < offset + bytes)
      t->found[i] = true;
  }
}

/* Constants among the operands; range: the registers that the reader takes of a constant load, which may bring several parameters at once. */
static void meet_constants(struct trace *t, const struct sass_inst *i, const struct sass_range *range) {
  for (const char *s = i->text; (s = strstr(s, "c[0x0][0x")); s++) {
    unsigned offset = (unsigned)strtoul(s + strlen("c[0x0]["), NULL, 16);
    if (i->class == SASS_LOAD_CONSTANT && i->n_writes && range && range->file == i->writes[0].file &&
        range->first >= i->writes[0].first)
      met(t, offset + 4 * (unsigned)(range->first - i->writes[0].first), 4 * (unsigned)range->count);
    else
      met(t, offset, 4);
  }
}

static void follow(struct trace *t, size_t inst) {
  struct sass *s = &t->code->sass;
  struct sass_producer from[PRODUCERS_MAX];
  size_t n = sass_producers(s, inst, from, PRODUCERS_MAX);
  for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
    const struct sass_inst *p = &s->insts[from[k].inst];
    if (from[k].range.file == FILE_P || from[k].range.file == FILE_UP)
      continue;
    meet_constants(t, p, &from[k].range);
    if (t->seen[from[k].inst] || p->class == SASS_LOAD_GLOBAL || p->class == SASS_LOAD_CONSTANT)
      continue;
    t->seen[from[k].inst] = true;
    t->stack[t->depth++] = from[k].inst;
  }
}

/* 1: of what is read once, 0: of another buffer, -1: not to be told. */
static int load_kind(struct trace *t, size_t load) {
  memset(t->seen, 0, t->code->sass.n * sizeof *t->seen);
  memset(t->found, 0, sizeof t->found);
  t->depth = 0;
  meet_constants(t, &t->code->sass.insts[load], NULL);
  t->stack[t->depth++] = load;
  while (t->depth)
    follow(t, t->stack[--t->depth]);
  int kind = -1;
  size_t n = 0;
  for (size_t i = 0; i < t->params->n; i++)
    if (t->found[i]) {
      n++;
      kind = t->params->items[i].once;
    }
  return n == 1 ? kind : -1;
}

struct value static_once_bytes(struct static_code *c) {
  static const char unknown[] = "the buffers that the loop loads from could not be told apart";
  struct params params;
  struct trace t = {.code = c, .params = &params};
  double bytes = 0;
  if (!c->sass.n || !params_of(&params, c))
    return value_absent(unknown);
  t.seen = calloc(c->sass.n, sizeof *t.seen);
  t.stack = calloc(c->sass.n + 1, sizeof *t.stack);
  bool told = t.seen && t.stack;
  for (size_t i = 0; i < c->sass.n && told; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    if (!static_in_loop(c, i) || (x->class != SASS_LOAD_GLOBAL && x->access != ACCESS_ASYNC_COPY))
      continue;
    int kind = load_kind(&t, i);
    told = kind >= 0;
    bytes += kind > 0 ? x->bytes : 0;
  }
  free(t.seen);
  free(t.stack);
  return told && bytes > 0 ? value_of(bytes) : value_absent(unknown);
}
