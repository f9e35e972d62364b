/* How many registers an operand has; checked against the live ranges of nvdisasm -plr. */
#include "analysis/sass/sass_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sass_modifier(const struct sass_inst *i, const char *name) {
  size_t n = strlen(name);
  for (const char *at = i->modifiers, *end = at + i->n_modifiers; at < end; at++)
    if (at[0] == '.' && strncmp(at + 1, name, n) == 0 && strcspn(at + 1, ". \t,") == n)
      return true;
  return false;
}

/* LDSM.16.M88.4 moves four 8x8 matrices, a register each. */
static int matrices(const struct sass_inst *i) {
  return sass_modifier(i, "4") ? 4 : sass_modifier(i, "2") ? 2 : 1;
}

/* Registers a lane of tcgen05.ld and .st: PTX ISA, tcgen05.ld, by shape and repetition. */
static int tensor_memory_regs(const struct sass_inst *i) {
  int repeat = 1;
  for (const char *x = i->modifiers; x < i->modifiers + i->n_modifiers; x++)
    if (x[0] == '.' && x[1] == 'x' && x[2] >= '0' && x[2] <= '9')
      repeat = atoi(x + 2);
  int each = sass_modifier(i, "16dp256bit") ? 4 : sass_modifier(i, "16dp128bit") ? 2 : 1;
  return repeat >= 1 && repeat <= 128 ? repeat * each : 1;
}

static int data_bytes(const struct sass_inst *i) {
  static const struct {
    const char *modifier;
    int bytes;
  } widths[] = {
      {"256", 32}, {"128", 16}, {"96", 12}, {"64", 8},    {"U8", 1},     {"S8", 1},
      {"U16", 2},  {"S16", 2},  {"F64", 8}, {"F32x2", 8}, {"F32x4", 16},
  };
  for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
    if (sass_modifier(i, widths[k].modifier))
      return widths[k].bytes;
  return 4;
}

int sass_bytes(const struct sass_inst *i, const struct sass_opcode *op) {
  if (op->width == WIDTH_DATA)
    return data_bytes(i);
  if (op->width == WIDTH_MATRIX)
    return 4 * matrices(i);
  return op->width == WIDTH_TMEM ? 4 * tensor_memory_regs(i) : 0;
}

/* 256-bit accesses name their two halves: LDG.E.ENL2.256 R20, R16, [...]. */
static int data_regs(const struct sass_inst *i) {
  int bytes = data_bytes(i);
  return bytes > 16 ? 4 : (bytes + 3) / 4;
}

/* m and k of ".16832", 16x8x32 (PTX ISA, mma shapes); n is always 8. */
static bool matrix_shape(const struct sass_inst *i, int *m, int *k) {
  for (const char *x = i->modifiers, *end = x + i->n_modifiers; x < end; x++) {
    *m = strncmp(x, ".168", 4) == 0 ? 16 : 8;
    if (sscanf(x, *m == 16 ? ".168%3d" : ".88%3d", k) == 1)
      return true;
  }
  return false;
}

static int element_bits(const struct sass_inst *i) {
  static const struct {
    const char *opcode;
    int bits;
  } elements[] = {{"HMMA", 16}, {"OMMA", 4}, {"BMMA", 1}, {"DMMA", 64}};
  if (sass_modifier(i, "TF32"))
    return 32;
  if (sass_modifier(i, "U4") || sass_modifier(i, "S4"))
    return 4;
  for (size_t e = 0; e < sizeof elements / sizeof *elements; e++)
    if (opcode_is(i, elements[e].opcode))
      return elements[e].bits;
  return 8;
}

static int at_least_one(int regs) {
  return regs < 1 ? 1 : regs;
}

/* A fragment is spread over 32 lanes: elements x bits / (32 lanes x 32 bits). */
static int mma_regs(const struct sass_inst *i, const struct sass_place *at) {
  int m = 0, n = 8, k = 0;
  if (!matrix_shape(i, &m, &k))
    return 1;
  int bits = element_bits(i);
  int result_bits = bits == 64 ? 64 : bits == 16 && !sass_modifier(i, "F32") ? 16 : 32;
  if (opcode_is(i, "QMMA") && sass_modifier(i, "F16"))
    result_bits = 16;
  if (at->written || at->nth == 2)
    return at_least_one(m * n * result_bits / 1024);
  if (at->nth == 0)
    return at_least_one(m * k * bits / 1024);
  return at->nth == 1 ? at_least_one(n * k * bits / 1024) : 1; /* beyond: scales, an index of sparsity */
}

/* A warpgroup of 128 lanes: 64xN results, and 64xK of A where it comes from registers. */
static int warpgroup_regs(const struct sass_inst *i, const struct sass_place *at, int n_columns) {
  int result_bits = sass_modifier(i, "F16") ? 16 : 32;
  if (at->written || at->nth > 0)
    return at_least_one(64 * n_columns * result_bits / 4096);
  return 4; /* A: 64 rows of 256 bits, whatever the type */
}

static int columns(const struct sass_inst *i) {
  int n = strncmp(i->modifiers, ".64x", 4) == 0 ? atoi(i->modifiers + 4) : 0;
  return n >= 8 && n <= 256 ? n : 8;
}

static int convert_regs(const struct sass_inst *i, const struct sass_place *at) {
  /* The first type is that of the result for conversions between floating-point types (F2F.F64.F32)
   * and to floating point (I2F.F64.U32), and the result's of F2I too (F2I.U64.F64): a type that is
   * not named is 32 bits wide. */
  static const char *const wide[] = {"F64", "U64", "S64"};
  bool from_integer = opcode_is(i, "I2F"), to_integer = opcode_is(i, "F2I");
  for (size_t w = 0; w < sizeof wide / sizeof *wide; w++) {
    if (!sass_modifier(i, wide[w]))
      continue;
    bool integer = wide[w][0] != 'F';
    bool of_result = integer ? to_integer : from_integer;
    if (!from_integer && !to_integer) /* F2F, FRND: by the order of the two */
      of_result = strncmp(i->modifiers, ".F64", 4) == 0 || opcode_is(i, "FRND");
    if (of_result == at->written || opcode_is(i, "FRND"))
      return 2;
  }
  return 1;
}

static int wide_regs(const struct sass_inst *i, const struct sass_place *at) {
  bool addend = !at->written && at->nth == 2;
  if (sass_modifier(i, "WIDE"))
    return at->written || addend ? 2 : 1;
  return sass_modifier(i, "HI") && addend ? 2 : 1;
}

/* UTMALDG.3D [UR8], [UR6]: shared address, mbarrier and three coordinates; then the address of the
 * tensor map.  UBLKCP [UR10], [UR8], UR6: shared address and mbarrier; global address; bytes.
 * Generic loads and stores (.E) take a 64-bit address without saying so. */
static int address_regs(const struct sass_inst *i, const struct sass_place *at) {
  if (i->access == ACCESS_BULK_COPY) {
    const char *x = i->modifiers;
    int dimensions = i->n_modifiers > 2 && x[1] >= '1' && x[1] <= '5' && x[2] == 'D' ? x[1] - '0' : 0;
    return at->nth == 0 ? 2 + dimensions : 2;
  }
  return i->space == SPACE_GENERIC && sass_modifier(i, "E") ? 2 : 1;
}

int sass_group(const struct sass_inst *i, const struct sass_opcode *op, enum sass_file file,
               const struct sass_place *at) {
  if (file == FILE_P || file == FILE_UP || file == FILE_B)
    return 1;
  if (at->matrix) /* two matrix descriptors, whether or not A comes from registers */
    return 4;
  if (at->descriptor || at->double_)
    return 2;
  if (at->address)
    return address_regs(i, at);
  switch (op->width) {
  case WIDTH_DATA:
    return data_regs(i);
  case WIDTH_WIDE:
    return wide_regs(i, at);
  case WIDTH_SUFFIX:
    return sass_modifier(i, "64") || sass_modifier(i, "S64") || sass_modifier(i, "U64") ? 2 : 1;
  case WIDTH_PAIR:
    return 2;
  case WIDTH_CS2R:
    return sass_modifier(i, "32") ? 1 : 2;
  case WIDTH_CONVERT:
    return convert_regs(i, at);
  case WIDTH_MMA:
    return mma_regs(i, at);
  case WIDTH_WARPGROUP:
    return warpgroup_regs(i, at, columns(i));
  case WIDTH_MATRIX:
    return matrices(i);
  case WIDTH_TMEM:
    return tensor_memory_regs(i);
  case WIDTH_ONE:
    break;
  }
  return 1;
}
