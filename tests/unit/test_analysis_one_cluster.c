/* Launches whose work a cluster does as well; figures worked out beside each row. */
#include "analysis/signs/one_cluster.h"
#include "unit/judged.h"

static void launches_of(struct made_diagnosis *d, size_t n, unsigned blocks) {
  static struct run_launch all[4];
  for (size_t i = 0; i < n; i++) {
    all[i] = *d->m.results[0].launches;
    all[i].grid[0] = blocks;
  }
  d->m.results[0].launches = all;
  d->m.results[0].n_launches = n;
}

static void four(struct made_diagnosis *d) {
  launches_of(d, 4, 80);
}

static void four_of_8_blocks(struct made_diagnosis *d) {
  launches_of(d, 4, 8);
}

static void four_on_ampere(struct made_diagnosis *d) {
  four(d);
  d->m.device.sm = 80;
}

/* 10 SMs: so many wavefronts of a cycle each, at 1 GHz, are a tenth of that on each SM.  A cluster's 8 SMs have 4 of 100 us to do them in, one SM half. */
static void rows(void **state) {
  (void)state;
  static const struct {
    struct judged_case kernel;
    bool fits;
  } all[] = {
      {{.also = four, .set = {{"l1_wavefronts", 400e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}}, true},
      {{.also = four, .set = {{"l1_wavefronts", 401e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}}, false},
      {{.also = four, .set = {{"l1_wavefronts", 400e3}, {"dram_read_bytes", 2e5}, {"dram_write_bytes", 5e4}}}, false},
      {{.set = {{"l1_wavefronts", 400e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}},
       false},                                                    /* one launch */
      {{.also = four, .set = {{"l1_wavefronts", 400e3}}}, false}, /* bytes are not known */
      {{.also = four_of_8_blocks,
        .set = {{"l1_wavefronts", 400e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}},
       false}, /* as many as a cluster has */
      {{.also = four_on_ampere, .set = {{"l1_wavefronts", 51e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}},
       false},
      {{.also = four_on_ampere, .set = {{"l1_wavefronts", 49e3}, {"dram_read_bytes", 5e4}, {"dram_write_bytes", 5e4}}},
       true}, /* one block */
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    static struct judged j;
    double bytes;
    judged_make(&j, &all[i].kernel, NULL);
    if (fits_one_cluster(&j.in, &bytes) != all[i].fits)
      fail_msg("row %zu", i);
    judged_release(&j);
  }
}

/* It starts and loads once: (4 + 8) / 4 us, and 6 + 7 of instructions and their waits. */
static void least(void **state) {
  (void)state;
  static struct judged j;
  judged_make(&j, &(struct judged_case){.also = four}, NULL);
  j.in.work.empty_s = value_of(4e-6);
  j.in.work.loads_s = value_of(8e-6);
  j.in.work.own_issue_s = value_of(6e-6);
  j.in.work.dependencies_s = value_of(7e-6);
  assert_float_equal(1e6 * one_cluster_s(&j.in), 16, 1e-9);
  judged_release(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(least)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
