/* What is said of kernels that Triton compiled: that they are, what is known of them, and remedies in its words. */
#include "unit/made_diagnosis.h"

#include "analysis/advice/triton_words.h"
#include "analysis/rules/rule_tools.h"

/* Of a rule of CUDA's words, and of one that says the same to both. */
static void triton_has_words_of_its_own(void **state) {
  static const struct {
    const char *kernel, *file;
    bool triton;
  } cases[] = {{"softmax", "/home/me/ops.py", true},
               {"softmax", "ops.cu", false},
               {"softmax", ".pyx", false},
               {"softmax", "py", false},
               {"_ZN6cudapy8__main__7softmax", "ops.py", false},
               {"kernel_cutlass_gemm", "gemm.py", false},
               {"triton_red_fused_softmax_0", "ops.py", false}, /* torch.compile's */
               {"softmax", NULL, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_source source = {.name = (char *)cases[i].file, .text = (char *)""};
    struct run_line line = {cases[i].file ? 0 : -1, 7};
    struct run_result *r = made(&d);
    d.m.variants[0].id = (char *)cases[i].kernel;
    code(&d, (const char *const[]){"LDS R4, [R2]", "DADD R4, R4, R2", "EXIT", NULL}, (const double[]){10, 10, 1});
    d.m.run.sources = &source;
    d.m.run.n_sources = 1;
    d.sass[1].lines = &line; /* the first has none */
    d.sass[1].n_lines = 1;
    *r->launches = (struct run_launch){
        .kernel = r->launches->kernel, .grid = {80, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 2, .registers = 128};
    set(r, "stall_selected", 16e6);
    set(r, "stall_wait", 0);
    diagnose(&d);
    bool is = strcmp(advised(&d, "occupancy")->told.remedy, triton_remedy("occupancy", TRITON_REGISTERS)) == 0;
    if (is != cases[i].triton)
      fail_msg("case %zu: %s", i, advised(&d, "occupancy")->told.remedy);
    d.m.run.sources = NULL;
    d.m.run.n_sources = 0;
    release(&d);
  }
}

/* Where more blocks would fit, it is more of them that Triton is asked for, and not that more fit. */
static void triton_has_few_programs(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_source source = {.name = (char *)"ops.py", .text = (char *)""};
  struct run_line line = {0, 7};
  struct run_result *r = made(&d);
  d.m.variants[0].id = (char *)"softmax";
  code(&d, (const char *const[]){"LDS R4, [R2]", "DADD R4, R4, R2", "EXIT", NULL}, (const double[]){10, 10, 1});
  d.m.run.sources = &source;
  d.m.run.n_sources = 1;
  d.sass[1].lines = &line;
  d.sass[1].n_lines = 1;
  *r->launches = (struct run_launch){
      .kernel = r->launches->kernel, .grid = {20, 1, 1}, .block = {256, 1, 1}, .blocks_per_sm = 8, .registers = 32};
  set(r, "warps_active", 16e6);
  set(r, "stall_selected", 8e6);
  set(r, "stall_wait", 0);
  diagnose(&d);
  assert_string_equal(advised(&d, "occupancy")->told.remedy, triton_remedy("small-grid", 0));
  d.m.run.sources = NULL;
  d.m.run.n_sources = 0;
  release(&d);
}

/* Every row of Triton's words is a rule's, and can be read at once. */
static void triton_rows_are_rules(void **state) {
  (void)state;
  for (const struct triton_row *x = triton_rows; x->rule; x++) {
    const struct rule *rule = rule_find(x->rule);
    assert_true(rule && strcmp(rule->name, x->rule) == 0); /* and not by a former name */
    assert_ptr_equal(triton_remedy(x->rule, x->needs),
                     x->remedy); /* none stands twice, nor behind one that needs less */
    assert_non_null(triton_remedy(x->rule, 0));
    assert_true(strlen(x->remedy) <= SENTENCE_MAX);
  }
  assert_null(strstr(triton_remedy("conversions", 0), "PRMT")); /* nor an instruction of SASS */
  assert_null(triton_remedy("tensor-peak", TRITON_PRODUCTS));
  assert_string_not_equal(triton_remedy("l2-rereads", 0), triton_remedy("l2-rereads", TRITON_PRODUCTS));
  assert_string_equal(triton_remedy("tail", 0), triton_remedy("tail", TRITON_PRODUCTS));
}

/* --- without code --- */

/* A kernel of which the run has no code, beside one whose lines are of this file. */
static void beside(struct made_diagnosis *d, struct run_source *source, struct run_line *line) {
  struct run_result *r = made(d);
  code(d, (const char *const[]){"LDS R4, [R2]", "EXIT", NULL}, (const double[]){10, 1});
  r->module = -1;
  r->n_counts = 0;
  d->kernel.name = (char *)"other";
  d->m.run.sources = source;
  d->m.run.n_sources = 1;
  *line = (struct run_line){0, 7};
  d->sass[0].lines = line;
  d->sass[0].n_lines = 1;
}

static void finish(struct made_diagnosis *d) {
  d->m.run.sources = NULL;
  d->m.run.n_sources = 0;
  release(d);
}

/* Its name and its launch are as Triton makes them, and the program has Triton's kernels. */
static void made_without_code(void **state) {
  static const struct {
    const char *kernel, *file;
    unsigned block[3];
    long smem_static;
    bool triton;
  } cases[] = {{"softmax_2", "ops.py", {128, 1, 1}, 0, true},
               {"softmax", "ops.py", {32, 1, 1}, 0, true},
               {"softmax", "ops.cu", {128, 1, 1}, 0, false},
               {"softmax", "ops.py", {96, 1, 1}, 0, false},
               {"softmax", "ops.py", {80, 1, 1}, 0, false},
               {"softmax", "ops.py", {16, 1, 1}, 0, false},
               {"softmax", "ops.py", {32, 4, 1}, 0, false},
               {"softmax", "ops.py", {32, 1, 2}, 0, false},
               {"softmax", "ops.py", {128, 1, 1}, 64, false}, /* all of Triton's is dynamic */
               {"_Z7softmaxPf", "ops.py", {128, 1, 1}, 0, false},
               {"softmax<float>", "ops.py", {128, 1, 1}, 0, false},
               {"kernel_cutlass_gemm", "ops.py", {128, 1, 1}, 0, false},
               {NULL, "ops.py", {128, 1, 1}, 0, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_source source = {.name = (char *)cases[i].file, .text = (char *)""};
    struct run_line line;
    beside(&d, &source, &line);
    struct run_launch *l = d.m.results[0].launches;
    l->kernel = (char *)cases[i].kernel;
    memcpy(l->block, cases[i].block, sizeof l->block);
    l->smem_static = cases[i].smem_static;
    diagnose(&d);
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0]};
    if (triton_made(&in) != cases[i].triton)
      fail_msg("case %zu", i);
    finish(&d);
  }
}

/* What its source says; of the launch all of 80 programs run at once, or are two waves. */
static void signs_without_code(void **state) {
  enum { LIMIT = TRITON_REGISTERS };
  static const struct {
    const char *text;
    unsigned grid, signs;
  } cases[] = {
      {"", 80, LIMIT},
      {"", 40, LIMIT | TRITON_AT_ONCE},
      {"def other(x):\n  for i in x:\n    tl.dot(a, b)\n", 80, LIMIT},
      {"def sum2(x):\n  for i in x:\n    tl.dot(a, b)\n", 80, LIMIT},
      {"@jit\ndef sum(x):\n  tl.store(x, 1)\n\ndef g():\n  for i in x:\n    y\n", 80, LIMIT | TRITON_STRAIGHT},
      {"def sum(x,\n    y\n):\n  # for all\n  tl.store(x, tl.sum(y))", 80, LIMIT | TRITON_STRAIGHT | TRITON_REDUCES},
      {"def sum(x):\n  for i in x:\n    a += tl.dot(x, y)\n", 80,
       LIMIT | TRITON_STAGES | TRITON_LOOP | TRITON_PRODUCTS},
      {"def sum(x):\n  while i < n:\n    a += tl.sum(x * y, axis=0)\n  tl.store(x, a)\n", 80,
       LIMIT | TRITON_STAGES | TRITON_LOOP | TRITON_REDUCES | TRITON_SUMS},
      {"def sum(x):\n  for i in x:\n    a = tl.sum(x * y)\n    tl.store(x, a)\n", 80,
       LIMIT | TRITON_STAGES | TRITON_LOOP | TRITON_REDUCES},
      {"def sum(x):\n  a = tl.max(x, axis=1)\n  b = tl.sum(a, 0)\n", 80,
       LIMIT | TRITON_STRAIGHT | TRITON_REDUCES | TRITON_LAST_AXIS},
      {"def sum(x):\n  a = tl.sum(x, -1)\n", 80, LIMIT | TRITON_STRAIGHT | TRITON_REDUCES | TRITON_LAST_AXIS},
      {"def sum(x):\n  a = tl.sum(x, 0) + tl.cat(x, axis=0)\n  y = f(x, 1)\n", 80,
       LIMIT | TRITON_STRAIGHT | TRITON_REDUCES},
      {"def sum(x):\n  group_id = x // GROUP_M\n", 80, LIMIT | TRITON_STRAIGHT | TRITON_GROUPED},
      {"def sum(x):\n  for i in x:\n    tl.store(x, tl.load(x))\n", 80, LIMIT | TRITON_LOOP | TRITON_STORED},
      {"def sum(x):\n  for i in x:\n    a += tl.load(x)\n  tl.store(x, a)\n", 80, LIMIT | TRITON_LOOP | TRITON_STAGES},
      {"def sum(x):\n  for i in x:\n    a += x\n  a += tl.sum(x)\n", 80,
       LIMIT | TRITON_STAGES | TRITON_LOOP | TRITON_REDUCES},
      {"def sum(x):\n  for i in x:\n    for j in x:\n      a += tl.sum(x)\n    b = tl.max(a)\n", 80,
       LIMIT | TRITON_STAGES | TRITON_LOOP | TRITON_REDUCES},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_source source = {.name = (char *)"ops.py", .text = (char *)cases[i].text};
    struct run_line line;
    beside(&d, &source, &line);
    *d.m.results[0].launches = (struct run_launch){.kernel = (char *)"sum",
                                                   .grid = {cases[i].grid, 1, 1},
                                                   .block = {256, 1, 1},
                                                   .blocks_per_sm = 4,
                                                   .registers = 64};
    diagnose(&d);
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0]};
    if (triton_signs(&in) != cases[i].signs)
      fail_msg("case %zu: %x, not %x", i, triton_signs(&in), cases[i].signs);
    finish(&d);
  }
}

/* --- by its code --- */

static void signs_of_its_code(void **state) {
  static const struct {
    const char *lines[8];
    unsigned signs, threads; /* of a block; 0: 256 */
    bool once;               /* a warp does each once, and not ten times */
  } cases[] = {
      {{"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"}, TRITON_STRAIGHT, 0, true},
      {{"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"}, TRITON_LOOP, 32768}, /* 2 x 128 KiB */
      {{"LDG.E R4, desc[UR4][R2.64]", "EXIT"}, TRITON_STRAIGHT},
      {{"LDG.E R4, desc[UR4][R2.64]", "EXIT"}, TRITON_STRAIGHT | TRITON_ONE_WARP, 32},
      {{"IMAD.WIDE R2, R10, 0x4, c[0x0][0x210]", "LDG.E R4, desc[UR4][R2.64]", "@P0 BRA 0x0",
        "LDG.E R6, desc[UR4][R2.64]", "@P1 BRA 0x30", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_TWO_PASSES},
      {{"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R7, R4, 0x1, 0x1f", "EXIT"}, TRITON_STRAIGHT | TRITON_REDUCES},
      {{"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"}, TRITON_LOOP | TRITON_STAGES},
      {{"LDG.E.U16 R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"}, TRITON_LOOP | TRITON_NARROW},
      {{"LDG.E.U16 R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "MUFU.TANH R5, R5", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP}, /* each turn needs the one before */
      {{"MUFU.RCP R4, R5", "MUFU.RCP R6, R4", "MUFU.EX2 R7, R4", "EXIT"}, TRITON_STRAIGHT | TRITON_DIVIDES},
      {{"MUFU.RCP R4, R5", "MUFU.EX2 R7, R4", "EXIT"}, TRITON_STRAIGHT},
      {{"LDG.E R4, desc[UR4][R2.64]", "HMMA.16816.F32 R8, R4, R6, R8", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_PRODUCTS},
      {{"LDG.E R4, desc[UR4][R2.64]", "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR4], R24",
        "HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_PRODUCTS | TRITON_LARGE_TILE}, /* 64 sums in each of 256 threads */
      {{"LDG.E R4, desc[UR4][R2.64]", "HGMMA.64x120x16.F32.BF16 R24, gdesc[UR4], R24",
        "HGMMA.64x120x16.F32.BF16 R24, gdesc[UR8], R24", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_PRODUCTS},
      {{"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R7, R4, 0x1, 0x1f", "FADD R5, R5, R7", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_REDUCES | TRITON_SUMS},
      {{"LDG.E R4, desc[UR4][R2.64]", "SHFL.BFLY PT, R7, R4, 0x1, 0x1f", "STG.E desc[UR4][R2.64], R7", "@P0 BRA 0x0",
        "EXIT"},
       TRITON_LOOP | TRITON_STORED | TRITON_REDUCES},
      /* a turn may go round the load */
      {{"@P1 BRA 0x20", "LDG.E R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_UNDER_IF},
      {{"@P1 BRA 0x20", "LDG.E.U16 R4, desc[UR4][R2.64]", "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_NARROW},
      /* one group a turn, one left open at a wait before it: three stages, and two behind it */
      {{"DEPBAR.LE SB0, 0x1", "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDGDEPBAR", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES | TRITON_STAGED},
      {{"LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x1", "@P0 BRA 0x0", "EXIT"},
       TRITON_LOOP | TRITON_STAGES},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    unsigned threads = cases[i].threads ? cases[i].threads : 256;
    double warps = 80.0 * threads / 32, n = (cases[i].once ? 1 : 10) * warps;
    const double each[] = {n, n, n, n, n, warps, n, n};
    struct run_result *r = made(&d);
    r->launches->block[0] = threads;
    code(&d, cases[i].lines, each);
    r->launches->blocks_per_sm = 0; /* nothing of the launch */
    r->launches->registers = 0;
    diagnose(&d);
    struct sass *sass = &d.diagnosis.hot.kernels[0].sass;
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = sass};
    unsigned launch = TRITON_AT_ONCE | TRITON_REGISTERS | TRITON_SHARED | TRITON_BLOCKS;
    if ((triton_signs(&in) & ~launch) != cases[i].signs)
      fail_msg("case %zu: %x, not %x", i, triton_signs(&in), cases[i].signs);
    release(&d);
  }
}

/* 48 KiB of three stages, as if two of them lay in one place: 72 with a fourth, of which an SM of 228 KiB holds three programs. */
static void another_stage(void **state) {
  (void)state;
  static const char *const lines[] = {
      "DEPBAR.LE SB0, 0x1", "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]", "LDGDEPBAR", "@P0 BRA 0x0", "EXIT", NULL};
  static const struct {
    long kib;
    int blocks;
    bool fits;
  } cases[] = {{48, 3, true}, {48, 4, false}, {150, 1, true}, {152, 1, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, (const double[]){6400, 6400, 6400, 6400, 640});
    r->launches->smem_dynamic = 1024 * cases[i].kib;
    r->launches->blocks_per_sm = cases[i].blocks;
    diagnose(&d);
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = &d.diagnosis.hot.kernels[0].sass};
    assert_int_equal((triton_signs(&in) & TRITON_STAGE_FITS) != 0, cases[i].fits);
    release(&d);
  }
}

/* By the text around a load: an `if` that the code does not skip is of constants, and no loop is loaded ahead that is a `while`. */
static void text_around_loads(void **state) {
  static const struct {
    const char *text;
    bool skips;
    unsigned sign;
  } cases[] = {{"def f(x):\n  for i in x:\n    if i > 0:\n      y = tl.load(x)\n", true, TRITON_UNDER_IF},
               {"def f(x):\n  for i in x:\n    if EVEN:\n      y = tl.load(x)\n", false, TRITON_STAGES},
               {"def f(x):\n  for i in x:\n    z = i\n    y = tl.load(x, mask=z)\n", true, TRITON_STAGES},
               {"def f(x):\n  while x:\n    if x > 0:\n      y = tl.load(x)\n", true, 0},
               {"def f(x):\n  while x:\n    z = i\n    y = tl.load(x)\n", false, 0},
               {"def f(x):\n\n\n  y = tl.load(x)\n", true, TRITON_UNDER_IF}}; /* called in a loop that is not known */
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_source source = {.name = (char *)"ops.py", .text = (char *)cases[i].text};
    struct run_line line = {0, 4};
    made(&d);
    code(&d,
         (const char *const[]){cases[i].skips ? "@P1 BRA 0x20" : "MOV R9, R8", "LDG.E R4, desc[UR4][R2.64]",
                               "FADD R5, R5, R4", "@P0 BRA 0x0", "EXIT", NULL},
         (const double[]){6400, 6400, 6400, 6400, 640});
    d.m.run.sources = &source;
    d.m.run.n_sources = 1;
    d.sass[1].lines = &line;
    d.sass[1].n_lines = 1;
    diagnose(&d);
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = &d.diagnosis.hot.kernels[0].sass};
    if ((triton_signs(&in) & (TRITON_UNDER_IF | TRITON_STAGES)) != cases[i].sign)
      fail_msg("case %zu: %x", i, triton_signs(&in));
    finish(&d);
  }
}

/* What warps wait for most is what tl.range must be able to load. */
static void narrow_by_samples(void **state) {
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]",
                                      "LDG.E.U16 R6, desc[UR4][R2.64+0x8]",
                                      "FADD R5, R5, R4",
                                      "FADD R5, R5, R6",
                                      "@P0 BRA 0x0",
                                      "EXIT",
                                      NULL};
  (void)state;
  for (unsigned narrow = 0; narrow < 3; narrow++) {
    static struct made_diagnosis d;
    static const double each[] = {6400, 6400, 6400, 6400, 6400, 640};
    made(&d);
    code(&d, lines, each);
    diagnose(&d);
    struct hot_kernel *k = &d.diagnosis.hot.kernels[0];
    struct hot_inst waits[2] = {
        {.at = 2, .n_reasons = 1, .reasons = {{"long_scoreboard", 20, 0}}, .n_feeds = 1, .feeds = {{.inst = 0}}},
        {.at = 3,
         .n_reasons = 1,
         .reasons = {{"long_scoreboard", 19 + narrow, 0}},
         .n_feeds = 1,
         .feeds = {{.inst = 1}}}};
    struct hot hot = {.kernels = k, .n_kernels = 1, .insts = waits, .n_insts = 2};
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = &k->sass, .hot = &hot};
    assert_int_equal((triton_signs(&in) & TRITON_STAGES) != 0, narrow == 0);
    release(&d);
  }
}

/* The launch's num_stages is for loops with tl.dot; where nothing turns there are no stages; all sums are worth the advice once. */
static void words_by_signs(void **state) {
  (void)state;
  const char *loads = "long-scoreboard";
  assert_non_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_PRODUCTS), "num_stages of 3"));
  assert_non_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_STAGES), "tl.range(..., num_stages=3)"));
  assert_non_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_NARROW), "a larger BLOCK first"));
  assert_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_PRODUCTS | TRITON_STAGED), "num_stages of 3"));
  assert_null(strstr(triton_remedy("latency", TRITON_LOOP | TRITON_PRODUCTS | TRITON_STAGED), "num_stages of 3"));
  assert_non_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_UNDER_IF), "mask"));
  for (unsigned large = 0; large <= TRITON_LARGE_TILE; large += TRITON_LARGE_TILE)
    for (size_t i = 0; i < 2; i++)
      assert_null(strstr(triton_remedy(i ? "l2-rereads" : "redundant-loads", TRITON_PRODUCTS | TRITON_GROUPED | large),
                         "tutorial"));
  assert_null(strstr(triton_remedy("small-grid", TRITON_STRAIGHT), "loop"));
  assert_null(strstr(triton_remedy("bank-conflicts", TRITON_PRODUCTS | TRITON_LARGE_TILE), "larger"));
  assert_null(
      strstr(triton_remedy("dependent-chain", TRITON_REGISTERS), "rows")); /* a smaller tile is told beside it */
  for (size_t i = 0; i < 2; i++) {
    const char *rule = i ? "latency" : loads;
    assert_null(strstr(triton_remedy(rule, TRITON_LOOP), "num_stages=3"));
    assert_null(strstr(triton_remedy(rule, TRITON_LOOP | TRITON_STORED), "num_stages=3"));
    assert_null(strstr(triton_remedy(rule, 0), "num_stages"));
  }
  assert_non_null(strstr(triton_remedy(loads, TRITON_LOOP | TRITON_STORED), "keep in registers"));
  assert_null(strstr(triton_remedy(loads, TRITON_STRAIGHT), "num_stages"));
  for (size_t i = 0; i < 3; i++) {
    const char *rule = (const char *const[]){"shared-memory", "bank-conflicts", "barrier"}[i];
    assert_non_null(strstr(triton_remedy(rule, TRITON_LOOP | TRITON_REDUCES | TRITON_SUMS), "behind the loop"));
    assert_null(strstr(triton_remedy(rule, TRITON_LOOP | TRITON_REDUCES), "behind the loop"));
  }
  for (size_t i = 0; i < 2; i++) {
    const char *rule = i ? "shared-memory" : "bank-conflicts", *again = i ? "l2-rereads" : "redundant-loads";
    assert_non_null(strstr(triton_remedy(rule, TRITON_REDUCES), "num_warps"));
    assert_null(strstr(triton_remedy(rule, TRITON_REDUCES), "axis"));
    assert_non_null(strstr(triton_remedy(rule, TRITON_REDUCES | TRITON_LAST_AXIS), "reduced axis first"));
    assert_null(strstr(triton_remedy(rule, TRITON_REDUCES | TRITON_ONE_WARP), "num_warps"));
    assert_non_null(strstr(triton_remedy(again, TRITON_LOOP | TRITON_TWO_PASSES), "online softmax"));
    assert_null(strstr(triton_remedy(again, TRITON_LOOP), "online softmax"));
  }
  assert_non_null(strstr(triton_remedy("denormals", TRITON_DIVIDES), "reciprocal"));
  assert_non_null(strstr(triton_remedy("denormals", 0), "ex2.approx"));
  assert_non_null(strstr(triton_remedy("occupancy", TRITON_REGISTERS), "so that more programs fit"));
  assert_null(strstr(triton_remedy("occupancy", TRITON_REGISTERS | TRITON_AT_ONCE), "fit"));
  assert_non_null(strstr(triton_remedy("imbalance", TRITON_AT_ONCE), "split the longest"));
  assert_non_null(strstr(triton_remedy("imbalance", 0), "split the longest"));
  assert_non_null(strstr(triton_remedy("tail", TRITON_AT_ONCE), "more programs"));
  assert_non_null(strstr(triton_remedy("tail", 0), "last wave"));
}

/* --- all advice on a kernel --- */

enum { TOLD_MOST = 4 };

/* A kernel of one instruction on a line of this text. */
static void told_together(const char *const *names, const char *const *words, const char *line, const char *text,
                          bool at_stays) {
  static struct made_diagnosis d;
  struct run_source source = {.name = (char *)"ops.py", .text = (char *)text};
  struct run_line at = {0, 1};
  made(&d);
  d.m.variants[0].id = (char *)"softmax";
  code(&d, (const char *const[]){line, "EXIT", NULL}, (const double[]){10, 1});
  d.m.run.sources = &source;
  d.m.run.n_sources = 1;
  d.sass[0].lines = &at;
  d.sass[0].n_lines = 1;
  diagnose(&d);
  struct advice items[TOLD_MOST] = {{0}};
  struct diagnosis all = {.items = items};
  struct rule_input in = {
      .all = &d.findings, .f = &d.findings.items[0], .hot = &d.diagnosis.hot, .sass = &d.diagnosis.hot.kernels[0].sass};
  for (; names[all.n]; all.n++)
    items[all.n] = (struct advice){.rule = rule_find(names[all.n]), .told = {.at = &d.sass[0]}};
  triton_tell(&all, &in);
  for (size_t i = 0; names[i]; i++) {
    if (strncmp(items[i].told.remedy, words[i], strlen(words[i])) != 0)
      fail_msg("%s: %s", names[i], items[i].told.remedy);
    assert_int_equal(items[i].told.at != NULL, at_stays);
  }
  finish(&d);
}

/* Of a program's warps and of its tile one direction is told: what spills asks first, then what wants fewer warps; of tiles the first. */
static void one_direction(void **state) {
  (void)state;
  static const char load[] = "LDG.E R4, desc[UR4][R2.64]", mma[] = "HMMA.16816.F32 R8, R4, R6, R8";
  static const char *const names[][TOLD_MOST] = {
      {"long-scoreboard", "barrier", "spills"}, {"latency", "barrier"},
      {"latency", "long-scoreboard"},           {"small-grid", "redundant-loads"},
      {"redundant-loads", "small-grid"},        {"small-grid", "shared-memory", "barrier"}};
  static const char *const words[][TOLD_MOST] = {
      {"more loads under way: more programs per SM", "fewer reductions", "more num_warps, or smaller tiles"},
      {"more programs per SM", "fewer num_warps, so that"},
      {"more programs or num_warps; several rows", "more loads under way: a larger tile at the same num_warps"},
      {"more programs in the launcher's grid (a smaller tile each), or more num_warps",
       "load each value once: a vector"},
      {"load each value once: larger tiles", "more programs in the launcher's grid"},
      {"more programs in the launcher's grid", "fewer num_warps, so that fewer of them read",
       "fewer num_warps, so that"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    told_together(names[i], words[i], i == 5 ? mma : load, "x = a + b", true);
}

/* A reduction's instructions stand on the line of what it reduces. */
static void reductions_have_no_line(void **state) {
  (void)state;
  static const char shuffle[] = "SHFL.BFLY PT, R7, R4, 0x1, 0x1f", load[] = "LDG.E R4, desc[UR4][R2.64]";
  static const char *const tree[] = {"shared-memory", NULL}, *const loads[] = {"uncoalesced", NULL};
  static const char *const any[] = {""};
  told_together(tree, any, shuffle, "x = tl.load(p)", false);
  told_together(tree, any, shuffle, "i = tl.arange(0, 8)", false);
  told_together(tree, any, shuffle, "m = tl.where(x, y, 0)", false);
  told_together(tree, any, shuffle, "x = tl.sum(tl.load(p))", true);
  told_together(tree, any, shuffle, "x = a + b\ny = tl.load(p)", true);
  told_together(tree, any, load, "x = tl.load(p)", true); /* it reduces nothing */
  told_together(loads, any, shuffle, "x = tl.load(p)", true);
}

/* The second instruction is of that line; with another such line nobody knows which. */
static void the_only_line_that_reduces(void **state) {
  (void)state;
  static const char *const texts[] = {"def f(x):\n  y = tl.where(x, x, 0)\n  z = tl.sum(\n    y)\n",
                                      "def f(x):\n  y = tl.where(x, x, 0)\n  z = tl.sum(y)\n  w = tl.max(y)\n"};
  for (size_t i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_source source = {.name = (char *)"ops.py", .text = (char *)texts[i]};
    struct run_line lines[] = {{0, 2}, {0, 3}, {0, 4}};
    struct run_result *r = made(&d);
    code(&d, (const char *const[]){"SHFL.BFLY PT, R7, R4, 0x1, 0x1f", "FADD R5, R5, R7", "EXIT", NULL},
         (const double[]){10, 10, 1});
    r->launches->kernel = (char *)"f";
    d.kernel.name = (char *)"f";
    d.m.run.sources = &source;
    d.m.run.n_sources = 1;
    for (size_t k = 0; k < 3; k++) {
      d.sass[k].lines = &lines[k];
      d.sass[k].n_lines = 1;
    }
    diagnose(&d);
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = &d.diagnosis.hot.kernels[0].sass};
    assert_true(triton_at_operands(&in, &d.sass[0]));
    if (i == 0) /* an argument of its call */
      assert_false(triton_at_operands(&in, &d.sass[2]));
    assert_ptr_equal(triton_reduction(&in), i ? NULL : &d.sass[1]);
    finish(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(triton_has_words_of_its_own),
                                     cmocka_unit_test(triton_has_few_programs),
                                     cmocka_unit_test(triton_rows_are_rules),
                                     cmocka_unit_test(made_without_code),
                                     cmocka_unit_test(signs_without_code),
                                     cmocka_unit_test(signs_of_its_code),
                                     cmocka_unit_test(words_by_signs),
                                     cmocka_unit_test(narrow_by_samples),
                                     cmocka_unit_test(one_direction),
                                     cmocka_unit_test(reductions_have_no_line),
                                     cmocka_unit_test(another_stage),
                                     cmocka_unit_test(text_around_loads),
                                     cmocka_unit_test(the_only_line_that_reduces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
