/* What pages say: of two runs set side by side by hand, of a diagnosis made by hand, of ranks, and where they lead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reports/text/report.h"
#include "unit/page_words.h"
#include "unit/small_run.h"

#include <stdlib.h>
#include <string.h>

static const struct report_parts no_parts;

static void has(const struct text *page, const char *part) {
  if (!page->s || !strstr(page->s, part))
    fail_msg("it does not say: %s\n%s", part, page->n < 20000 ? page->s : "");
}

static void lacks(const struct text *page, const char *part) {
  if (strstr(page->s, part))
    fail_msg("it says: %s", part);
}

static size_t times_in(const struct text *page, const char *part) {
  size_t n = 0;
  for (const char *s = page->s; (s = strstr(s, part)); s += strlen(part))
    n++;
  return n;
}

static void render(const struct small_run *x, const struct report_parts *parts, struct text *html, struct text *words) {
  report_html(&x->story, parts, html);
  assert_true(text_ok(html));
  page_words(words, text_str(html));
}

/* --- two runs --- */

/* The same run on both sides, and what a pair might say of it: one of each verdict, those that changed behind the others. */
static void pair_by_hand(const struct small_run *x, struct pair *p, struct pair_row rows[8]) {
  const struct shape one = x->findings.shapes[0], two = x->findings.shapes[1];
  const struct finding *naive = findings_at(&x->findings, "cuda-0-naive", one),
                       *coalesced = findings_at(&x->findings, "cuda-1-coalesced", one),
                       *intrinsics = findings_at(&x->findings, "cuda-2-intrinsics", one),
                       *side = findings_at(&x->findings, "cuda-2-side", one);
  const struct pair_row made[] = {
      {"cuda-0-naive", one, naive, naive, {true, 1.02, NULL}, DIFF_SAME, true},
      {"gone", one, side, NULL, {.reason = "B does not hold it"}, DIFF_REMOVED, false},
      {"new", one, NULL, side, {.reason = "A does not hold it"}, DIFF_ADDED, false},
      {"cuda-1-coalesced", one, coalesced, naive, {true, 2, NULL}, DIFF_SLOWER, false},
      {"cuda-2-intrinsics", one, coalesced, intrinsics, {true, 0.1, NULL}, DIFF_FASTER, false},
      {"mended", one, side, intrinsics, {.reason = "A has no time"}, DIFF_MENDED, false},
      {"broken", one, intrinsics, side, {.reason = "B has no time"}, DIFF_BROKEN, false},
      {"cuda-0-naive",
       two,
       findings_at(&x->findings, "cuda-0-naive", two),
       NULL,
       {true, 1.1236, NULL},
       DIFF_UNCLEAR,
       true},
  };
  memcpy(rows, made, sizeof made);
  *p = (struct pair){.a = &x->findings,
                     .b = &x->findings,
                     .rows = rows,
                     .n = sizeof made / sizeof *made,
                     .one_chip = true,
                     .shift = 1};
}

static const char *const pair_rows[] = {
    "cuda-1-coalesced|320.0|3200|2.000|B slower|4.30|0.430|99.13|132.2|issue|latency|",
    "cuda-2-intrinsics|320.0|32.00|0.1000|B faster|4.30|43.0|99.13|66.08|issue|latency|",
    "mended|40.00|32.00|–|mended in B|34.4|43.0|82.60|66.08|dram|latency|",
    "broken|32.00|40.00|–|broken in B|43.0|34.4|66.08|82.60|latency|dram|",
    "cuda-0-naive|3200|3200|1.020|no measurable change|0.430|0.430|132.2|132.2|latency|latency|",
    "gone|40.00|–|–|only in A|34.4|–|82.60|–|dram|–|",
    "new|–|40.00|–|only in B|–|34.4|–|82.60|–|dram|",
};

/* What changed first; then the other shape; above both the means, of which 1.02 and 1.1236 make sqrt(1.02 * 1.1236) = 1.071. */
static void two_runs_side_by_side(void **state) {
  struct small_run *x = *state;
  struct pair p;
  struct pair_row rows[8];
  struct text html = {0}, words = {0}, want = {0};

  pair_by_hand(x, &p, rows);
  pair_html(&p, &html);
  assert_true(text_ok(&html));
  page_words(&words, text_str(&html));
  has(&words, "\nTwo runs side by side");
  for (int side = 0; side < 2; side++) {
    text_printf(
        &want,
        "\n%s: measured on NVIDIA H200 (132 SMs, driver 580.65.06), 2025-11-20, L2 cold, inputs default; nvfp4-prof 0.1.0, git "
        "0123456789ab",
        side ? "B" : "A");
    has(&words, text_str(&want));
    text_release(&want);
  }
  has(&words, "\nGeometric means over each run's shapes; the ratio over the shapes that both timed");
  has(&words, "|cuda-0-naive|4800|4800|1.071|");
  has(&words, "|cuda-1-coalesced|480.0|480.0|2.000|");
  has(&words, "|cuda-2-intrinsics|48.00|48.00|0.1000|");
  /* In short: 1.02, 2, 0.1 and 1.1236 make 0.229229^(1/4) = 0.6919; issue-bound in A are 2 and 0.1, sqrt(0.2) = 0.4472. */
  has(&words, "|all|4|0.6919|0.100 to 2.00|1|1|1|1|");
  has(&words, "|bound in A: issue|2|0.4472|0.100 to 2.00|1|0|1|0|");
  has(&words, "|bound in A: latency|2|1.071|1.02 to 1.12|0|1|0|1|");
  assert_int_equal(times_in(&words, "|1.071|"), 2); /* a mean a variant and a bound, not one a row */
  has(&words,
      "\n7168×16384×1: A measured, SOL 13.77 µs = 66.08 MB minimal / 4.800 TB/s DRAM (datasheet); B measured, SOL 13.77 µs");
  assert_int_equal(times_in(&words, "7168×16384×1: A measured"), 1);
  assert_int_equal(times_in(&words, "4096×7168×8: A measured"), 1);
  has(&words, "|variant|A µs|B µs|B / A|verdict|SOL A %|SOL B %|DRAM A MB|DRAM B MB|bound A|bound B|");
  const char *last = words.s;
  for (size_t i = 0; i < sizeof pair_rows / sizeof *pair_rows; i++) {
    const char *row = strstr(words.s, pair_rows[i]);
    if (!row || row < last)
      fail_msg("no row, or not in its place: %s\n%s", pair_rows[i], words.s);
    last = row;
  }
  has(&words, "|cuda-0-naive|7200|–|1.124|unclear|0.383|–|264.4|–|latency|–|");
  assert_int_equal(times_in(&html, "bad\">2.000<"), 2); /* its mean, too */
  assert_int_equal(times_in(&html, "good\">0.1000<"), 2);
  assert_int_equal(times_in(&html, "dim\">1.0"), 2);
  text_release(&html);
  text_release(&words);
}

static void two_runs_as_markdown(void **state) {
  struct small_run *x = *state;
  struct pair p;
  struct pair_row rows[8];
  struct text out = {0};

  pair_by_hand(x, &p, rows);
  pair_worklog(&p, &out);
  assert_true(text_ok(&out));
  assert_memory_equal(text_str(&out), "# Two runs side by side\n\n- A: measured on NVIDIA H200 (132 SMs, ", 57);
  has(&out,
      "\n- B: measured on NVIDIA H200 (132 SMs, driver 580.65.06), 2025-11-20, L2 cold, inputs default; nvfp4-prof 0.1.0, git ");
  has(&out,
      "\n\n## All shapes\n\nGeometric means over each run's shapes; the ratio over the shapes that both timed.\n\n"
      "| variant | A mean (µs) | B mean (µs) | B / A |\n");
  has(&out, "\n| cuda-0-naive | 4800 | 4800 | 1.071 |\n");
  assert_int_equal(times_in(&out, "| 1.071 |"), 2);
  has(&out, "\n## 7168×16384×1\n\n7168×16384×1: A measured, SOL 13.77 µs = 66.08 MB minimal");
  has(&out, "\n## 4096×7168×8\n\n4096×7168×8: A measured, SOL 27.55 µs = 132.2 MB minimal");
  assert_int_equal(times_in(&out, "\n## "), 4);
  has(&out, "\n| broken | 32.00 | 40.00 | – | broken in B | 43.0 | 34.4 | 66.08 | 82.60 | latency | dram |\n");
  text_release(&out);
}

static void two_runs_as_csv(void **state) {
  struct small_run *x = *state;
  struct pair p;
  struct pair_row rows[8];
  struct text out = {0};

  pair_by_hand(x, &p, rows);
  x->run.origin = ORIGIN_RECORDED;
  pair_csv(&p, &out);
  assert_true(text_ok(&out));
  assert_memory_equal(text_str(&out), "variant,m,k,l,a_time_us,a_origin,b_time_us,b_origin,ratio,same,verdict\r\n", 71);
  has(&out, "\r\ncuda-1-coalesced,7168,16384,1,320,recorded,3200,recorded,2,0,SLOWER\r\n");
  has(&out, "\r\nnew,7168,16384,1,,recorded,40,recorded,,,ADDED\r\n");
  has(&out, "\r\ngone,7168,16384,1,40,recorded,,recorded,,,REMOVED\r\n");
  has(&out, "\r\ncuda-0-naive,4096,7168,8,7200.0000000000009,recorded,,recorded,1.1235999999999999,0,UNCLEAR\r\n");
  text_release(&out);
}

/* --- a diagnosis --- */

static const struct rule made_rules[] = {{.name = "first-rule", .title = "a first cause"},
                                         {.name = "second-rule", .title = "a second cause"},
                                         {.name = "third-rule", .title = "a third cause"}};

/* Of 32 us: three rules, of which a page shows two, and four lines, of which it shows three. */
static void advice_and_the_hottest_lines(void **state) {
  static struct advice advice[] = {
      {.rule = &made_rules[0],
       .told.evidence = {{"grid", "block", {true, 56, NULL}}, {"occupancy", "ratio", {true, 0.25, NULL}}},
       .told.n_evidence = 2,
       .told.sentence = "what is wrong",
       .told.remedy = "what to do",
       .price.saves_s = 8e-6,
       .price.low_s = 4e-6,
       .price.high_s = 12e-6,
       .price.capped = true},
      {.rule = &made_rules[1],
       .told.evidence = {{"rate", "B/s", {true, 2e12, NULL}}},
       .told.n_evidence = 1,
       .told.sentence = "what else is wrong",
       .told.remedy = "what else to do",
       .told.stop = true,
       .told.helps = "fewer bytes"},
      {.rule = &made_rules[2], .told.sentence = "left out", .told.remedy = "left out"},
  };
  static struct run_source sources[] = {{(char *)"gemv.cu", (char *)"one\n  two < 2;\nthree\nfour\n"}};
  static struct hot_line lines[] = {{0, 2, 500, 0, 500, {"long_scoreboard", 400, 0}, 0},
                                    {0, 3, 300, 0, 300, {NULL, 0, 0}, 0},
                                    {0, 1, 150, 0, 150, {"wait", 75, 0}, 0},
                                    {0, 4, 25, 0, 25, {"wait", 25, 0}, 0}};
  /* Line 2's hottest wait for data is for line 1's load; line 3's instruction waits for none. */
  static struct sass_inst insts[] = {{.text = "LDG.E R4, [R2.64]", .bytes = 4}, {.text = "FADD R5, R5, R4"}};
  static struct run_line places[] = {{0, 1}, {0, 2}, {0, 3}};
  static struct run_instruction sass[] = {{.lines = &places[0], .n_lines = 1}, {.lines = &places[1], .n_lines = 1}};
  static struct run_kernel kernel = {.sass = sass, .n_sass = 2};
  static struct hot_kernel kernels[] = {{.kernel = &kernel, .sass = {.insts = insts, .n = 2, .kernel = &kernel}}};
  static struct hot_inst hottest[] = {{.line = &places[2]},
                                      {.at = 1, .line = &places[1], .feeds = {{.inst = 0}}, .n_feeds = 1}};
  struct small_run *x = *state;
  const struct run own = x->run;
  struct text html = {0}, words = {0};
  size_t at = 0;

  while (strcmp(x->findings.items[at].variant->id, "cuda-2-intrinsics") != 0)
    at++;
  struct diagnosis *d = &x->story.diagnoses.items[at], kept = *d;
  x->run.sources = sources;
  x->run.n_sources = 1;
  *d = (struct diagnosis){.finding = &x->findings.items[at],
                          .items = advice,
                          .n = 3,
                          .hot = {.run = &x->run,
                                  .kernels = kernels,
                                  .n_kernels = 1,
                                  .insts = hottest,
                                  .n_insts = 2,
                                  .lines = lines,
                                  .n_lines = 4,
                                  .samples = 1000,
                                  .unplaced = 15}};
  x->run.results[at].sampling.dropped = 7;
  render(x, &no_parts, &html, &words);
  has(&words, "\na first cause [first-rule]: may save 4.0 to 12 µs, best estimate 8.00, 25 % of the time."
              "\nwhat is wrong.\nEvidence: grid 56 blocks; occupancy 25 %.\nRemedy: what to do.");
  has(&words, "\na second cause [second-rule]: only fewer bytes can save time.\nwhat else is wrong."
              "\nEvidence: rate 2.00 TB/s.\nRemedy: what else to do.");
  lacks(&words, "third-rule");
  has(&words, "\n1000 PC samples, 7 dropped; 98.5 % of them at a known instruction.");
  has(&words, "cuda-2-intrinsics at 7168×16384×1: the source lines with the most waits");
  has(&words, "\n|line|waits %|top stall of waits|source|waits for|");
  has(&words, "\n|gemv.cu:2|50|long_scoreboard 80 %|two < 2;|LDG.E R4, [R2.64] (4 bytes per lane) at gemv.cu:1|");
  has(&words, "\n|gemv.cu:3|30| 0 %|three|–|");
  has(&words, "\n|gemv.cu:1|15|wait 50 %|one|–|");
  lacks(&words, "gemv.cu:4");
  text_release(&html);
  text_release(&words);
  d->n = 0; /* and none */
  d->hot.samples = 0;
  render(x, &no_parts, &html, &words);
  has(&words, "\n7168×16384×1: no advice: no remaining cause worth 2 % or more.");
  has(&words, "\n0 PC samples, 7 dropped; 0.0 % of them at a known instruction.");
  text_release(&html);
  text_release(&words);
  *d = kept;
  x->run = own;
}

/* --- the story of a ladder --- */

static void rungs_lead_to_their_neighbours(void **state) {
  struct small_run *x = *state;
  struct text html = {0}, words = {0};

  render(x, &no_parts, &html, &words);
  has(&html,
      "<p class=\"ways\"><a href=\"#step-cuda-1-coalesced\">next</a> <a href=\"#ladder-cuda\">ladder</a>"); /* the first */
  has(&html,
      "<p class=\"ways\"><a href=\"#step-cuda-0-naive\">parent</a> <a href=\"#step-cuda-2-intrinsics\">next</a> ");
  has(&html,
      "<p class=\"ways\"><a href=\"#step-cuda-2-intrinsics\">parent</a> <a href=\"#ladder-cuda\">ladder</a>"); /* the last */
  for (size_t i = 0; i < 4; i++) {
    static const char *const ids[] = {"cuda-0-naive", "cuda-1-coalesced", "cuda-2-intrinsics", "cuda-2-side"};
    struct text id = {0};
    text_printf(&id, "id=\"step-%s\"", ids[i]);
    assert_int_equal(times_in(&html, text_str(&id)), 1);
    text_release(&id);
  }
  lacks(&html, "id=\"step-control-read\"");
  lacks(&html, "href=\"#step-control-read\"");
  has(&html, "<a href=\"#step-cuda-2-side\">  ↳ cuda-2-side</a>"); /* a side step's row in the results */
  has(&html, "id=\"hide-sides\"");
  has(&html, "id=\"shape-1\"");
  lacks(&html, "id=\"shape-2\"");
  text_release(&html);
  text_release(&words);
}

static void rows_and_sections_of_a_ladder(void **state) {
  struct small_run *x = *state;
  struct text html = {0}, words = {0};

  render(x, &no_parts, &html, &words);
  has(&words, "\nLadder cuda: geometric means over 2 shapes, measured");
  has(&words, "\n|rung|change|time µs|7168×16384×1 µs|4096×7168×8 µs|SOL %|read %|bound|× parent|verdict|");
  has(&words, "\n|1 coalesced|32 threads a row|480.0|320.0|720.0|4.06|5.00|issue|10.0|faster|");
  has(&words, "\n|↳ 2 side|unroll by 4||40.00|–|–|–|dram, –|–|failed|");
  has(&words,
      "\ncuda-1-coalesced at 4096×7168×8: instructions 72 % of the gain (6.74 → 1.35 per element) 4800 → 480.0 µs faster 10.0×");
  has(&words, "\n32 threads a row");       /* within the step */
  has(&words, "\ncuda-0-naive  4800 µs "); /* no parent, and no verdict */
  has(&words, "\ncuda-2-side cause not found; the counters show 36 % of the loss 48.00 →  side step failed");
  has(&words, "\ncuda-0-naive at every shape, measured");
  assert_int_equal(times_in(&words, " at every shape, measured"), 1); /* of a rung without a step alone */
  assert_int_equal(times_in(&words, "\nEvidence "), 3);
  has(&words, "\nPublished: B200 2000 µs geomean, Yue Zhang, hackathon worklog");
  has(&words, "\nUnknown: no PC samples were taken.");
  has(&words, "\n4096×7168×8: failed: the kernel did not finish within 10 s, and its worker was ended");
  has(&html, "<span class=\"badge good\">faster 10.0×</span>");
  has(&html, "<span class=\"badge bad\">failed</span>");
  text_release(&html);
  text_release(&words);
}

/* Of 4 steps of one rule 3 fired, 2 first; a ladder none of whose steps is labelled has no such table. */
static void promised_against_gained(void **state) {
  struct small_run *x = *state;
  struct score_row row = {.cause = &made_rules[0],
                          .n = 4,
                          .fired = 3,
                          .first = 2,
                          .three = 3,
                          .correlation = {true, 0.5, NULL},
                          .median_error = {true, -0.12, NULL},
                          .median_abs_error = {true, 0.2, NULL}};
  struct score *cures = (struct score *)story_cures_of(&x->story, "cuda"), kept = *cures;
  struct text html = {0}, words = {0};
  *cures = (struct score){.n_causes = 0};
  render(x, &no_parts, &html, &words);
  lacks(&words, "promised against gained, by rule");
  text_release(&html);
  text_release(&words);
  *cures = (struct score){.n = 4, .causes = &row, .n_causes = 1, .all = row};
  cures->all.cause = NULL;
  render(x, &no_parts, &html, &words);
  has(&words, "Ladder cuda: promised against gained, by rule");
  has(&words, "\n|first-rule|4|3|2|3|+0.50|-12|+20|");
  has(&words, "\n|all|4|3|2|3|+0.50|-12|+20|");
  text_release(&html);
  text_release(&words);
  *cures = kept;
}

/* What a prediction was judged by is not in the run. */
static void a_prediction_that_cannot_be_judged(void **state) {
  struct small_run *x = *state;
  struct text html = {0}, words = {0};

  for (size_t i = 0; i < x->run.n_variants; i++)
    if (strcmp(x->run.variants[i].id, "cuda-2-intrinsics") == 0) {
      free(x->run.variants[i].predicts);
      x->run.variants[i].predicts = str_copy("shared_bank_conflicts < 0.5x");
    }
  story_release(&x->story);
  story_make(&x->story, &x->findings, NULL);
  render(x, &no_parts, &html, &words);
  has(&words, "\n|shared_bank_conflicts < 0.5x|UNKNOWN|UNKNOWN|");
  has(&words, "\nUnknown: shared_bank_conflicts < 0.5x at 7168×16384×1: ");
  has(&words, "\nUnknown: shared_bank_conflicts < 0.5x at 4096×7168×8: ");
  text_release(&html);
  text_release(&words);
}

static void replace(char **field, const char *words) {
  free(*field);
  *field = str_copy(words);
}

/* A parameter that came, a line that stayed, one that went and two that came. */
static void what_changed_in_the_code(void **state) {
  static const char *const texts[] = {"same line\nold line\n", "same line\nnew line\nmore < lines\n"};
  static const char *const files[] = {"0.cu", "1.cu", "2.cu"};
  struct small_run *x = *state;
  struct text html = {0}, words = {0}, worklog = {0};

  assert_in_range(x->run.n_sources, 3, 99);
  for (size_t i = 0; i < 3; i++) {
    replace(&x->run.sources[i].name, files[i]);
    replace(&x->run.sources[i].text, texts[i > 0]);
    replace(&x->run.variants[i].file, files[i]);
  }
  story_release(&x->story);
  story_make(&x->story, &x->findings, NULL);
  render(x, &no_parts, &html, &words);
  has(&words, "\nWhat changed against cuda-0-naive: −1 +3 lines");
  has(&html,
      "<ins>+ //! param: TILE_K = 128</ins><span>  same line</span><del>- old line</del><ins>+ new line\n+ more &lt; lines</ins>");
  assert_int_equal(times_in(&words, "\nNo diff: the run does not hold the source of both rungs."),
                   1); /* the side step */
  report_worklog(&x->story, &no_parts, &worklog);
  has(&worklog, "\n- old line\n+ new line\n+ more < lines\n");
  text_release(&worklog);
  text_release(&html);
  text_release(&words);
}

/* --- ranks --- */

static void the_ranks_of_a_merged_run(void **state) {
  static struct run_merged_rank merged[] = {{(char *)"0.json", {.launcher = (char *)"srun", .rank = 0}},
                                            {(char *)"1.json", {.launcher = (char *)"srun", .rank = 1}}};
  static struct run_left_out left_out[] = {{(char *)"x.json", (char *)"another program"}};
  static struct ranks_spread kernels[101], range = {.name = "step", .n = 2, .max_s = 0.2, .mean_s = 0.15};
  static const struct report_chart map = {
      "ranks", "ranks", "", "Ranks over time", "One square a rank.", true, true, "<svg role=\"img\"></svg>"};
  struct run_merge merge = {.expected = 2, .ranks = merged, .n_ranks = 2, .left_out = left_out, .n_left_out = 1};
  struct small_run *x = *state;
  struct text html = {0}, words = {0}, worklog = {0};

  for (size_t i = 0; i < 101; i++)
    kernels[i] = (struct ranks_spread){.name = i ? "other" : "gemm", .n = 2, .max_s = 0.1};
  x->story.ranks = (struct ranks){.merge = &merge,
                                  .own = {.n = 2, .max_s = 0.25, .total_s = 0.5, .farthest = -1},
                                  .kernels = kernels,
                                  .n_kernels = 101,
                                  .ranges = &range,
                                  .n_ranges = 1};
  const struct report_parts parts = {.charts = &map, .n_charts = 1};
  render(x, &parts, &html, &words);
  has(&words, "\nRanks");
  has(&words, "\n2 of 2 ranks, 101 kernels, 250 ms of GPU time per rank.");
  has(&words, "\nBalanced: every rank has 250 ms of GPU time outside collectives.");
  has(&words, "\nleft out: x.json: another program");
  has(&words, "Ranks over time (measured). One square a rank.");
  has(&words,
      "\nGPU time of a rank by kernel, over 2 ranks; an outlier lies farther from the median than 2.7 standard deviations and "
      "2 %; the shorter kernels are in the CSV of merge");
  assert_int_equal(times_in(&words, "\n|other|"), 99);
  has(&words,
      "\nGPU time of a rank by NVTX range, collectives left out; imbalance: the maximum over the mean, minus 1");
  has(&words, "\n|step|all|0|0.000|0.000|200.0|0.0|");
  text_release(&html);
  text_release(&words);
  x->story.ranks.n_kernels = 100;
  x->story.ranks.n_ranges = 0;
  render(x, &parts, &html, &words);
  lacks(&words, "the shorter kernels are in the CSV");
  lacks(&words, "by NVTX range, collectives");
  report_worklog(&x->story, &parts, &worklog);
  has(&worklog, "2 of 2 ranks, 100 kernels, 250 ms of GPU time per rank.");
  has(&worklog, "(ranks.svg)");
  text_release(&worklog);
  text_release(&html);
  text_release(&words);
  x->story.ranks = (struct ranks){0};
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, small_run_setup, small_run_teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(two_runs_side_by_side),
      CASE(two_runs_as_markdown),
      CASE(two_runs_as_csv),
      CASE(advice_and_the_hottest_lines),
      CASE(rungs_lead_to_their_neighbours),
      CASE(rows_and_sections_of_a_ladder),
      CASE(promised_against_gained),
      CASE(a_prediction_that_cannot_be_judged),
      CASE(what_changed_in_the_code),
      CASE(the_ranks_of_a_merged_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
