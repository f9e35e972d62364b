/* The front matter: what each mistake says, and how much of a key a file may hold. */
#include "kernels/rung.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int add(struct rung_set *set, const char *text, struct err *e) {
  return rung_set_add(set, "t.cu", text, e);
}

/* --- mistakes --- */

#define FOOT "//! id: x\n//! ladder: l\n//! step: kernel = k; grid = 1; block = 32\n"

struct mistake {
  const char *text, *says;
};

/* A known key behind //! is front matter, wrong or not; prose is another's comment. */
static void a_known_key_makes_front_matter(void **state) {
  static const struct {
    const char *text;
    bool described;
  } rows[] = {{"", false},
              {"int x;\n", false},
              {"//! Adds two vectors: fast.\n//!\n__global__ void f() {}\n", false},
              {"//! remark: none of our keys\n", false},
              {"//! id\n", false},
              {"//! id: x\n", true},
              {"int x;\n//!step: kernel = k\n", true},
              {"//! Prose.\n//!\tladder: l\n", true}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rung_described(rows[i].text) != rows[i].described)
      fail_msg("%s", rows[i].text);
}

static const struct mistake mistakes[] = {
    {"int main;\n", "t.cu: no front matter; begin the file with"},
    {"", "t.cu: no front matter"},
    {"//! ladder: l\n", "t.cu:1: id: missing; add"},
    {"//! id: x\n//! step: kernel = k; grid = 1; block = 1\n", "t.cu:1: ladder: missing; add"},
    {"//! id: x\n//! ladder: l\n", "t.cu:1: step: missing; add"},
    {FOOT "//! parent: y\n", "t.cu:1: change: missing; say"},
    {FOOT "//! side: yes\n", "t.cu:4: side: a side step leaves a rung"},
    {FOOT "//! side: perhaps\n", "t.cu:4: side: unknown value 'perhaps'; known are no, yes"},
    {FOOT "//! host: cublas\n", "t.cu:4: host: no step calls it; write `//! step: call = NAME; args = LIST`"},
    {FOOT "//! host: cublass\n", "t.cu:4: host: unknown value 'cublass'; did you mean 'cublas'?"},
    {"//! id: x\n//! ladder: l\n//! host: cublas\n", "t.cu:1: step: missing; add"},
    {FOOT "//! step: call = gemv; args = a, b, c\n",
     "t.cu:4: step: gemv is a call of cublas; write `//! host: cublas`"},
    {FOOT "//! host: cublaslt\n//! step: call = gemv; args = a, b, c\n",
     "t.cu:5: step: gemv is a call of cublas; write `//! host: cublas`"},
    {FOOT "//! step: call = gemvv; args = a, b, c\n", "t.cu:4: step: unknown call 'gemvv'; did you mean 'gemv'?"},
    {FOOT "//! step: call = gemv; args = a, b, c; grid = 1\n", "t.cu:4: step: a call has no grid"},
    {FOOT "//! step: kernel = k; call = gemv; args = a, b, c\n", "t.cu:4: step: a call has no kernel"},
    {FOOT "//! step: call = gemv\n", "t.cu:4: step: the arguments of gemv are MATRIX, VECTOR, OUTPUT"},
    {FOOT "//! step: call = gemv; args = a, b, M\n", "t.cu:4: step: the arguments of gemv are MATRIX, VECTOR, OUTPUT"},
    {FOOT "//! step: call = fp4; args = a, b, sfa, sfb, c\n",
     "t.cu:4: step: the arguments of fp4 are A, B, SFA, SFB, OUTPUT, columns: 5 buffers and 1 integers"},
    {FOOT "//! reset: call = gemv; args = a, b, c\n", "t.cu:4: reset: only a step may call a library"},
    {FOOT "//! setup: call = gemv; args = a, b, c\n", "t.cu:4: setup: only a step may call a library"},
    {FOOT "//! setup: kernel = k; grid = 1\n", "t.cu:4: setup: no block"},
    {FOOT "//! lader: l\n", "t.cu:4: lader: unknown key; did you mean 'ladder'?"},
    {FOOT "//! Step: l\n", "t.cu:4: Step: unknown key; did you mean 'step'?"},
    {FOOT "//! xyzzyplugh: l\n", "t.cu:4: xyzzyplugh: unknown key; kernels/rung.h lists"},
    {FOOT "//!       bound: issue\n", "t.cu:4: bound: unknown key; kernels/rung.h lists the keys; text that continues"},
    {FOOT "//! text without a key\n", "t.cu:4: expected `//! key: value`; to continue"},
    {"//!         text without a key\n", "t.cu:1: expected `//! key: value`"},
    {FOOT "int x;\n//! note: late\n", "t.cu:5: note: stands below the first line of code; move it"},
    {FOOT "/* x */ int x;\n//! note: late\n", "t.cu:5: note: stands below the first line of code"},
    {FOOT "//! ladder: m\n", "t.cu:4: ladder: given twice, first in line 2; keep one"},
    {FOOT "//! note:\n", "t.cu:4: note: has no value"},
    {FOOT "//! id:\n", "t.cu:4: id: has no value"},
    {FOOT "//! id: y\n//! param:\n", "t.cu:5: param: has no value"},
    {FOOT "//! parent: A_B\n", "t.cu:4: parent: 'A_B' is not a name"},
    {FOOT "//! cures: two words\n", "t.cu:4: cures: 'two words' is not a name"},
    {FOOT "//! claim: x [test: a +]\n", "t.cu:4: claim: test 'a +': column 4"},
    {FOOT "//! claim: x [test: a\n", "t.cu:4: claim: the test does not end with ']'"},
    {FOOT "//! claim: [test: a]\n", "t.cu:4: claim: there is no text before the test"},
    {FOOT "//! published: B200 39 us geomean\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: B200 39 us \"\"\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: B200 39 us \"x\" y\n", "t.cu:4: published: the source is missing"},
    {FOOT "//! published: 39 us \"x\"\n", "t.cu:4: published: expected DEVICE TIME UNIT"},
    {FOOT "//! published: B200 39 us geomean x \"x\"\n", "t.cu:4: published: expected DEVICE TIME UNIT"},
    {FOOT "//! published: B200 39us us \"x\"\n", "t.cu:4: published: '39us' is not a time"},
    {FOOT "//! published: B200 inf us \"x\"\n", "t.cu:4: published: 'inf' is not a time"},
    {FOOT "//! published: B200 -4 us \"x\"\n", "t.cu:4: published: '-4' is not a time"},
    {FOOT "//! published: B200 1e308 ms \"x\"\n", "t.cu:4: published: 1e308 ms is out of range"},
    {FOOT "//! published: B200 39 s \"x\"\n", "t.cu:4: published: unknown unit 's'; use"},
    {FOOT "//! published: B200 39 us 12 \"x\"\n", "t.cu:4: published: '12' is neither geomean nor a shape"},
    {FOOT "//! param: A\n", "t.cu:4: param: expected NAME = DEFAULT"},
    {FOOT "//! param: A =\n", "t.cu:4: param: expected NAME = DEFAULT"},
    {FOOT "//! param: A = x\n", "t.cu:4: param: A 'x' is not an integer"},
    {FOOT "//! param: A = 1.5\n", "t.cu:4: param: A '1.5' is not an integer"},
    {FOOT "//! param: A = 0x\n", "t.cu:4: param: A '0x' is not an integer"},
    {FOOT "//! param: A = 2147483648\n", "t.cu:4: param: A 2147483648 is out of range"},
    {FOOT "//! param: 1A = 1\n", "t.cu:4: param: parameter '1A' is not a name"},
    {FOOT "//! param: K = 1\n", "t.cu:4: param: parameter 'K' is taken"},
    {FOOT "//! param: sfa = 1\n", "t.cu:4: param: parameter 'sfa' is taken"},
    {FOOT "//! param: A = 1\n//! param: A = 2\n", "t.cu:5: param: parameter 'A' is taken"},
    {FOOT "//! param: A = 1 in {2, 3}\n", "t.cu:4: param: the default 1 of A is not in its set"},
    {FOOT "//! param: A = 1 in {1, x}\n", "t.cu:4: param: value 'x' is not an integer"},
    {FOOT "//! param: A = 1 in {1, }\n", "t.cu:4: param: value '' is not an integer"},
    {FOOT "//! param: A = 1 in {1, 2\n", "t.cu:4: param: the set of values does not end with '}'"},
    {FOOT "//! param: A = 1 in {1} 2\n", "t.cu:4: param: the set of values does not end with '}'"},
    {FOOT "//! param: A = 1 of {1}\n", "t.cu:4: param: expected 'in' before '{'"},
    {FOOT "//! param: A = 1\n//! when: M > 1: B = 2\n", "t.cu:5: when: unknown parameter 'B'"},
    {FOOT "//! when: M > 1: B = 2\n", "t.cu:4: when: unknown parameter 'B'; declare it"},
    {FOOT "//! param: A = 1 in {1}\n//! when: M > 1: A = 2\n", "t.cu:5: when: A = 2 is not in the parameter's set"},
    {FOOT "//! param: A = 1\n//! when: M > 1: A = 2, A = 3\n", "t.cu:5: when: A is given two values; keep one"},
    {FOOT "//! param: A = 1\n//! when: M > 1: A\n", "t.cu:5: when: expected EXPR: NAME = VALUE"},
    {FOOT "//! param: A = 1\n//! when: M > 1\n", "t.cu:5: when: expected EXPR: NAME = VALUE"},
    {FOOT "//! param: A = 1\n//! when: M >: A = 2\n", "t.cu:5: when: condition 'M >': column 4"},
    {FOOT "//! constants: N\n", "t.cu:4: constants: unknown value 'N'"},
    {FOOT "//! options: maxregcount = 3\n",
     "t.cu:4: options: unknown value 'maxregcount'; did you mean 'maxrregcount'"},
    {FOOT "//! options: maxrregcount = 3\n",
     "t.cu:4: options: maxrregcount 3 is out of range; it must lie within 16 to 255"},
    {FOOT "//! options: maxrregcount\n", "t.cu:4: options: maxrregcount has no value"},
    {FOOT "//! options: fast_math\n", "t.cu:4: options: unknown value 'fast_math'; did you mean 'fast-math'"},
    {FOOT "//! step: kernel = k; grid = 1\n", "t.cu:4: step: no block; write"},
    {FOOT "//! step: grid = 1; block = 1\n", "t.cu:4: step: no kernel; write"},
    {FOOT "//! step: kernel = k<4>; grid = 1; block = 1\n", "t.cu:4: step: kernel 'k<4>' is not a name"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; blok = 1\n",
     "t.cu:4: step: unknown field 'blok'; did you mean 'block'?"},
    {FOOT "//! step: kernel = k; grid = 1; grid = 1\n", "t.cu:4: step: grid is given twice; keep one"},
    {FOOT "//! step: kernel = k; grid = 1,,2; block = 1\n", "t.cu:4: step: grid '': column 1"},
    {FOOT "//! step: kernel = k; grid = 1, 2, 3, 4; block = 1\n", "t.cu:4: step: grid has more than 3 values"},
    {FOOT "//! step: kernel = k; grid = (1; block = 1\n", "t.cu:4: step: grid '(1; block = 1': column 3"},
    {FOOT "//! step: kernel = k; grid; block = 1\n", "t.cu:4: step: 'grid' is not of the form NAME = VALUE"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; args = a, sfc\n",
     "t.cu:4: step: unknown buffer or parameter 'sfc'; did you mean"},
    {FOOT "//! step: kernel = k; grid = 1; block = 1; args = a,\n", "t.cu:4: step: argument '': column 1"},
    {FOOT "//! scratch: p = 4; fil = 1\n", "t.cu:4: scratch: unknown field 'fil'; did you mean 'fill'?"},
    {FOOT "//! scratch: p = 4; fill = 256\n", "t.cu:4: scratch: fill 256 is out of range; it must lie within 0 to 255"},
    {FOOT "//! scratch: p = 4 +\n", "t.cu:4: scratch: bytes '4 +': column 4"},
    {FOOT "//! scratch: c = 4\n", "t.cu:4: scratch: scratch buffer 'c' is taken"},
    {FOOT "//! scratch: p\n", "t.cu:4: scratch: expected NAME = BYTES"},
    {FOOT "//! reset: fill a = 0\n", "t.cu:4: reset: a is an input and must not be overwritten"},
    {FOOT "//! reset: fill q = 0\n", "t.cu:4: reset: unknown buffer 'q'"},
    {FOOT "//! reset: fill c = -1\n", "t.cu:4: reset: byte -1 is out of range"},
    {FOOT "//! reset: fill c\n", "t.cu:4: reset: expected fill NAME = BYTE"},
    {FOOT "//! reset: kernel = k\n", "t.cu:4: reset: no grid; write"},
    {FOOT "//! tensormap: t = q; type = u8; dims = 1; box = 1\n", "t.cu:4: tensormap: unknown buffer 'q'"},
    {FOOT "//! tensormap: t = a; type = u9; dims = 1; box = 1\n",
     "t.cu:4: tensormap: unknown type 'u9'; did you mean 'u8'?"},
    {FOOT "//! tensormap: t = a; type = u8; dims = 1, 2; box = 1, 2\n",
     "t.cu:4: tensormap: dims has 2 values, so box must have 2 and strides 1 (from dim 1 on); they have 2 and 0"},
    {FOOT "//! tensormap: t = a; type = u8; dims = 1\n", "t.cu:4: tensormap: type, dims and box must be given"},
    {FOOT "//! tensormap: t = a; swizzle = 48\n",
     "t.cu:4: tensormap: swizzle 48 must be 0 or a power of two from 32 to 128"},
    {FOOT "//! tensormap: t = a; l2 = 32\n", "t.cu:4: tensormap: l2 32 must be 0 or a power of two from 64 to 256"},
    {FOOT "//! tensormap: t\n", "t.cu:4: tensormap: expected NAME = BUFFER"},
    {FOOT "//! sf_layout: blocked\n", "t.cu:4: sf_layout: unknown value 'blocked'; known are plain, 128x4"},
    {FOOT "//! accumulate: fp8\n", "t.cu:4: accumulate: "},
    {FOOT "//! wrong: nothing\n", "t.cu:4: wrong: "},
    {FOOT "//! wrong: none\n", "t.cu:4: wrong: "},
    {FOOT "//! output: d\n", "t.cu:4: output: unknown value 'd'"},
    {FOOT "//! limits: 1 +\n", "t.cu:4: limits: condition '1 +': column 4"},
    {FOOT "//! needs: sm >=\n", "t.cu:4: needs: condition 'sm >=': column 6"},
    {FOOT "//! bytes: M *\n", "t.cu:4: bytes: bytes 'M *': column 4"},
    {FOOT "//! flops: (\n", "t.cu:4: flops: operations '(': column 2"},
    {FOOT "//! path: sm >= 100\n", "t.cu:4: path: expected EXPR: TEXT"},
    {FOOT "//! path: sm >= 100:\n", "t.cu:4: path: expected EXPR: TEXT"},
    /* The mistake of a later variant is reported where it stands. */
    {FOOT "//! id: y\n//! ladder: m\n//! ladder: n\n", "t.cu:6: ladder: given twice, first in line 5"},
};

static void every_mistake_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    int rc = add(&set, mistakes[i].text, &e);
    if (rc != ERR_DATA || strncmp(e.text, mistakes[i].says, strlen(mistakes[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, mistakes[i].says);
    assert_int_equal(e.code, ERR_DATA);
    assert_int_equal(set.n, 0);
    assert_int_equal(set.n_files, 0);
    rung_set_release(&set);
  }
}

static void names_are_checked_by_the_set(void **state) {
  (void)state;
  static const struct mistake rows[] = {
      {FOOT "//! needs: sn >= 90\n", "t.cu:4: needs: unknown name 'sn'; did you mean"},
      {FOOT "//! limits: sum_abs_mx < 4\n", "t.cu:4: limits: unknown name 'sum_abs_mx'; did you mean 'sum_abs_max'?"},
      {FOOT "//! param: A = 1\n//! limits: A < 4\n", "t.cu:5: limits: unknown name 'A'"},
      {FOOT "//! bytes: M * N\n", "t.cu:4: bytes: unknown name 'N'"},
      {FOOT "//! flops: M * N\n", "t.cu:4: flops: unknown name 'N'"},
      {FOOT "//! path: 1: x\n//! path: smm: x\n", "t.cu:5: path: unknown name 'smm'; did you mean 'sm'?"},
      {FOOT "//! param: A = 1\n//! when: N > 1: A = 2\n", "t.cu:5: when: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1, 1, N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; args = i64(N)\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; smem = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; cluster = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! step: kernel = k; grid = 1; block = 1; when = N\n", "t.cu:4: step: unknown name 'N'"},
      {FOOT "//! reset: fill c = 0\n//! reset: kernel = k; grid = N; block = 1\n", "t.cu:5: reset: unknown name 'N'"},
      {FOOT "//! scratch: p = N\n", "t.cu:4: scratch: unknown name 'N'"},
      {FOOT "//! tensormap: t = a; type = u8; dims = N; box = 1\n", "t.cu:4: tensormap: unknown name 'N'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    assert_int_equal(add(&set, rows[i].text, &e), 0);
    int rc = rung_set_finish(&set, &e);
    if (rc != ERR_DATA || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, rows[i].says);
    rung_set_release(&set);
  }
}
static void lets_that_are_refused(void **state) {
  (void)state;
  static const struct mistake rows[] = {
      {FOOT "//! let: A\n", "t.cu:4: let: expected NAME = EXPR"},
      {FOOT "//! let: A = 1 +\n", "t.cu:4: let: value '1 +': column 4"},
      {FOOT "//! let: 1A = 1\n", "t.cu:4: let: let '1A' is not a name"},
      {FOOT "//! let: K = 1\n", "t.cu:4: let: let 'K' is taken"},
      {FOOT "//! let: sfa = 1\n", "t.cu:4: let: let 'sfa' is taken"},
      {FOOT "//! let: A = 1\n//! let: A = 2\n", "t.cu:5: let: let 'A' is taken"},
      {FOOT "//! param: A = 1\n//! let: A = 2\n", "t.cu:4: param: parameter 'A' is taken"},
      {FOOT "//! scratch: A = 1\n//! let: A = 2\n", "t.cu:4: scratch: scratch buffer 'A' is taken"},
      {FOOT "//! let: A = B + 1\n//! let: B = A\n//! bytes: A\n", "t.cu:6: bytes: let A uses itself"},
      {FOOT "//! note: n\n//! let: A = A\n", "t.cu:5: let: let A uses itself"},
      {FOOT "//! note: n\n//! let: A = N + 1\n//! bytes: A\n", "t.cu:5: let: unknown name 'N'"},
      {FOOT "//! let: A = K\n//! bytes: AA\n", "t.cu:5: bytes: unknown name 'AA'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct rung_set set = {0};
    struct err e = {0};
    int rc = add(&set, rows[i].text, &e);
    if (rc == 0)
      rc = rung_set_finish(&set, &e);
    if (rc != ERR_DATA || strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got %d \"%s\", not \"%s\"", i, rc, e.text, rows[i].says);
    rung_set_release(&set);
  }
}

/* Each of 20 lets doubles the one before: written out, a million names. */
static void lets_are_bounded(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  struct text t = {0};
  text_add(&t, FOOT "//! let: A0 = M\n");
  for (int i = 1; i <= 20; i++)
    text_printf(&t, "//! let: A%d = A%d + A%d\n", i, i - 1, i - 1);
  text_add(&t, "//! bytes: A20\n");
  assert_int_equal(add(&set, text_str(&t), &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:25: bytes: with its lets written out it has more than 8192 bytes"));
  text_release(&t);
  rung_set_release(&set);
}

/* --- bounds --- */

/* FOOT and `count` times the lines, in which # is the number of the time. */
static char *many_lines(const char *lines, int count) {
  struct text t = {0};
  text_add(&t, FOOT);
  for (int i = 0; i < count; i++) {
    for (const char *c = lines; *c; c++) {
      if (*c == '#')
        text_printf(&t, "%d", i);
      else
        text_add_n(&t, c, 1);
    }
  }
  return text_take(&t);
}

static void lists_are_bounded(void **state) {
  (void)state;
  static const struct {
    const char *line;
    int most;
    const char *says; /* of one line more */
  } rows[] = {
      {"//! param: A# = 1\n", 64, "t.cu:68: param: more than 64 of them"},
      {"//! scratch: s# = 1\n", 64, "t.cu:68: scratch: more than 64 of them"},
      {"//! path: sm > #: x\n", 64, "t.cu:68: path: more than 64 of them"},
      {"//! id: v-#\n", 63, "t.cu:67: id: more than 64 variants in one file"},
      {"//! note: #\n//! cures: x\n//! claim: x\n//! param: A# = 1\n//! scratch: s# = 1\n", 50,
       "t.cu:257: param: more than 256 keys in one variant"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *text = many_lines(rows[i].line, rows[i].most), *more = many_lines(rows[i].line, rows[i].most + 1);
    struct rung_set set = {0};
    struct err e = {0};
    assert_int_equal(add(&set, text, &e), 0);
    rung_set_release(&set);
    assert_int_equal(add(&set, more, &e), ERR_DATA);
    if (strncmp(e.text, rows[i].says, strlen(rows[i].says)) != 0)
      fail_msg("row %zu: got \"%s\", not \"%s\"", i, e.text, rows[i].says);
    rung_set_release(&set);
    free(text);
    free(more);
  }
}

static void values_are_bounded(void **state) {
  (void)state;
  struct rung_set set = {0};
  struct err e = {0};
  struct text t = {0};
  text_add(&t, FOOT "//! note: x\n");
  /* 1 + 481 times 17 bytes are 8178, which fits; one time more does not. */
  for (int i = 0; i < 481; i++)
    text_add(&t, "//!      sixteen letters.\n");
  assert_int_equal(add(&set, text_str(&t), &e), 0);
  rung_set_release(&set);
  text_add(&t, "//!      sixteen letters.\n");
  assert_int_equal(add(&set, text_str(&t), &e), ERR_DATA);
  assert_non_null(strstr(e.text, "t.cu:486: note: the value has more than 8192 bytes; shorten it"));
  text_release(&t);
  rung_set_release(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_known_key_makes_front_matter),
      cmocka_unit_test(every_mistake_is_named),
      cmocka_unit_test(names_are_checked_by_the_set),
      cmocka_unit_test(lets_that_are_refused),
      cmocka_unit_test(lets_are_bounded),
      cmocka_unit_test(lists_are_bounded),
      cmocka_unit_test(values_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
