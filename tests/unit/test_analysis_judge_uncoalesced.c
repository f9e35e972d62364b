/* The rule uncoalesced: what it says and takes away, which remedy fits; figures worked out beside each row. */
#include "unit/judged_accesses.h"
#include "unit/judged_lines.h"
#include "unit/judged_remedies.h"

#define SECTORS_SAY                                                                                                    \
  "global accesses touch 3.0 times the sectors that their bytes need\n"                                                \
  "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory\n"

static void scattered_stores(struct made_diagnosis *d) {
  sectors_of(d, 0, 100, 100);
  sectors_of(d, 1, 300, 100);
}

static void scattered_load(struct made_diagnosis *d) {
  sectors_of(d, 0, 600, 200);
}

static void scattered_chain(struct made_diagnosis *d) {
  sectors_of(d, 1, 600, 200);
}

static void none_scattered(struct made_diagnosis *d) {
  sectors_of(d, 0, 200, 200);
  sectors_of(d, 1, 90, 100);
}

/* 100 loads of 4 bytes a lane, 4 sectors a request where all lanes lie side by side; the least for their bytes are 320. */
#define LOADS(touched) .also = touched_##touched, .lines = {"LDG.E R8, desc[UR4][R2.64]", "EXIT"}, .executed = {100, 1}

/* The loads stand behind a branch on what `leads` makes. */
#define LED_BY(leads)                                                                                                  \
  .also = touched_400,                                                                                                 \
  .lines = {leads, "ISETP.NE.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x40", "LDG.E R8, desc[UR4][R2.64]", "EXIT"},           \
  .executed = {100, 100, 100, 100, 100}
/* A load by what `makes` makes of a loaded number, 12 sectors each; `back` is the loop's branch. */
#define GATHER(makes, back)                                                                                            \
  .also = scattered_gather,                                                                                            \
  .lines = {"LDG.E R4, desc[UR4][R6.64]",                                                                              \
            makes,                                                                                                     \
            "IMAD.WIDE R2, R5, 0x4, R8",                                                                               \
            "LDG.E R10, desc[UR4][R2.64]",                                                                             \
            "FADD R11, R11, R10",                                                                                      \
            back,                                                                                                      \
            "EXIT"},                                                                                                   \
  .executed = {100, 100, 100, 100, 100, 100, 1}
static void scattered_gather(struct made_diagnosis *d) {
  a_line_each(d);
  sectors_of(d, 0, 400, 400);
  sectors_of(d, 3, 1200, 400);
}

/* Columns of a sparse row, and what each of them names: all on one line. */
#define SPARSE_ROW                                                                                                     \
  {                                                                                                                    \
    "LDG.E R5, desc[UR4][R20.64]", "IMAD.WIDE R14, R5, 0x4, R8", "LDG.E R16, desc[UR4][R14.64]",                       \
        "IMAD.WIDE R18, R16, 0x4, R10", "LDG.E R17, desc[UR4][R18.64]", "IADD3 R5, R5, 0x1, RZ", "@P1 BRA 0x10",       \
        "EXIT"                                                                                                         \
  }
static void sparse_rows(struct made_diagnosis *d) {
  static struct run_line line = {.source = -1, .line = 10};
  for (size_t i = 0; i < d->kernel.n_sass; i++) {
    d->sass[i].lines = &line;
    d->sass[i].n_lines = 1;
  }
  sectors_of(d, 2, 1200, 400);
  sectors_of(d, 4, 1200, 400);
}

/* Two loads have 60 sectors too many each, the store beside them 100. */
static void a_store_beside_loads(struct made_diagnosis *d) {
  a_line_each(d);
  sectors_of(d, 0, 160, 100);
  sectors_of(d, 1, 160, 100);
  sectors_of(d, 2, 200, 100);
}

#define TOUCHED(touched)                                                                                               \
  static void touched_##touched(struct made_diagnosis *d) {                                                            \
    d->counts[0].global_sectors = touched;                                                                             \
    d->counts[0].global_sectors_ideal = 320;                                                                           \
  }

TOUCHED(330)
TOUCHED(400)
TOUCHED(500)
TOUCHED(610)
TOUCHED(640)

/* A load that touches more in vain than the store, of which the L1 has all. */
static void load_and_store(struct made_diagnosis *d) {
  d->counts[0].global_sectors = 1000;
  d->counts[1].global_sectors = 800;
  d->counts[0].global_sectors_ideal = d->counts[1].global_sectors_ideal = 400;
}

#define HIT_BY_LOADS(hit, dram, insts)                                                                                 \
  .also = load_and_store, .lines = {"LDG.E R8, desc[UR4][R2.64]", "STG.E desc[UR4][R4.64], R8", "EXIT"},               \
  .executed = {100, 100, 1},                                                                                           \
  .set = {{"l1_load_sectors", 1000}, {"dram_read_bytes", dram}, {"l1_load_sectors_hit", hit},                          \
          {"inst_executed", insts},  {"l2_read_bytes", 32e3},   {"l2_write_bytes", 25600}}

static const struct judged_case CASES[] = {
    {.rule = "uncoalesced",
     LOADS(330),
     .set = {{"l1_load_sectors", 330}, {"l1_load_requests", 100}}}, /* 1.03: as good as none */
    /* 400 sectors of loads and 200 of stores go; three quarters of the loads' miss the L1: 9,600
     * and 6,400 B.  Lanes ask for 6,400 of the 16,000 B of DRAM. */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 16000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 400, dram_read 500, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of 1000 cycles 500 are shared memory's, and 75 go with the lines of 300 sectors */
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"shared_wavefronts", 500},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 16000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 575, dram_read 500, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of 7,000 B they ask for nearly all: whoever loads the rest, its sectors are read */
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600},
             {"l1_load_sectors_hit", 150},
             {"l1_load_requests", 50},
             {"l1_wavefronts", 1000},
             {"l2_read_bytes", 19200},
             {"l2_write_bytes", 12800},
             {"dram_read_bytes", 7000},
             {"stall_lg_throttle", 8e6}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "sectors per load 12 sector\n"
             "l1_load_sectors 600 -\n"
             "LG throttle, share 0.25 ratio\n" SECTORS_SAY,
     .takes =
         "l1_wavefronts 400, l2_read 583.33, l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    /* of DRAM's bytes no more go than of the L2's: 9,600 of 96,000 */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set = {{"l1_load_sectors", 600}, {"l1_load_sectors_hit", 150}, {"dram_read_bytes", 96000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "l1_load_sectors 600 -\n" SECTORS_SAY,
     .takes = "dram_read 916.67, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* nor are bytes spared that DRAM was not read */
     ACCESSES,
     .also = scattered,
     .set = {{"dram_read_bytes", 2}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* two loads of three stand side by side */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E R10, desc[UR4][R6.64]", "EXIT"},
     .executed = {50, 50, 50, 1},
     .also = scattered_load,
     .says =
         "sectors over the minimum for these bytes 3 ratio\n"
         "global accesses touch 3.0 times the sectors that their bytes need\n"
         "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent 4-byte loads where rows are multiples of 16 bytes\n",
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* of two widths the narrower */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E.64 R10, desc[UR4][R6.64]",
               "LDG.E.64 R12, desc[UR4][R6.64+0x8]", "EXIT"},
     .executed = {50, 50, 50, 50, 1},
     .also = scattered_load,
     .says =
         "sectors over the minimum for these bytes 3 ratio\n"
         "global accesses touch 3.0 times the sectors that their bytes need\n"
         "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent 4-byte loads where rows are multiples of 16 bytes\n",
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* half of them: not the most */
     .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "LDG.E R10, desc[UR4][R6.64]", "EXIT"},
     .executed = {50, 50, 100, 1},
     .also = scattered_load,
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    /* stores of part of a sector are another rule's: 400 of the loads go */
    {.rule = "uncoalesced",
     ACCESSES,
     .also = scattered,
     .set =
         {{"l1_wavefronts", 1000}, {"store_data_bytes", 8000}, {"l1_store_sectors", 500}, {"dram_write_bytes", 9000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* nothing else is counted */
     ACCESSES,
     .also = scattered,
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule =
         "uncoalesced", /* half of what the L2 is written goes; waits for scattered lanes go, but not for addresses */
     ACCESSES,
     .also = scattered,
     .set = {{"l2_write_bytes", 12800}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l2_write 500, read_fill 4, partial_share 0, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced", /* addresses that a load brings stay where they are */
     .lines = {"MOV R2, R6", "LDG.E.64 R2, desc[UR4][R2.64]", "@P0 BRA 0x10", "EXIT"},
     .executed = {50, 50, 50, 50},
     .also = scattered_chain,
     .set = {{"l1_wavefronts", 1000}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, read_fill 4"},
    {.rule = "uncoalesced", ACCESSES, .also = none_scattered, .takes = ""},
    /* sums of the launch: 400 of 600 */
    {.rule = "uncoalesced",
     .set =
         {{"global_sectors_excess", 400}, {"global_sectors", 600}, {"l1_wavefronts", 1000}, {"l2_read_bytes", 25600}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "l1_wavefronts 600, l2_read 500, read_fill 4, sectors_spread 1, slow_loads 998.9",
     .silent = {{"global_sectors_excess", 0}, {"global_sectors", 400}}},
    {.rule = "uncoalesced", /* nothing is said to be beyond the least */
     .set = {{"l1_load_sectors", 450}, {"l1_store_sectors", 150}},
     .takes = ""},
    {.rule = "uncoalesced", /* stores alone: 200 of 400, whatever the sums of the launch are */
     ACCESSES,
     .also = scattered_stores,
     .set = {{"global_sectors_excess", 10}, {"global_sectors", 100}, {"l1_wavefronts", 1000}},
     .says = "sectors over the minimum for these bytes 2 ratio\n"
             "global accesses touch 2.0 times the sectors that their bytes need, most of the excess by stores\n"
             "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory\n",
     .takes = "l1_wavefronts 800, partial_share 0, sectors_spread 1, slow_loads 999.31"},
    {.rule = "uncoalesced", /* what of DRAM's bytes nobody asks for is not known there */
     .set = {{"global_sectors_excess", 400}, {"global_sectors", 600}, {"dram_read_bytes", 2}},
     .says = "sectors over the minimum for these bytes 3 ratio\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
    {.rule = "uncoalesced",
     .set = {{"global_sectors_excess", 400}, {"l1_load_sectors", 450}, {"l1_store_sectors", 150}},
     .says = "sectors over the minimum for these bytes 3 ratio\n"
             "l1_load_sectors 450 -\n" SECTORS_SAY,
     .takes = "read_fill 4, sectors_spread 1, slow_loads 998.9"},
};

static const struct remedy_case REMEDIES[] = {
    {{.rule = "uncoalesced", PIECES(BY_8, STG(""), STG("+0x4")), .without = "dram_write_bytes"},
     "one 8-byte store per thread",
     "2.0 times the sectors that their bytes need, most of the excess by stores"},
    {{.rule = "uncoalesced", /* what a thread loads fills what lies between it and its neighbour */
      .also = pieces,
      .lines = {"S2R R0, SR_TID.X", "LDC.64 R6, c[0x0][0x210]", BY_8, "LDG.E R8, desc[UR4][R2.64]",
                "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},
      .executed = {100, 100, 100, 100, 100, 1}},
     "one 8-byte load per thread for its adjacent 4-byte values (int2, float2), where aligned",
     "2.0 times the sectors that their bytes need"},
    /* where the L2 or DRAM binds, what the L1 has of the loads costs nothing there; where it has less, or where neither binds, the loads come first */
    {{.rule = "uncoalesced", HIT_BY_LOADS(600, 80e6, 1000)},
     "let neighbouring lanes access neighbouring bytes",
     "global stores touch 2.0 times the sectors that their bytes need; the L1 has what loads touch beyond theirs"},
    {{.rule = "uncoalesced", HIT_BY_LOADS(100, 80e6, 1000)},
     "let neighbouring lanes access neighbouring bytes",
     "global accesses touch 2.2 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", HIT_BY_LOADS(600, 80, 1e9)},
     "let neighbouring lanes access neighbouring bytes",
     "global accesses touch 2.2 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", /* the loads could be one, but it is the store's line */
      .also = a_store_beside_loads,
      .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "STG.E desc[UR4][R4.64], R8", "EXIT"},
      .executed = {100, 100, 100, 1}},
     "let neighbouring lanes access neighbouring bytes",
     "1.73 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", GATHER("MOV R5, R4", "@P0 BRA 0x0")},
     "loaded values choose the places: sort or renumber them where their order is free",
     "2.0 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", /* the L2 sends what DRAM does, the L1 twice as much: three quarters are the gather's */
      GATHER("MOV R5, R4", "@P0 BRA 0x0"),
      .set = {{"dram_read_bytes", 20e6}, {"l2_read_bytes", 22e6}, {"l1_load_bytes", 44e6}}},
     "a table that the L1 holds is looked up: fewer look-ups",
     NULL},
    {{.rule = "uncoalesced", /* the L2 sends more */
      GATHER("MOV R5, R4", "@P0 BRA 0x0"),
      .set = {{"dram_read_bytes", 20e6}, {"l2_read_bytes", 23e6}, {"l1_load_bytes", 60e6}}},
     "loaded values choose the places: sort or renumber them where their order is free",
     NULL},
    {{.rule = "uncoalesced", /* the L1 hardly more than it */
      GATHER("MOV R5, R4", "@P0 BRA 0x0"),
      .set = {{"dram_read_bytes", 20e6}, {"l2_read_bytes", 20e6}, {"l1_load_bytes", 39e6}}},
     "loaded values choose the places: sort or renumber them where their order is free",
     NULL},
    {{.rule = "uncoalesced",
      .also = sparse_rows,
      .lines = SPARSE_ROW,
      .executed = {1, 100, 100, 100, 100, 100, 100, 1}},
     "each lane walks a run of its own, whose start was loaded: give a run to a warp or a part of one, so that neighbouring lanes read neighbouring elements$",
     NULL},
    {{.rule = "uncoalesced", GATHER("F2I.FLOOR.NTZ R5, R4", "@P0 BRA 0x0")},
     "the places are computed: order the elements",
     "2.0 times the sectors that their bytes need"},
    {{.rule =
          "uncoalesced", /* two of three lie side by side, at a cell that data choose: no order of the lanes by their numbers helps */
      .also = scattered_gather,
      .lines = {"LDG.E R4, desc[UR4][R6.64]", "F2I.FLOOR.NTZ R5, R4", "IMAD.WIDE R2, R5, 0x4, R8",
                "LDG.E R10, desc[UR4][R2.64]", "LDG.E R11, desc[UR4][R2.64+0x4]", "@P0 BRA 0x0", "EXIT"},
      .executed = {100, 100, 100, 100, 100, 100, 1}},
     "the places are computed: order the elements",
     "2.0 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", GATHER("MOV R5, R4", "@P0 BRA 0x20")}, /* where a row begins, loaded before the loop */
     "let neighbouring lanes access neighbouring bytes",
     "2.0 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", /* where the thread stands decides */
      LED_BY("S2R R4, SR_TID.X"),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
     "give every lane an element: rows and tiles of a multiple of 32",
     "1.25 times the sectors that their bytes need: lanes lie side by side, but the ends of rows leave some without an element"},
    {{.rule = "uncoalesced", /* 90 % of the lanes are there: they touch more than what the others leave */
      LED_BY("S2R R4, SR_TID.X"),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 28.8}}},
     "let neighbouring lanes access neighbouring bytes",
     "1.25 times the sectors that their bytes need"},
    {{.rule = "uncoalesced",
      LOADS(400),
      .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}}}, /* none is away */
     "let neighbouring lanes access neighbouring bytes",
     "1.25 times the sectors that their bytes need"},
    {{.rule = "uncoalesced", LOADS(500), .set = {{"l1_load_sectors", 500}, {"l1_load_requests", 100}}}, /* 5 of 4 */
     "pad the pitch, or shift where a row or its halo starts",
     "1.56 times the sectors that their bytes need: lanes lie side by side, but their rows begin inside a sector"},
    {{.rule = "uncoalesced", /* two of them lie side by side */
      .also = touched_500,
      .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},
      .executed = {100, 100, 1},
      .set = {{"l1_load_sectors", 1000}, {"l1_load_requests", 200}}},
     "a thread reads neighbours at several offsets, of which one at most can be aligned",
     "1.56 times the sectors that their bytes need: lanes lie side by side, but their rows begin inside a sector"},
    {{.rule = "uncoalesced", LOADS(610), .set = {{"l1_load_sectors", 610}, {"l1_load_requests", 100}}}, /* 6.1 of 4 */
     "let neighbouring lanes access neighbouring bytes",
     "1.91 times the sectors that their bytes need"},
    {{.rule = "uncoalesced",
      LOADS(640),
      .set = {{"l1_load_sectors", 500}, {"l1_load_requests", 100}}}, /* twice as many */
     "let neighbouring lanes access neighbouring bytes",
     "2.0 times the sectors that their bytes need"},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

static void what_fits(void **state) {
  (void)state;
  REMEDIES_FIT(REMEDIES);
}

/* Of 0.78 lanes the edges are coalescing's to tell; and a request of one sector cannot touch fewer. */
static void what_others_say(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool fires;
  } rows[] = {
      {{.rule = "uncoalesced",
        LED_BY("S2R R4, SR_TID.X"),
        .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
       true},
      /* what was loaded leaves lanes out, in sectors that the others touch anyway */
      {{.rule = "uncoalesced",
        LED_BY("LDS R4, [R6]"),
        .set = {{"l1_load_sectors", 400}, {"l1_load_requests", 100}, {"thread_inst_executed", 25}}},
       false},
      {{.rule = "uncoalesced",
        LOADS(640),
        .set = {{"l1_load_sectors", 100}, {"l1_load_requests", 100}, {"thread_inst_executed", 20}}},
       false},
      {{.rule = "uncoalesced",
        LOADS(640),
        .set = {{"l1_load_sectors", 110}, {"l1_load_requests", 100}, {"thread_inst_executed", 20}}},
       true},
      /* all lanes load, of one sector: they share addresses */
      {{.rule = "uncoalesced", LOADS(640), .set = {{"l1_load_sectors", 101}, {"l1_load_requests", 100}}}, false},
      {{.rule = "uncoalesced", LOADS(640), .set = {{"l1_load_sectors", 110}, {"l1_load_requests", 100}}}, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct judged j;
    struct told a = {0};
    judged_make(&j, &rows[i].kernel, NULL);
    if (rule_find(rows[i].kernel.rule)->judge(&j.in, &a) != rows[i].fires)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

/* What data choose no order of a tile's axes brings together: Triton is told the same as CUDA. */
static void triton_is_told_of_gathers(void **state) {
  static const struct judged_case cases[] = {
      {.rule = "uncoalesced", GATHER("MOV R5, R4", "@P0 BRA 0x0")},
      {.rule = "uncoalesced", GATHER("MOV R5, R4", "@P0 BRA 0x20")}, /* a row's begin */
  };
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct judged j;
    const struct rule *rule = rule_find("uncoalesced");
    struct told told = told_of(rule);
    judged_make(&j, &cases[i], NULL);
    assert_true(rule->judge(&j.in, &told));
    if (i == 0)
      assert_string_equal(told.triton_as, "");
    else
      assert_null(told.triton_as);
    judged_release(&j);
  }
}

/* One line of Python loads 8 bytes of a lane by two loads; two lines load two values. */
static void triton_splits_a_load(void **state) {
  static const struct judged_case kernel = {
      .rule = "uncoalesced",
      .lines = {"LDG.E R8, desc[UR4][R2.64]", "LDG.E R9, desc[UR4][R2.64+0x4]", "EXIT"},
      .executed = {50, 50, 1},
      .also = scattered_load};
  (void)state;
  for (int i = 0; i < 2; i++) {
    static struct judged j;
    struct run_source source = {.name = (char *)"ops.py", .text = (char *)""};
    struct run_line lines[2] = {{0, 7}, {0, 8}};
    const struct rule *rule = rule_find("uncoalesced");
    struct told told = told_of(rule);
    judged_make(&j, &kernel, NULL);
    j.d.m.run.sources = &source;
    j.d.m.run.n_sources = 1;
    for (size_t k = 0; k < 2; k++) {
      j.d.sass[k].lines = &lines[i ? k : 0];
      j.d.sass[k].n_lines = 1;
    }
    assert_true(rule->judge(&j.in, &told));
    assert_true((strstr(told.remedy, "tl.multiple_of") != NULL) == (i == 0));
    assert_true((told.triton_as != NULL) == (i == 0));
    j.d.m.run.sources = NULL;
    j.d.m.run.n_sources = 0;
    judged_release(&j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(triton_is_told_of_gathers),
                                     cmocka_unit_test(triton_splits_a_load), cmocka_unit_test(rows),
                                     cmocka_unit_test(what_fits), cmocka_unit_test(what_others_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
