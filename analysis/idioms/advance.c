/* How far an access moves on in a turn: from the register of its address back to an instruction that makes a value of its own of the turn before. */
#include "analysis/idioms/advance.h"
#include "base/warp.h"

#include <ctype.h>
#include <stdlib.h>

enum { ADVANCE_PRODUCERS_MAX = 32, ADVANCE_DEPTH_MAX = 24, LAUNCH_DEPTH_MAX = 6 };

struct walk {
  struct sass *s;
  size_t loop, path[ADVANCE_DEPTH_MAX], n;
  bool *seen;
  int bytes;
  long threads; /* of a block; 0: unknown */
  long moved;   /* by so many bytes in a turn; 0: not found */
  enum sass_advance found;
};

/* The last number among the operands; 0: there is none. */
static long immediate_of(const struct sass_inst *x) {
  long found = 0;
  for (const char *at = strstr(x->text, ", "); at; at = strstr(at + 2, ", ")) {
    bool minus = at[2] == '-';
    const char *number = at + 2 + minus;
    if (strncmp(number, "0x", 2) == 0)
      found = (minus ? -1 : 1) * (long)(int32_t)strtoul(number, NULL, 16);
  }
  return found;
}

/* What an instruction of a cycle adds, where it is a number: one that it multiplies by, or shifts by, is none. */
static long added_by(const struct sass_inst *x) {
  const char *last = strrchr(x->text, ',');
  bool number = last && (strncmp(last, ", 0x", 4) == 0 || strncmp(last, ", -0x", 5) == 0);
  if (strcmp(x->opcode, "LEA") == 0 || (strcmp(x->opcode, "IMAD") == 0 && !number))
    return 0;
  return immediate_of(x);
}

/* Sizes of blocks and of the grid stand before the arguments in constant bank 0 up to sm_90 (as nvcc 12.9 compiles blockDim and gridDim); [RZ] is its first. */
static bool reads_launch(const struct sass_inst *x) {
  static const char *const sizes[] = {"c[0x0][RZ]",  "c[0x0][0x0]",  "c[0x0][0x4]", "c[0x0][0x8]",
                                      "c[0x0][0xc]", "c[0x0][0x10]", "c[0x0][0x14]"};
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
    if (strstr(x->text, sizes[k]))
      return true;
  return false;
}

static bool from_launch(struct sass *s, size_t i, size_t inside, int depth) {
  struct sass_producer from[ADVANCE_PRODUCERS_MAX];
  size_t n = depth > 0 ? sass_first_producers(s, i, from, ADVANCE_PRODUCERS_MAX) : 0;
  if (reads_launch(&s->insts[i]))
    return true;
  for (size_t k = 0; k < n; k++)
    if (from[k].inst != i && !sass_in_loop(s, from[k].inst, inside) && from_launch(s, from[k].inst, inside, depth - 1))
      return true;
  return false;
}

static bool writes_register(const struct sass_inst *x, long reg) {
  for (size_t w = 0; w < x->n_writes; w++)
    if (x->writes[w].file == FILE_R && reg >= x->writes[w].first && reg < x->writes[w].first + x->writes[w].count)
      return true;
  return false;
}

/* Of a cycle's instruction, what comes to it beside the value that turns: where that began says nothing of how it moves. */
static bool launch_moves(const struct walk *w, size_t k, size_t at) {
  struct sass_producer from[ADVANCE_PRODUCERS_MAX];
  size_t i = w->path[k], n = sass_first_producers(w->s, i, from, ADVANCE_PRODUCERS_MAX);
  bool moves = reads_launch(&w->s->insts[i]);
  for (size_t p = 0; p < n && !moves; p++) {
    bool turns = false;
    for (size_t c = at; c < w->n; c++)
      turns = turns || (from[p].range.file == FILE_R && writes_register(&w->s->insts[w->path[c]], from[p].range.first));
    moves = !turns && !sass_in_loop(w->s, from[p].inst, w->loop) &&
            from_launch(w->s, from[p].inst, w->loop, LAUNCH_DEPTH_MAX - 1);
  }
  return moves;
}

/* Bytes of the address for one of what the instruction at this place of the path makes; 0: not known. */
static long scale_of(const struct walk *w, size_t at) {
  if (at == 1)
    return 1;
  const struct sass_inst *user = &w->s->insts[w->path[1]];
  return at == 2 && strcmp(user->opcode, "IMAD") == 0 ? immediate_of(user) : 0;
}

/* Cycles of a path are turns: the instructions from `at` on make a value of the turn before's. */
static void cycle_judge(struct walk *w, size_t at) {
  enum sass_advance is = ADVANCE_OTHER;
  for (size_t k = at; k < w->n; k++) {
    long by = added_by(&w->s->insts[w->path[k]]) * scale_of(w, at);
    w->moved = by != 0 ? by : w->moved;
    if (by == w->bytes || by == -w->bytes)
      is = ADVANCE_OWN;
    else if (is == ADVANCE_OTHER && by != 0 && w->threads > 0 &&
             (by % (w->threads * w->bytes) == 0 || by == WARP_LANES * w->bytes))
      is = ADVANCE_LAUNCH;
    else if (is == ADVANCE_OTHER && launch_moves(w, k, at))
      is = ADVANCE_LAUNCH;
  }
  w->found = is > w->found ? is : w->found;
}

static void walk_from(struct walk *w, size_t i, long reg) {
  struct sass_producer from[ADVANCE_PRODUCERS_MAX];
  size_t n = sass_first_producers(w->s, i, from, ADVANCE_PRODUCERS_MAX);
  if (w->n == ADVANCE_DEPTH_MAX)
    return;
  w->path[w->n++] = i;
  for (size_t k = 0; k < n; k++) {
    const struct sass_inst *p = &w->s->insts[from[k].inst];
    const struct sass_range *r = &from[k].range;
    bool asked = reg < 0 || (r->file == FILE_R && writes_register(p, reg));
    bool number = p->wait == WAIT_NONE && !sass_modifier(p, "X") && (r->file == FILE_R || r->file == FILE_UR);
    size_t at = 0;
    if (!asked || !number || !sass_in_loop(w->s, from[k].inst, w->loop))
      continue;
    while (at < w->n && w->path[at] != from[k].inst)
      at++;
    if (at < w->n) {
      cycle_judge(w, at);
    } else if (!w->seen[from[k].inst]) {
      w->seen[from[k].inst] = true;
      walk_from(w, from[k].inst, -1);
    }
  }
  w->n--;
}

static void walk_loop(struct walk *w, size_t i, long reg) {
  w->seen = calloc(w->s->n + 1, sizeof *w->seen);
  walk_from(w, i, reg);
  free(w->seen);
}

enum sass_advance sass_advance_of(struct sass *s, size_t i, long threads) {
  struct walk w = {.s = s, .bytes = s->insts[i].bytes, .threads = threads, .loop = s->blocks[s->block_of[i]].loop};
  long reg = sass_address_register(&s->insts[i]);
  for (; w.loop != SASS_NONE && w.found == ADVANCE_NONE && reg >= 0; w.loop = s->loops[w.loop].parent)
    walk_loop(&w, i, reg);
  return w.found;
}

long sass_moved_bytes(struct sass *s, size_t i) {
  long reg = sass_address_register(&s->insts[i]);
  struct walk w = {.s = s, .bytes = s->insts[i].bytes, .loop = s->blocks[s->block_of[i]].loop};
  if (w.loop != SASS_NONE && reg >= 0)
    walk_loop(&w, i, reg);
  return w.moved;
}
