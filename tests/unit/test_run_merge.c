/* Ranks' runs as one: which kernels are one, whose counters they have, and what is left out. */
#include "base/array.h"
#include "base/text.h"
#include "run/pass_set.h"
#include "run/run_merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- runs, written as files are --- */

struct made {
  struct text variants, results, ranges, modules, sources;
  int kernels;
  int set, sets;  /* of its counters: the i-th is of set 1 + i % sets; 0: it has each */
  const char *id; /* of its next kernel; NULL: its name and grid */
};

/* A kernel of `calls` launches and `ms` in all; metrics: how many counters it has; module: -1: no code */
static void kernel(struct made *m, const char *name, unsigned grid, int calls, double ms, int metrics, int module) {
  const char *comma = m->kernels ? ", " : "";
  char *id = m->id ? str_copy(m->id) : str_printf("%s%s%u", name, grid > 1 ? "-" : "", grid);
  text_printf(&m->variants,
              "%s{\"id\": \"%s\", \"side\": false, \"wrong\": false, \"keys\": [[\"kernel\", \"%s\"], [\"launches\", "
              "\"%d\"], [\"gpu_time_ns\", \"%.0f\"]]}",
              comma, id, name, calls, ms * 1e6);
  free(id);
  text_printf(
      &m->results,
      "%s{\"variant\": %d, \"shape\": {\"m\": 0, \"k\": 0, \"l\": 0}, \"module\": %d, \"bytes_minimal\": 0, "
      "\"bytes_contest\": 0, \"bytes_declared\": 0, \"flops\": 0, \"launches\": [{\"kernel\": \"%s\", \"grid\": [%u, "
      "1, 1], \"block\": [32, 1, 1], \"cluster\": [0, 0, 0], \"smem_static\": 0, \"smem_dynamic\": 0, \"registers\": "
      "32, \"local_bytes\": 0, \"blocks_per_sm\": 1}], \"check\": {\"verdict\": \"unchecked\", \"reason\": \"x\", "
      "\"total\": 0, \"failed\": 0, \"max_error\": 0, \"max_ratio\": 0, \"row\": 0, \"batch\": 0, \"got\": null, "
      "\"want\": 0}, \"timing\": {\"samples_ns\": [%.0f], \"discarded\": 0, \"source\": \"x\"}, \"metrics\": [",
      comma, m->kernels, module, name, grid, ms * 1e6 / calls);
  for (int i = 0; i < metrics; i++)
    if (m->sets && 1 + i % m->sets != m->set)
      text_printf(&m->results, "%s{\"name\": \"m%d\", \"unit\": \"inst\", \"value\": null, \"reason\": \"%s\"}",
                  i ? ", " : "", i, PASS_SET_LACKS);
    else
      text_printf(&m->results, "%s{\"name\": \"m%d\", \"unit\": \"inst\", \"value\": %d}", i ? ", " : "", i,
                  (int)grid + m->set);
  text_add(&m->results, "]");
  if (module >= 0)
    text_printf(&m->results, ", \"samples\": [[%d, 0, 0, \"wait\", 5, 2]]", module);
  text_add(&m->results, "}");
  m->kernels++;
}

static void module(struct made *m, const char *source) {
  text_add(&m->modules,
           "{\"key\": \"k\", \"compile_s\": 0, \"cached\": false, \"cubin_bytes\": 1, \"kernels\": [{\"name\": "
           "\"f\", \"registers\": 32, \"smem_static\": 0, \"local_bytes\": 0, \"const_bytes\": 0, "
           "\"spill_store_bytes\": -1, \"spill_load_bytes\": -1, \"max_threads\": 0, \"sass\": [[0, \"NOP\", "
           "[[0, 7]]]]}]}");
  text_printf(&m->sources, "{\"name\": \"%s\", \"text\": \"t\"}", source);
}

static void range(struct made *m, const char *name, double ms) {
  text_printf(&m->ranges, "%s{\"name\": \"%s\", \"launches\": 4, \"gpu_time_ns\": %.0f, \"collective_ns\": 1000000}",
              m->ranges.n ? ", " : "", name, ms * 1e6);
}

/* process: members of its object; releases *m */
static void made_run(struct run *out, struct made *m, const char *process, const char *notes) {
  struct err e = {0};
  char *text = str_printf(
      "{\"schema\": \"nvfp4-prof/run/1\", \"tool\": \"t\", \"partial\": false, \"origin\": \"measured\", \"l2\": \"l\", "
      "\"inputs\": \"i\", \"seed\": 0, \"flush_bytes\": 0, \"device\": {\"name\": \"G\", \"sm\": 90, \"sms\": 1, "
      "\"warps_per_sm\": 64, \"regs_per_sm\": 1, \"smem_per_sm\": 1, \"smem_optin\": 1, \"l2_bytes\": 1, \"memory_bytes\": 1, "
      "\"clock_max_hz\": 1, \"memory_clock_hz\": 1, \"memory_bus_bits\": 1}, \"process\": {%s, \"launches\": 9, "
      "\"gpu_time_ns\": 100}, \"notes\": [%s], \"ranges\": [%s], \"sources\": [%s], \"modules\": [%s], \"variants\": [%s], "
      "\"results\": [%s]}",
      process, notes, text_str(&m->ranges), text_str(&m->sources), text_str(&m->modules), text_str(&m->variants),
      text_str(&m->results));
  if (run_load_text(out, "made", text, strlen(text), &e))
    fail_msg("%s in %s", e.text, text);
  free(text);
  text_release(&m->variants);
  text_release(&m->results);
  text_release(&m->ranges);
  text_release(&m->modules);
  text_release(&m->sources);
  *m = (struct made){0};
}

static const char *process(char buffer[160], long rank, long ranks, const char *host) {
  snprintf(buffer, 160,
           "\"host\": \"%s\", \"pid\": 5, \"launcher\": \"srun\", \"rank\": %ld, \"ranks\": %ld, \"local_rank\": -1",
           host, rank, ranks);
  return buffer;
}

/* --- */

typedef void file_fn(struct run *out, const char *path);

static void add(struct run_merging *m, file_fn *file, const char *path) {
  struct run r;
  struct err e = {0};
  file(&r, path);
  if (run_merging_add(m, &r, path, &e))
    fail_msg("%s", e.text);
  run_release(&r);
}

/* Puts together what was added. */
static void merged(struct run *out, struct run_merging *m, file_fn *file) {
  struct err e = {0};
  if (run_merging_match(m, &e))
    fail_msg("%s", e.text);
  for (const char *path; (path = run_merging_next(m));) {
    struct run r;
    file(&r, path);
    if (run_merging_take(m, &r, &e))
      fail_msg("%s", e.text);
    run_release(&r);
  }
  run_merging_end(m, out);
  run_merging_free(m);
  out->tool = str_copy("t");
}

static const struct run_result *of(const struct run *r, const char *id) {
  for (size_t i = 0; i < r->n_results; i++)
    if (strcmp(r->variants[r->results[i].variant].id, id) == 0)
      return &r->results[i];
  fail_msg("no %s", id);
  return NULL;
}

static const char *key(const struct run *r, const char *id, const char *name) {
  return run_variant_key(&r->variants[of(r, id)->variant], name);
}

static void is_rank(const struct run_result *x, size_t at, int rank, unsigned launches, double ms) {
  assert_true(at < x->n_by_rank);
  assert_int_equal(x->by_rank[at].rank, rank);
  assert_int_equal(x->by_rank[at].launches, launches);
  assert_float_equal(x->by_rank[at].gpu_time_ns, ms * 1e6, 1);
}

/* Rank r: "f" takes 10, 30 or 12 ms; "g" has counters on rank 2 alone. */
static void three(struct run *out, const char *path) {
  char buffer[160];
  long rank = path[0] - '0';
  struct made m = {0};
  kernel(&m, "f", 1, 2, (double[]){10, 30, 12}[rank], 1, 0);
  kernel(&m, "g", 1, 4, 4, rank == 2 ? 3 : 0, -1);
  module(&m, "one.cu");
  range(&m, "step", 5 + (double)rank);
  if (rank == 1)
    range(&m, "other", 1);
  made_run(out, &m, process(buffer, rank, 4, rank ? "b" : "a"),
           rank == 1 ? "\"every\", \"one\"" : "\"other\", \"every\"");
}

static void test_ranks(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  add(m, three, "2");
  add(m, three, "0");
  add(m, three, "1");
  merged(&r, m, three);
  assert_int_equal(r.merge.expected, 4);
  assert_int_equal(r.merge.n_ranks, 3);
  assert_string_equal(r.merge.ranks[0].file, "0");
  assert_string_equal(r.merge.ranks[2].process.host, "b");
  assert_int_equal(r.process.launches, 27);
  const struct run_result *f = of(&r, "f1");
  is_rank(f, 0, 0, 2, 10);
  is_rank(f, 1, 1, 2, 30);
  is_rank(f, 2, 2, 2, 12);
  assert_string_equal(key(&r, "f1", "launches"), "6");
  assert_string_equal(key(&r, "f1", "gpu_time_ns"), "52000000");
  assert_string_equal(key(&r, "f1", "of_rank"), "2"); /* the median */
  assert_true(f->timing.samples_ns[0] == 6e6);
  assert_string_equal(key(&r, "g1", "of_rank"), "2"); /* the counters */
  assert_int_equal(of(&r, "g1")->n_metrics, 3);
  assert_string_equal(r.variants[0].id, "f1"); /* by time */
  assert_int_equal(r.n_ranges, 2);
  assert_string_equal(r.ranges[0].name, "step");
  assert_float_equal(r.ranges[0].gpu_time_ns, 18e6, 1);
  assert_int_equal(r.ranges[1].n_by_rank, 1);
  assert_int_equal(r.ranges[1].by_rank[0].rank, 1);
  assert_string_equal(r.notes[1], "every");
  assert_int_equal(r.n_notes, 2);
  run_release(&r);
}

/* Its code comes with it, and its sources once. */
static void test_code(void **state) {
  (void)state;
  struct run r, again;
  struct err e = {0};
  struct run_merging *m = run_merging_new();
  add(m, three, "0");
  add(m, three, "1");
  merged(&r, m, three);
  const struct run_result *f = of(&r, "f1");
  assert_int_equal(r.n_modules, 1);
  assert_int_equal(f->module, 0);
  assert_int_equal(f->samples[0].module, 0);
  assert_string_equal(r.sources[r.modules[0].kernels[0].sass[0].lines[0].source].name, "one.cu");
  if (run_save(&r, "test_run_merge.tmp.json", &e) || run_load(&again, "test_run_merge.tmp.json", &e))
    fail_msg("%s", e.text);
  is_rank(of(&again, "f1"), 1, 1, 2, 30);
  assert_int_equal(again.merge.ranks[1].process.rank, 1);
  again.merge.ranks[0].process.pass_set = (struct pass_set){3, 2};
  assert_int_equal(run_save(&again, "test_run_merge.tmp.json", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "merge.ranks[0].process.pass_set: there is no set 3 of 2"));
  again.merge.ranks[0].process.pass_set = (struct pass_set){0};
  again.results[0].by_rank[1].rank = 2;
  assert_int_equal(run_save(&again, "test_run_merge.tmp.json", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "by_rank[1].rank: 2 is not an index into merge.ranks, which has 2 entries"));
  again.results[0].by_rank[1].rank = 0;
  assert_int_equal(run_save(&again, "test_run_merge.tmp.json", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "does not ascend"));
  remove("test_run_merge.tmp.json");
  run_release(&again);
  run_release(&r);
}

/* Each rank has a kernel of its own from one file: which text it found, if any, is the letter of
 * its rank in the path's rest. */
static void found(struct run *out, const char *path) {
  char buffer[160], name[] = {'f', path[0], 0};
  long rank = path[0] - '0';
  struct made m = {0};
  kernel(&m, name, 4, 2, 3, 0, 0);
  module(&m, "one.cu");
  made_run(out, &m, process(buffer, rank, 3, "n1"), "");
  char **text = &out->sources[0].text, letter[] = {path[2 + rank], 0};
  free(*text);
  *text = str_copy(strcmp(letter, "-") == 0 ? "" : letter);
}

/* A rank that did not find a source's text takes that of one that did; two texts of one name are
 * two sources. */
static void texts_of_ranks(void **state) {
  static const struct {
    const char *texts, *want[2];
  } rows[] = {{"---", {""}}, {"--t", {"t"}}, {"t--", {"t"}}, {"-tt", {"t"}}, {"t-u", {"t", "u"}}, {"-tu", {"t", "u"}}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct run r;
    struct run_merging *m = run_merging_new();
    char paths[3][32];
    for (int rank = 0; rank < 3; rank++) {
      snprintf(paths[rank], sizeof paths[rank], "%d:%s", rank, rows[i].texts);
      add(m, found, paths[rank]);
    }
    merged(&r, m, found);
    assert_int_equal(r.n_modules, 3);
    assert_int_equal(r.n_sources, rows[i].want[1] ? 2 : 1);
    for (size_t k = 0; k < r.n_sources; k++)
      assert_string_equal(r.sources[k].text, rows[i].want[k]);
    run_release(&r);
  }
}

/* "f" has one grid on ranks 0 and 1 and another on 2; "g" has both on each; of ragged batches "h" has its own on each, and one that is far from them. */
static void grids(struct run *out, const char *path) {
  char buffer[160];
  long rank = path[0] - '0';
  struct made m = {0};
  kernel(&m, "f", rank == 2 ? 8 : 4, 2, rank == 2 ? 6 : 3, 0, -1);
  kernel(&m, "g", 4, 1, 1, 0, -1);
  kernel(&m, "g", 8, 1, 2, 0, -1);
  kernel(&m, "h", 104 - (unsigned)rank * 4, 1, 0.5, rank == 1, -1);
  kernel(&m, "h", 116, 1, 0.25, 0, -1);
  made_run(out, &m, process(buffer, rank, 3, "a"), "");
}

static void test_geometries(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  for (int i = 0; i < 3; i++)
    add(m, grids, (const char *[]){"0", "1", "2"}[i]);
  merged(&r, m, grids);
  assert_int_equal(r.n_results, 5);
  const struct run_result *f = &r.results[0];
  assert_string_equal(run_variant_key(&r.variants[0], "kernel"), "f");
  assert_string_equal(run_variant_key(&r.variants[0], "geometries"), "2");
  is_rank(f, 1, 1, 2, 3);
  is_rank(f, 2, 2, 2, 6);
  assert_null(key(&r, "g-8", "geometries"));
  is_rank(of(&r, "g-8"), 2, 2, 1, 2);
  is_rank(of(&r, "g-4"), 0, 0, 1, 1);
  const struct run_result *h = of(&r, "h-100"); /* with the counters of rank 1 */
  assert_int_equal(h->n_by_rank, 3);
  assert_int_equal(h->n_metrics, 1);
  is_rank(h, 2, 2, 1, 0.5);
  assert_null(key(&r, "h-100", "geometries"));
  is_rank(of(&r, "h-116"), 0, 0, 1, 0.25);
  run_release(&r);
}

/* "0", "1": ranks of a program of two; "0b": a second process of rank 0; "0x": rank 0 on another host; "5": of another program; "p": no rank. */
static void others(struct run *out, const char *path) {
  char buffer[160];
  struct made m = {0};
  kernel(&m, "f", 1, 2, 4, 0, -1);
  range(&m, "step", 2);
  const char *who = path[0] == '5'   ? process(buffer, 5, 6, "a")
                    : path[0] == 'p' ? "\"host\": \"a\", \"pid\": 7, \"rank\": 0, \"ranks\": -1, \"local_rank\": -1"
                    : path[1] == 'x' ? process(buffer, 0, 2, "elsewhere")
                                     : process(buffer, path[0] - '0', 2, "a");
  made_run(out, &m, who, "");
}

static void test_who(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  const char *const files[] = {"0", "0b", "0x", "1", "5", "p"};
  run_merging_leave_out(m, "broken", "no JSON");
  for (size_t i = 0; i < 6; i++)
    add(m, others, files[i]);
  merged(&r, m, others);
  assert_int_equal(r.merge.n_ranks, 3);
  assert_int_equal(r.merge.ranks[0].process.launches, 18);
  assert_null(r.merge.ranks[2].process.launcher);
  is_rank(&r.results[0], 0, 0, 4, 8);
  is_rank(&r.results[0], 1, 1, 2, 4);
  is_rank(&r.results[0], 2, 2, 2, 4);
  assert_true(r.ranges[0].by_rank[0].gpu_time_ns == 2e6); /* two times 2 ms, of which 1 in collectives */
  assert_true(r.ranges[0].gpu_time_ns == 8e6 && r.ranges[0].collective_ns == 4e6);
  assert_int_equal(r.merge.n_left_out, 3);
  assert_string_equal(r.merge.left_out[0].file, "broken");
  assert_string_equal(r.merge.left_out[1].file, "0x");
  assert_string_equal(r.merge.left_out[1].reason,
                      "rank 0 is 0 already, on another host: it may be from an earlier run");
  assert_string_equal(r.merge.left_out[2].reason, "it is from a program of 6 ranks, most files are from one of 2");
  run_release(&r);
}

/* Rank 0 has 30 ms of "a" and nothing else, rank 1 10 ms of "b". */
static void programs(struct run *out, const char *path) {
  char buffer[160];
  struct made m = {0};
  bool second = path[0] == '1';
  kernel(&m, second ? "b" : "a", 1, 2, second ? 10 : 30, 0, -1);
  made_run(out, &m, process(buffer, second, 2, "a"), "");
  out->process.gpu_time_ns = second ? 10e6 : 30e6;
  *(struct run_key *)array_add(&out->variants[0].keys, &out->variants[0].n_keys, sizeof(struct run_key)) =
      (struct run_key){str_copy("gpu_time_share"), str_copy("1.000000")};
}

static void test_shares(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  add(m, programs, "0");
  add(m, programs, "1");
  merged(&r, m, programs);
  assert_string_equal(key(&r, "a1", "gpu_time_share"), "0.750000"); /* 30 of 40 ms, and no rank's 100 % */
  assert_string_equal(key(&r, "b1", "gpu_time_share"), "0.250000");
  run_release(&r);
}

/* "0" to "3" are ranks, "2" of another card; "0b" is rank 0's file under another name, "0c" its next process, "p" and "q" are a process that is no rank. */
static void cards(struct run *out, const char *path) {
  char buffer[160];
  struct made m = {0};
  bool lone = path[0] > '9';
  kernel(&m, "f", 1, 2, 4, 0, -1);
  made_run(out, &m,
           lone ? "\"host\": \"a\", \"pid\": 7, \"rank\": 0, \"ranks\": -1, \"local_rank\": -1"
                : process(buffer, path[0] - '0', 4, "a"),
           "");
  out->created = str_copy(path[1] == 'c' ? "2026-01-01T00:00:09Z" : "2026-01-01T00:00:00Z");
  if (path[0] == '2')
    out->device.name[0] = 'H';
}

static void test_what_is_not_of_the_program(void **state) {
  static const char *const files[] = {"2", "0", "0b", "0c", "1", "3", "p", "q"};
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  for (size_t i = 0; i < 8; i++)
    add(m, cards, files[i]);
  merged(&r, m, cards);
  assert_int_equal(r.merge.n_ranks, 4);
  assert_int_equal(r.merge.ranks[0].process.launches, 18); /* of "0" and "0c" */
  assert_string_equal(r.notes[1],
                      "0c (of 2026-01-01T00:00:09Z) is another process of rank 0 beside 0 (of "
                      "2026-01-01T00:00:00Z), and both are added: leave one out if it is of an earlier job");
  assert_string_equal(r.device.name, "G");
  assert_int_equal(r.merge.n_left_out, 3);
  assert_string_equal(r.merge.left_out[0].file, "0b");
  assert_string_equal(r.merge.left_out[0].reason, "it is the same process as 0 (5 on a): it is merged once");
  assert_string_equal(r.merge.left_out[1].file, "2");
  assert_string_equal(r.merge.left_out[1].reason,
                      "it is of H, and the merged run is of G: counters and ceilings are of one chip, so merge the "
                      "ranks of each chip by themselves");
  assert_string_equal(r.merge.left_out[2].reason, "it is the same process as p (7 on a): it is merged once");
  run_release(&r);
  m = run_merging_new(); /* one of each: the lower rank's */
  add(m, cards, "2");
  add(m, cards, "0");
  merged(&r, m, cards);
  assert_string_equal(r.device.name, "G");
  assert_string_equal(r.merge.left_out[0].file, "2");
  run_release(&r);
}

/* --- counters that ranks divide between them --- */

/* Rank r of "r/n" has set r + 1 of n: its counters' values are the grid and the set.  "g" has a grid of its own on each rank, "h" counters on rank 0 alone. */
static void split(struct run *out, const char *path) {
  char who[160], all[220];
  struct made m = {.set = path[0] - '0' + 1, .sets = path[2] - '0'};
  kernel(&m, "f", 4, 2, 10, 3, -1);
  kernel(&m, "g", m.set == 1 ? 4 : 64, 1, 2, 3, -1);
  kernel(&m, "h", 4, 1, 1, m.set == 1 ? 3 : 0, -1);
  snprintf(all, sizeof all, "%s, \"pass_set\": {\"set\": %d, \"sets\": %d}", process(who, m.set - 1, 4, "a"), m.set,
           m.sets);
  made_run(out, &m, all, "");
}

static void counter_is(const struct run_result *x, size_t i, double value, const char *reason) {
  assert_int_equal(x->metrics[i].present, reason == NULL);
  if (reason)
    assert_string_equal(x->metrics[i].reason, reason);
  else
    assert_float_equal(x->metrics[i].value, value, 0);
}

static void test_split(void **state) {
  static const struct {
    const char *files[3], *of, *lack, *reason;
    bool second, third; /* whether a rank has counted m1, m2 */
  } cases[] = {
      {{"0/3", "1/3", "2/3"}, "0, 1, 2", NULL, NULL, true, true},
      {{"1/2", "0/2"}, "0, 1", NULL, NULL, true, true}, /* m2 is of the first set again */
      {{"0/3", "1/3"},
       "0, 1",
       "set 3 of 3",
       "no merged rank counted it: the counters of set 3 of 3 are missing (--split-passes)",
       true,
       false},
      {{"0/4"},
       "0",
       "set 2, 3, 4 of 4",
       "no merged rank counted it: the counters of set 2, 3, 4 of 4 are missing (--split-passes)",
       false,
       false},
  };
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    struct run r;
    struct run_merging *m = run_merging_new();
    for (size_t i = 0; i < 3 && cases[c].files[i]; i++)
      add(m, split, cases[c].files[i]);
    merged(&r, m, split);
    long sets = cases[c].files[0][2] - '0';
    const struct run_result *f = of(&r, "f-4");
    assert_int_equal(f->n_metrics, 3);
    counter_is(f, 0, 4 + 1, NULL);
    counter_is(f, 1, 4 + 2, cases[c].second ? NULL : cases[c].reason);
    counter_is(f, 2, 4 + (sets == 2 ? 1 : 3), cases[c].third ? NULL : cases[c].reason);
    assert_string_equal(key(&r, "f-4", "counters_of"), cases[c].of);
    if (cases[c].lack)
      assert_string_equal(key(&r, "f-4", "counters_lack"), cases[c].lack);
    else
      assert_null(key(&r, "f-4", "counters_lack"));
    assert_string_equal(key(&r, "h-4", "of_rank"), "0");
    assert_string_equal(key(&r, "h-4", "counters_of"), "0");
    assert_string_equal(r.notes[1],
                        "--split-passes: each rank collected one set of the counters; counters_of names the "
                        "ranks that a kernel's counters come from, counters_lack the sets that are missing");
    if (cases[c].files[1]) { /* "g" differs from rank to rank */
      const struct run_result *g = &r.results[1];
      assert_string_equal(run_variant_key(&r.variants[g->variant], "geometries"), "2");
      assert_null(run_variant_key(&r.variants[g->variant], "counters_of"));
      for (size_t i = 0; i < 3; i++)
        if (!g->metrics[i].present)
          assert_string_equal(g->metrics[i].reason,
                              "another rank counts it (--split-passes), and the kernel's launches differ in geometry "
                              "from rank to rank: their counters are not joined");
    }
    run_release(&r);
  }
}

/* Two kernels that their ranks call alike. */
static void alike(struct run *out, const char *path) {
  char buffer[160];
  struct made m = {.id = "x"};
  kernel(&m, path[0] == '0' ? "a" : "b", 1, 1, 3 - (path[0] - '0'), 0, -1);
  made_run(out, &m, process(buffer, path[0] - '0', 2, "a"), "");
}

static void test_ids_stay_apart(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  add(m, alike, "1");
  add(m, alike, "0");
  merged(&r, m, alike);
  assert_int_equal(r.n_variants, 2);
  assert_string_equal(r.variants[0].id, "x");
  assert_string_equal(run_variant_key(&r.variants[0], "kernel"), "a"); /* of most time */
  assert_string_equal(r.variants[1].id, "x [2]");
  run_release(&r);
}

/* More kernels than are kept. */
static void many(struct run *out, const char *path) {
  char buffer[160], name[16];
  struct made m = {0};
  for (int i = 0; i < 300; i++) {
    snprintf(name, sizeof name, "k%03d", i);
    kernel(&m, name, 1, 1, i + 1, 0, -1);
  }
  made_run(out, &m, process(buffer, path[0] - '0', 2, "a"), "");
}

static void test_refused(void **state) {
  (void)state;
  struct run r;
  struct err e = {0};
  struct made none = {0};
  struct run_merging *m = run_merging_new();
  assert_int_equal(run_merging_match(m, &e), ERR_DATA);
  run_merging_free(m);
  m = run_merging_new();
  made_run(&r, &none, "\"pid\": 5, \"rank\": 0, \"ranks\": -1, \"local_rank\": -1", "");
  assert_int_equal(run_merging_add(m, &r, "none", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "not the run of a process"));
  run_release(&r);
  grids(&r, "0");
  r.results[2].variant = 1;
  assert_int_equal(run_merging_add(m, &r, "twice", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "it has two results of g-4"));
  run_release(&r);
  add(m, three, "0");
  merged(&r, m, three);
  m = run_merging_new();
  assert_int_equal(run_merging_add(m, &r, "merged", &e), ERR_DATA);
  assert_non_null(strstr(e.text, "it is a merged run"));
  run_release(&r);
  add(m, three, "0");
  assert_int_equal(run_merging_match(m, &e), 0);
  assert_string_equal(run_merging_next(m), "0");
  many(&r, "0"); /* it was written anew meanwhile */
  assert_int_equal(run_merging_take(m, &r, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "has changed while it was merged"));
  run_release(&r);
  run_merging_free(m);
}

/* Those of most time are kept, and what is left out is said. */
static void test_many(void **state) {
  (void)state;
  struct run r;
  struct run_merging *m = run_merging_new();
  add(m, many, "0");
  add(m, many, "1");
  merged(&r, m, many);
  assert_int_equal(r.n_results, 256);
  assert_string_equal(r.variants[0].id, "k2991");
  assert_string_equal(r.variants[255].id, "k0441");
  /* 2 * (1 + ... + 44) ms */
  assert_string_equal(r.notes[1], "the 256 longest kernels are kept; 44 others take 1980.000 ms of the GPU time");
  run_release(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ranks),     cmocka_unit_test(test_code),
      cmocka_unit_test(texts_of_ranks), cmocka_unit_test(test_geometries),
      cmocka_unit_test(test_split),     cmocka_unit_test(test_ids_stay_apart),
      cmocka_unit_test(test_shares),    cmocka_unit_test(test_what_is_not_of_the_program),
      cmocka_unit_test(test_who),       cmocka_unit_test(test_refused),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
