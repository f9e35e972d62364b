/* findings.json of the small run, read again: its facts are those of small.facts, in SI units. */
#include "reports/text/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include <math.h>
#include <string.h>

struct fixture {
  struct run run;
  struct device device;
  struct findings findings;
  json_t *root;
};

static int setup(void **state) {
  static struct fixture x;
  struct text out = {0};
  struct err e = {0};
  *state = &x;
  if (run_load(&x.run, TEST_SOURCE_DIR "/tests/golden/small.json", &e) ||
      device_from_run(&x.device, &x.run.device, &e) || findings_make(&x.findings, &x.run, &x.device, &e))
    return -1;
  report_json(&x.findings, &out);
  x.root = json_loads(text_str(&out), 0, NULL);
  text_release(&out);
  return x.root ? 0 : -1;
}

static int teardown(void **state) {
  struct fixture *x = *state;
  json_decref(x->root);
  findings_release(&x->findings);
  device_release(&x->device);
  run_release(&x->run);
  return 0;
}

/* "bounds.seconds.dram": keys, by dots. */
static const json_t *at(const json_t *o, const char *path) {
  char key[64];
  while (o && *path) {
    size_t n = strcspn(path, ".");
    assert_in_range(n, 1, sizeof key - 1);
    memcpy(key, path, n);
    key[n] = '\0';
    o = json_object_get(o, key);
    path += n + (path[n] == '.');
  }
  return o;
}

static void is_text(const json_t *o, const char *path, const char *want) {
  const json_t *v = at(o, path);
  if (!json_is_string(v) || strcmp(json_string_value(v), want) != 0)
    fail_msg("%s is %s, not %s", path, json_is_string(v) ? json_string_value(v) : "no text", want);
}

static void is_number(const json_t *o, const char *path, double want) {
  const json_t *v = at(o, path);
  if (!json_is_number(v) || !(fabs(json_number_value(v) - want) <= 1e-9 * fabs(want)))
    fail_msg("%s is %.12g, not %.12g", path, json_number_value(v), want);
}

static const json_t *finding(const struct fixture *x, const char *variant, const char *shape) {
  const json_t *items = at(x->root, "findings");
  for (size_t i = 0; i < json_array_size(items); i++) {
    const json_t *o = json_array_get(items, i);
    const char *id = json_string_value(at(o, "variant")), *of = json_string_value(at(o, "shape"));
    if (id && of && strcmp(id, variant) == 0 && strcmp(of, shape) == 0)
      return o;
  }
  fail_msg("no %s at %s", variant, shape);
  return NULL;
}

static void what_the_run_is(void **state) {
  const struct fixture *x = *state;
  is_text(x->root, "schema", "nvfp4-prof/findings/1");
  is_text(x->root, "origin", "measured");
  is_text(x->root, "device", "NVIDIA H200");
  is_text(x->root, "created", "2025-11-20T12:00:00Z");
  is_text(x->root, "tool", "0.1.0");
  is_text(x->root, "l2", "cold");
  is_text(x->root, "inputs", "default");
  assert_true(json_is_false(at(x->root, "partial")));
  assert_int_equal(json_array_size(at(x->root, "notes")), x->run.n_notes);
  assert_string_equal(json_string_value(json_array_get(at(x->root, "notes"), 0)), x->run.notes[0]);
  assert_int_equal(json_array_size(at(x->root, "findings")), x->findings.n);
  is_number(x->root, "geomean_s.cuda-0-naive.value", 4800e-6);
  is_number(x->root, "geomean_s.cuda-2-intrinsics.value", 48e-6);
  assert_true(json_is_null(at(x->root, "geomean_s.cuda-2-side.value")));
  assert_true(json_is_string(at(x->root, "geomean_s.cuda-2-side.reason")));
}

static void a_finding(void **state) {
  const struct fixture *x = *state;
  const json_t *o = finding(x, "cuda-2-intrinsics", "7168x16384x1");
  is_number(o, "time.middle_s", 32e-6);
  is_number(o, "time.discarded", 0);
  is_number(o, "registers", 64);
  is_text(o, "bounds.binding", "latency");
  is_text(o, "sol_minimal.bytes_kind", "minimal");
  is_number(o, "sol_minimal.bandwidth.value", 4.8e12);
  is_text(o, "sol_minimal.bandwidth.name", "dram_bw");
  is_text(o, "sol_minimal.bandwidth.unit", "B/s");
  is_text(o, "sol_minimal.bandwidth.kind", "datasheet");
  is_number(o, "sol_minimal.seconds", json_number_value(at(o, "sol_minimal.bytes")) / 4.8e12);
  assert_true(json_is_false(at(o, "same_as_parent")));
  assert_int_equal(json_array_size(at(o, "doubts")), 0);
  for (int k = 0; k < BOUND_KINDS; k++)
    assert_true(json_is_object(json_object_get(at(o, "bounds.seconds"), bound_name((enum bound_kind)k))));
  for (int l = 0; l < ROOF_LEVELS; l++)
    assert_true(json_is_object(json_object_get(at(o, "roofline"), roof_level_name((enum roof_level)l))));
  const struct finding *f = findings_at(&x->findings, "cuda-2-intrinsics", x->findings.shapes[0]);
  assert_int_equal(json_object_size(at(o, "derived")), f->n_derived);
  assert_int_equal(json_object_size(at(o, "counters")), f->result->n_metrics);
  const struct run_metric *m = &f->result->metrics[0];
  const json_t *counter = json_object_get(at(o, "counters"), m->name);
  is_number(counter, "value", m->value);
  is_text(counter, "unit", m->unit);
}

static void a_finding_without_a_time(void **state) {
  const struct fixture *x = *state;
  const json_t *o = finding(x, "cuda-2-side", "4096x7168x8");
  assert_true(json_is_null(at(o, "time.middle_s")));
  is_text(o, "time.reason", "the kernel did not finish within 10 s, and its worker was ended");
  assert_true(json_is_null(at(o, "bounds.share")));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {CASE(what_the_run_is), CASE(a_finding), CASE(a_finding_without_a_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
