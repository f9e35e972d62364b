/* The parts that the injection library leaves, as the parent reads them. */
#include "profiler/attach/outside/composing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD   "nvfp4-prof-part\t1\nprocess\t42\tsrun\t3\t8\t\tn1\ntotals\t5\t100\t0\t0\n"
#define KERNEL "kernel\t_Z3addv\t1\t7\t1\t1\t128\t1\t1\t2\t1\t1\t40\t16\t32\t8\t4\t5\t2\t1\t100\t7\t8\t0\t0\t\n"

static void test_part(void **state) {
  (void)state;
  struct attached_process p;
  struct err e = {0};
  assert_int_equal(attached_parse(&p, "42.part",
                                  HEAD "device\t1\tGPU-x\n" KERNEL "samples\t10\t20\t70\n"
                                       "metric\tinst_executed\tinst\tsmsp__inst_executed.sum\t64\t\n"
                                       "metric\tpipe_fp16\tinst\t\t\tno such counter\n"
                                       "range\tlayer\t4\t80\t30\nnote\tone thing\nend\tcomplete\n",
                                  &e),
                   0);
  assert_int_equal(p.seen.pid, 42);
  assert_string_equal(p.seen.launcher, "srun");
  assert_int_equal(p.seen.rank, 3);
  assert_int_equal(p.seen.size, 8);
  assert_int_equal(p.seen.local_rank, -1);
  assert_string_equal(p.seen.host, "n1");
  assert_string_equal(p.uuids[1], "GPU-x");
  assert_int_equal(p.n_kernels, 1);
  const struct attached_kernel *k = &p.kernels[0];
  assert_int_equal(k->seen.device, 1);
  assert_int_equal(k->seen.launch.grid[0], 7);
  assert_int_equal(k->seen.launch.block[0], 128);
  assert_int_equal(k->seen.launch.cluster[0], 2);
  assert_int_equal(k->seen.launch.registers, 40);
  assert_int_equal(k->seen.launch.smem_dynamic, 32);
  assert_int_equal(k->seen.launch.blocks_per_sm, 4);
  assert_int_equal(k->seen.launches, 5);
  assert_int_equal(k->seen.in_graphs, 2);
  assert_int_equal(k->seen.blocks_least, 7);
  assert_int_equal(k->seen.blocks_most, 8);
  assert_int_equal(k->samples.n, 3);
  assert_true(k->samples.ns[2] == 70);
  assert_true(k->metrics[0].present && k->metrics[0].value == 64);
  assert_false(k->metrics[1].present);
  assert_string_equal(k->metrics[1].reason, "no such counter");
  assert_int_equal(p.ranges[0].launches, 4);
  assert_true(p.ranges[0].collective_ns == 30);
  assert_string_equal(p.notes[0].sentence, "one thing");
  assert_true(p.complete);
  attached_release(&p);
}

static void test_counted(void **state) {
  (void)state;
  struct attached_process p;
  double ns;
  assert_int_equal(attached_parse(&p, "42.part",
                                  HEAD KERNEL "counted\t55\tmultiplexed\nmetric\ta\tinst\tx.sum\t7\t\n" KERNEL
                                              "counted\t1\treplayed\nmetric\ta\tinst\tx.sum\t\tnot known\n" KERNEL,
                                  NULL),
                   0);
  assert_int_equal(p.kernels[0].counted, 55);
  assert_false(p.kernels[0].replayed);
  assert_int_equal(p.kernels[1].counted, 1);
  assert_true(p.kernels[1].replayed);
  assert_int_equal(p.kernels[2].counted, 0);
  assert_int_equal(attached_counted(&p, &ns), 1); /* the one with a value */
  assert_true(ns == 125);                         /* 100 ns of four launches; the fifth was counted */
  assert_true(attached_total_ns(&p) == 3 * 125);
  attached_release(&p);
}

#define OF(name, launches, in_graphs, ns)                                                                              \
  "kernel\t" name "\t0\t7\t1\t1\t128\t1\t1\t1\t1\t1\t40\t16\t32\t8\t4\t" launches "\t" in_graphs "\t0\t" ns            \
  "\t7\t7\t0\t0\t\n"

/* The first run ranks; graphs' kernels and collectives cannot be counted. */
static void test_chosen(void **state) {
  (void)state;
  struct attached_process p;
  struct text t = {0};
  assert_int_equal(attached_parse(&p, "1.part",
                                  HEAD OF("less", "5", "1", "100") OF("graph", "9", "9", "900")
                                      OF("most", "2", "0", "500") OF("ncclDevKernel_AllReduce", "9", "0", "999")
                                          OF("ncclKernel_AllReduce", "9", "0", "998") OF("least", "1", "0", "1"),
                                  NULL),
                   0);
  chosen_add(&t, &p, 1, 2);
  assert_string_equal(
      text_str(&t),
      "chosen\tmost\t0\t7\t1\t1\t128\t1\t1\t32\t2\t500\t0\nchosen\tless\t0\t7\t1\t1\t128\t1\t1\t32\t4\t100\t0\n");
  text_release(&t);
  chosen_add(&t, &p, 0.1, 5); /* covered by the first of them, but there is time for all whose code is kept */
  assert_non_null(strstr(text_str(&t), "chosen\tleast"));
  text_release(&t);
  attached_release(&p);
}

/* Kernels of both runs have the first's times; one that only the second has keeps its own. */
static void test_times(void **state) {
  (void)state;
  struct attached_process first, second;
  assert_int_equal(attached_parse(&first, "1.part", HEAD OF("a", "3", "0", "60") "samples\t10\t20\t30\n", NULL), 0);
  assert_int_equal(attached_parse(&second, "2.part",
                                  "nvfp4-prof-part\t1\ntotals\t2\t7\t0\t0\n" OF("b", "1", "0", "5") "samples\t5\n" OF(
                                      "a", "2", "0", "2") "samples\t2\ncounted\t1\treplayed\n",
                                  NULL),
                   0);
  times_take(&second, &first);
  assert_true(second.timed_before);
  assert_true(second.totals.total_ns == 100); /* HEAD's */
  assert_int_equal(second.totals.launches, 5);
  assert_int_equal(second.kernels[0].samples.n, 1);
  assert_true(second.kernels[0].seen.total_ns == 5);
  const struct attached_kernel *a = &second.kernels[1];
  assert_int_equal(a->samples.n, 3);
  assert_true(a->samples.ns[2] == 30 && a->seen.total_ns == 60);
  assert_int_equal(a->seen.launches, 3);
  assert_int_equal(a->counted, 1);
  attached_release(&second);
  attached_release(&first);
}

static void test_pc_samples(void **state) {
  (void)state;
  struct attached_process p;
  assert_int_equal(attached_parse(&p, "42.part",
                                  HEAD KERNEL
                                  "sampling\t16384\t900\t7\t\nfunction\t_Z3addv\t3\t5\t600\nfunction\tother\t\t0\t40\n"
                                  "pc\t1\t16\twait\t40\t2\npc\t0\t32\tlong_scoreboard\t600\t500\n",
                                  NULL),
                   0);
  const struct sampling_record *s = &p.sampling;
  assert_true(s->period_cycles == 16384);
  assert_int_equal(s->samples, 900);
  assert_int_equal(s->dropped, 7);
  assert_null(s->error);
  assert_int_equal(p.n_functions, 2);
  assert_string_equal(p.functions[0].seen.name, "_Z3addv");
  assert_int_equal(p.functions[0].seen.module, 3);
  assert_int_equal(p.functions[0].seen.launches, 5);
  assert_int_equal(p.functions[0].seen.samples, 600);
  assert_int_equal(p.functions[1].seen.module, -1);
  assert_int_equal(p.functions[0].n_pcs, 1);
  assert_int_equal(p.functions[0].pcs[0].offset, 32);
  assert_string_equal(p.functions[0].pcs[0].reason, "long_scoreboard");
  assert_int_equal(p.functions[0].pcs[0].not_issued, 500);
  assert_int_equal(p.functions[1].pcs[0].samples, 40);
  attached_release(&p);
  assert_int_equal(attached_parse(&p, "42.part", HEAD "sampling\t16384\t0\t0\tit is busy\n", NULL), 0);
  assert_string_equal(p.sampling.error, "it is busy");
  attached_release(&p);
}

/* A line of more samples than it has fields to be split into at once. */
static void test_many_samples(void **state) {
  (void)state;
  char text[4096] = HEAD KERNEL "samples";
  struct attached_process p;
  for (int i = 0; i < 100; i++)
    sprintf(text + strlen(text), "\t%d", i);
  assert_int_equal(attached_parse(&p, "a", text, NULL), 0);
  assert_int_equal(p.kernels[0].samples.n, 100);
  for (int i = 0; i < 100; i++)
    assert_true(p.kernels[0].samples.ns[i] == i);
  assert_false(p.complete);
  attached_release(&p);
}

static void refuses(const char *text, const char *message) {
  struct attached_process p;
  struct err e = {0};
  assert_int_equal(attached_parse(&p, "42.part", text, &e), ERR_DATA);
  if (!strstr(e.text, message))
    fail_msg("'%s' lacks '%s'", e.text, message);
  assert_null(p.kernels);
}

static void test_damaged(void **state) {
  (void)state;
  refuses("nvfp4-prof-part\t9\n", "42.part:1: this version of nvfp4-prof does not know it");
  refuses(HEAD "kernel\tadd\t1\n", "42.part:4: kernel has 3 fields, not 26");
  refuses(HEAD "samples\t1\n", "42.part:4: samples without a kernel");
  refuses(HEAD "metric\ta\tb\tc\t1\t\n", "42.part:4: metric without a kernel");
  refuses(HEAD "device\t64\tGPU-x\n", "'64' is not a valid number there");
  refuses(HEAD KERNEL "samples\t1\tnan\n", "42.part:5: 'nan' is not a valid number");
  refuses(HEAD "function\tf\t\t1\t1\npc\t1\t0\twait\t1\t1\n",
          "42.part:5: a PC of function 1, but there are only 1 functions");
  refuses(HEAD "sampling\t1\n", "sampling has 2 fields, not 5");
  refuses(HEAD KERNEL "counted\tmany\treplayed\n", "42.part:5: 'many' is not a valid number");
  refuses(HEAD "counted\t1\treplayed\n", "42.part:4: counted without a kernel");
  refuses(HEAD "what\n", "'what' is not a kind of line");
}

/* Every field of every kind is written and read as its own: the nth gets the value n + 1. */
static void field_fill(const struct attach_record_field *f, void *at, size_t i, int value) {
  static char texts[64][16];
  if (f->type == FIELD_TEXT)
    ((char **)at)[i] = (snprintf(texts[value], sizeof texts[value], "t%d", value), texts[value]);
  else if (f->type == FIELD_INT)
    ((int *)at)[i] = value;
  else if (f->type == FIELD_UNSIGNED)
    ((unsigned *)at)[i] = (unsigned)value;
  else if (f->type == FIELD_LONG)
    ((long *)at)[i] = value;
  else if (f->type == FIELD_COUNT)
    ((uint64_t *)at)[i] = (uint64_t)value;
  else if (f->type == FIELD_NUMBER)
    ((double *)at)[i] = value + 0.5;
}

static void test_every_kind(void **state) {
  (void)state;
  for (int kind = 0; kind < RECORD_KINDS; kind++) {
    const struct attach_record_row *row = &attach_record_rows[kind];
    _Alignas(16) char record[256] = {0}, again[256];
    struct text written = {0}, wanted = {0}, rewritten = {0};
    enum attach_record_kind found;
    char *fields;
    int n = 0;
    assert_non_null(row->word);
    assert_true(row->bytes <= sizeof record);
    text_add(&wanted, row->word);
    for (size_t f = 0; f < row->n_fields && kind != RECORD_SAMPLES; f++)
      for (int i = 0; i < row->fields[f].n; i++) {
        const struct attach_record_field *field = &row->fields[f];
        field_fill(field, record + field->at, (size_t)i, ++n);
        text_printf(&wanted, field->type == FIELD_TEXT ? "\tt%d" : field->type == FIELD_NUMBER ? "\t%d.5" : "\t%d", n);
      }
    text_add(&wanted, kind == RECORD_SAMPLES ? "\t\n" : "\n");
    attach_record_print(&written, (enum attach_record_kind)kind, record);
    assert_string_equal(text_str(&written), text_str(&wanted));
    if (kind == RECORD_SAMPLES)
      goto next;
    written.s[written.n - 1] = 0;
    assert_int_equal(attach_record_kind_of(written.s, &found, &fields, NULL), 0);
    assert_int_equal(found, kind);
    assert_int_equal(attach_record_parse(found, fields, again, NULL), 0);
    attach_record_print(&rewritten, found, again);
    assert_string_equal(text_str(&rewritten), text_str(&wanted));
    attach_record_release(found, again);
  next:
    text_release(&written);
    text_release(&wanted);
    text_release(&rewritten);
  }
}

/* A kind without a row of its own in attached_process.c would be put where the first one is, over the process. */
static void test_every_kind_has_its_place(void **state) {
  (void)state;
  for (int kind = RECORD_PROCESS + 1; kind < RECORD_KINDS; kind++) {
    const struct attach_record_row *row = &attach_record_rows[kind];
    struct text part = {0};
    struct attached_process p;
    text_printf(&part, HEAD KERNEL "function\tf\t\t1\t1\n%s", row->word);
    for (size_t f = 0; f < row->n_fields; f++)
      for (int i = 0; i < row->fields[f].n; i++)
        text_add(&part, "\t0");
    text_add(&part, "\n");
    int rc = attached_parse(&p, "42.part", text_str(&part), NULL);
    assert_int_equal(rc, kind == RECORD_CHOSEN ? ERR_DATA : 0); /* that one is the parent's own */
    if (!rc && (p.seen.pid != 42 || p.seen.rank != 3))
      fail_msg("a line of kind '%s' overwrites the process", row->word);
    attached_release(&p);
    text_release(&part);
  }
}

/* What lacks is an empty field, and a text cannot end its line. */
static void test_record_edges(void **state) {
  (void)state;
  struct text t = {0};
  attach_record_print(&t, RECORD_METRIC,
                      &(struct metric_record){.name = "a\tb", .unit = "c\n", .value = NAN, .reason = "no"});
  attach_record_print(&t, RECORD_FUNCTION, &(struct function_record){"f", -1, 2, 3});
  attach_record_print(&t, RECORD_NOTE, &(struct note_record){""});
  assert_string_equal(text_str(&t), "metric\ta b\tc \t\t\tno\nfunction\tf\t\t2\t3\nnote\t\n");
  text_release(&t);
}

/* What a kernel of the first run says is passed over in the second, and is the last where it is to be replayed; launches in graphs are not in its order. */
static void launches_passed_over(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    int in_graphs = i % 2, alone = i / 2;
    struct attached_process p;
    struct text part = {0}, t = {0};
    char want[128];
    text_printf(&part,
                HEAD "kernel\tk\t0\t7\t1\t1\t128\t1\t1\t1\t1\t1\t40\t16\t32\t8\t4\t40\t%d\t0\t9e5\t7\t7\t20\t%d\t\n",
                in_graphs, alone);
    assert_int_equal(attached_parse(&p, "1.part", part.s, NULL), 0);
    chosen_add(&t, &p, 1, 2);
    snprintf(want, sizeof want, "chosen\tk\t0\t7\t1\t1\t128\t1\t1\t32\t%d\t900000\t%d\n",
             alone && !in_graphs ? 21 : 40 - in_graphs, in_graphs ? 0 : 20);
    assert_string_equal(text_str(&t), want);
    text_release(&t);
    text_release(&part);
    attached_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_passed_over), cmocka_unit_test(test_part),
      cmocka_unit_test(test_counted),         cmocka_unit_test(test_chosen),
      cmocka_unit_test(test_times),           cmocka_unit_test(test_pc_samples),
      cmocka_unit_test(test_many_samples),    cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_every_kind),      cmocka_unit_test(test_every_kind_has_its_place),
      cmocka_unit_test(test_record_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
