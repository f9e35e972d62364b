/* Instructions as nvdisasm writes them, for sm_90a, sm_100a and sm_120a, and all that is read from each.  What is read and written was compared
 * with the live ranges that nvdisasm -plr prints for the same instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/made_sass.h"

#include <stdio.h>
#include <string.h>

static const char *pipe_name(enum sass_pipe p) {
  static const char *const names[SASS_PIPES] = {
      [PIPE_UNKNOWN] = "unknown", [PIPE_ALU] = "alu", [PIPE_FMA] = "fma", [PIPE_FP16] = "fp16",
      [PIPE_FP64] = "fp64",       [PIPE_XU] = "xu",   [PIPE_LSU] = "lsu", [PIPE_TENSOR] = "tensor",
      [PIPE_UNIFORM] = "uniform", [PIPE_ADU] = "adu", [PIPE_CBU] = "cbu",
  };
  return names[p];
}

static const char *space_name(enum sass_space s) {
  static const char *const names[] = {
      [SPACE_NONE] = "none",         [SPACE_GLOBAL] = "global",   [SPACE_LOCAL] = "local",   [SPACE_SHARED] = "shared",
      [SPACE_CONSTANT] = "constant", [SPACE_GENERIC] = "generic", [SPACE_TENSOR] = "tensor",
  };
  return names[s];
}

static const char *wait_name(enum sass_wait w) {
  static const char *const names[] = {
      [WAIT_NONE] = "fixed latency",
      [WAIT_LOAD] = "memory load",
      [WAIT_CONSTANT] = "constant load",
      [WAIT_SHUFFLE] = "exchange between lanes",
      [WAIT_SPECIAL] = "special function or register",
      [WAIT_TENSOR] = "matrix instruction",
      [WAIT_ASYNC_GROUP] = "groups of async copies",
      [WAIT_TRANSACTION] = "mbarrier",
      [WAIT_BLOCK] = "other warps",
      [WAIT_MEMORY_ORDER] = "memory order",
  };
  return names[w];
}

/* flags: b branches, c conditional, t has a target, e ends, f calls a function, n never runs, u unknown, m malformed. */
static const struct row {
  const char *text, *opcode, *guard, *writes, *reads, *class, *pipe, *wait, *space;
  enum sass_access access;
  int bytes;
  const char *policy, *flags;
} ROWS[] = {
    /* clang-format off */
    {"LDG.E.128.CONSTANT R4, desc[UR6][R36.64]", "LDG", "", "R4-7", "UR6-7 R36-37", "load global", "lsu", "memory load", "global", ACCESS_LOAD, 16, ".CONSTANT", ""},
    {"@!P1 LDG.E.NA.LTC256B.128.CONSTANT R8, desc[UR4][R16.64+0x400]", "LDG", "!P1", "R8-11", "UR4-5 R16-17", "load global", "lsu", "memory load", "global", ACCESS_LOAD, 16, ".NA.LTC256B.CONSTANT", ""},
    {"LDG.E.EL.U16.CONSTANT R23, desc[UR6][R4.64]", "LDG", "", "R23", "UR6-7 R4-5", "load global", "lsu", "memory load", "global", ACCESS_LOAD, 2, ".EL.CONSTANT", ""},
    {"LDG.E.EL.ENL2.256.CONSTANT R20, R16, desc[UR6][R56.64]", "LDG", "", "R20-23 R16-19", "UR6-7 R56-57", "load global", "lsu", "memory load", "global", ACCESS_LOAD, 32, ".EL.CONSTANT", ""},
    {"LDG.E.STRONG.GPU R25, desc[UR8][R16.64]", "LDG", "", "R25", "UR8-9 R16-17", "load global", "lsu", "memory load", "global", ACCESS_LOAD, 4, ".STRONG.GPU", ""},
    {"LD.E R3, [R2]", "LD", "", "R3", "R2-3", "load global", "lsu", "memory load", "generic", ACCESS_LOAD, 4, "", ""},
    {"LDL.LU R44, [R1+0x10]", "LDL", "", "R44", "R1", "load local", "lsu", "memory load", "local", ACCESS_LOAD, 4, ".LU", ""},
    {"LDS.128 R4, [R33]", "LDS", "", "R4-7", "R33", "load shared", "lsu", "memory load", "shared", ACCESS_LOAD, 16, "", ""},
    {"LDS.U16 R28, [R25+UR12]", "LDS", "", "R28", "R25 UR12", "load shared", "lsu", "memory load", "shared", ACCESS_LOAD, 2, "", ""},
    {"@!PT LDS RZ, [RZ]", "LDS", "", "", "", "load shared", "lsu", "memory load", "shared", ACCESS_LOAD, 4, "", "n"},
    {"LDC.64 R12, c[0x0][0x220]", "LDC", "", "R12-13", "", "load constant", "adu", "constant load", "constant", ACCESS_LOAD, 8, "", ""},
    {"ULDC UR18, c[0x0][0x238]", "ULDC", "", "UR18", "", "load constant", "unknown", "constant load", "constant", ACCESS_LOAD, 4, "", ""},
    {"LDCU.128 UR12, c[0x0][0x380]", "LDCU", "", "UR12-15", "", "load constant", "unknown", "constant load", "constant", ACCESS_LOAD, 16, "", ""},
    {"STG.E.U16 desc[UR10][R2.64], R0", "STG", "", "", "UR10-11 R2-3 R0", "store global", "lsu", "fixed latency", "global", ACCESS_STORE, 2, "", ""},
    {"STG.E.128 desc[UR8][R12.64], R4", "STG", "", "", "UR8-9 R12-13 R4-7", "store global", "lsu", "fixed latency", "global", ACCESS_STORE, 16, "", ""},
    {"STL.64 [R1], RZ", "STL", "", "", "R1", "store local", "lsu", "fixed latency", "local", ACCESS_STORE, 8, "", ""},
    {"@!P0 STS.64 [R18], R16", "STS", "!P0", "", "R18 R16-17", "store shared", "lsu", "fixed latency", "shared", ACCESS_STORE, 8, "", ""},
    {"ATOMG.E.ADD.F32x4.FTZ.RN.STRONG.GPU PT, RZ, desc[UR8][R12.64], R4", "ATOMG", "", "", "UR8-9 R12-13 R4-7", "atomic", "lsu", "memory load", "global", ACCESS_ATOMIC, 16, ".STRONG.GPU", ""},
    {"REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU desc[UR8][R12.64], R4", "REDG", "", "", "UR8-9 R12-13 R4-5", "atomic", "lsu", "fixed latency", "global", ACCESS_ATOMIC, 8, ".STRONG.GPU", ""},
    {"ATOMG.E.ADD.STRONG.GPU PT, R16, desc[UR8][R16.64], R19", "ATOMG", "", "R16", "UR8-9 R16-17 R19", "atomic", "lsu", "memory load", "global", ACCESS_ATOMIC, 4, ".STRONG.GPU", ""},
    {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR6][R2.64], R21", "REDG", "", "", "UR6-7 R2-3 R21", "atomic", "lsu", "fixed latency", "global", ACCESS_ATOMIC, 4, ".STRONG.GPU", ""},
    {"ATOMS.ADD R4, [R5], R6", "ATOMS", "", "R4", "R5 R6", "atomic", "lsu", "memory load", "shared", ACCESS_ATOMIC, 4, "", ""},
    {"ATOM.E.ADD.STRONG.GPU PT, R4, [R2], R6", "ATOM", "", "R4", "R2-3 R6", "atomic", "lsu", "memory load", "generic", ACCESS_ATOMIC, 4, ".STRONG.GPU", ""},
    {"RED.E.ADD.STRONG.GPU [R2], R6", "RED", "", "", "R2-3 R6", "atomic", "lsu", "fixed latency", "generic", ACCESS_ATOMIC, 4, ".STRONG.GPU", ""},
    {"ST.E.64 [R2], R4", "ST", "", "", "R2-3 R4-5", "store global", "lsu", "fixed latency", "generic", ACCESS_STORE, 8, "", ""},
    {"LDGSTS.E.BYPASS.128 [R25], desc[UR10][R10.64]", "LDGSTS", "", "", "R25 UR10-11 R10-11", "async copy", "lsu", "fixed latency", "global", ACCESS_ASYNC_COPY, 16, ".BYPASS", ""},
    {"LDGDEPBAR", "LDGDEPBAR", "", "", "", "barrier", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"DEPBAR.LE SB0, 0x1", "DEPBAR", "", "", "", "barrier", "unknown", "groups of async copies", "none", ACCESS_NONE, 0, "", ""},
    {"UBLKCP.S.G [UR22], [UR20], UR10, desc[UR4]", "UBLKCP", "", "", "UR22-23 UR20-21 UR10 UR4-5", "async copy", "unknown", "fixed latency", "global", ACCESS_BULK_COPY, 0, "", ""},
    {"UTMALDG.3D [UR8], [UR4]", "UTMALDG", "", "", "UR8-12 UR4-5", "async copy", "unknown", "fixed latency", "global", ACCESS_BULK_COPY, 0, "", ""},
    {"F2FP.F16.E2M1.UNPACK_B R25, R24", "F2FP", "", "R25", "R24", "convert", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"F2FP.F16.E4M3.UNPACK_B R113, R113.H1", "F2FP", "", "R113", "R113", "convert", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"HADD2.F32 R34, -RZ, R21.H0_H0", "HADD2", "", "R34", "R21", "convert", "fp16", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"HFMA2 R4, R4, R39, R34", "HFMA2", "", "R4", "R4 R39 R34", "fp16", "fp16", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"HFMA2.MMA R30, R32, R35, -RZ", "HFMA2", "", "R30", "R32 R35", "fp16", "tensor", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"MOV R2, 0x400", "MOV", "", "R2", "", "logic", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"HMUL2 R27, R25, R22.H0_H0", "HMUL2", "", "R27", "R25 R22", "fp16", "fp16", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"FFMA2 R46, R42.F32x2.HI_LO, R46.F32x2.HI_LO, RZ.F32", "FFMA2", "", "R46-47", "R42-43 R46-47", "fp32", "fma", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"@P4 FADD R20, R20, 1", "FADD", "P4", "R20", "R20", "fp32", "fma", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"FSEL R15, R15, -R15, !P2", "FSEL", "", "R15", "R15 R15 P2", "fp32", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"I2F.U64.RP R8, R2", "I2F", "", "R8", "R2-3", "convert", "xu", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"F2I.U64.TRUNC R6, R6", "F2I", "", "R6-7", "R6", "convert", "xu", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"MUFU.RCP R4, R4", "MUFU", "", "R4", "R4", "special function", "xu", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"IMAD.WIDE.U32 R122, R16, UR8, RZ", "IMAD", "", "R122-123", "R16 UR8", "integer", "fma", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"IMAD.X R15, RZ, RZ, R9, P1", "IMAD", "", "R15", "R9 P1", "integer", "fma", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"IADD3 R12, P0, P1, R4, UR8, R12", "IADD3", "", "R12 P0 P1", "R4 UR8 R12", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {" \t@P2 IADD3 R12, P0, P1, R4, UR8, R12", "IADD3", "P2", "R12 P0 P1", "R4 UR8 R12", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"IADD3.X R8, PT, PT, R9, UR11, R31, P0, !PT", "IADD3", "", "R8", "R9 UR11 R31 P0", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"IADD.64 R20, R4, UR4", "IADD", "", "R20-21", "R4-5 UR4-5", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"LEA.HI.X R3, R6, UR5, R3, 0x1, P0", "LEA", "", "R3", "R6 UR5 R3 P0", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"ISETP.GE.AND P0, P1, R3, R5, P2", "ISETP", "", "P0 P1", "R3 R5 P2", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"ISETP.GE.AND.EX P0, PT, R3, UR5, PT, P0", "ISETP", "", "P0", "R3 UR5 P0", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"ISETP.GE.S64.AND P0, PT, R2, UR6, PT", "ISETP", "", "P0", "R2-3 UR6-7", "integer", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"LOP3.LUT P2, RZ, R13, 0x80, RZ, 0xc0, !PT", "LOP3", "", "P2", "R13", "logic", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0", "PLOP3", "", "P0", "UP0", "logic", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"PRMT R24, RZ, 0x7610, R24", "PRMT", "", "R24", "R24", "logic", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"SHF.L.U64.HI R51, R10.reuse, 0x7, R11", "SHF", "", "R51", "R10 R11", "logic", "alu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"CS2R R18, SRZ", "CS2R", "", "R18-19", "", "other", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"P2R R13, PR, RZ, 0x28", "P2R", "", "R13", "P3 P5", "logic", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"R2P PR, R13, 0x7", "R2P", "", "P0 P1 P2", "R13", "logic", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"P2R R13, PR, RZ, 0x41", "P2R", "", "R13", "P0 P6", "logic", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"S2R R6, SR_CTAID.X", "S2R", "", "R6", "", "other", "lsu", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"@P1 R2UR P0, UR6, R4", "R2UR", "P1", "P0 UR6", "R4", "uniform", "unknown", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"@P0 ELECT P1, URZ, PT", "ELECT", "P0", "P1", "", "shuffle", "unknown", "exchange between lanes", "none", ACCESS_NONE, 0, "", ""},
    {"FCHK P0, R3, 441.67294", "FCHK", "", "P0", "R3", "fp32", "unknown", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"QSPC.E.S P2, RZ, [R4]", "QSPC", "", "P2", "R4", "other", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"VOTE.ANY R6, PT, P0", "VOTE", "", "R6", "P0", "shuffle", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"VOTE.ALL P1, P0", "VOTE", "", "P1", "P0", "shuffle", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"VOTEU.ANY UR5, UPT, PT", "VOTEU", "", "UR5", "", "shuffle", "unknown", "exchange between lanes", "none", ACCESS_NONE, 0, "", ""},
    {"VOTEU.ANY UP1, P0", "VOTEU", "", "UP1", "P0", "shuffle", "unknown", "exchange between lanes", "none", ACCESS_NONE, 0, "", ""},
    {"SHFL.BFLY PT, R3, R24, 0x10, 0x1f", "SHFL", "", "R3", "R24", "shuffle", "lsu", "exchange between lanes", "none", ACCESS_NONE, 0, "", ""},
    {"HMMA.16816.F32 R20, R20, R6, R16", "HMMA", "", "R20-23", "R20-23 R6-7 R16-19", "tensor", "tensor", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"IMMA.16832.U8.S8 R36, R36.ROW, R76.reuse.COL, R44", "IMMA", "", "R36-39", "R36-39 R76-77 R44-47", "tensor", "tensor", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"HGMMA.64x8x16.F32 R24, R36, gdesc[UR16], R24", "HGMMA", "", "R24-27", "R36-39 UR16-19 R24-27", "tensor", "tensor", "matrix instruction", "none", ACCESS_NONE, 0, "", ""},
    {"BAR.SYNC.DEFER_BLOCKING 0x0", "BAR", "", "", "", "barrier", "adu", "other warps", "none", ACCESS_NONE, 0, "", ""},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R5+URZ], R4", "SYNCS", "", "P0", "R5 R4", "barrier", "lsu", "mbarrier", "none", ACCESS_NONE, 0, "", ""},
    {"SYNCS.EXCH.64 URZ, [UR6], UR4", "SYNCS", "", "", "UR6 UR4-5", "barrier", "lsu", "special function or register", "none", ACCESS_NONE, 0, "", ""},
    {"WARPGROUP.ARRIVE", "WARPGROUP", "", "", "", "barrier", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"WARPGROUP.DEPBAR.LE gsb0, 0x1", "WARPGROUP", "", "", "", "barrier", "unknown", "matrix instruction", "none", ACCESS_NONE, 0, "", ""},
    {"@!P0 BRA 0xbd0", "BRA", "!P0", "", "", "control", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", "bct"},
    {"BRA.U !UP0, 0x560", "BRA", "", "", "UP0", "control", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", "bct"},
    {"BRA.DIV UR7, 0x2c90", "BRA", "", "", "UR7", "control", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", "bct"},
    {"BRA `(R4)", "BRA", "", "", "", "control", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", "b"}, /* a function of that name */
    {"BSSY B0, 0x450", "BSSY", "", "B0", "", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", "t"},
    {"BSYNC B0", "BSYNC", "", "", "B0", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"WARPSYNC.COLLECTIVE R12, 0x2d30", "WARPSYNC", "", "", "R12", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", "bct"},
    {"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_s64)", "CALL", "", "", "", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", "f"},
    {"RET.REL.NODEC R6 `(gemv)", "RET", "", "", "R6-7", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", "e"},
    {"@P0 EXIT", "EXIT", "P0", "", "", "control", "cbu", "fixed latency", "none", ACCESS_NONE, 0, "", "e"},
    {"UIADD3.X UR9, UR7, UR13, URZ, UP0, UP1", "UIADD3", "", "UR9", "UR7 UR13 UP0 UP1", "uniform", "uniform", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"UISETP.NE.AND UP0, UPT, UR4, UR24, UPT", "UISETP", "", "UP0", "UR4 UR24", "uniform", "uniform", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"@!UP0 UMOV UR4, 0x1", "UMOV", "!UP0", "UR4", "", "uniform", "uniform", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"NOP", "NOP", "", "", "", "other", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", ""},
    {"FROB.64 R4, R6", "FROB", "", "R4-5", "R6-7", "other", "unknown", "fixed latency", "none", ACCESS_NONE, 0, "", "u"},
    /* clang-format on */
};

static void write_flags(char out[16], const struct sass_inst *i) {
  const struct {
    bool set;
    char letter;
  } flags[] = {{i->branches, 'b'}, {i->conditional, 'c'}, {i->ends, 'e'},       {i->calls, 'f'},
               {i->never, 'n'},    {!i->known, 'u'},      {i->has_target, 't'}, {i->malformed, 'm'}};
  for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
    if (flags[f].set)
      *out++ = flags[f].letter;
  *out = '\0';
}

static void every_field(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    const struct row *want = &ROWS[k];
    struct sass_inst got;
    char guard[32] = "!", writes[128], reads[128], flags[16];
    sass_inst_parse(&got, want->text, 0);
    made_ranges(guard + (got.guarded && got.guard_negated), sizeof guard - 1, &got.guard, got.guarded);
    made_ranges(writes, sizeof writes, got.writes, got.n_writes);
    made_ranges(reads, sizeof reads, got.reads, got.n_reads);
    write_flags(flags, &got);
    if (strcmp(reads, want->reads) != 0 || strcmp(writes, want->writes) != 0)
      print_message("%s\n", want->text);
    assert_string_equal(got.opcode, want->opcode);
    assert_string_equal(guard, want->guard);
    assert_string_equal(writes, want->writes);
    assert_string_equal(reads, want->reads);
    assert_string_equal(sass_class_name(got.class), want->class);
    assert_string_equal(pipe_name(got.pipe), want->pipe);
    assert_string_equal(wait_name(got.wait), want->wait);
    assert_string_equal(space_name(got.space), want->space);
    assert_int_equal(got.access, want->access);
    assert_int_equal(got.bytes, want->bytes);
    assert_string_equal(got.policy, want->policy);
    assert_string_equal(flags, want->flags);
  }
}

static void targets(void **state) {
  (void)state;
  struct sass_inst i;
  sass_inst_parse(&i, "@!P0 BRA 0xbd0", 0x10);
  assert_int_equal(i.target, 0xbd0);
  assert_int_equal(i.offset, 0x10);
  sass_inst_parse(&i, "WARPSYNC.COLLECTIVE R12, 0x2d30", 0);
  assert_int_equal(i.target, 0x2d30);
  sass_inst_parse(&i, "BRA `(.L_x_3)", 0);
  assert_false(i.has_target);
  sass_inst_parse(&i, "BRA 0xffffffff", 0);
  assert_true(i.has_target && i.target == UINT32_MAX);
  sass_inst_parse(&i, "BRA 0x100000000", 0); /* beyond any kernel */
  assert_true(!i.has_target && i.target == 0);
}

/* ".64" behind a register makes it two; what only looks like it does not. */
static void suffixes(void **state) {
  (void)state;
  static const char *const one[] = {"[R36]",    "[R36.U32]",  "[R36.6]",  "[R36.640]",
                                    "[R36.X8]", "[R36+0x64]", "[R36.65]", "[R36.74]"};
  struct sass_inst i;
  for (size_t k = 0; k < sizeof one / sizeof *one; k++) {
    char text[64];
    snprintf(text, sizeof text, "LDS R4, %s", one[k]);
    sass_inst_parse(&i, text, 0);
    if (i.n_reads != 1 || i.reads[0].count != 1)
      fail_msg("%s is %u registers", one[k], i.reads[0].count);
  }
  sass_inst_parse(&i, "LDS R4, [R36.X8.64]", 0);
  assert_int_equal(i.reads[0].count, 2);
}

static void names_past_the_last(void **state) {
  (void)state;
  assert_string_equal(sass_class_name(SASS_OTHER), "other");
  assert_string_equal(sass_class_name(SASS_CLASSES), "unknown");
}

static void what_is_no_instruction(void **state) {
  (void)state;
  static const char *const texts[] = {
      "", " ", "@", "@P9 MOV R0, R1", "@R0 MOV R0, R1", "1ABC R0", "$$", "ABCDEFGHIJKLMNOPQ R1", ".E"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    struct sass_inst i;
    sass_inst_parse(&i, texts[k], 0);
    if (!i.malformed)
      fail_msg("\"%s\" was taken for an instruction", texts[k]);
    assert_int_equal(i.n_reads + i.n_writes, 0);
    assert_int_equal(i.guard.count, 0);
  }
}

/* A group ends where its file ends, and registers that do not exist are none. */
/* What comes behind the sixteenth operand is not read. */
static void more_operands_than_any_has(void **state) {
  (void)state;
  struct sass_inst x;
  sass_inst_parse(&x, "FADD R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10, R11, R12, R13, R14, R15, R16, R17, R18", 0);
  assert_int_equal(x.n_writes, 1);
  assert_int_equal(x.n_reads, 15);
  assert_int_equal(x.reads[14].first, 15);
}

static void registers_out_of_range(void **state) {
  (void)state;
  struct sass_inst i;
  sass_inst_parse(&i, "LDG.E.128 R253, desc[UR254][R254.64]", 0);
  assert_int_equal(i.writes[0].count, 2); /* R253, R254: R255 is RZ */
  assert_int_equal(i.reads[0].count, 1);
  assert_int_equal(i.reads[1].count, 1);
  static const char *const none[] = {"FADD R255, R300, P7", "FADD R4294967300, R0000000001, P10"};
  for (size_t k = 0; k < 2; k++) {
    sass_inst_parse(&i, none[k], 0);
    assert_int_equal(i.n_writes, 0);
    assert_int_equal(i.n_reads, 0);
  }
}

static void every_known_opcode_is_distinct_and_has_a_source(void **state) {
  (void)state;
  const char *name, *source = NULL;
  size_t a = 0;
  for (; (name = sass_opcode_at(a, &source)); a++) {
    assert_true(source && *source);
    for (size_t b = 0; b < a; b++)
      assert_string_not_equal(name, sass_opcode_at(b, NULL));
    struct sass_inst i;
    sass_inst_parse(&i, name, 0);
    assert_true(i.known);
    assert_string_equal(i.opcode, name);
  }
  assert_true(a > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field),
      cmocka_unit_test(targets),
      cmocka_unit_test(suffixes),
      cmocka_unit_test(names_past_the_last),
      cmocka_unit_test(what_is_no_instruction),
      cmocka_unit_test(registers_out_of_range),
      cmocka_unit_test(more_operands_than_any_has),
      cmocka_unit_test(every_known_opcode_is_distinct_and_has_a_source),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
