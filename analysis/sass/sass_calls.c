/* The compiler's own functions: slow paths of divisions and roots, divisions of 64 bits.
 *
 * Their code stands behind the kernel's, and a call names them by a symbol, "$__internal_1_$__cuda_sm20_sqrt_rn_f32_slowpath", whose numbers are in the order of
 * the text.  A piece of code that no edge joins to the kernel's and that returns is one of them: where there are as many pieces as symbols, each is known, and
 * with it what a call writes for certain, and what it may write.  Other functions stand elsewhere, or are called by a register: those may write anything. */
#include "analysis/sass/sass_parts.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

enum { FUNCTIONS_MAX = 64 };
static const char OF_COMPILER[] = "$__internal_";

struct found {
  size_t *piece;                    /* of a block: the first block of the code that it is joined to */
  size_t entries[FUNCTIONS_MAX];    /* blocks, in the order of the text */
  const char *names[FUNCTIONS_MAX]; /* in the order of their numbers */
  size_t n_entries, n_names;
};

bool sass_calls_compilers(const struct sass_inst *x, const char **name) {
  const char *at = x->calls ? strstr(x->text, OF_COMPILER) : NULL;
  *name = at ? at + sizeof OF_COMPILER - 1 : NULL;
  return at != NULL;
}

/* A function without a number ("$kernel$__internal_accurate_pow") stands behind those that have one (nvcc 13.0, sm_90). */
static long number_of(const char *name) {
  return isdigit((unsigned char)name[0]) ? strtol(name, NULL, 10) : LONG_MAX;
}

static size_t piece_of(struct found *f, size_t block) {
  while (f->piece[block] != block) {
    f->piece[block] = f->piece[f->piece[block]];
    block = f->piece[block];
  }
  return block;
}

static void find_pieces(struct found *f, const struct sass *s) {
  for (size_t b = 0; b < s->n_blocks; b++)
    f->piece[b] = b;
  for (size_t b = 0; b < s->n_blocks; b++)
    for (size_t k = 0; k < s->blocks[b].n_succ; k++) {
      size_t x = piece_of(f, b), y = piece_of(f, s->blocks[b].succ[k]);
      f->piece[x > y ? x : y] = x > y ? y : x;
    }
}

static bool returns(const struct sass *s, size_t block) {
  return opcode_is(&s->insts[s->blocks[block].first + s->blocks[block].n - 1], "RET");
}

static bool is_entry(const struct found *f, size_t block) {
  for (size_t k = 0; k < f->n_entries; k++)
    if (f->entries[k] == block)
      return true;
  return false;
}

/* False: more than are told apart, or the kernel itself returns. */
static bool find_entries(struct found *f, const struct sass *s) {
  for (size_t b = 0; b < s->n_blocks; b++) {
    size_t entry = piece_of(f, b);
    if (!returns(s, b) || is_entry(f, entry))
      continue;
    if (entry == 0 || f->n_entries == FUNCTIONS_MAX)
      return false;
    size_t at = f->n_entries++;
    for (; at > 0 && f->entries[at - 1] > entry; at--)
      f->entries[at] = f->entries[at - 1];
    f->entries[at] = entry;
  }
  return true;
}

static bool same_lines(const struct run_instruction *a, const struct run_instruction *b) {
  bool same = a->n_lines == b->n_lines;
  for (size_t k = 0; same && k < a->n_lines; k++)
    same = a->lines[k].source == b->lines[k].source && a->lines[k].line == b->lines[k].line;
  return same && a->n_lines > 0;
}

/* The compiler's functions have no lines: what stands there is what the code before them ended with. */
static bool has_no_lines(struct found *f, const struct sass *s, size_t entry) {
  const struct run_instruction *text = s->kernel->sass;
  size_t first = s->blocks[entry].first;
  for (size_t i = first; i < s->n; i++)
    if (piece_of(f, s->block_of[i]) == entry && !s->insts[i].never && !same_lines(&text[i], &text[first - 1]))
      return false;
  return true;
}

/* A program's own functions that are called stand there, too. */
static void keep_compilers(struct found *f, const struct sass *s) {
  size_t n = 0;
  for (size_t k = 0; k < f->n_entries && f->n_entries > f->n_names; k++)
    n += has_no_lines(f, s, f->entries[k]);
  if (n == 0 || n != f->n_names)
    return;
  size_t kept = 0;
  for (size_t k = 0; k < f->n_entries; k++)
    if (has_no_lines(f, s, f->entries[k]))
      f->entries[kept++] = f->entries[k];
  f->n_entries = kept;
}

/* False: two functions without a number, whose order is not told, or more than are told apart. */
static bool find_names(struct found *f, const struct sass *s) {
  const char *name;
  for (size_t i = 0; i < s->n; i++) {
    if (!sass_calls_compilers(&s->insts[i], &name))
      continue;
    long number = number_of(name);
    size_t at = f->n_names;
    while (at > 0 && number_of(f->names[at - 1]) > number)
      at--;
    if (at > 0 && strncmp(f->names[at - 1], name, strcspn(name, ")")) == 0)
      continue;
    if (f->n_names == FUNCTIONS_MAX)
      return false;
    memmove(&f->names[at + 1], &f->names[at], (f->n_names - at) * sizeof f->names[0]);
    f->names[at] = name;
    f->n_names++;
  }
  return f->n_names < 2 || number_of(f->names[f->n_names - 2]) < LONG_MAX;
}

/* ---- what a function writes ---- */

static void written_by(const struct sass *s, size_t block, struct sass_bits *surely, struct sass_bits *perhaps) {
  for (size_t i = s->blocks[block].first; i < s->blocks[block].first + s->blocks[block].n; i++) {
    const struct sass_inst *x = &s->insts[i];
    for (size_t w = 0; w < x->n_writes; w++) {
      bits_set_range(perhaps, &x->writes[w]);
      if (!x->guarded)
        bits_set_range(surely, &x->writes[w]);
    }
    if (x->calls)
      memset(perhaps, 0xff, sizeof *perhaps);
  }
}

static bool bits_narrow(struct sass_bits *b, const struct sass_bits *to) {
  bool less = false;
  for (size_t w = 0; w < SASS_BIT_WORDS; w++) {
    less = less || (b->words[w] & ~to->words[w]);
    b->words[w] &= to->words[w];
  }
  return less;
}

/* Forward, from all registers at each block but the entry: what is written on every way is what is left at the returns. */
static void write_function(struct sass *s, size_t function, struct sass_bits *in) {
  struct sass_bits *surely = &s->scratch->surely[function], *perhaps = &s->scratch->perhaps[function];
  size_t entry = s->functions[function].entry;
  memset(surely, 0xff, sizeof *surely);
  for (size_t b = entry; b < s->n_blocks; b++)
    memset(&in[b], b == entry ? 0 : 0xff, sizeof in[b]);
  for (bool more = true; more;) {
    more = false;
    for (size_t b = entry; b < s->n_blocks; b++) {
      struct sass_bits left = in[b];
      if (s->blocks[b].function != function)
        continue;
      written_by(s, b, &left, perhaps);
      for (size_t k = 0; k < s->blocks[b].n_succ; k++)
        more |= bits_narrow(&in[s->blocks[b].succ[k]], &left);
      if (returns(s, b))
        bits_narrow(surely, &left);
    }
  }
}

/* ---- all of them ---- */

static void functions_fill(struct sass *s, struct found *f, struct sass_bits *in) {
  s->n_functions = f->n_entries;
  for (size_t k = 0; k < s->n_functions; k++) {
    s->functions[k] = (struct sass_function){.name = f->names[k], .entry = f->entries[k]};
    for (size_t b = f->entries[k]; b < s->n_blocks; b++)
      if (piece_of(f, b) == f->entries[k])
        s->blocks[b].function = k;
    write_function(s, k, in);
  }
}

void sass_calls_make(struct sass *s) {
  struct found f = {.piece = calloc(s->n_blocks, sizeof *f.piece)};
  struct sass_bits *in = calloc(s->n_blocks, sizeof *in);
  bool named = find_names(&f, s) && f.n_names > 0;
  if (named)
    find_pieces(&f, s);
  named = named && find_entries(&f, s);
  if (named)
    keep_compilers(&f, s);
  if (named && f.n_entries > 0 && f.n_entries == f.n_names) {
    s->functions = calloc(f.n_entries, sizeof *s->functions);
    s->scratch->surely = calloc(f.n_entries, sizeof *s->scratch->surely);
    s->scratch->perhaps = calloc(f.n_entries, sizeof *s->scratch->perhaps);
    functions_fill(s, &f, in);
  }
  free(f.piece);
  free(in);
}

size_t sass_called(const struct sass *s, size_t call) {
  const char *name;
  if (s->n_functions == 0 || !sass_calls_compilers(&s->insts[call], &name))
    return SASS_NONE;
  size_t k = 0;
  while (number_of(s->functions[k].name) != number_of(name))
    k++;
  return k;
}

const struct sass_bits *sass_call_writes(const struct sass *s, size_t call) {
  static const struct sass_bits any = {.words = {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}};
  size_t k = sass_called(s, call);
  return k == SASS_NONE ? &any : &s->scratch->perhaps[k];
}

bool sass_writes_surely(const struct sass *s, size_t inst, unsigned bit) {
  const struct sass_inst *x = &s->insts[inst];
  size_t k = x->calls ? sass_called(s, inst) : SASS_NONE;
  return !x->guarded && (!x->calls || (k != SASS_NONE && bits_has(&s->scratch->surely[k], bit)));
}
