#include "analysis/signs/repeated.h"

#include "analysis/idioms/advance.h"
#include "analysis/idioms/follows.h"
#include "analysis/idioms/origins.h"
#include "analysis/model/code_place.h"
#include "analysis/signs/asked.h"

#include <math.h>
#include <stdlib.h>

/* A number by which several threads differ: warps of one row have their lanes in x. */
struct differs {
  const char *special;
  unsigned n;
};

enum { OF_BLOCKS = 3, OF_ALL = 5 };

static bool is_repeated(struct sass *s, size_t i, const struct run_launch *l, size_t n) {
  const struct differs all[OF_ALL] = {{"SR_CTAID.X", l->grid[0]},
                                      {"SR_CTAID.Y", l->grid[1]},
                                      {"SR_CTAID.Z", l->grid[2]},
                                      {"SR_TID.Y", l->block[1]},
                                      {"SR_TID.Z", l->block[2]}};
  for (size_t k = 0; k < n; k++)
    if (all[k].n > 1 && !sass_place_follows(s, i, all[k].special))
      return true;
  return false;
}

/* Of every instruction of in->sass: it loads from a place that does not follow from one of the first `numbers` of those by which blocks, or rows of a block, differ.  *part: of the
 * bytes that loads ask for.  NULL: no code, no executed counts, no launch, or no memory.  The caller frees it. */
static bool *repeated_make(const struct rule_input *in, size_t numbers, double *part) {
  struct sass *s = in->sass;
  const struct run_launch *l = in->f->launch;
  bool *out = s && s->counted && l ? calloc(s->n + 1, sizeof *out) : NULL;
  double all = 0, again = 0;
  for (size_t i = 0; out && i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    double bytes = counts_as(x, SASS_LOAD_GLOBAL) && !x->never ? fmax(s->executed[i], 0) * x->bytes : 0;
    out[i] = bytes > 0 && is_repeated(s, i, l, numbers);
    all += bytes;
    again += out[i] ? bytes : 0;
  }
  *part = all > 0 ? again / all : 0;
  return out;
}

double repeated_by_blocks(const struct rule_input *in) {
  double part = 0;
  bool *of = repeated_make(in, OF_BLOCKS, &part);
  bool known = of != NULL;
  free(of);
  return known ? part : 0;
}

/* Where several threads load: of the marked ones, none that its own thread updates; of those alone the hottest load. */
static const struct run_instruction *shared_place(const struct rule_input *in, bool *of) {
  for (size_t i = 0; of && i < in->sass->n; i++)
    of[i] = of[i] && !sass_updates_place(in->sass, i);
  const struct run_instruction *at = of ? about_marked(in, of, false) : NULL;
  return at ? at : about_place(in, about_loads);
}

const struct run_instruction *repeated_place(const struct rule_input *in, double least) {
  double part = 0;
  bool *of = repeated_make(in, OF_ALL, &part), some = part >= least && part > 0 && part < 1, updates = false;
  const struct run_instruction *at = about_place(in, about_loads);
  for (size_t i = 0; of && !some && i < in->sass->n; i++) {
    updates = updates || (at == &in->sass->kernel->sass[i] && sass_updates_place(in->sass, i));
    of[i] = about_loads(&in->sass->insts[i]) && in->sass->executed[i] > 0;
  }
  at = some || updates ? shared_place(in, of) : at;
  free(of);
  return at;
}

/* Bytes that an instruction asks for; of bulk copies, which do not name them, more than all others. */
static double brought_bytes(const struct sass *s, size_t i) {
  const struct sass_inst *x = &s->insts[i];
  double n = x->never ? 0 : fmax(s->executed[i], 0);
  if (n <= 0 || !about_loads(x))
    return 0;
  return x->access == ACCESS_BULK_COPY ? INFINITY : n * x->bytes * RULE_LANES;
}

/* Lanes that ask for one address together bring one sector: where these were counted, their bytes in place of those that lanes ask for. */
static void sectors_in_place(double *bytes, const struct sass *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->count[i] && s->count[i]->global_sectors >= 0 && isfinite(bytes[i]) && bytes[i] > 0)
      bytes[i] = SECTOR_BYTES * s->count[i]->global_sectors;
}

double chosen_by_data(const struct rule_input *in) {
  struct sass *s = in->sass;
  double all = 0, chosen = 0;
  if (!s || !s->counted)
    return 0;
  double *bytes = calloc(s->n + 1, sizeof *bytes);
  for (size_t i = 0; i < s->n; i++)
    bytes[i] = brought_bytes(s, i);
  sectors_in_place(bytes, s);
  for (size_t i = 0; i < s->n; i++) {
    bool choose = bytes[i] > 0 && isfinite(bytes[i]) && sass_place_is_chosen(s, i);
    all += bytes[i];
    chosen += choose && sass_advance_of(s, i, launch_block_threads(in->f->launch)) == ADVANCE_NONE ? bytes[i] : 0;
  }
  free(bytes);
  return all > 0 ? chosen / all : 0;
}

bool looked_up_in_l1(const struct rule_input *in) {
  static const double ONCE = 1.1, AGAIN = 2, MOST = 0.5;
  double l2 = rule_value(in, "l2_read_bytes", 0), dram = rule_value(in, "dram_read_bytes", 0);
  return dram > 0 && l2 <= ONCE * dram && rule_value(in, "l1_load_bytes", 0) >= AGAIN * fmax(l2, dram) &&
         chosen_by_data(in) > MOST;
}

static struct run_line line_of(const struct rule_input *in, size_t i) {
  struct code_place place;
  code_place_of(&place, in->all->run, &in->sass->kernel->sass[i]);
  return place.line ? *place.line : (struct run_line){-1, -(int)i}; /* one of its own */
}

/* Of the marked loads those on lines that ask for most bytes, or nearly as many: what is waited for most may be the first and not the largest. */
static void keep_largest(const struct rule_input *in, bool *of) {
  static const double NEARLY = 0.9;
  size_t n = in->sass->n;
  double *bytes = calloc(n + 1, sizeof *bytes), most = 0;
  struct run_line *lines = calloc(n + 1, sizeof *lines);
  for (size_t i = 0; i < n; i++)
    lines[i] = of[i] ? line_of(in, i) : (struct run_line){0};
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n && of[i]; k++)
      bytes[i] += of[k] && same_line(&lines[k], &lines[i]) ? brought_bytes(in->sass, k) : 0;
    most = fmax(most, bytes[i]);
  }
  for (size_t i = 0; i < n; i++)
    of[i] = of[i] && bytes[i] >= NEARLY * most;
  free(bytes);
  free(lines);
}

static const struct run_instruction *once_place(const struct rule_input *in) {
  double part = 0;
  bool *of = repeated_make(in, OF_ALL, &part);
  bool some = part > 0 && part < 1;
  for (size_t i = 0; of && i < in->sass->n; i++)
    of[i] = !(some && of[i]) && about_loads(&in->sass->insts[i]) && in->sass->executed[i] > 0;
  if (of)
    keep_largest(in, of);
  const struct run_instruction *at = of ? about_marked(in, of, false) : NULL;
  free(of);
  return at ? at : about_place(in, about_loads);
}

const struct run_instruction *dram_place(const struct rule_input *in) {
  static const double MOST = 2; /* times the other side's: a copy's two sides differ by less */
  double read = rule_value(in, "dram_read_bytes", 0), written = rule_value(in, "dram_write_bytes", 0);
  if (written >= MOST * read)
    return about_place(in, about_stores);
  return read >= MOST * written ? once_place(in) : about_place(in, about_accesses);
}

const struct run_instruction *bringing_place(const struct rule_input *in) {
  static const double SMALL =
      0.1; /* of what the L2 sends where bulk copies may bring it, else of what one instruction brings at most */
  struct sass *s = in->sass;
  bool *of = s && s->counted ? calloc(s->n + 1, sizeof *of) : NULL;
  double most = 0;
  for (size_t i = 0; of && i < s->n; i++)
    most = fmax(most, brought_bytes(s, i));
  double whole = isinf(most) ? rule_value(in, "l2_read_bytes", 0) : most;
  for (size_t i = 0; of && i < s->n; i++)
    of[i] = brought_bytes(s, i) > 0 && brought_bytes(s, i) >= SMALL * whole;
  const struct run_instruction *at = shared_place(in, of);
  free(of);
  return at;
}
