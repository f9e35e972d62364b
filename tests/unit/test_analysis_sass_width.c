/* How many registers an operand is, by hand: a lane's share of a fragment is rows x columns x bits / (32 lanes x 32 bits), a warpgroup's a
 * quarter of that; addresses, conversions and tensor memory as the PTX ISA has them. */
#include "unit/made_sass.h"

#include <string.h>

static const struct {
  const char *text, *writes, *reads;
  int bytes;
} ROWS[] = {
    /* clang-format off */
    /* what is moved */
    {"LDG.E.96 R4, desc[UR6][R2.64]", "R4-6", "UR6-7 R2-3", 12},
    {"LDG.E.64 R4, desc[UR6][R2.64]", "R4-5", "UR6-7 R2-3", 8},
    {"LDG.E.U8 R4, desc[UR6][R2.64]", "R4", "UR6-7 R2-3", 1},
    {"LDG.E.S8 R4, desc[UR6][R2.64]", "R4", "UR6-7 R2-3", 1},
    {"LDG.E.S16 R4, desc[UR6][R2.64]", "R4", "UR6-7 R2-3", 2},
    {"STG.E.ENL2.256 desc[UR8][R12.64], R4, R8", "", "UR8-9 R12-13 R4-7 R8-11", 32},
    {"REDG.E.ADD.F64.RN.STRONG.GPU desc[UR6][R2.64], R20", "", "UR6-7 R2-3 R20-21", 8},
    {"LD.64 R4, [R2]", "R4-5", "R2", 8},
    {"LDSM.16.M88.4 R4, [R20]", "R4-7", "R20", 16},
    {"LDSM.16.M88.2 R4, [R20]", "R4-5", "R20", 8},
    {"LDSM.16.M88 R4, [R20]", "R4", "R20", 4},
    {"STSM.16.M88.4 [R20], R4", "", "R20 R4-7", 16},
    /* tensor memory: 16dp256bit is 4 registers, 16dp128bit 2, others 1, each repeated */
    {"LDTM.x32 R4, tmem[UR8]", "R4-35", "UR8", 128},
    {"LDTM.x128 R4, tmem[UR8]", "R4-131", "UR8", 512},
    {"LDTM.16dp256bit.x4 R4, tmem[UR8]", "R4-19", "UR8", 64},
    {"LDTM.16dp128bit.x2 R4, tmem[UR8]", "R4-7", "UR8", 16},
    {"LDTM.16dp256bit R4, tmem[UR8]", "R4-7", "UR8", 16},
    {"LDTM.x129 R4, tmem[UR8]", "R4", "UR8", 4}, /* no such repetition */
    {"LDTM.16dp256bit.x0 R4, tmem[UR8]", "R4", "UR8", 4},
    /* matrices */
    {"HMMA.1688.F32 R4, R8, R10, R4", "R4-7", "R8-9 R10 R4-7", 0},
    {"HMMA.1688.F16 R4, R8, R10, R4", "R4-5", "R8-9 R10 R4-5", 0},
    {"HMMA.16816.F16 R4, R8, R12, R4", "R4-5", "R8-11 R12-13 R4-5", 0},
    {"HMMA.1688.F32.TF32 R4, R8, R12, R4", "R4-7", "R8-11 R12-13 R4-7", 0},
    {"HMMA.1684.F32.TF32 R4, R8, R12, R4", "R4-7", "R8-9 R12 R4-7", 0},
    {"IMMA.16816.S8.S8 R4, R8, R12, R4", "R4-7", "R8-9 R12 R4-7", 0},
    {"IMMA.8816.S8.S8 R4, R8, R12, R4", "R4-5", "R8 R12 R4-5", 0},
    {"IMMA.16864.S4.S4 R4, R8, R12, R4", "R4-7", "R8-11 R12-13 R4-7", 0},
    {"IMMA.8832.U4.U4 R4, R8, R12, R4", "R4-5", "R8 R12 R4-5", 0},
    {"QMMA.16832.F32.E4M3.E4M3 R4, R8, R12, R4", "R4-7", "R8-11 R12-13 R4-7", 0},
    {"QMMA.16832.F16.E4M3.E4M3 R4, R8, R12, R4", "R4-5", "R8-11 R12-13 R4-5", 0},
    {"OMMA.16864.F32.E2M1.E2M1 R4, R8, R12, R4, R16, R17", "R4-7", "R8-11 R12-13 R4-7 R16 R17", 0},
    {"BMMA.168128.XOR.POPC R4, R8, R10, R4", "R4-7", "R8-9 R10 R4-7", 0},
    {"BMMA.168256.XOR.POPC R4, R8, R12, R4", "R4-7", "R8-11 R12-13 R4-7", 0},
    {"DMMA.884 R4, R8, R10, R4", "R4-7", "R8-9 R10-11 R4-7", 0},
    {"DMMA.1684 R4, R12, R16, R4", "R4-11", "R12-15 R16-17 R4-11", 0},
    {"DMMA.16816 R4, R12, R28, R4", "R4-11", "R12-27 R28-35 R4-11", 0},
    {"HMMA.FROB R4, R8, R12, R4", "R4", "R8 R12 R4", 0},
    {"HGMMA.64x256x16.F32 R24, gdesc[UR16], R24", "R24-151", "UR16-19 R24-151", 0},
    {"HGMMA.64x64x16.F16 R24, R56, gdesc[UR16], R24", "R24-39", "R56-59 UR16-19 R24-39", 0},
    {"IGMMA.64x16x32.S8.S8 R24, gdesc[UR16], R24", "R24-31", "UR16-19 R24-31", 0},
    {"HGMMA.64x257x16.F32 R24, gdesc[UR16], R24", "R24-27", "UR16-19 R24-27", 0}, /* no such width */
    {"HGMMA.64x7x16.F32 R24, gdesc[UR16], R24", "R24-27", "UR16-19 R24-27", 0},
    /* conversions: F2F and I2F name the result first, F2I too */
    {"F2F.F64.F32 R4, R6", "R4-5", "R6", 0},
    {"F2F.F32.F64 R4, R6", "R4", "R6-7", 0},
    {"I2F.F64 R4, R6", "R4-5", "R6", 0},
    {"I2F.F64.U64 R4, R6", "R4-5", "R6-7", 0},
    {"I2F.S64 R4, R6", "R4", "R6-7", 0},
    {"F2I.S64.F64 R4, R6", "R4-5", "R6-7", 0},
    {"F2I.F64 R4, R6", "R4", "R6-7", 0},
    {"F2I R4, R6", "R4", "R6", 0},
    {"FRND.F64.FLOOR R4, R6", "R4-5", "R6-7", 0},
    {"FRND.FLOOR R4, R6", "R4", "R6", 0},
    /* products and pairs */
    {"IMAD.WIDE R4, R6, R7, R8", "R4-5", "R6 R7 R8-9", 0},
    {"IMAD.HI.U32 R4, R6, R7, R8", "R4", "R6 R7 R8-9", 0},
    {"IMAD R4, R6, R7, R8", "R4", "R6 R7 R8", 0},
    {"MOV.64 R4, R6", "R4-5", "R6-7", 0},
    {"ISETP.GE.U64.AND P0, PT, R2, UR6, PT", "P0", "R2-3 UR6-7", 0},
    {"DFMA R4, R6, R8, R10", "R4-5", "R6-7 R8-9 R10-11", 0},
    {"CS2R.32 R4, SR_CLOCKLO", "R4", "", 0},
    {"CS2R R4, SR_CLOCKLO", "R4-5", "", 0},
    /* addresses: shared address, mbarrier and a coordinate per dimension */
    {"UTMALDG.1D [UR8], [UR4]", "", "UR8-10 UR4-5", 0},
    {"UTMALDG.5D [UR8], [UR4]", "", "UR8-14 UR4-5", 0},
    {"UTMALDG.6D [UR8], [UR4]", "", "UR8-9 UR4-5", 0}, /* no such dimension */
    {"UTMALDG.0D [UR8], [UR4]", "", "UR8-9 UR4-5", 0},
    /* clang-format on */
};

static void every_row(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
    struct sass_inst got;
    char writes[128], reads[128];
    sass_inst_parse(&got, ROWS[k].text, 0);
    made_ranges(writes, sizeof writes, got.writes, got.n_writes);
    made_ranges(reads, sizeof reads, got.reads, got.n_reads);
    if (strcmp(writes, ROWS[k].writes) != 0 || strcmp(reads, ROWS[k].reads) != 0 || got.bytes != ROWS[k].bytes)
      fail_msg("%s: writes %s, reads %s, %d bytes", ROWS[k].text, writes, reads, got.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
