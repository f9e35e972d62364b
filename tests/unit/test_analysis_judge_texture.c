/* The rule pipe, of fetches from textures: what it says and takes away, which line it names; figures worked out beside each row. */
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

#define FETCH_ONCE                                                                                                     \
  "fetch each texel once: a tile in shared memory, several outputs per thread; plain loads where nothing is filtered\n"

static void filters(struct made_diagnosis *d) {
  made_ceiling(&d->m, "rate_tex", 4, CEILING_DATASHEET);
}

static const struct judged_case CASES[] = {
    /* half of the cycles at the queue, and a tenth for loads, all of them fetches; 32 lanes in 8 cycles of an SM's units, 1e4 of its 1e5 cycles times 8 */
    {.rule = "pipe",
     .also = filters,
     .set =
         {{"pipe_tex", 1e5}, {"l1_load_requests", 0}, {"stall_tex_throttle", 16e6}, {"stall_long_scoreboard", 3.2e6}},
     .says =
         "fetches 1e+05 inst\n"
         "texture throttle, share 0.5 ratio\n"
         "long scoreboard, share 0.1 ratio\n"
         "60 % of warp cycles wait for fetches from textures; the units that filter are busy 80 % of the time\n" FETCH_ONCE,
     .takes = "",
     .silent = {{"stall_tex_throttle", 6e5}, {"pipe_tex", 0}}}, /* 1.9 % */
    /* half of the code's fetches pass no filter */
    {.rule = "pipe",
     .also = filters,
     .lines = {"TEX.LL R2, R8, R6, R44, UR4, 0x0, 2D, 0x7", "TLD.LZ R4, R4, R6, 0x0, 1D", "EXIT"},
     .executed = {1, 1, 1},
     .set = {{"pipe_tex", 1e5}, {"l1_load_requests", 0}, {"stall_tex_throttle", 16e6}},
     .says =
         "fetches 1e+05 inst\n"
         "texture throttle, share 0.5 ratio\n"
         "50 % of warp cycles wait for fetches from textures; the units that filter are busy 40 % of the time\n" FETCH_ONCE,
     .takes = ""},
    {.rule = "pipe", /* none of them */
     .also = filters,
     .lines = {"TLD.LZ R4, R4, R6, 0x0, 1D", "EXIT"},
     .executed = {1, 1},
     .set = {{"pipe_tex", 1e5}, {"l1_load_requests", 0}, {"stall_tex_throttle", 16e6}},
     .says = "fetches 1e+05 inst\n"
             "texture throttle, share 0.5 ratio\n"
             "50 % of warp cycles wait for fetches from textures\n" FETCH_ONCE,
     .takes = ""},
    /* one load in two is a fetch, and the device's rate is not known */
    {.rule = "pipe",
     .set =
         {{"pipe_tex", 1e6}, {"l1_load_requests", 1e6}, {"stall_tex_throttle", 16e6}, {"stall_long_scoreboard", 3.2e6}},
     .says = "fetches 1e+06 inst\n"
             "texture throttle, share 0.5 ratio\n"
             "long scoreboard, share 0.1 ratio\n"
             "55 % of warp cycles wait for fetches from textures\n" FETCH_ONCE,
     .takes = ""},
};

static const struct line_case LINES[] = {
    {{.rule = "pipe",
      .also = a_line_each,
      .lines = {"S2R R0, SR_TID.X", "LDG.E R6, desc[UR4][R2.64]", "TEX.LL R2, R8, R6, R44, UR4, 0x0, 2D, 0x7",
                "FADD R5, R4, R4", "EXIT"},
      .executed = {40, 90, 40, 40, 1},
      .set = {{"pipe_tex", 10}, {"stall_tex_throttle", 16e6}}},
     2},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void which_line(void **state) {
  (void)state;
  LINES_ARE(LINES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(which_line)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
