/* What the files of analysis/sass share.  Of other rooms' files idioms/held.c and idioms/live.[ch]
 * alone include it, for registers as bits, sass_calls_compilers and sass_reaching. */
#pragma once

#include "analysis/sass/sass.h"

/* Which operands an opcode writes; all others it reads. */
enum sass_form {
  FORM_NONE,     /* none */
  FORM_REG,      /* the first, and predicates that follow it at once: IADD3 R0, P0, PT, R1, ... */
  FORM_PRED_REG, /* perhaps a predicate, then a register: LOP3.LUT P0, RZ, ...; SHFL.BFLY PT, R3, ... */
  FORM_PRED_TWO, /* two predicates: ISETP.GE.AND P0, PT, ... */
  FORM_VOTE,     /* a predicate, or a register and a predicate: VOTEU.ANY UR5, UPT, PT; VOTEU.ANY UP1, P0 */
};

/* How many registers an operand's group has. */
enum sass_width {
  WIDTH_ONE,
  WIDTH_DATA,    /* what is moved: as many as its bytes fill */
  WIDTH_WIDE,    /* IMAD.WIDE and IMAD.HI: 64-bit result and addend with .WIDE, addend with .HI */
  WIDTH_SUFFIX,  /* two with .64, .S64 or .U64 */
  WIDTH_PAIR,    /* two, always */
  WIDTH_CS2R,    /* two, one with .32 */
  WIDTH_CONVERT, /* by the 64-bit types among the modifiers */
  WIDTH_MMA,     /* by the matrix shape */
  WIDTH_WARPGROUP,
  WIDTH_MATRIX, /* LDSM, STSM: one for each 8x8 matrix */
  WIDTH_TMEM,   /* LDTM, STTM: by shape and repetition */
};

struct sass_opcode {
  const char *name;
  enum sass_class class;
  enum sass_pipe pipe;
  enum sass_form form;
  enum sass_width width;
  enum sass_wait wait;
  const char *source; /* where the opcode was seen */
};
const struct sass_opcode *sass_opcode_find(const char *name); /* NULL: unknown */

/* Fills executed, and sets spread, from the counters of a result of one launch, where there are
 * such. */
void sass_spread(struct sass *s, const struct run_result *r);

/* Where an operand stands. */
struct sass_place {
  bool written;    /* it is a result */
  size_t nth;      /* among the written, or among the read operands, from 0 */
  bool descriptor; /* in desc[...] */
  bool matrix;     /* in gdesc[...] */
  bool address;    /* in plain brackets */
  bool double_;    /* ".64" stands behind it */
};
/* Registers of the group that starts at a register of this file in this place; at least 1. */
int sass_group(const struct sass_inst *i, const struct sass_opcode *op, enum sass_file file,
               const struct sass_place *at);
int sass_bytes(const struct sass_inst *i, const struct sass_opcode *op); /* a lane moves */

/* Registers as bits. */
enum { SASS_BIT_WORDS = 9, SASS_BITS = 64 * SASS_BIT_WORDS };
static const uint16_t SASS_FILE_BIT[SASS_FILES] = {
    [FILE_R] = 0, [FILE_UR] = 256, [FILE_P] = 512, [FILE_UP] = 520, [FILE_B] = 528};
static const uint16_t SASS_FILE_SIZE[SASS_FILES] = {
    [FILE_R] = 255, [FILE_UR] = 255, [FILE_P] = 7, [FILE_UP] = 7, [FILE_B] = 16};

struct sass_bits {
  uint64_t words[SASS_BIT_WORDS];
};
static inline void bits_set(struct sass_bits *b, unsigned at) {
  b->words[at / 64] |= UINT64_C(1) << (at % 64);
}
static inline void bits_set_range(struct sass_bits *b, const struct sass_range *r) {
  for (unsigned k = 0; k < r->count; k++)
    bits_set(b, (unsigned)SASS_FILE_BIT[r->file] + r->first + k);
}
static inline bool bits_has(const struct sass_bits *b, unsigned at) {
  return b->words[at / 64] >> (at % 64) & 1;
}
/* Adds what `from` has; whether that was more. */
bool sass_bits_join(struct sass_bits *to, const struct sass_bits *from);

/* Marks are cleared by counting on: block_mark[x] == stamp means that x was met in this walk. */
struct sass_kept_steps {
  struct sass_step *steps; /* NULL: not made yet */
  unsigned block_x;
};

struct sass_scratch {
  struct sass_kept_steps steps[2]; /* of lanes, and of rows (sass_steps.c) */
  struct sass_bits *written;       /* by the instructions of each block */
  /* Written by each of the compiler's functions: on every way through it, or on one. */
  struct sass_bits *surely, *perhaps;
  /* Who may write register bit r, in order: writers[writers_at[r] .. writers_at[r + 1]). */
  size_t *writers, *writers_at;
  uint64_t *reaching[SASS_BITS]; /* of each register that was asked for: sass_reaching */
  struct sass_made_by {          /* of each instruction that was asked for, once the program is whole: sass_data.c */
    struct sass_producer *items;
    size_t n;
    bool known;
  } * made_by;
  size_t *preds, *pred_at; /* edges into block b: preds[pred_at[b] .. pred_at[b + 1]), each an edge's number */
  uint64_t *feed_mark;     /* of each instruction */
  uint64_t *block_mark;    /* of each block */
  uint64_t stamp;
  size_t *stack, *queue; /* room for every block; for every instruction */
};

/* An edge's number: block * SASS_SUCCESSORS_MAX + which successor. */
static inline size_t edge_from(size_t edge) {
  return edge / SASS_SUCCESSORS_MAX;
}

/* The steps of sass_make. */
void sass_flow_make(struct sass *s);                /* blocks and edges, from the instructions */
void sass_calls_make(struct sass *s);               /* the compiler's functions, from the blocks */
int sass_loops_make(struct sass *s, struct err *e); /* dominators and loops, from the blocks */
void sass_rare_mark(struct sass *s);                /* blocks, and which loops are innermost, from the loops */

/* It calls a function of the compiler's own: its name, from its number on. */
bool sass_calls_compilers(const struct sass_inst *x, const char **name);
/* What the function may write. */
const struct sass_bits *sass_call_writes(const struct sass *s, size_t call);
/* Of a register that it writes: whatever the lane, and the way through a function. */
bool sass_writes_surely(const struct sass *s, size_t inst, unsigned bit);
/* How many of a register's writers, in order, stand before `end`. */
size_t sass_writers_before(const size_t *writers, size_t n, size_t end);
/* Nothing writes the guard of `inst` between it and `end`. */
bool sass_guard_stays(const struct sass *s, size_t inst, size_t end);
/* It and a write before `end`, in one block, under the same guard negated, which nothing writes
 * between them: together they leave nothing of what was there. */
bool sass_choice_writes(const struct sass *s, size_t inst, unsigned bit, size_t end);
static inline uint64_t sass_stamp(struct sass *s) { /* a new walk */
  return ++s->scratch->stamp;
}

/* The writers of a register that may have written what is there at the start of block b: bits [b *
 * *n_words ...], bit w for the register's writer w.  NULL: it has no writer, or more than
 * SASS_REACHING_MAX. */
enum { SASS_REACHING_MAX = 512 };
const uint64_t *sass_reaching(struct sass *s, unsigned bit, size_t *n_words);
