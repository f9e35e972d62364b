/* The rule instruction-cache: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

/* 768 instructions fill 12 KiB. */
static void large_code(struct made_diagnosis *d, size_t n, size_t loop) {
  static struct run_instruction large[1024];
  for (size_t k = 0; k < n; k++)
    large[k] = (struct run_instruction){.offset = (uint32_t)(16 * k), .text = (char *)"FFMA R6, R2, R3, R6"};
  large[n - 1].text = (char *)"EXIT";
  if (loop)
    large[loop - 1].text = (char *)"@P0 BRA 0x0";
  d->kernel.sass = large;
  d->kernel.n_sass = n;
}

static void over_12_kib(struct made_diagnosis *d) {
  large_code(d, 769, 0);
}

static void just_12_kib(struct made_diagnosis *d) {
  large_code(d, 768, 0);
}

static void loop_of_12_kib(struct made_diagnosis *d) {
  large_code(d, 780, 768);
}

/* A loop of 12 KiB and 16 bytes behind it, of which no instruction was counted; of 10 samples `inside` wait for those of the loop. */
static void fetched(struct made_diagnosis *d, uint64_t inside) {
  static struct run_sample samples[2];
  large_code(d, 769, 768);
  samples[0] = (struct run_sample){.offset = 0x20, .reason = (char *)"no_instruction", .samples = inside};
  samples[1] = (struct run_sample){.offset = 16 * 768, .reason = (char *)"no_instruction", .samples = 10 - inside};
  d->m.results[0].samples = samples;
  d->m.results[0].n_samples = 2;
  d->m.results[0].n_counts = 0;
}

static void fetched_behind(struct made_diagnosis *d) {
  fetched(d, 4);
}

static void fetched_in_loop(struct made_diagnosis *d) {
  fetched(d, 5);
}

#define ANY_CODE .lines = {"EXIT"}, .executed = {1}

static const struct judged_case CASES[] = {
    {.rule = "instruction-cache",
     ANY_CODE,
     .also = over_12_kib,
     .set = {{"stall_no_instruction", 24e6}, {"icache_misses", 30}, {"icache_requests", 100}},
     .says = "no instruction, share 0.75 ratio\n"
             "size of the hot loop's code 1.23e+04 B\n"
             "icache_misses 30 -\n"
             "icache_requests 100 -\n"
             "75 % of warp cycles wait for instruction fetch; the hot loop has 12 KiB of code\n"
             "unroll less, or loop over a table, so that the loop fits the instruction cache\n",
     .takes = "dependencies_s 25",
     .silent = {{"stall_no_instruction", 0}}},
    {.rule = "instruction-cache", /* the loop fits, what runs does not: half of the waits go */
     ANY_CODE,
     .also = fetched_behind,
     .set = {{"stall_no_instruction", 8e6}, {"stall_wait", 7e6}, {"icache_misses", 30}},
     .says = "no instruction, share 0.25 ratio\n"
             "size of the code that runs 1.23e+04 B\n"
             "icache_misses 30 -\n"
             "25 % of warp cycles wait for instruction fetch: 12 KiB of code run\n"
             "less code: hoist what repeats, __noinline__ for what is inlined often, #pragma unroll 1 (the estimate "
             "assumes half of the waits)\n",
     .takes = "dependencies_s 87.5",
     .silent = {{"stall_no_instruction", 0}, {"stall_wait", 8e6}}},
    {.rule = "instruction-cache", /* half of the waits are in the loop, which fits */
     ANY_CODE,
     .also = fetched_in_loop,
     .set = {{"stall_no_instruction", 8e6}}},
    {.rule = "instruction-cache", ANY_CODE, .also = just_12_kib, .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", ANY_CODE, .also = loop_of_12_kib, .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", .set = {{"stall_no_instruction", 24e6}}},
    {.rule = "instruction-cache", /* the code of what is called is not there to be measured */
     .lines = {"CALL.ABS.NOINC `(_Z1fPf)", "CALL.ABS.NOINC `(_Z1gPf)", "EXIT"},
     .executed = {10, 20, 10},
     .set = {{"stall_no_instruction", 24e6}, {"icache_misses", 30}},
     .says =
         "no instruction, share 0.75 ratio\n"
         "icache_misses 30 -\n"
         "75 % of warp cycles wait for instruction fetch; the kernel calls functions (CALL at 0x0010)\n"
         "inline what is called (with -rdc: compile as one unit, or link with -dlto); loop over rounds rather than unroll them, so "
         "that the loop fits the cache\n",
     .takes = "dependencies_s 25",
     .silent = {{"stall_no_instruction", 0}}},
    {.rule = "instruction-cache", /* the compiler's own are short */
     .lines = {"CALL.REL.NOINC `($__internal_0_$__cuda_sm20_div_rn_f32)", "EXIT"},
     .executed = {10, 10},
     .set = {{"stall_no_instruction", 24e6}}},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
