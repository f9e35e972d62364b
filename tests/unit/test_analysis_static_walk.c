/* What a GEMV's walked warps find in the constant bank, what streams, and the latencies of a device that says little; by hand. */
#include "unit/made_code.h"

#include "analysis/rules/static_walk.h"

#include <stdio.h>

/* Blocks of 4 x 7 x 6 threads in a grid of 2 x 3 x 5; nothing is known of the chip's rates. */
static void begin(struct made_code *d, const char *const *lines, int sm) {
  struct run_result *r = made(d, lines);
  d->m.device.sm = sm;
  d->m.device.n_ceilings = 0;
  *r->launches = (struct run_launch){.kernel = (char *)"made", .grid = {2, 3, 5}, .block = {4, 7, 6}};
  d->code = (struct static_code){.run = &d->m.run, .result = r, .launch = r->launches, .device = &d->m.device};
  d->code.sass = d->sass.sass;
}

static bool walks(struct sass_walk *w, struct made_code *d) {
  bool walked = static_walk(w, &d->code);
  d->sass.sass = d->code.sass; /* what is made on the way belongs to it */
  assert_true(!w->constants.context && !w->constants.word);
  return walked;
}

static void leave(struct sass_walk *w, struct made_code *d) {
  sass_walk_release(w);
  sass_release(&d->sass.sass);
}

static void words(void **state) {
  (void)state;
  static const struct {
    int sm;
    unsigned offset, value;
    bool known; /* and that */
  } rows[] = {
      {90, 0x0, 4, true},    {90, 0x4, 7, true},     {90, 0x8, 6, true},      {90, 0xc, 2, true},
      {90, 0x10, 3, true},   {90, 0x14, 5, true},    {90, 0x18, 5, false},    {90, 0x18, 0, false},
      {90, 0x10, 4, false},  {99, 0x4, 7, true},     {100, 0x360, 4, true},   {100, 0x364, 7, true},
      {100, 0x368, 6, true}, {100, 0x36c, 0, false}, {100, 0x370, 2, true},   {100, 0x374, 3, true},
      {100, 0x378, 5, true}, {100, 0x0, 4, false},   {90, 0x360, 4, false},   {90, 0x214, 1, true},
      {90, 0x21c, 2, true},  {90, 0x238, 128, true}, {90, 0x23c, 256, true},  {90, 0x240, 1, true},
      {90, 0x244, 1, false}, {100, 0x384, 1, true},  {100, 0x3a8, 128, true}, {120, 0x360, 4, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static struct made_code d;
    char load[64], compare[64];
    const char *const lines[] = {load, compare, "@P0 EXIT", "EXIT", NULL}; /* what is not known ends no lane */
    struct sass_walk w;
    snprintf(load, sizeof load, "MOV R2, c[0x0][0x%x]", rows[i].offset);
    if (!rows[i].offset)
      snprintf(load, sizeof load, "MOV R2, c[0x0][RZ]");
    snprintf(compare, sizeof compare, "ISETP.EQ.AND P0, PT, R2, 0x%x, PT", rows[i].value);
    begin(&d, lines, rows[i].sm);
    assert_true(walks(&w, &d));
    assert_true(w.warps == 17); /* of 30 x 6 */
    if (w.executed[3] != (rows[i].known ? 0 : 17))
      fail_msg("sm_%d 0x%x: %g", rows[i].sm, rows[i].offset, w.executed[3]);
    leave(&w, &d);
  }
}

#define LOAD "LDG.E R8, desc[UR4][R4.64]"
#define USE  "FADD R9, R8, R8"

static const struct {
  const char *lines[8];
  double waits;        /* cycles of a warp, for whatever */
  const char *ceiling; /* that the device has */
  double value;
} WAITS[] = {
    {{"FADD R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 4 - 1, NULL, 0},
    {{"FADD R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 6 - 1, "alu_latency_cycles", 6},
    {{"FADD R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 0, "alu_latency_cycles", 1},
    {{"FADD R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 4 - 1, "alu_latency_cycles", 0}, /* it is not known, then */
    {{"HMUL2 R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 8 - 1, NULL, 0},
    {{"HMUL2 R1, R2, R3", "FADD R4, R1, R3", "EXIT"}, 5 - 1, "hfma2_latency_cycles", 5},
    {{"MUFU.RSQ R1, R2", "FADD R4, R1, R3", "EXIT"}, 17 - 1, NULL, 0},
    {{"MUFU.RSQ R1, R2", "FADD R4, R1, R3", "EXIT"}, 20 - 1, "xu_latency_cycles", 20},
    {{"LDS R8, [RZ]", USE, "EXIT"}, 23 - 1, NULL, 0},
    {{"LDS R8, [RZ]", USE, "EXIT"}, 29 - 1, "smem_latency_cycles", 29},
    {{"MOV R1, R2", "MOV R3, R4", "EXIT"}, 2 - 1, NULL, 0},
    {{"MOV R1, R2", "MOV R3, R4", "EXIT"}, 4 - 1, "rate_alu", 32},
    /* a and its scales stream; b, its scales and c do not.  The ALU takes the second MOV a cycle later, and the load waits 3 for that. */
    {{"MOV R5, c[0x0][0x214]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 671, NULL, 0},
    {{"MOV R5, c[0x0][0x214]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 499, "dram_latency_cycles", 500},
    {{"MOV R5, c[0x0][0x21c]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 327, NULL, 0},
    {{"MOV R5, c[0x0][0x21c]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 199, "l2_latency_cycles", 200},
    {{"MOV R5, c[0x0][0x224]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 671, NULL, 0},
    {{"MOV R5, c[0x0][0x22c]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 327, NULL, 0},
    {{"MOV R5, c[0x0][0x234]", "MOV R4, RZ", LOAD, USE, "EXIT"}, 1 + 3 + 327, NULL, 0},
    {{"MOV R5, c[0x0][0x214]", "MOV R4, RZ", LOAD, USE, LOAD, USE, "EXIT"}, 1 + 3 + 671 + 31, NULL, 0},
    {{"MOV R5, c[0x0][0x214]", "MOV R4, RZ", LOAD, USE, LOAD, USE, "EXIT"}, 1 + 3 + 671 + 39, "l1_latency_cycles", 40},
};

static void latencies(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof WAITS / sizeof *WAITS; i++) {
    static struct made_code d;
    struct sass_walk w;
    begin(&d, WAITS[i].lines, 90);
    if (WAITS[i].ceiling)
      made_ceiling(&d.m, WAITS[i].ceiling, WAITS[i].value, CEILING_MEASURED);
    assert_true(walks(&w, &d));
    if (w.loads + w.waits != WAITS[i].waits * w.warps)
      fail_msg("row %zu: %g", i, (w.loads + w.waits) / w.warps);
    leave(&w, &d);
  }
}

/* Without its step the arguments are not known, however the code runs. */
static void not_told(void **state) {
  (void)state;
  static const char *const lines[] = {"EXIT", NULL};
  static struct made_code d;
  struct sass_walk w;
  begin(&d, lines, 90);
  d.m.variants[0].n_keys = 0;
  assert_false(walks(&w, &d));
  assert_true(w.warps == 0);
  leave(&w, &d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words),
      cmocka_unit_test(latencies),
      cmocka_unit_test(not_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
