/* What the 32 lanes of a warp hold: integers and addresses, as far as numbers, the
 * thread's place and the kernel's arguments make them.  What comes from memory,
 * other lanes or arithmetic on data is unknown, and so is all that is made of it.
 */
#pragma once

#include "analysis/sass/sass.h"
#include "base/warp.h"

enum { LANES_REGISTERS = 256, LANES_UNIFORM = 64, LANES_PREDICATES = 8, OPERANDS_MAX = 10 };

struct sass_operand {
  enum operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,
    OPERAND_PREDICATE,
    OPERAND_NUMBER,
    OPERAND_CONSTANT,
    OPERAND_ADDRESS
  } kind;
  bool uniform;           /* a register or predicate of the uniform datapath */
  bool negated, inverted; /* -R2; ~R2, !P0 */
  int number;             /* of the register; its last one is what reads as nothing (RZ, PT) */
  uint32_t value;         /* of a number, an offset in the constant bank, or in an address */
  int base, uniform_base; /* registers of an address; -1: it has none */
  bool pair;              /* of its base: 64 bits */
  const char *text;       /* the instruction's, from here on */
};

/* Behind the opcode, in their order: how many. */
size_t sass_operands(struct sass_operand out[OPERANDS_MAX], const struct sass_inst *x);

/* An instruction, read once for all times that it is done. */
struct sass_one;
struct sass_does {
  const struct sass_inst *x;
  struct sass_operand operands[OPERANDS_MAX]; /* in their order, the results first */
  size_t n, results;
  void (*does)(struct sass_one *one); /* NULL: what it makes is unknown */
  uint32_t modifiers;
};
void sass_does(struct sass_does *out, const struct sass_inst *x);

struct sass_constants { /* bank 0 */
  const void *context;
  bool (*word)(const void *context, uint32_t offset, uint32_t *value); /* false: it is not known */
};

struct sass_lanes {
  uint32_t r[LANES_REGISTERS][WARP_LANES], ur[LANES_UNIFORM];
  uint32_t r_known[LANES_REGISTERS]; /* a bit a lane */
  bool ur_known[LANES_UNIFORM];
  uint32_t p[LANES_PREDICATES], p_known[LANES_PREDICATES];
  bool up[LANES_PREDICATES], up_known[LANES_PREDICATES];
  uint32_t place[3][WARP_LANES], block[3]; /* the thread's place in its block; the block's in the grid */
  struct sass_constants constants;
};

/* Lanes for which a predicate, or the instruction's guard, holds; *known: for which it is known. */
uint32_t sass_lanes_where(const struct sass_lanes *l, bool uniform, int number, bool negated, uint32_t *known);
uint32_t sass_lanes_guard(const struct sass_lanes *l, const struct sass_inst *x, uint32_t *known);
/* Does the instruction in these lanes. */
void sass_lanes_do(struct sass_lanes *l, const struct sass_does *d, uint32_t lanes);
void sass_lanes_forget(struct sass_lanes *l, uint8_t file, int number, uint32_t lanes);
/* The address of an access in a lane.  False: it is not known. */
bool sass_lanes_address(const struct sass_lanes *l, const struct sass_operand *a, int lane, uint64_t *at);
