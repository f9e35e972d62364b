/* Run files that are damaged, foreign or hostile: each is refused by a message that names file and place, and nothing leaks. */
#include "base/text.h"
#include "run/gunzip.h"
#include "run/run.h"
#include "unit/golden_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const struct run zero;

static void refused(const char *json, size_t n, const char *words) {
  struct run r;
  struct err e = {0};
  int rc = run_load_text(&r, "x.json", json, n, &e);
  if (rc == 0)
    run_release(&r);
  if (rc != ERR_DATA)
    fail_msg("code %d where ERR_DATA was expected: %s", rc, words);
  assert_int_equal(e.code, ERR_DATA);
  if (strncmp(e.text, "x.json:", 7) != 0 || !strstr(e.text, words))
    fail_msg("\"%s\" is not in \"%s\"", words, e.text);
  assert_memory_equal(&r, &zero, sizeof r);
}

static void accepted(const char *json, size_t n) {
  struct run r;
  struct err e = {0};
  if (run_load_text(&r, "x.json", json, n, &e))
    fail_msg("%s", e.text);
  run_release(&r);
}

/* The golden run with the first `from` after the first `after` replaced. */
static char *edited(const char *after, const char *from, const char *to) {
  const char *start = strstr(golden, after);
  const char *at = start ? strstr(start, from) : NULL;
  if (!at)
    fail_msg("the golden run has no %s after %s", from, after);
  return str_printf("%.*s%s%s", (int)(at - golden), golden, to, at + strlen(from));
}

static const struct edit {
  const char *after, *from, *to, *words;
} edits[] = {
    /* schema */
    {"{", "\"schema\"", "\"scheme\"", "x.json: schema: missing, so this is not a nvfp4-prof/run/1 file"},
    {"{", "\"nvfp4-prof/run/1\"", "1", "x.json: schema: expected a string, found a number"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/run/2",
     "x.json: schema nvfp4-prof/run/2; this tool reads up to 1: update nvfp4-prof"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/run/99999999999999999999", "this tool reads up to 1"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/run/0", "schema: \"nvfp4-prof/run/0\" is not nvfp4-prof/run/1"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/run/-1", "is not nvfp4-prof/run/1"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/run/1b", "is not nvfp4-prof/run/1"},
    {"{", "nvfp4-prof/run/1", "nvfp4-prof/device/1", "this is another kind of file"},
    /* types */
    {"\"results\"", "\"module\": 0", "\"module\": \"0\"", "results[0].module: expected a number, found a string"},
    {"\"results\"", "\"module\": 0", "\"module\": 0.5",
     "results[0].module: expected a whole number, found a number with a fraction"},
    {"\"results\"", "\"module\": 0", "\"module\": null", "results[0].module: expected a number, found null"},
    {"{", "\"partial\": false", "\"partial\": 0", "partial: expected true or false, found a number"},
    {"{", "\"tool\": \"0.1.0\"", "\"tool\": 1", "tool: expected a string, found a number"},
    {"{", "\"flush_bytes\": 536870912", "\"flush_bytes\": {}", "flush_bytes: expected a number, found an object"},
    {"{", "\"origin\": \"measured\"", "\"origin\": 0", "origin: expected a string, found a number"},
    {"{", "\"origin\": \"measured\"", "\"origin\": \"guessed\"",
     "origin: \"guessed\" is unknown; expected one of: measured, recorded, modelled, published"},
    {"\"results\"", "\"verdict\": \"pass\"", "\"verdict\": \"fine\"", "results[0].check.verdict: \"fine\" is unknown"},
    {"\"results\"", "\"verdict\": \"pass\"", /* of a long one 60 bytes are shown */
     "\"verdict\": \"0123456789012345678901234567890123456789012345678901234567890123456789\"",
     "\"012345678901234567890123456789012345678901234567890123456789\" is unknown"},
    {"\"notes\"", "\"made up for tests", "7, \"made up", "notes[0]: expected a string, found a number"},
    {"\"results\"", "[3200000,", "[\"3200000\",", "results[0].timing.samples_ns[0]: expected a number, found a string"},
    {"\"results\"", "\"timing\": {", "\"timing\": [], \"t\": {",
     "results[0].timing: expected an object, found an array"},
    {"{", "\"device\": {", "\"device\": 1, \"d\": {", "device: expected an object, found a number"},
    {"{", "\"variants\": [", "\"variants\": {}, \"v\": [", "variants: expected an array, found an object"},
    {"\"sass\"", "[0, \"LDC", "{}, [0, \"LDC", "modules[0].kernels[0].sass[0]: expected an array, found an object"},
    {"\"sass\"", "[0, \"LDC", "[1], [0, \"LDC", "modules[0].kernels[0].sass[0]: expected 3 values, found 1"},
    {"\"sass\"", "[0, \"LDC", "[0, null, []], [0, \"LDC",
     "modules[0].kernels[0].sass[0].text: expected a string, found null"},
    {"\"results\"", "\"grid\": [56, 1, 1]", "\"grid\": [56, 1]",
     "results[0].launches[0].grid: expected 3 numbers, found 2"},
    {"\"results\"", "\"grid\": [56, 1, 1]", "\"grid\": [56, -1, 1]",
     "results[0].launches[0].grid[1]: -1 is less than 0"},
    {"\"results\"", "\"grid\": [56, 1, 1]", "\"grid\": 56", "grid: expected an array of 3 numbers, found a number"},
    /* missing */
    {"{", "\"tool\"", "\"tull\"", "x.json: tool: missing"},
    {"{", "\"seed\"", "\"sead\"", "x.json: seed: missing"},
    {"{", "\"device\"", "\"dev\"", "x.json: device: missing"},
    {"\"variants\"", "\"id\": \"cuda-0-naive\"", "\"id\": null", "variants[0].id: expected a string, found null"},
    {"\"results\"", "\"unit\": \"B\"", "\"u\": \"B\"", "results[0].metrics[0].unit: missing"},
    {"\"results\"", "\"value\": ", "\"v\": ", "results[0].metrics[0].value: missing"},
    /* ranges */
    {"\"results\"", "\"variant\": 0", "\"variant\": 7",
     "results[0].variant: 7 is not an index into variants, which has 7 entries"},
    {"\"results\"", "\"variant\": 0", "\"variant\": -1", "results[0].variant: -1 is less than 0"},
    {"\"results\"", "\"variant\": 0", "\"variant\": 4294967296",
     "results[0].variant: 4294967296 is more than 2147483647"},
    {"\"results\"", "\"module\": 0", "\"module\": 6", "results[0].module: 6 is not an index into modules"},
    {"\"results\"", "\"module\": 0", "\"module\": -2", "results[0].module: -2 is less than -1"},
    {"\"samples\"", "[2, 0, 48,", "[6, 0, 48,", "results[4].samples[0].module: 6 is not an index"},
    {"\"counts\"", "[2, 0, 16,", "[6, 0, 16,", "results[4].counts[0].module: 6 is not an index"},
    {"\"counts\"", "57344,", "-2,", "results[4].counts[0].executed: -2 is less than -1"},
    {"\"samples\"", "[2, 0, 48,", "[2, 1, 48,",
     "results[4].samples[0].kernel: 1 is not an index into the module's kernels"},
    {"\"samples\"", "[2, 0, 48,", "[2, 0, 4294967296,",
     "results[4].samples[0].offset: 4294967296 is more than 4294967295"},
    {"\"samples\"", "600, 580", "0600, 580", "x.json:512:"},
    {"\"samples\"", "600, 580", "600, 580 580", "x.json:512:"},
    {"\"samples\"", "long_scoreboard", "long\nscoreboard", "x.json:512:"},
    {"\"samples\"", "600, 580", "-600, 580", "results[4].samples[0].samples: -600 is less than 0"},
    {"\"samples\"", "600, 580", "\"6e2\", 580", "results[4].samples[0].samples: expected a number or its digits"},
    {"\"samples\"", "600, 580", "\"18446744073709551616\", 580", "up to 2^64 - 1"},
    {"\"sass\"", "[[0, 3]]", "[[3, 3]]",
     "modules[0].kernels[0].sass[0].lines[0].source: 3 is not an index into sources"},
    {"\"sass\"", "[[0, 3]]", "[[0, 3,]]", "x.json:"},
    {"\"sass\"", "[[0, 3]]", "[[-2, 3]]", "sass[0].lines[0].source: -2 is less than -1"},
    {"\"results\"", "\"bytes_minimal\": 66083840", "\"bytes_minimal\": -1",
     "results[0].bytes_minimal: -1 is less than 0"},
    {"\"results\"", "\"m\": 7168", "\"m\": 0", "results[0].shape.m: 0 is less than 1"},
    {"\"results\"", "\"k\": 16384", "\"k\": 16383", "results[0].shape: "},
    {"\"results\"", "\"m\": 7168", "\"m\": 9223372036854775807", "results[0].shape: "},
    {"\"variants\"", "\"id\": \"cuda-1-coalesced\"", "\"id\": \"cuda-0-naive\"",
     "variants: two have the id \"cuda-0-naive\""},
    /* JSON itself */
    {"{", "536870912", "1e400", "x.json: flush_bytes: the number is too large"},
    {"{", "536870912", "NaN", "x.json:12:"},
    {"{", "536870912", "Infinity", "x.json:12:"},
    {"{", "\"git\": \"0123456789ab\"", "\"tool\": \"2\"", "tool: duplicate object key"},
    {"{", "0.1.0", "0\\u0000", "x.json:5:"},
    {"{", "0.1.0", "\xE9", "x.json:5:"},
    /* lines and columns are the file's */
    {"\"results\"", "\n  },\n  {", "\n  }\n  {", "x.json:350:3: expected ',' or ']'; the file is cut short"},
    {"\"results\"", "\n  },\n  {", "\n  },,\n  {", "x.json:349:5: no value of JSON"},
    {"\"results\"", "\n  },\n  {", "\n  } 1,\n  {", "x.json:349:5: expected ',' or ']'"},
    {"\"results\"", "\n  }\n ]", "\n  },\n ]", "x.json:721:2: no value of JSON"},
    {"\"results\"", "\n  }\n ]", "\n  }\n }", "x.json:721:2: expected ',' or ']'"},
    {"\"results\"", "[", "[,", "x.json:318:14: no value of JSON"},
    {"\"results\"", "\"m\": 7168", "\"m\": 7168, \"m\": 7168", "results[0].shape.m: duplicate object key"},
    {"\"results\"", "\n  },\n  {", "\n  },\n  7,\n  {", "x.json: results[1]: expected an object, found a number"},
    {"\"results\"", "\n  },\n  {", "\n  },\n  null,\n  {", "x.json: results[1]: expected an object, found null"},
    {"{", "\"results\": [", "\"results\": [], \"results\": [", "results: duplicate object key"},
    {"{", "\"results\": [", "\"results\": {}, \"r\": [", "x.json: results: expected an array, found an object"},
};

static void test_edits(void **state) {
  (void)state;
  accepted(golden, n_golden);
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
    char *json = edited(edits[i].after, edits[i].from, edits[i].to);
    refused(json, strlen(json), edits[i].words);
    free(json);
  }
}

static void test_unknown_keys_are_ignored(void **state) {
  (void)state;
  char *json = edited("{", "\"git\": ", "\"future\": {\"a\": [1, {}]}, \"git\": ");
  accepted(json, strlen(json));
  free(json);
  json = edited("\"samples\"", "600, 580]", "600, 580, \"more\"]");
  accepted(json, strlen(json));
  free(json);
}

/* Brackets and quotes in strings are no structure, and blanks between elements are none either. */
static void test_arrays_end_where_they_end(void **state) {
  (void)state;
  static const char *const same[][3] = {
      {"{", "\"nvfp4-prof --variant all", "\"\\\"results\\\": [ {]\\\\"},
      {"{", "\"results\": [", "\"x\": \"]\", \"results\"\t:\r\n [\n\n"},
      {"\"results\"", "\n  },\n  {", "\n  }\t,{"},
      {"{", "\"notes\": [", "\"n\\u006ftes\": ["},
  };
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    char *json = edited(same[i][0], same[i][1], same[i][2]);
    struct run r, whole;
    struct err e = {0};
    assert_int_equal(run_load_text(&whole, "golden.json", golden, n_golden, &e), 0);
    if (run_load_text(&r, "x.json", json, strlen(json), &e))
      fail_msg("%zu: %s", i, e.text);
    assert_int_equal(r.n_results, whole.n_results);
    assert_int_equal(r.n_modules, whole.n_modules);
    assert_string_equal(r.variants[r.results[r.n_results - 1].variant].id,
                        whole.variants[whole.results[whole.n_results - 1].variant].id);
    run_release(&r);
    run_release(&whole);
    free(json);
  }
}

/* A row of samples says the same in whatever form JSON allows. */
static void test_forms_of_a_row(void **state) {
  (void)state;
  static const char *const forms[] = {
      "[2,0,48,\"long_scoreboard\",600,580]",
      "[\t2 , 0, 48\n, \"long_scoreboard\" ,600 , 580 ]",
      "[2, 0, 48, \"long\\u005fscoreboard\", 600, 580]",
      "[2, -0, 48, \"long_scoreboard\", \"600\", 580, \"more\"]",
  };
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    char *json = edited("\"samples\"", "[2, 0, 48, \"long_scoreboard\", 600, 580]", forms[i]);
    struct run r;
    struct err e = {0};
    if (run_load_text(&r, "x.json", json, strlen(json), &e))
      fail_msg("%s: %s", forms[i], e.text);
    const struct run_sample *s = r.results[4].samples;
    assert_true(s->module == 2 && s->kernel == 0 && s->offset == 48 && s->samples == 600 && s->not_issued == 580);
    assert_string_equal(s->reason, "long_scoreboard");
    run_release(&r);
    free(json);
  }
}

static void test_null_strings_and_arrays_are_absent(void **state) {
  (void)state;
  char *json = edited("{", "\"git\": \"0123456789ab\"", "\"git\": null");
  accepted(json, strlen(json));
  free(json);
  json = edited("{", "\"notes\": [", "\"notes\": null, \"n\": [");
  accepted(json, strlen(json));
  free(json);
}

/* Cut anywhere, the text is refused with line, column and remedy; the last cut leaves out only the closing brace. */
static void test_truncated(void **state) {
  (void)state;
  for (size_t n = 0; n < n_golden - 1; n += n < 200 || n > n_golden - 200 ? 1 : 97) {
    char *cut = malloc(n + 1); /* exactly as long as the cut, so that ASan sees a read beyond it */
    assert_non_null(cut);
    memcpy(cut, golden, n);
    refused(cut, n, "the file is cut short or damaged: profile again, or restore it");
    free(cut);
  }
  static const char head[] = "{\n \"schema\": \"nvfp4-prof/run/1\",\n \"created\": \"2025";
  refused(head, strlen(head), "x.json:3:");
}

/* One byte changed anywhere: refused with the file's name, or still a valid run; never a crash. */
static void test_damaged(void **state) {
  (void)state;
  static const char bytes[] = {'9', '"', '[', '}', '-', '\0', '\xFF'};
  char *json = malloc(n_golden);
  assert_non_null(json);
  size_t n_refused = 0;
  for (size_t i = 0; i < n_golden; i += 61) {
    memcpy(json, golden, n_golden);
    json[i] = bytes[i % sizeof bytes];
    struct run r;
    struct err e = {0};
    if (run_load_text(&r, "x.json", json, n_golden, &e)) {
      assert_int_equal(e.code, ERR_DATA);
      assert_memory_equal(e.text, "x.json:", 7);
      assert_memory_equal(&r, &zero, sizeof r);
      n_refused++;
    } else {
      run_release(&r);
    }
  }
  assert_true(n_refused > 100);
  free(json);
}

/* A root object that holds `extra` arrays in one another under an unknown key; brackets inside strings do not count. */
static char *nested(size_t extra) {
  struct text t = {0}, deep = {0};
  for (size_t i = 0; i < extra; i++)
    text_add(&deep, "[");
  text_add(&deep, "\"[[[[\\\"[[[[{{{{\"");
  for (size_t i = 0; i < extra; i++)
    text_add(&deep, "]");
  text_printf(&t, "{\n\"deep\": %s,%s", text_str(&deep), strchr(golden, '{') + 1);
  text_release(&deep);
  return text_take(&t);
}

static void test_depth(void **state) {
  (void)state;
  char *json = nested(63);
  accepted(json, strlen(json));
  free(json);
  json = nested(64);
  refused(json, strlen(json), "x.json:2:72: nested deeper than 64");
  free(json);

  enum { DEEP = 5000000 };
  char *brackets = malloc(DEEP);
  assert_non_null(brackets);
  memset(brackets, '[', DEEP);
  refused(brackets, DEEP, "x.json:1:65: nested deeper than 64");
  free(brackets);
}

static void test_absurd_count(void **state) {
  (void)state;
  struct text many = {0};
  text_add(&many, "\"notes\": [");
  for (int i = 0; i < 1000000; i++)
    text_add(&many, "\"\",");
  char *json = edited("{", "\"notes\": [", text_str(&many));
  refused(json, strlen(json), "notes: more than the 1000000 elements that a file may hold");
  free(json);
  text_release(&many);
}

static void test_not_json(void **state) {
  (void)state;
  refused("", 0, "x.json:");
  refused("\0\0\0\0", 4, "x.json:");
  refused("[]", 2, "x.json: the whole: expected an object, found an array");
  refused("{}", 2, "x.json: schema: missing");
  refused("null", 4, "x.json: not a run file, which begins with '{'");
  refused("\n // code", 9, "x.json: not a run file, which begins with '{'");
  refused("{} {}", 5, "x.json:1:");
}

static void test_files(void **state) {
  (void)state;
  static const char big[] = "test_run_hostile.tmp.json";
  struct run r;
  struct err e = {0};
  assert_int_equal(run_load(&r, "no-such-run.json", &e), ERR_IO);
  assert_non_null(strstr(e.text, "no-such-run.json"));
  assert_memory_equal(&r, &zero, sizeof r);
  assert_int_equal(run_load(&r, ".", &e), ERR_IO);

  /* Sparse: it takes no room on the disk. */
  FILE *f = fopen(big, "w");
  assert_non_null(f);
  assert_int_equal(ftruncate(fileno(f), (off_t)RUN_FILE_MAX + 1), 0);
  fclose(f);
  int rc = run_load(&r, big, &e);
  unlink(big);
  assert_int_equal(rc, ERR_DATA);
  assert_string_equal(e.text,
                      "test_run_hostile.tmp.json: 536870913 bytes, more than the 536870912 that a run may have");
  assert_memory_equal(&r, &zero, sizeof r);
}

/* --- runs that gzip has compressed --- */

static void text_pack(struct text *out, const char *data, size_t n) {
  z_stream z = {.next_in = (z_const Bytef *)data, .avail_in = (uInt)n};
  assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  uLong room = deflateBound(&z, (uLong)n);
  char *packed = malloc(room);
  assert_non_null(packed);
  z.next_out = (Bytef *)packed;
  z.avail_out = (uInt)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  text_add_n(out, packed, z.total_out);
  deflateEnd(&z);
  free(packed);
}

/* What run_load says of a file that holds these bytes; words NULL: it is read. */
static void packed_loads(const char *data, size_t n, const char *words) {
  static const char path[] = "test_run_hostile.tmp.json.gz";
  struct run r;
  struct err e = {0};
  assert_int_equal(file_write(path, data, n, &e), 0);
  int rc = run_load(&r, path, &e);
  unlink(path);
  if (!words) {
    if (rc)
      fail_msg("%s", e.text);
    assert_int_equal(r.n_variants, 7);
    run_release(&r);
    return;
  }
  assert_int_equal(rc, ERR_DATA);
  if (strncmp(e.text, "test_run_hostile.tmp.json.gz:", strlen(path) + 1) != 0 || !strstr(e.text, words))
    fail_msg("\"%s\" is not in \"%s\"", words, e.text);
  assert_memory_equal(&r, &zero, sizeof r);
}

static void test_packed(void **state) {
  (void)state;
  struct text whole = {0}, halves = {0};
  text_pack(&whole, golden, n_golden);
  assert_true(whole.n < n_golden / 2);
  packed_loads(whole.s, whole.n, NULL);
  text_pack(&halves, golden, n_golden / 2);
  text_pack(&halves, golden + n_golden / 2, n_golden - n_golden / 2);
  packed_loads(halves.s, halves.n, NULL);
  text_release(&whole);
  text_release(&halves);

  struct text half = {0};
  text_pack(&half, golden, n_golden / 2);
  packed_loads(half.s, half.n, "the file is cut short or damaged: profile again, or restore it");
  text_release(&half);
}

static void test_packed_is_cut(void **state) {
  (void)state;
  struct text whole = {0};
  text_pack(&whole, golden, n_golden);
  for (size_t n = 2; n < whole.n; n += n < 32 || n > whole.n - 32 ? 1 : 53) {
    char *cut = malloc(n), *out = NULL; /* exactly as long as the cut, so that ASan sees a read beyond it */
    size_t n_out = 0;
    struct err e = {0};
    assert_non_null(cut);
    memcpy(cut, whole.s, n);
    assert_int_equal(gunzip(cut, n, RUN_FILE_MAX, &out, &n_out, &e), ERR_DATA);
    assert_non_null(strstr(e.text, "its gzip data ends too early"));
    assert_non_null(strstr(e.text, "profile again, or restore it"));
    assert_null(out);
    free(cut);
  }
  packed_loads(whole.s, whole.n - 1, "its gzip data ends too early");
  text_release(&whole);
}

static void test_packed_is_damaged(void **state) {
  (void)state;
  struct text whole = {0};
  text_pack(&whole, golden, n_golden);
  const struct {
    size_t at;
    const char *words;
  } damages[] = {
      {2,
       "its gzip data is wrong (unknown compression method), 0 bytes into the run; the file is cut short or damaged"},
      {3, "its gzip data is wrong (unknown header flags set)"},
      {whole.n - 8, "its gzip data is wrong (incorrect data check)"},
      {whole.n - 1, "its gzip data is wrong (incorrect length check)"},
  };
  for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
    whole.s[damages[i].at] ^= (char)0x80;
    packed_loads(whole.s, whole.n, damages[i].words);
    whole.s[damages[i].at] ^= (char)0x80;
  }
  text_add(&whole, "more");
  packed_loads(whole.s, whole.n, "4 bytes that are not gzip's follow its gzip data; the file is cut short or damaged");
  text_release(&whole);
}

/* The limit is on what comes out, of all members together, to the byte. */
static void test_packed_is_a_bomb(void **state) {
  (void)state;
  enum { MEMBER = 32 << 20, MEMBERS = RUN_FILE_MAX / MEMBER };
  struct text whole = {0}, member = {0}, bomb = {0};
  char *out = NULL;
  size_t n_out = 0;
  struct err e = {0};
  text_pack(&whole, golden, n_golden);
  assert_int_equal(gunzip(whole.s, whole.n, n_golden, &out, &n_out, &e), 0);
  assert_int_equal(n_out, n_golden);
  assert_memory_equal(out, golden, n_golden + 1); /* with its NUL */
  free(out);
  out = NULL;
  assert_int_equal(gunzip(whole.s, whole.n, n_golden - 1, &out, &n_out, &e), ERR_DATA);
  assert_null(out);

  char *zeros = calloc(MEMBER, 1);
  assert_non_null(zeros);
  text_pack(&member, zeros, MEMBER);
  for (int i = 0; i < MEMBERS; i++)
    text_add_n(&bomb, member.s, member.n);
  text_pack(&bomb, zeros, 1);
  free(zeros);
  assert_true(bomb.n < 1 << 20);
  packed_loads(bomb.s, bomb.n,
               "it inflates to more than the 536870912 bytes that a run may have: profile fewer variants or shapes");
  text_release(&bomb);
  text_release(&member);
  text_release(&whole);
}

/* A caller that wants only the code passes no struct err. */
static void test_no_err(void **state) {
  (void)state;
  struct run r;
  assert_int_equal(run_load(&r, "no-such-run.json", NULL), ERR_IO);
  assert_int_equal(run_load_text(&r, "x.json", "{}", 2, NULL), ERR_DATA);
  char *json = edited("\"results\"", "\"variant\": 0", "\"variant\": 7");
  assert_int_equal(run_load_text(&r, "x.json", json, strlen(json), NULL), ERR_DATA);
  free(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_edits),
      cmocka_unit_test(test_unknown_keys_are_ignored),
      cmocka_unit_test(test_forms_of_a_row),
      cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_arrays_end_where_they_end),
      cmocka_unit_test(test_null_strings_and_arrays_are_absent),
      cmocka_unit_test(test_damaged),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_absurd_count),
      cmocka_unit_test(test_not_json),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_no_err),
      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_packed_is_cut),
      cmocka_unit_test(test_packed_is_damaged),
      cmocka_unit_test(test_packed_is_a_bomb),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
