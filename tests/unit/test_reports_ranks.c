/* How a merged run is told: sentences, tables, CSV and JSON of spreads made by hand. */
#include "reports/text/ranks_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "unit/golden_file.h"
#include "unit/text_is.h"

enum { RANKS = 4 };

static struct run_merged_rank merged[RANKS] = {
    {(char *)"r0.json", {.host = (char *)"left", .launcher = (char *)"srun", .rank = 0}},
    {(char *)"r1.json", {.host = (char *)"left", .launcher = (char *)"srun", .rank = 1}},
    {(char *)"r4.json", {.host = (char *)"right", .launcher = (char *)"srun", .rank = 4}},
    {(char *)"a-file-of-a-process-without-a-rank.json", {.host = NULL}},
};
static struct run_by_rank own[RANKS] = {{0, 1, 200e6}, {1, 1, 190e6}, {2, 1, 250e6}, {3, 1, 210e6}};
static struct run_by_rank waits[RANKS] = {{0, 1, 45e6}, {1, 1, 50e6}, {2, 1, 10e6}, {3, 1, 45e6}};
static long missing[] = {2, 3, 5, 6, 7, 12};

/* Four of 16 ranks: 850 ms outside collectives and 150 in them; the third has 250, the others 200 in the median. */
static struct ranks_spread kernels[] = {
    {.name = "gemm",
     .n = 4,
     .total_s = 0.4,
     .min_s = 0.089,
     .median_s = 0.09,
     .mean_s = 0.1,
     .max_s = 0.12,
     .launches_min = 10,
     .launches_max = 12,
     .imbalance = 0.2,
     .farthest = 2,
     .off = 0.3,
     .stands_out = true},
    {.name = "a_kernel_whose_name_is_longer_than_a_row_has_room",
     .n = 3,
     .collective = true,
     .total_s = 0.03,
     .min_s = 0.008,
     .median_s = 0.0105,
     .mean_s = 0.01,
     .max_s = 0.0115,
     .launches_min = 7,
     .launches_max = 7,
     .imbalance = 0.15,
     .farthest = 3,
     .off = -0.24},
};
static struct ranks_spread ranges[] = {{.name = "step",
                                        .n = 4,
                                        .total_s = 0.64,
                                        .min_s = 0.15,
                                        .median_s = 0.155,
                                        .mean_s = 0.16,
                                        .max_s = 0.18,
                                        .launches_min = 3,
                                        .launches_max = 3,
                                        .imbalance = 0.125,
                                        .farthest = 3,
                                        .off = 0.16,
                                        .stands_out = true}};

struct made {
  struct run_merge merge;
  struct ranks ranks;
};

static void make(struct made *m) {
  *m = (struct made){.merge = {.expected = 16, .ranks = merged, .n_ranks = RANKS}};
  m->ranks = (struct ranks){.merge = &m->merge,
                            .missing = missing,
                            .n_missing = 6,
                            .n_hosts = 2,
                            .own = {.by_rank = own,
                                    .n = 4,
                                    .total_s = 0.85,
                                    .min_s = 0.19,
                                    .median_s = 0.2,
                                    .mean_s = 0.2125,
                                    .max_s = 0.25,
                                    .launches_min = 20,
                                    .launches_max = 21,
                                    .imbalance = 0.176,
                                    .farthest = 2,
                                    .off = 0.25,
                                    .stands_out = true},
                            .waits = {.by_rank = waits,
                                      .n = 4,
                                      .collective = true,
                                      .total_s = 0.15,
                                      .min_s = 0.01,
                                      .median_s = 0.045,
                                      .mean_s = 0.0375,
                                      .max_s = 0.05,
                                      .farthest = 2,
                                      .off = -0.78,
                                      .stands_out = true},
                            .kernels = kernels,
                            .n_kernels = 2,
                            .ranges = ranges,
                            .n_ranges = 1,
                            .cause = &kernels[0],
                            .cause_s = 0.12,
                            .range = &ranges[0]};
}

struct said {
  struct text lines[8];
  size_t n;
};

static void hear(void *context, const char *sentence) {
  struct said *s = context;
  assert_in_range(s->n, 0, 7);
  text_add(&s->lines[s->n++], sentence);
}

/* The i-th sentence of the answer is this one; n: so many there are. */
static void says(const struct ranks *r, size_t n, size_t i, const char *want) {
  struct said s = {0};
  ranks_answer(r, hear, &s);
  assert_int_equal(s.n, n);
  assert_string_equal(text_str(&s.lines[i]), want);
  for (size_t k = 0; k < s.n; k++)
    text_release(&s.lines[k]);
}

static void the_answer(void **state) {
  struct made m;
  (void)state;
  make(&m);
  says(&m.ranks, 5, 0, "4 of 16 ranks (missing: 2–3, 5–7, 12), 2 hosts, 2 kernels, 250 ms of GPU time per rank.");
  says(&m.ranks, 5, 1, "Slowest: rank 4 (right), +25 %: 250 ms outside collectives; the others wait 50.0 ms.");
  says(&m.ranks, 5, 2, "Largest difference: gemm: 120 ms on rank 4, median 90.0 ms.");
  says(&m.ranks, 5, 3, "NVTX range of largest imbalance: step, 12.5 % (maximum 180 ms, mean 160 ms).");
  says(&m.ranks, 5, 4, "Collectives: 15.0 % of the GPU time, median 45.0 ms; rank 4, with 10.0 ms, comes last.");
}

static void where_nothing_stands_out(void **state) {
  struct made m;
  (void)state;
  make(&m);
  m.merge.expected = 0;
  m.ranks.n_missing = 0;
  m.ranks.n_hosts = 1;
  m.ranks.own.stands_out = m.ranks.waits.stands_out = false;
  m.ranks.own.off = 0.015;
  m.ranks.cause = m.ranks.range = NULL;
  says(&m.ranks, 5, 0, "4 processes, 1 host, 2 kernels, 250 ms of GPU time per rank.");
  says(&m.ranks, 5, 1, "Balanced: the slowest, rank 4, has 250 ms outside collectives, 1.5 % over the median.");
  says(&m.ranks, 5, 2, "No kernel explains a difference between ranks.");
  says(&m.ranks, 5, 3, "No NVTX range: the program marks none.");
  says(&m.ranks, 5, 4, "Collectives: 15.0 % of the GPU time, median 45.0 ms; no rank comes last.");
  m.ranks.n_hosts = 0;
  m.ranks.own.farthest = -1;
  m.ranks.waits.n = 0;
  says(&m.ranks, 5, 0, "4 processes, 2 kernels, 250 ms of GPU time per rank.");
  says(&m.ranks, 5, 1, "Balanced: every rank has 250 ms of GPU time outside collectives.");
  says(&m.ranks, 5, 4, "No kernel is a collective.");
}

/* One host is not named; a process without a rank is its file; ten seconds are seconds; a kernel of some ranks has no median over all. */
static void other_words(void **state) {
  static long odd[] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19};
  struct made m;
  (void)state;
  make(&m);
  m.ranks.n_hosts = 1;
  m.ranks.own.farthest = 3;
  m.ranks.own.max_s = 12.34;
  m.ranks.own.median_s = 2.35;
  m.ranks.cause = &kernels[1];
  m.ranks.cause_s = 10;
  says(&m.ranks, 5, 1, "Slowest: …ss-without-a-rank.json, +25 %: 12.3 s outside collectives; the median is 2350 ms.");
  says(
      &m.ranks, 5, 2,
      "Largest difference: a_kernel_whose_name_i…w_has_room: 10.0 s on …ss-without-a-rank.json; 3 of 4 ranks have it.");
  char *whole = merged[3].file; /* a name that needs no cut */
  merged[3].file = (char *)"a.json";
  says(&m.ranks, 5, 1, "Slowest: a.json, +25 %: 12.3 s outside collectives; the median is 2350 ms.");
  merged[3].file = whole;
  m.ranks.missing = odd;
  m.ranks.n_missing = 8;
  says(&m.ranks, 5, 0,
       "4 of 16 ranks (missing: 1, 3, 5, 7, 9, 11, 13, 15), 1 host, 2 kernels, 250 ms of GPU time per rank.");
  m.ranks.n_missing = 10;
  says(
      &m.ranks, 5, 0,
      "4 of 16 ranks (missing: 1, 3, 5, 7, 9, 11, 13, 15, … (10 in all)), 1 host, 2 kernels, 250 ms of GPU time per rank.");
}

static void ranks_with_nothing_in_common(void **state) {
  struct made m;
  (void)state;
  make(&m);
  m.ranks.alone = 1;
  m.ranks.n_alone = 1;
  says(
      &m.ranks, 5, 1,
      "Slowest: rank 4 (right), +25 %: 250 ms outside collectives; the others wait 50.0 ms. No other rank has a kernel of rank 1.");
  m.ranks.n_alone = 2;
  says(
      &m.ranks, 5, 1,
      "Slowest: rank 4 (right), +25 %: 250 ms outside collectives; the others wait 50.0 ms. 2 ranks, the first rank 1, have no kernel in common with another.");
  m.ranks.n_alone = 4;
  says(&m.ranks, 5, 1,
       "No two ranks have a kernel in common, so none is slow beside another: are they of one program?");
}

static void counters_that_ranks_share(void **state) {
  struct made m;
  (void)state;
  make(&m);
  m.ranks.split = (struct ranks_split){.sets = 4, .has = {[1] = true, [4] = true}, .whole = 5, .lack = 2, .apart = 1};
  says(
      &m.ranks, 6, 5,
      "Counters in 4 sets, one per rank (--split-passes): complete for 5 kernels, incomplete for 2, not joined for 1 whose "
      "launches differ in geometry; no rank has set 2, 3: its counters are unknown.");
  m.ranks.split = (struct ranks_split){.sets = 2, .has = {[1] = true, [2] = true}, .whole = 1, .lack = 0, .apart = 0};
  says(&m.ranks, 6, 5, "Counters in 2 sets, one per rank (--split-passes): complete for 1 kernel.");
}

static void a_row_a_kernel(void **state) {
  struct made m;
  struct text out = {0};
  struct table *t;
  (void)state;
  make(&m);
  t = ranks_table(&m.ranks, false, 9);
  table_markdown(t, &out);
  table_free(t);
  assert_string_equal(text_str(&out),
                      "| kernel | ranks | calls | min (ms) | median (ms) | max (ms) | outlier |\n"
                      "|---|---:|---:|---:|---:|---:|---|\n"
                      "| gemm | all | 10–12 | 89.00 | 90.00 | 120.0 | rank 4 +30 % |\n"
                      "| a_kernel_whose_name_is\\_…row_has_room | 3 | 7 | 8.000 | 10.50 | 11.50 |   |\n");
  text_release(&out);
  t = ranks_table(&m.ranks, false, 1);
  table_markdown(t, &out);
  table_free(t);
  assert_null(strstr(text_str(&out), "a_kernel"));
  text_release(&out);
  t = ranks_table(&m.ranks, true, 1);
  table_markdown(t, &out);
  table_free(t);
  assert_string_equal(text_str(&out),
                      "| NVTX range | ranks | calls | min (ms) | median (ms) | max (ms) | imbal. (%) | outlier |\n"
                      "|---|---:|---:|---:|---:|---:|---:|---|\n"
                      "| step | all | 3 | 150.0 | 155.0 | 180.0 | 12.5 | …ss-without-a-rank.json +16 % |\n");
  text_release(&out);
}

static void a_line_for_programs(void **state) {
  struct made m;
  struct text out = {0};
  (void)state;
  make(&m);
  report_ranks_csv(&m.ranks, &out);
  assert_string_equal(
      text_str(&out),
      "kind,name,collective,ranks,calls_min,calls_max,total_s,least_s,median_s,mean_s,most_s,imbalance,outlier,outlier_off\r\n"
      "kernel,gemm,0,4,10,12,0.40000000000000002,0.088999999999999996,0.089999999999999997,0.10000000000000001,0.12,0.20000000000000001,rank 4,0.29999999999999999\r\n"
      "kernel,a_kernel_whose_name_is_longer_than_a_row_has_room,1,3,7,7,0.029999999999999999,0.0080000000000000002,0.010500000000000001,0.01,0.0115,0.14999999999999999,,\r\n"
      "range,step,0,4,3,3,0.64000000000000001,0.14999999999999999,0.155,0.16,0.17999999999999999,0.125,…ss-without-a-rank.json,0.16\r\n");
  text_release(&out);
}

static struct run_left_out left_out[] = {{(char *)"x.json", (char *)"another program"},
                                         {(char *)"y.json", (char *)"cut off"},
                                         {(char *)"z.json", (char *)"no run file"},
                                         {(char *)"w.json", (char *)"rank 4 again"}};

/* 17 kernels and 9 ranges are one more than a screen has, and 4 files one more than it names. */
static void a_screen_has_an_end(void **state) {
  static struct ranks_spread many[17], marks[9];
  struct made m;
  struct text out = {0};
  (void)state;
  make(&m);
  for (size_t i = 0; i < 17; i++)
    many[i] = kernels[0];
  for (size_t i = 0; i < 9; i++)
    marks[i] = ranges[0];
  m.merge.left_out = left_out;
  m.merge.n_left_out = 4;
  m.ranks.kernels = many;
  m.ranks.n_kernels = 17;
  m.ranks.ranges = marks;
  m.ranks.n_ranges = 9;
  report_ranks_term(&m.ranks, &out, 200, false);
  assert_int_equal(times_in(text_str(&out), "\ngemm "), 16);
  assert_int_equal(times_in(text_str(&out), "\nstep "), 8);
  assert_non_null(strstr(text_str(&out), "\nand 1 more kernels: --csv has all\n"));
  assert_non_null(strstr(text_str(&out), "\nand 1 more ranges: --csv has all\n"));
  assert_non_null(strstr(text_str(&out), "\nleft out: z.json: no run file\n"
                                         "and 1 more files are left out: the merged run names them\n"));
  assert_null(strstr(text_str(&out), "w.json"));
  text_release(&out);
  m.merge.n_left_out = 3;
  m.ranks.n_kernels = 16;
  m.ranks.n_ranges = 8;
  report_ranks_term(&m.ranks, &out, 200, false);
  assert_null(strstr(text_str(&out), " more "));
  text_release(&out);
}

static void a_screen_and_json(void **state) {
  struct made m;
  struct text out = {0};
  (void)state;
  make(&m);
  report_ranks_term(&m.ranks, &out, 0, false);
  text_add(&out, "--- 60 columns ---\n");
  report_ranks_term(&m.ranks, &out, 60, false);
  text_add(&out, "--- JSON ---\n");
  report_ranks_json(&m.ranks, &out);
  text_add(&out, "--- of processes, without kernels ---\n");
  m.merge.left_out = left_out;
  m.merge.n_left_out = 2;
  m.merge.expected = 0;
  m.ranks.own.farthest = -1;
  m.ranks.cause = m.ranks.range = NULL;
  m.ranks.n_missing = m.ranks.n_kernels = m.ranks.n_ranges = 0;
  report_ranks_term(&m.ranks, &out, 0, false);
  report_ranks_json(&m.ranks, &out);
  check_golden("texts/ranks.txt", &out);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_answer),
      cmocka_unit_test(where_nothing_stands_out),
      cmocka_unit_test(other_words),
      cmocka_unit_test(counters_that_ranks_share),
      cmocka_unit_test(a_row_a_kernel),
      cmocka_unit_test(a_line_for_programs),
      cmocka_unit_test(a_screen_has_an_end),
      cmocka_unit_test(a_screen_and_json),
      cmocka_unit_test(ranks_with_nothing_in_common),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
