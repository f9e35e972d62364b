/* What the library writes of a process is what the parent reads of it. */
#include "injected.h"
#include "profiler/attach/inside/counting.h"
#include "profiler/attach/outside/attached_process.h"

#include "base/file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/injected-part-XXXXXX";

static int begin(void **state) {
  assert_non_null(mkdtemp(folder));
  injection.folder = folder;
  injection.pid = 4242;
  injection.records_write = records_write;
  return tables_begin(state);
}

static const char *at(const char *name) {
  static char path[2][sizeof folder + 64];
  static int next;
  next = !next;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static int end(void **state) {
  (void)state;
  for (const char *const *name =
           (const char *const[]){"4242.part", "4242.1.part", "4242.2.part", "4242.0.cubin", "4242.1.cubin", NULL};
       *name; name++)
    unlink(at(*name));
  return rmdir(folder);
}

static struct attached_process read_back(void) {
  struct attached_process p = {0};
  struct err e = {0};
  char *text = NULL;
  size_t n;
  if (file_read(at("4242.part"), 1 << 20, &text, &n, &e) || attached_parse(&p, "4242.part", text, &e))
    fail_msg("%s", e.text);
  free(text);
  return p;
}

/* A process that launched nothing, of which no more is known than its number. */
static void test_bare(void **state) {
  (void)state;
  injection.launched = (struct launched_rank){.rank = -1, .size = -1, .local_rank = -1};
  injection.dirty = false;
  records_write(false); /* there is nothing new */
  assert_int_not_equal(access(at("4242.part"), F_OK), 0);
  injection.dirty = true;
  records_write(false);
  assert_false(injection.dirty);
  struct attached_process p = read_back();
  assert_int_equal(p.seen.pid, 4242);
  assert_null(p.seen.launcher);
  assert_int_equal(p.pass_set.sets, 0);
  assert_int_equal(p.n_kernels, 0);
  assert_int_equal(p.n_notes, 0);
  assert_int_equal(p.sampling.period_cycles, 0);
  assert_false(p.complete);
  attached_release(&p);
  records_write(true);
  p = read_back();
  assert_true(p.complete);
  attached_release(&p);
}

static void fill_kernel(struct kernel *k) {
  k->cluster[0] = 2, k->cluster[1] = 3, k->cluster[2] = 4;
  k->smem_static = 5, k->local_bytes = 6, k->registers = 7, k->blocks_per_sm = 8;
  k->launches = 9, k->in_graphs = 1, k->disturbed = 3, k->total_ns = 1200;
  kernel_time(k, 150);
  kernel_time(k, 250.5);
}

static void check_kernel(const struct attached_kernel *k) {
  const struct run_launch *l = &k->seen.launch;
  assert_string_equal(k->seen.name, "whole");
  assert_int_equal(k->seen.device, 1);
  assert_memory_equal(l->grid, ((unsigned[]){10, 11, 12}), sizeof l->grid);
  assert_memory_equal(l->block, ((unsigned[]){13, 14, 15}), sizeof l->block);
  assert_memory_equal(l->cluster, ((unsigned[]){2, 3, 4}), sizeof l->cluster);
  assert_int_equal(l->smem_static, 5);
  assert_int_equal(l->smem_dynamic, 16);
  assert_int_equal(l->local_bytes, 6);
  assert_int_equal(l->registers, 7);
  assert_int_equal(l->blocks_per_sm, 8);
  assert_int_equal(k->seen.launches, 9);
  assert_int_equal(k->seen.in_graphs, 1);
  assert_int_equal(k->seen.disturbed, 3);
  assert_float_equal(k->seen.total_ns, 1200, 0);
  assert_int_equal(k->seen.blocks_least, 1320);
  assert_int_equal(k->seen.blocks_most, 1430);
  assert_string_equal(k->seen.range, "second");
  assert_int_equal(k->samples.n, 2);
  assert_float_equal(k->samples.ns[0], 150, 0);
  assert_float_equal(k->samples.ns[1], 250.5, 0);
}

static void check_process(const struct attached_process *p) {
  assert_string_equal(p->seen.launcher, "srun");
  assert_int_equal(p->seen.rank, 3);
  assert_int_equal(p->seen.size, 8);
  assert_int_equal(p->seen.local_rank, 1);
  assert_string_equal(p->seen.host, "node7");
  assert_int_equal(p->pass_set.set, 2);
  assert_int_equal(p->pass_set.sets, 4);
  assert_int_equal(p->totals.launches, 20);
  assert_int_equal(p->totals.beyond, 2);
  assert_float_equal(p->totals.total_ns, 5000, 0);
  assert_float_equal(p->totals.beyond_ns, 70, 0);
  assert_float_equal(p->gaps.pause_ns, 6, 0);
  assert_null(p->uuids[0]);
  assert_string_equal(p->uuids[1], "GPU-1");
  assert_string_equal(p->uuids[RECORD_DEVICES - 1], "GPU-63");
  assert_int_equal(p->n_notes, 1);
  assert_string_equal(p->notes[0].sentence, "a note, said once");
}

/* Launches that were counted have no time: two of the whole kernel in a range are put at 200 ns, the mean of its 6 others. */
static void check_ranges(const struct attached_process *p) {
  assert_int_equal(p->n_ranges, 2);
  assert_string_equal(p->ranges[0].name, "first");
  assert_int_equal(p->ranges[0].launches, 4);
  assert_float_equal(p->ranges[0].total_ns, 100, 0);
  assert_float_equal(p->ranges[0].collective_ns, 30, 0);
  assert_int_equal(p->ranges[1].launches, 5);
  assert_float_equal(p->ranges[1].total_ns, 50 + 400 + 300, 0);
  assert_float_equal(p->ranges[1].collective_ns, 300, 0);
}

static void test_whole(void **state) {
  (void)state;
  struct counted counts = {.in_range = {[1] = 2}}, collective = {.in_range = {[1] = 3}},
                 untimed = {.in_range = {[1] = 7}};
  struct kernel_key key = {
      .name = "whole", .grid = {10, 11, 12}, .block = {13, 14, 15}, .smem_dynamic = 16, .range = 2};
  struct kernel *k = kernel_of(&key, 1), *nccl = kernel_named("ncclKernel_Sum"), *asked = kernel_named("asked");
  key.grid[2] = 13;
  kernel_of(&key, 1);
  fill_kernel(k);
  k->counted = &counts;
  nccl->launches = 2, nccl->disturbed = 1, nccl->total_ns = 100, nccl->counted = &collective;
  asked->counted = &untimed; /* it was asked for and has not run */
  injection.launched = (struct launched_rank){"srun", 3, 8, 1};
  snprintf(injection.host, sizeof injection.host, "node7");
  injection.pass_set = (struct pass_set){2, 4};
  injection.launches = 20, injection.beyond = 2, injection.total_ns = 5000, injection.beyond_ns = 70;
  injection.gaps = (struct gaps_record){.pause_ns = 6};
  injection.uuids[1] = (char *)(size_t) "GPU-1", injection.uuids[RECORD_DEVICES - 1] = (char *)(size_t) "GPU-63";
  injection.ranges[0] = (struct range_record){(char *)(size_t) "first", 4, 100, 30};
  injection.ranges[1] = (struct range_record){(char *)(size_t) "second", 5, 50, 0};
  injection.n_ranges = 2;
  for (int i = 0; i < 2; i++)
    inject_note("a note, said %s", "once");
  records_write(true);
  struct attached_process p = read_back();
  assert_int_equal(p.n_kernels, 2);
  check_kernel(&p.kernels[0]);
  assert_null(p.kernels[1].seen.range);
  check_process(&p);
  check_ranges(&p);
  attached_release(&p);
  k->counted = nccl->counted = asked->counted = NULL;
}

static void prints(const struct kernel *k, const char *lines) {
  struct text t = {0};
  counters_print(&t, k);
  assert_string_equal(text_str(&t), lines);
  text_release(&t);
}

/* Sums over rounds give their mean, else counts what the round that goes on gave; what is below zero is a difference of two launches' counters. */
static void test_counters(void **state) {
  (void)state;
  struct metric_table *table = &counting.config.table;
  struct err e = {0};
  double sums[4] = {30, 0, 0, -3}, latest[4] = {99, 7, NAN, NAN};
  unsigned n[4] = {3, 0, 0, 3};
  struct counted c = {sums, latest, n, {0}};
  struct kernel *k = kernel_named("with counters");
  assert_int_equal(metric_table_add(table, "made.txt",
                                    "COUNTERS\na\tn\tx__a.sum\t-\tA\nb\tn\tx__b.sum\t-\tB\n"
                                    "c\tn\tx__c.sum\t-\tC\nd\tn\tx__d.sum\t-\tD\n",
                                    &e),
                   0);
  const struct expr *chosen[4];
  for (size_t i = 0; i < 4; i++)
    chosen[i] = table->rows[i].alternatives[0];
  counting.config.chip = (char *)(size_t) "GH100";
  counting.config.chosen = chosen;
  counting.config.passes = 9;
  k->counted = &c;
  focus_of(k)->counted = 5;
  prints(
      k,
      "counted\t5\tpartly\n"
      "metric\ta\tn\tx__a.sum\t10\t\nmetric\tb\tn\tx__b.sum\t7\t\n"
      "metric\tc\tn\tx__c.sum\t\tits counters need 9 passes, one per launch, and 5 launches were counted; --replay repeats one "
      "launch for every pass\n"
      "metric\td\tn\tx__d.sum\t0\t\n");
  focus_of(k)->rounds = 1;
  chosen[0] = NULL;
  latest[0] = NAN, n[0] = 0;
  prints(k, "counted\t5\tmultiplexed\n"
            "metric\ta\tn\t\t\tchip GH100 has no such counter\nmetric\tb\tn\tx__b.sum\t7\t\n"
            "metric\tc\tn\tx__c.sum\t\tCUPTI gave no number\n"
            "metric\td\tn\tx__d.sum\t0\t\n");
  focus_of(k)->rounds = 0;
  latest[2] = 3; /* with it all that the chip has is there */
  k->replay = true;
  prints(k, "counted\t5\treplayed\n"
            "metric\ta\tn\t\t\tchip GH100 has no such counter\nmetric\tb\tn\tx__b.sum\t7\t\n"
            "metric\tc\tn\tx__c.sum\t3\t\nmetric\td\tn\tx__d.sum\t0\t\n");
  k->replay = false;
  latest[1] = NAN;
  counting.config.set = (struct pass_set){1, 2}; /* whose rows are the first and the third */
  prints(k, "counted\t5\tmultiplexed\n"
            "metric\ta\tn\t\t\tchip GH100 has no such counter\n"
            "metric\tb\tn\tx__b.sum\t\tanother rank counts it (--split-passes)\n"
            "metric\tc\tn\tx__c.sum\t3\t\nmetric\td\tn\tx__d.sum\t0\t\n");
  c.sums = NULL;
  prints(k, "");
  k->counted = NULL;
  prints(k, "");
  metric_table_release(table);
  counting.config = (struct counter_config){0};
}

/* What an earlier program of this process wrote is kept, and its code: another's is numbered from 2^20 on. */
static void test_earlier(void **state) {
  (void)state;
  records_keep_earlier();
  assert_int_equal(access(at("4242.1.part"), F_OK), 0);
  assert_int_not_equal(access(at("4242.part"), F_OK), 0);
  assert_int_equal(injection.modules, 1 << 20);
  records_write(true);
  records_keep_earlier();
  assert_int_equal(access(at("4242.2.part"), F_OK), 0);
  assert_int_equal(injection.modules, 2 << 20);
  injection.modules = 0;
  records_keep_earlier(); /* there is none */
  assert_int_equal(injection.modules, 0);
}

static CUptiResult crc(CUpti_GetCubinCrcParams *p) {
  assert_int_equal(p->size, CUpti_GetCubinCrcParamsSize);
  p->cubinCrc = 100 + p->cubinSize;
  return p->cubinSize == 3 ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

static void test_modules(void **state) {
  (void)state;
  struct stat s;
  injection.modules = 0;
  module_keep("cubin", 5);
  assert_int_equal(module_number(105), -1); /* without samples nobody asks */
  injection.sampling_exponent = 5;
  injection.cupti.cuptiGetCubinCrc = crc;
  module_keep("nothing", 0);
  assert_int_equal(injection.modules, 1);
  module_keep("longer", 6);
  assert_int_equal(injection.modules, 2);
  assert_int_equal(injection.module_bytes, 11);
  assert_int_equal(module_number(106), 1);
  assert_int_equal(module_number(107), -1);
  assert_int_equal(module_number(0), 0);
  char *text = NULL;
  size_t n;
  assert_int_equal(file_read(at("4242.1.cubin"), 100, &text, &n, NULL), 0);
  assert_int_equal(n, 6);
  assert_memory_equal(text, "longer", 6);
  free(text);
  assert_int_equal(stat(at("4242.0.cubin"), &s), 0);
  assert_int_equal(s.st_size, 5);
  size_t notes = injection.n_notes;
  injection.module_bytes = ((size_t)1 << 30) - 5;
  module_keep("longer", 6);
  assert_int_equal(injection.modules, 2);
  assert_int_equal(injection.n_notes, notes + 1);
  assert_string_equal(injection.notes[notes],
                      "the program loads more than 1 GB of code and the rest was not kept: some kernels have no SASS");
  module_keep("cubin", 5); /* has just room; the later of one code is the one that counts */
  assert_int_equal(module_number(105), 2);
  unlink(at("4242.2.cubin"));
  module_keep("cubin", 5);
  assert_int_equal(injection.modules, 3);
  injection.module_bytes = 0;
  module_keep("bad", 3);
  assert_int_equal(module_number(0), 3);
  assert_int_equal(module_number(103), -1);
  unlink(at("4242.3.cubin"));
  for (size_t i = 0; i < 200; i++) { /* more than there is room for at first */
    char name[32], code[400] = "";
    module_keep(code, 10 + i);
    snprintf(name, sizeof name, "4242.%zu.cubin", 4 + i);
    unlink(at(name));
  }
  assert_int_equal(module_number(110), 4);
  assert_int_equal(module_number(309), 203);
  assert_int_equal(module_number(106), 1);
  injection.folder = "/nowhere";
  injection.sampling_exponent = 0;
  module_keep("cubin", 5);
  injection.folder = folder;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bare),    cmocka_unit_test(test_whole),   cmocka_unit_test(test_counters),
      cmocka_unit_test(test_earlier), cmocka_unit_test(test_modules),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
