/* Which line the sectors are of that no lane's bytes need: by counts, by what the code says of the lanes, and by samples; worked out by hand. */
#include "unit/judged.h"

#include "analysis/signs/sector_excess.h"

enum { SAMPLED_MAX = 4 };

#define X     "S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]"
#define NEAR  "IMAD.WIDE R2, R0, 0x4, R6"
#define APART "IMAD.WIDE R4, R0, 0x24, R6"
#define DATA  "LDG.E R9, desc[UR4][R2.64]", "IMAD.WIDE R10, R9, 0x4, R6", "LDG.E R12, desc[UR4][R10.64]"

/* Every instruction runs 100 times and is line 10 and its number; loads are 4 bytes wide. */
static const struct place_case {
  const char *lines[LINES_MAX];
  double excess, requests; /* of loads; of stores those of one warp are below */
  double store_excess;
  struct {
    size_t at;
    uint64_t samples;
  } sampled[SAMPLED_MAX];
  struct {
    size_t at;
    double sectors, least;
  } counted[SAMPLED_MAX];
  int line; /* 0: none */
  unsigned block_x;
  size_t inlined; /* instructions from this on are one line, inlined from a place each */
  bool from_one;  /* or all from one */
  size_t often;   /* an instruction that runs 300 times */
} CASES[] = {
    /* 36 bytes from lane to lane are a sector each: 28 too many; side by side none are, however hot */
    {{X, NEAR, APART, "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]"},
     2800,
     200,
     0,
     {{4, 50}},
     {{0}},
     15,
     32,
     0},
    {{X, NEAR, APART, "LDG.E R9, desc[UR4][R4.64]", "LDG.E R8, desc[UR4][R2.64]"},
     2800,
     200,
     0,
     {{5, 50}},
     {{0}},
     14,
     32,
     0},
    /* two as far apart: the one with more samples */
    {{X, APART, "LDG.E R8, desc[UR4][R4.64]", "LDG.E R9, desc[UR4][R4.64+0x4]"},
     5600,
     200,
     0,
     {{3, 5}, {4, 6}},
     {{0}},
     14,
     32,
     0},
    /* stores that the code says nothing of: a warp at one of them waits for what it stores, which does not tell whose the sectors are */
    {{X, "STG.E desc[UR4][R10.64], R8", "STG.E desc[UR4][R12.64], R9"}, 0, 0, 5600, {{2, 50}}, {{0}}, 0, 32, 0},
    {{X, "STG.E desc[UR4][R10.64], R8", "STG.E desc[UR4][R12.64], R9"}, 0, 0, 5600, {{1, 50}}, {{0}}, 0, 32, 0},
    /* of stores side by side the first, however hot another is; one that is not beside them counts for itself */
    {{X, APART, "STG.E desc[UR4][R4.64+0x4], R8", "STG.E desc[UR4][R4.64], R8"},
     0,
     0,
     5600,
     {{3, 5}, {4, 6}},
     {{0}},
     13,
     32,
     0},
    {{X, APART, "STG.E desc[UR4][R4.64+0x8], R8", "STG.E desc[UR4][R4.64], R8"},
     0,
     0,
     5600,
     {{3, 5}, {4, 6}},
     {{0}},
     14,
     32,
     0},
    /* what the code does not tell takes what is left of the excess: nothing, or more than 7 of 8 bytes a lane */
    {{X, NEAR, APART, DATA, "LDG.E R13, desc[UR4][R4.64]"}, 2800, 300, 0, {{6, 50}}, {{0}}, 17, 32, 0, false},
    {{X, NEAR, "IMAD.WIDE R4, R0, 0x8, R6", DATA, "LDG.E R13, desc[UR4][R4.64]"},
     1600,
     300,
     0,
     {{0}},
     {{0}},
     16,
     32,
     0},
    {{X, NEAR, "IMAD.WIDE R4, R0, 0x8, R6", DATA, "LDG.E R13, desc[UR4][R4.64]"},
     700,
     300,
     0,
     {{0}},
     {{0}},
     17,
     32,
     0,
     false},
    /* of two that it does not tell, the one that warps wait for; none where no sample says it */
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]"}, 2000, 300, 0, {{5, 5}, {6, 50}}, {{0}}, 16, 32, 0, false},
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]"}, 2000, 300, 0, {{5, 50}, {6, 5}}, {{0}}, 15, 32, 0, false},
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]"}, 2000, 300, 0, {{0}}, {{0}}, 0, 32, 0, false},
    /* one line inlined twice is two */
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]", "LDG.E R14, desc[UR4][R10.64+0x100]"},
     4000,
     400,
     0,
     {{5, 40}, {6, 30}, {7, 30}},
     {{0}},
     15,
     32,
     6},
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]", "LDG.E R14, desc[UR4][R10.64+0x100]"},
     3000,
     400,
     0,
     {{5, 70}, {6, 30}, {7, 30}},
     {{0}},
     15,
     32,
     6,
     true},
    {{X, NEAR, DATA, "LDG.E R13, desc[UR4][R10.64+0x80]", "LDG.E R14, desc[UR4][R10.64+0x100]"},
     3000,
     400,
     0,
     {{0}},
     {{0}},
     16,
     32,
     6,
     true},
    /* stores count, too: 28 of each against what is left of the loads' */
    {{X, NEAR, APART, DATA, "STG.E desc[UR4][R4.64], R9"}, 300, 200, 2800, {{6, 50}}, {{0}}, 17, 32, 0, false},
    {{X, NEAR, APART, DATA, "STG.E desc[UR4][R4.64], R9"},
     300,
     200,
     200,
     {{6, 50}},
     {{0}},
     16,
     32,
     0}, /* its lanes are mostly left out */
    /* as counted, whatever the code says */
    {{X, NEAR, APART, "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]"},
     2800,
     200,
     0,
     {{0}},
     {{4, 900, 400}, {5, 500, 400}},
     14,
     32,
     0},
    /* counted as none: then the code is not asked */
    {{X, NEAR, APART, "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R4.64]"},
     2800,
     200,
     0,
     {{4, 50}},
     {{4, 0, 0}},
     14,
     32,
     0},
    /* 600 are counted of loads; of stores, which lie side by side, as many or more, and then most of it is explained by no access */
    {{X, NEAR, APART, "LDG.E R9, desc[UR4][R4.64]", "STG.E desc[UR4][R2.64], R8"},
     0,
     0,
     600,
     {{5, 50}},
     {{4, 900, 300}},
     14,
     32,
     0},
    {{X, NEAR, APART, "LDG.E R9, desc[UR4][R4.64]", "STG.E desc[UR4][R2.64], R8"},
     0,
     0,
     601,
     {{5, 50}},
     {{4, 900, 300}},
     15,
     32,
     0},
    /* of two as far apart that no warp waits for, the one that runs more often */
    {{X, APART, "LDG.E R8, desc[UR4][R4.64]", "LDG.E R9, desc[UR4][R4.64+0x4]"},
     11200,
     400,
     0,
     {{0}},
     {{0}},
     14,
     32,
     .often = 4},
    {{X, APART, "LDG.E R8, desc[UR4][R4.64]", "LDG.E R9, desc[UR4][R4.64+0x4]"},
     11200,
     400,
     0,
     {{0}},
     {{0}},
     13,
     32,
     .often = 3},
    /* all side by side: the one with the samples */
    {{X, NEAR, "LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x84]"},
     100,
     200,
     0,
     {{3, 10}, {4, 50}},
     {{0}},
     14,
     32,
     0},
    /* most of the excess is of rows that begin inside a sector: lanes apart would be 28 more a request, not 60 */
    {{X, NEAR, "LDG.E R9, desc[UR4][R2.64]", "IMAD.WIDE R10, R9, 0x4, R6", "LDG.E R12, desc[UR4][R10.64]"},
     6000,
     200,
     0,
     {{3, 50}, {5, 5}},
     {{0}},
     13,
     32,
     0},
    {{X, NEAR, "LDG.E R9, desc[UR4][R2.64]", "IMAD.WIDE R10, R9, 0x4, R6", "LDG.E R12, desc[UR4][R10.64]"},
     5600,
     200,
     0,
     {{3, 50}, {5, 5}},
     {{0}},
     15,
     32,
     0},
    /* 6 lanes: 5 sectors for 28 bytes, of 24 that are asked for */
    {{X, "IMAD.WIDE R4, R0, 0x1c, R6", APART, "LDG.E R8, desc[UR4][R4.64]", "LDG.E R9, desc[UR4][R4.64+0x4]"},
     900,
     200,
     0,
     {{4, 9}, {5, 8}},
     {{0}},
     14,
     6,
     0},
};

static void lines_of(struct made_diagnosis *d, const struct place_case *c) {
  static struct run_line lines[2 * LINES_MAX];
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    bool inlined = c->inlined && i >= c->inlined;
    lines[2 * i] = (struct run_line){.source = 0, .line = (int)(inlined ? c->inlined : i) + 10};
    lines[2 * i + 1] = (struct run_line){.source = 0, .line = c->from_one ? 100 : (int)i + 100};
    d->sass[i].lines = &lines[2 * i];
    d->sass[i].n_lines = inlined ? 2 : 1;
  }
}

static void place(struct judged *j, const struct place_case *c) {
  static struct run_sample samples[SAMPLED_MAX];
  static struct run_source source = {.name = (char *)"gemv.cu"};
  struct run_result *r = made(&j->d);
  struct err e = {0};
  const char *lines[LINES_MAX];
  double executed[LINES_MAX];
  size_t n = 0, sampled = 0;
  for (; c->lines[n]; n++)
    lines[n] = c->lines[n], executed[n] = n > 0 && n == c->often ? 300 : 100;
  lines[n] = "EXIT", executed[n] = 100, lines[n + 1] = NULL;
  code(&j->d, lines, executed);
  lines_of(&j->d, c);
  j->d.m.run.sources = &source;
  j->d.m.run.n_sources = 1;
  for (; sampled < SAMPLED_MAX && c->sampled[sampled].samples; sampled++)
    samples[sampled] = (struct run_sample){.offset = (uint32_t)(16 * c->sampled[sampled].at),
                                           .reason = (char *)"lg_throttle",
                                           .samples = c->sampled[sampled].samples};
  r->samples = samples, r->n_samples = sampled;
  for (size_t i = 0; i < SAMPLED_MAX && c->counted[i].at; i++) {
    j->d.counts[c->counted[i].at].global_sectors = c->counted[i].sectors;
    j->d.counts[c->counted[i].at].global_sectors_ideal = c->counted[i].least;
  }
  r->launches->block[0] = c->block_x;
  j->pool = (struct pool){0};
  if (findings_make(&j->d.findings, &j->d.m.run, &j->d.m.device, &e))
    fail_msg("%s", e.text);
  hot_make(&j->hot, &j->d.m.run, r);
  j->in = (struct rule_input){.all = &j->d.findings,
                              .f = &j->d.findings.items[0],
                              .pool = &j->pool,
                              .hot = &j->hot,
                              .sass = &j->hot.kernels[0].sass};
}

static void the_line_of_most_excess(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct judged j;
    const struct place_case *c = &CASES[i];
    place(&j, c);
    struct sector_counts of[] = {{about_loads, c->excess, c->requests}, {about_stores, c->store_excess, 100}};
    const struct run_instruction *at = sector_excess_place(&j.in, of, 2, about_accesses);
    if ((at ? at->lines[0].line : 0) != c->line)
      fail_msg("case %zu: line %d", i, at ? at->lines[0].line : 0);
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_line_of_most_excess)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
