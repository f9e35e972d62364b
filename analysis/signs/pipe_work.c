#include "analysis/signs/pipe_work.h"

#include "analysis/signs/about.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const struct sass_inst *x, const char *const *names) {
  for (; *names; names++)
    if (strcmp(x->opcode, *names) == 0)
      return true;
  return false;
}

/* Logic, and the comparison that makes a predicate of a register that holds one: ISETP.NE.AND P0, PT, R8, RZ, PT behind P2R R8, PR, RZ, 0x4. */
static bool is_of_predicates(struct sass *s, size_t i) {
  struct sass_producer from;
  const struct sass_inst *x = &s->insts[i];
  bool restores = strcmp(x->opcode, "ISETP") == 0 && strstr(x->text, ", RZ, PT") && x->n_reads > 0 &&
                  x->reads[0].file == FILE_R && sass_producers(s, i, &from, 1) > 0 &&
                  strcmp(s->insts[from.inst].opcode, "P2R") == 0;
  return restores || strcmp(x->opcode, "PLOP3") == 0;
}

/* The low words' comparison, whose predicate the high words' takes up: ISETP.EQ.U32.AND P6, PT, R22, R8, PT / ISETP.EQ.AND.EX P5, PT, R23, R9, PT, P6. */
static void mark_low_words(struct sass *s, unsigned char *of) {
  enum { PRODUCERS_MAX = 16 };
  for (size_t i = 0; i < s->n; i++) {
    struct sass_producer from[PRODUCERS_MAX];
    const struct sass_inst *x = &s->insts[i];
    const struct sass_range *last = x->n_reads > 0 ? &x->reads[x->n_reads - 1] : NULL;
    if (of[i] != PIPE_WIDE_COMPARES || !last || last->file != FILE_P)
      continue;
    size_t n = sass_producers(s, i, from, PRODUCERS_MAX);
    for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++)
      if (from[k].range.file == FILE_P && from[k].range.first == last->first && of[from[k].inst] == PIPE_COMPARES)
        of[from[k].inst] = PIPE_WIDE_COMPARES;
  }
}

static enum pipe_kind kind_of(struct sass *s, size_t i) {
  static const char *const choices[] = {"FMNMX",  "FMNMX3", "FSEL",   "FSET",    "FSETP",
                                        "SEL",    "IMNMX",  "VIMNMX", "VIMNMX3", "VIADDMNMX",
                                        "HMNMX2", "VHMNMX", "HSET2",  "HSETP2",  NULL};
  static const char *const bits[] = {"LOP3", "SHF", "SHL", "SHR", "PRMT", "SGXT", "BMSK", "LOP", NULL};
  static const char *const adds[] = {"IADD", "IADD3", "VIADD", "LEA", "IABS", NULL};
  const struct sass_inst *x = &s->insts[i];
  if (is_of_predicates(s, i))
    return PIPE_PREDICATES;
  if (strcmp(x->opcode, "ISETP") == 0)
    return sass_modifier(x, "EX") ? PIPE_WIDE_COMPARES : PIPE_COMPARES;
  return is_one_of(x, choices)      ? PIPE_CHOICES
         : is_one_of(x, bits)       ? PIPE_BITS
         : is_one_of(x, adds)       ? PIPE_ADDS
         : x->class == SASS_CONVERT ? PIPE_CONVERTS
                                    : PIPE_KINDS;
}

static const struct run_instruction *place_of(const struct rule_input *in, const unsigned char *of,
                                              enum pipe_kind kind) {
  double *weight = calloc(in->sass->n + 1, sizeof *weight);
  for (size_t i = 0; i < in->sass->n; i++)
    weight[i] = of[i] == kind ? fmax(in->sass->executed[i], 0) : 0;
  const struct run_instruction *at = about_heaviest(in, weight);
  free(weight);
  return at;
}

/* A shift to the left may be a multiplication's, as a copy may. */
static bool is_shift(const struct sass_inst *x) {
  return (strcmp(x->opcode, "IMAD") == 0 && (sass_modifier(x, "SHL") || sass_modifier(x, "MOV"))) ||
         strcmp(x->opcode, "MOV") == 0;
}

/* Whether shifts and masks alone lead from the instruction back to itself. */
static bool feeds_itself(struct sass *s, size_t from, const unsigned char *of, size_t loop) {
  enum { PRODUCERS_MAX = 16 };
  bool *seen = calloc(s->n, sizeof *seen), found = false;
  size_t *left = malloc(s->n * sizeof *left), n_left = 1;
  left[0] = from;
  while (n_left > 0 && !found) {
    struct sass_producer by[PRODUCERS_MAX];
    size_t at = left[--n_left], n = sass_producers(s, at, by, PRODUCERS_MAX);
    for (size_t k = 0; k < n && k < PRODUCERS_MAX; k++) {
      size_t p = by[k].inst;
      found = found || p == from;
      if (!seen[p] && (of[p] == PIPE_BITS || is_shift(&s->insts[p])) && sass_in_loop(s, p, loop))
        left[n_left++] = p;
      seen[p] = true;
    }
  }
  free(seen);
  free(left);
  return found;
}

/* Of words as they are: "LOP3.LUT R5, R2, R8, R27, 0xd2, !PT", and no mask, which is a number, nor the inverse of one word. */
static bool is_logic(const struct sass_inst *x) {
  size_t n = 0;
  for (size_t k = 0; k < x->n_reads; k++)
    n += x->reads[k].file == FILE_R || x->reads[k].file == FILE_UR;
  return strcmp(x->opcode, "LOP3") == 0 && n > 1;
}

/* Of one word or two: "SHF.L.W.U32.HI R8, R26, 0x14, R3". */
static bool is_rotation(const struct sass_inst *x) {
  return strcmp(x->opcode, "SHF") == 0 && sass_modifier(x, "W") && !strstr(x->text, "RZ");
}

static void look_at_words(struct pipe_work *out, const struct sass *s, const unsigned char *of, double all) {
  double logic = 0;
  for (size_t i = 0; i < s->n; i++) {
    logic += of[i] == PIPE_BITS && is_logic(&s->insts[i]) ? s->executed[i] / all : 0;
    out->rotations += of[i] == PIPE_BITS && is_rotation(&s->insts[i]) ? s->executed[i] / all : 0;
  }
  static const double MOST = 0.9, SOME = 0.1;
  out->words = logic + out->rotations >= MOST * out->part[PIPE_BITS] && out->rotations >= SOME;
}

static void look_at_loop(struct pipe_work *out, struct sass *s, const unsigned char *of) {
  enum { TRIED_MAX = 64 };
  struct sass_summary summary;
  double loads = 0, bytes = 0;
  size_t tried = 0;
  sass_summarise(s, &summary);
  for (size_t i = 0; i < s->n && summary.hot != SASS_NONE; i++) {
    const struct sass_inst *x = &s->insts[i];
    if (!sass_in_loop(s, i, summary.hot))
      continue;
    double n = x->class == SASS_LOAD_GLOBAL || x->class == SASS_LOAD_SHARED ? fmax(s->executed[i], 0) : 0;
    loads += n;
    bytes += x->bytes == 1 ? n : 0;
    if (of[i] == PIPE_BITS && !out->carried && tried++ < TRIED_MAX)
      out->carried = feeds_itself(s, i, of, summary.hot);
  }
  out->bytes = loads > 0 && bytes > loads / 2;
}

bool pipe_work_of(struct pipe_work *out, const struct rule_input *in) {
  double all = 0;
  *out = (struct pipe_work){.second = PIPE_COMPARES};
  unsigned char *of = in->sass && in->sass->counted ? calloc(in->sass->n + 1, 1) : NULL;
  for (size_t i = 0; of && i < in->sass->n; i++) {
    bool runs = in->sass->insts[i].pipe == PIPE_ALU && !in->sass->insts[i].never && in->sass->executed[i] > 0;
    of[i] = runs ? (unsigned char)kind_of(in->sass, i) : PIPE_KINDS;
    all += runs ? in->sass->executed[i] : 0;
  }
  if (of)
    mark_low_words(in->sass, of);
  for (size_t i = 0; of && all > 0 && i < in->sass->n; i++)
    if (of[i] < PIPE_KINDS)
      out->part[of[i]] += in->sass->executed[i] / all;
  for (enum pipe_kind k = PIPE_COMPARES; k < PIPE_KINDS; k++)
    if (out->part[k] > out->part[out->first]) {
      out->second = out->first;
      out->first = k;
    } else if (out->part[k] > out->part[out->second] || out->second == out->first)
      out->second = k;
  if (of && all > 0) {
    look_at_loop(out, in->sass, of);
    look_at_words(out, in->sass, of, all);
  }
  if (of && all > 0)
    out->at = place_of(in, of, out->first);
  free(of);
  return all > 0 && out->part[out->first] > 0;
}
