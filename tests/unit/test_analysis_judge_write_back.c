/* The rule write-back: what it says and takes away; figures worked out beside each row. */
#include "unit/judged.h"

static void of_a_program(struct made_diagnosis *d) {
  d->m.run.process.launches = 20;
}

static const struct judged_case CASES[] = {
    /* of 80 MB 10 are stored and 10 atomics', of 100 in all */
    {.rule = "write-back",
     .set = {{"dram_read_bytes", 20e6},
             {"dram_write_bytes", 80e6},
             {"l2_write_bytes", 10e6},
             {"l2_atomic_sectors", 312500}},
     .says =
         "dram_write_bytes 8e+07 -\n"
         "l2_write_bytes 1e+07 -\n"
         "60 % of the DRAM bytes write back lines that an earlier kernel left dirty in the L2\n"
         "CALLER measure with --l2 cold, which evicts by reading; in a program, fuse with the kernel that wrote the lines\n",
     .takes = "dram_write 250",
     .silent = {{"l2_write_bytes", 70e6}}},
    {.rule = "write-back",
     .also = of_a_program,
     .set = {{"dram_read_bytes", 20e6},
             {"dram_write_bytes", 80e6},
             {"l2_write_bytes", 10e6},
             {"l2_atomic_sectors", 312500}},
     .says = "dram_write_bytes 8e+07 -\n"
             "l2_write_bytes 1e+07 -\n"
             "60 % of the DRAM bytes write back lines that an earlier kernel left dirty in the L2\n"
             "CALLER fuse with the kernel that wrote the lines, so that they need not pass through memory\n",
     .takes = "dram_write 250",
     .silent = {{"l2_write_bytes", 70e6}}},
    {.rule = "write-back", .set = {{"dram_read_bytes", 25}, {"dram_write_bytes", 75}}}, /* what it wrote is not known */
    {.rule = "write-back", .set = {{"dram_write_bytes", 50e6}, {"l2_write_bytes", 10e6}}}, /* reads are not known */
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
