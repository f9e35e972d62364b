#include "analysis/signs/triton_code.h"

#include "analysis/idioms/copy_stages.h"
#include "analysis/idioms/stored_again.h"
#include "analysis/idioms/sums.h"
#include "analysis/model/code_place.h"
#include "analysis/model/occupancy.h"
#include "analysis/model/python_text.h"
#include "analysis/signs/about.h"
#include "analysis/signs/chains.h"
#include "analysis/signs/product_waits.h"
#include "analysis/signs/waves.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- whether it is Triton's --- */

/* Numba's names begin so, and CuTe's. */
static bool is_of_others(const char *kernel) {
  return strstr(kernel, "cudapy") || strstr(kernel, "cutlass");
}

static bool has_python_lines(const struct run *r, const struct run_kernel *k) {
  for (size_t i = 0; i < k->n_sass; i++)
    if (k->sass[i].n_lines)
      return source_is_python(r, k->sass[i].lines[0].source) && !is_of_others(k->name);
  return false;
}

/* The program has such kernels. */
static bool others_are(const struct run *r) {
  for (size_t m = 0; m < r->n_modules; m++)
    for (size_t k = 0; k < r->modules[m].n_kernels; k++)
      if (has_python_lines(r, &r->modules[m].kernels[k]))
        return true;
  return false;
}

/* A function's name as it is written, without types. */
static bool is_bare(const char *name) {
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_')
      return false;
  return *name && strncmp(name, "_Z", 2) != 0 && !is_of_others(name);
}

/* Warps of a program are a power of two, in x; its shared memory is dynamic, all of it. */
static bool launched_so(const struct run_launch *l) {
  unsigned warps = l->block[0] / WARP_LANES;
  return l->block[0] % WARP_LANES == 0 && warps > 0 && (warps & (warps - 1)) == 0 && l->block[1] == 1 &&
         l->block[2] == 1 && l->smem_static == 0;
}

bool triton_made(const struct rule_input *in) {
  const struct run_kernel *k = in->sass ? in->sass->kernel : NULL;
  if (k && k->n_sass)
    return !is_of_others(in->f->variant->id) && has_python_lines(in->all->run, k);
  const struct run_launch *l = in->f->launch;
  return l && l->kernel && is_bare(l->kernel) && launched_so(l) && others_are(in->all->run);
}

/* --- whether tl.range(..., num_stages=) can load ahead --- */

/* It has less of a lane than cp.async can copy. */
static bool is_narrow(const struct rule_input *in, size_t load) {
  enum { CP_ASYNC_LEAST = 4 }; /* bytes: PTX ISA, cp.async's cp-size */
  return in->sass->insts[load].bytes < CP_ASYNC_LEAST;
}

static unsigned around(const struct rule_input *in, size_t load) {
  struct code_place place = {0};
  code_place_of(&place, in->all->run, &in->sass->kernel->sass[load]);
  return place.line ? python_around(in->all->run, place.line->source, place.line->line) : 0;
}

/* It stands in an `if` of its loop's body: Triton's pipeliner takes what is in the body itself. */
static bool is_under_if(const struct rule_input *in, size_t load) {
  unsigned text = around(in, load);
  return sass_turn_skips(in->sass, load) && (text == 0 || (text & PYTHON_IF));
}

static bool is_in_while(const struct rule_input *in, size_t load) {
  return around(in, load) & PYTHON_WHILE;
}

static bool is_left_out(const struct rule_input *in, size_t load) {
  return is_narrow(in, load) || is_under_if(in, load) || is_in_while(in, load);
}

/* Half of the samples that wait for loads are for such, or without samples all of the loads in loops are. */
static bool loads_are(const struct rule_input *in, bool (*such)(const struct rule_input *in, size_t load)) {
  const struct hot *h = in->hot;
  struct sass *s = in->sass;
  double some = 0, all = 0;
  for (size_t k = 0; h && k < h->n_insts; k++) {
    const struct hot_inst *x = &h->insts[k];
    if (!rule_is_ours(in, x) || x->n_reasons == 0 || x->n_feeds == 0 ||
        strcmp(x->reasons[0].reason, "long_scoreboard") != 0)
      continue;
    size_t load = x->feeds[0].inst;
    bool counts = s->insts[load].class == SASS_LOAD_GLOBAL && s->insts[load].bytes > 0;
    all += counts ? (double)x->reasons[0].samples : 0;
    some += counts && such(in, load) ? (double)x->reasons[0].samples : 0;
  }
  for (size_t i = 0; i < s->n && all <= 0; i++) {
    bool loads =
        s->insts[i].class == SASS_LOAD_GLOBAL && s->blocks[s->block_of[i]].loop != SASS_NONE && !s->insts[i].never;
    if (loads && !such(in, i))
      return false;
    some += loads;
  }
  return some > 0 && 2 * some >= all;
}

/* Two further stages of what a turn loads fit beside what the block has. */
static bool stages_fit(const struct rule_input *in) {
  struct sass_summary x;
  const struct run_launch *l = in->f->launch;
  sass_summarise(in->sass, &x);
  double tiles = or_zero(x.stream_bytes) * (l ? (double)launch_block_threads(l) : 0);
  return !l || x.stream == SASS_NONE || in->all->device->smem_optin <= 0 ||
         (TRITON_STAGES_LEAST - 1) * tiles + (double)l->smem_dynamic <= (double)in->all->device->smem_optin;
}

/* A loop with loads turns often, and its turns do not need one another: a larger tile makes fewer of them. */
static bool can_load_wider(const struct rule_input *in) {
  static const double MANY = 8;
  const struct run_launch *launch = in->f->launch;
  double warps = launch ? grid_blocks(in) * (double)launch_block_threads(launch) / RULE_LANES : 0;
  for (size_t i = 0; warps > 0 && i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    size_t loop = x->class == SASS_LOAD_GLOBAL && !x->never ? in->sass->blocks[in->sass->block_of[i]].loop : SASS_NONE;
    const struct sass_loop *l = loop == SASS_NONE ? NULL : &in->sass->loops[loop];
    if (l && (l->trips.present ? l->trips.v >= MANY : in->sass->executed[i] >= MANY * warps))
      return !turns_are_serial(in);
  }
  return false;
}

/* A warp makes two turns or more of it; where that is not known, too. */
static bool turns(const struct rule_input *in, const struct sass_loop *l) {
  static const double ONCE = 1.5; /* between one turn and two: estimates of samples are no whole numbers */
  const struct run_launch *launch = in->f->launch;
  double warps = launch ? grid_blocks(in) * (double)launch_block_threads(launch) / RULE_LANES : 0;
  double executed = in->sass->blocks[l->header].executed;
  bool once = l->trips.present ? l->trips.v < ONCE : warps > 0 && executed >= 0 && executed < ONCE * warps;
  return !l->spins && !once;
}

/* A stage more fits beside the others, of which one may share its place with another, and costs no program. */
static unsigned staged(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  int stages = sass_copy_stages(in->sass);
  if (stages < TRITON_STAGES_LEAST)
    return 0;
  double with = l ? (double)l->smem_dynamic * stages / (stages - 1) : INFINITY;
  const struct device *d = in->all->device;
  bool fits = with > 0 && with <= (double)d->smem_optin && with * fmax(l->blocks_per_sm, 1) <= (double)d->smem_per_sm;
  return TRITON_STAGED | (fits ? TRITON_STAGE_FITS : 0);
}

static unsigned signs_of_stages(const struct rule_input *in) {
  struct sass *s = in->sass;
  unsigned signs = TRITON_STRAIGHT;
  for (size_t i = 0; i < s->n_loops; i++) {
    if (s->loops[i].spins || turns(in, &s->loops[i]))
      signs &= ~(unsigned)TRITON_STRAIGHT;
    if (turns(in, &s->loops[i]))
      signs |= TRITON_LOOP | (sass_may_load_its_stores(s, i) ? TRITON_STORED : 0);
  }
  for (size_t i = 0; i < s->n_loops; i++)
    for (size_t k = 0; k < i; k++)
      if (turns(in, &s->loops[i]) && turns(in, &s->loops[k]) && sass_loops_load_alike(s, i, k))
        signs |= TRITON_TWO_PASSES;
  bool could = (signs & TRITON_LOOP) && !(signs & TRITON_STORED) && stages_fit(in), narrow = loads_are(in, is_narrow);
  bool only_if = could && loads_are(in, is_under_if) && !narrow && !loads_are(in, is_in_while);
  signs |= staged(in) | (narrow && can_load_wider(in) ? TRITON_NARROW : 0);
  return signs | (only_if ? TRITON_UNDER_IF : could && !loads_are(in, is_left_out) ? TRITON_STAGES : 0);
}

/* --- what it does --- */

/* What threads hold of the sums of matrix instructions. */
static bool tile_is_large(const struct rule_input *in) {
  enum { LARGE = 128 * 128 };
  bool held[UINT8_MAX + 1] = {false};
  size_t sums = 0;
  for (size_t i = 0; i < in->sass->n; i++) {
    const struct sass_inst *x = &in->sass->insts[i];
    for (size_t w = 0; w < x->n_writes && x->class == SASS_TENSOR && !x->never; w++)
      for (size_t r = x->writes[w].first; r < (size_t)x->writes[w].first + x->writes[w].count && r <= UINT8_MAX; r++) {
        sums += !held[r];
        held[r] = true;
      }
  }
  return in->f->launch && (double)sums * (double)launch_block_threads(in->f->launch) >= LARGE;
}

/* What warps wait for most are their own matrix instructions, and an SM has one program. */
static bool at_products(const struct rule_input *in) {
  const char *most = in->f->top_stall;
  return in->f->launch && in->f->launch->blocks_per_sm == 1 && most && in->hot && strcmp(most, "barrier") == 0 &&
         2 * barriers_part_of_products(in) > 1;
}

static unsigned signs_of_code(const struct rule_input *in) {
  struct sass *s = in->sass;
  struct sass_sums sums;
  double reciprocals = 0, others = 0; /* of the XU */
  unsigned signs = signs_of_stages(in);
  for (size_t i = 0; i < s->n; i++) {
    const struct sass_inst *x = &s->insts[i];
    bool runs = !x->never && (!s->counted || s->executed[i] > 0);
    signs |= x->class == SASS_TENSOR && !x->never ? TRITON_PRODUCTS : 0;
    signs |= runs && strcmp(x->opcode, "SHFL") == 0 ? TRITON_REDUCES : 0;
    if (runs && strcmp(x->opcode, "MUFU") == 0)
      *(sass_modifier(x, "RCP") ? &reciprocals : &others) += s->counted ? s->executed[i] : 1;
  }
  sass_sums_of(&sums, s);
  signs |= reciprocals > others ? TRITON_DIVIDES : 0;
  signs |= at_products(in) ? TRITON_AT_PRODUCTS : 0;
  return signs | (2 * sums.behind > sums.all ? TRITON_SUMS : 0) | (tile_is_large(in) ? TRITON_LARGE_TILE : 0);
}

static bool line_has(const char *line, size_t n, const char *const *words) {
  for (const char *const *w = words; *w; w++)
    for (size_t i = 0; i + strlen(*w) <= n; i++)
      if (strncmp(line + i, *w, strlen(*w)) == 0)
        return true;
  return false;
}

static const char *const REDUCES[] = {"tl.sum(", "tl.max(", "tl.min(", "tl.reduce(", NULL};

bool triton_at_operands(const struct rule_input *in, const struct run_instruction *at) {
  static const char *const operands[] = {"tl.load(", "tl.arange(", "tl.where(", "tl.program_id(", NULL};
  const struct run *r = in->all->run;
  struct code_place place = {0};
  if (at)
    code_place_of(&place, r, at);
  const char *line = place.line ? source_line(r, place.line->source, place.line->line) : NULL;
  int begin = line ? python_statement(r->sources[place.line->source].text, place.line->line) : 0;
  const char *first = begin ? source_line(r, place.line->source, begin) : line;
  size_t n = line ? strcspn(line, "\n") : 0;
  return line && line_has(line, n, operands) && !line_has(first, (size_t)(line - first) + n, REDUCES);
}

const struct run_instruction *triton_reduction(const struct rule_input *in) {
  const struct run *r = in->all->run;
  const struct run_instruction *found = NULL;
  size_t lines = 0, n = 0;
  const char *body = in->f->launch && in->f->launch->kernel ? python_function(r, in->f->launch->kernel, &n) : NULL;
  for (const char *at = body, *end = body + n; body && at < end; at += strcspn(at, "\n") + 1)
    lines += line_has(at, strcspn(at, "\n"), REDUCES);
  for (size_t i = 0; lines == 1 && !found && i < in->sass->n; i++) {
    struct code_place place;
    code_place_of(&place, r, &in->sass->kernel->sass[i]);
    const char *line = place.line ? source_line(r, place.line->source, place.line->line) : NULL;
    found = line && line >= body && line < body + n && line_has(line, strcspn(line, "\n"), REDUCES)
                ? &in->sass->kernel->sass[i]
                : NULL;
  }
  return found;
}

/* Of a line that reduces. */
static unsigned axis_of(const char *line, size_t n) {
  static const char *const last[] = {"axis=1", "axis=-1", ", 1)", ", -1)", NULL};
  return line_has(line, n, REDUCES) && line_has(line, n, last) ? TRITON_LAST_AXIS : 0;
}

/* Its programs go through the tiles in groups, as those of Triton's tutorial on matrix products. */
static unsigned groups_of(const char *body, size_t n) {
  static const char *const groups[] = {"GROUP_SIZE_M", "GROUP_M", "GROUP_SIZE_N", "GROUP_N", "group_id",
                                       "swizzle2d(",   NULL};
  return line_has(body, n, groups) ? TRITON_GROUPED : 0;
}

/* A line of a loop that reduces: `acc += tl.sum(...)`, or one whose value goes elsewhere. */
static unsigned signs_of_text(const char *body, size_t n) {
  static const char *const adds[] = {"+= tl.sum(", NULL}, *const dots[] = {"tl.dot(", NULL};
  static const char *const loads[] = {"tl.load(", NULL}, *const stores[] = {"tl.store(", NULL};
  unsigned signs = 0;
  size_t loop = 0, added = 0, other = 0;
  bool loaded = false, stored = false; /* in loops */
  for (const char *at = body, *end = body + n; at < end;) {
    const char *next = memchr(at, '\n', (size_t)(end - at)), *line = at;
    size_t length = (size_t)((next ? next : end) - at), indent = strspn(at, " \t");
    at = next ? next + 1 : end;
    if (indent >= length || line[indent] == '#')
      continue;
    loop = indent <= loop ? 0 : loop; /* behind it */
    if (strncmp(line + indent, "for ", 4) == 0 || strncmp(line + indent, "while ", 6) == 0) {
      signs |= TRITON_LOOP;
      loop = loop ? loop : indent;
    }
    signs |= line_has(line, length, dots) ? TRITON_PRODUCTS : 0;
    loaded = loaded || (loop && line_has(line, length, loads));
    stored = stored || (loop && line_has(line, length, stores));
    if (!line_has(line, length, REDUCES))
      continue;
    signs |= TRITON_REDUCES | axis_of(line, length);
    added += loop && line_has(line, length, adds);
    other += loop && !line_has(line, length, adds);
  }
  signs |= !(signs & TRITON_LOOP) ? TRITON_STRAIGHT : loaded && stored ? TRITON_STORED : TRITON_STAGES;
  return signs | (added > other ? TRITON_SUMS : 0);
}

static unsigned signs_of_launch(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  struct err ignored = {0};
  struct occupancy o;
  if (!l)
    return 0;
  struct occupancy_block b = occupancy_block_of(l);
  double wave = wave_blocks(in);
  unsigned signs = wave > 0 && grid_blocks(in) <= wave ? TRITON_AT_ONCE : 0;
  signs |= b.threads == RULE_LANES ? TRITON_ONE_WARP : 0;
  if (b.registers <= 0 || occupancy_of(&o, in->all->device, &b, &ignored))
    return signs;
  return signs | (o.limit == LIMIT_REGISTERS ? TRITON_REGISTERS
                  : o.limit == LIMIT_SMEM    ? TRITON_SHARED
                  : o.limit == LIMIT_BLOCKS  ? TRITON_BLOCKS
                                             : 0);
}

unsigned triton_signs(const struct rule_input *in) {
  size_t n = 0;
  const struct run_launch *l = in->f->launch;
  unsigned signs = signs_of_launch(in);
  const char *body = l && l->kernel ? python_function(in->all->run, l->kernel, &n) : NULL;
  if (in->sass && in->sass->n > 0)
    return signs | signs_of_code(in) | (body ? (signs_of_text(body, n) & TRITON_LAST_AXIS) | groups_of(body, n) : 0);
  return signs | (body ? signs_of_text(body, n) | groups_of(body, n) : 0);
}
