#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/expr.h"
#include "base/text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int lookups; /* calls since a test set it to 0 */

static bool lookup(void *context, const char *name, double *value) {
  static const struct {
    const char *name;
    double value;
  } known[] = {
      {"M", 7168}, {"K", 16384}, {"L", 8},     {"dram__bytes_read.sum", 64e6},
      {"_x", 3},   {"zero", 0},  {"nan", NAN}, {"min", 5},
  };
  (void)context;
  lookups++;
  for (size_t i = 0; i < COUNT(known); i++) {
    if (strcmp(known[i].name, name) == 0) {
      *value = known[i].value;
      return true;
    }
  }
  return false;
}

static int evaluate(const char *text, double *value, struct err *e) {
  struct expr *x = NULL;
  int rc = expr_parse(&x, text, e);
  if (rc == 0)
    rc = expr_eval(x, lookup, NULL, value, e);
  expr_free(x);
  return rc;
}

static void values(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      /* a name that stands twice, after another; signs of a level, whose first is taken first */
      {"M + L * L", 7232},
      {"2 == 1 < 3", 0},
      {"2 == 1 <= 3", 0},
      {"0 == 1 > 2", 1},
      {"0 == 1 >= 2", 1},
      {"0 && 1 == 0", 0},
      {"3 < 1 + 1", 0},
      {"3 <= 1 + 1", 0},
      {"3 > 1 + 1", 1},
      {"3 >= 1 + 1", 1},
      {"1 || 1 && 0", 1},
      {"7 - 2 - 1", 4},
      {"24 / 4 / 2", 3},
      {"2 * 7 % 4", 2},
      /* numbers */
      {"12", 12},
      {"1.5", 1.5},
      {".5", 0.5},
      {"1e-3", 0.001},
      {"2E+2", 200},
      {"0x40", 64},
      {"0xfF", 255},
      {"0X1F", 31},
      {"48K", 49152},
      {"0x10K", 16384},
      {"2M", 2097152},
      {"1.5G", 1610612736},
      {"3%", 0.03},
      {"7%", 0.07},
      {"5% + 1", 1.05},
      {"-3%", -0.03},
      /* '%' is the remainder where an operand follows */
      {"10 % 4", 2},
      {"10%4", 2},
      {"10%(2+2)", 2},
      {"10%L", 2},
      {"M%(K/2)", 7168},
      {"-7 % 4", -3},
      /* names */
      {"M", 7168},
      {"dram__bytes_read.sum / 1e6", 64},
      {"_x", 3},
      {"min + 1", 6},
      {"min(min, 2)", 2},
      {"2 * K", 32768},
      /* how tightly signs bind, and to which side */
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"100 / 10 / 5", 2},
      {"2 * 7 % 4", 2},
      {"-2 * -3", 6},
      {"- -2", 2},
      {"!-2", 0},
      {"!0 + 1", 2},
      {"1 + 2 < 4", 1},
      {"1 < 2 == 1", 1},
      {"3 > 2 > 1", 0},
      {"1 == 2 != 1", 1},
      {"2 <= 2 && 2 >= 2", 1},
      {"1 || 0 && 0", 1},
      {"5 && 7", 1},
      {"1 && 2 == 2", 1},
      {"1 && 2 != 1", 1},
      {"0 || 9", 1},
      {"0 || 0", 0},
      {"3 && 0", 0},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 3", 3},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 0 ? 4 : 5 : 6", 5},
      {"1 || 0 ? 7 : 8", 7},
      {"(1 ? 2 : 3) + 4", 6},
      {"1 ? 2 : 3 + 4", 2},
      {"1 + (0 || 3) * 2", 3},
      /* functions */
      {"ceil(7168 / 100)", 72},
      {"floor(-1.5)", -2},
      {"round(2.5)", 3},
      {"abs(-4)", 4},
      {"sqrt(2.25)", 1.5},
      {"log2(1024)", 10},
      {"ceildiv(7168, 3)", 2390},
      {"ceildiv(7168, 7)", 1024},
      {"pow(2, 10)", 1024},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 7, 2)", 7},
      {"max(4)", 4},
      {"max (1, 2)", 2},
      {"max(1, 0 ? 9 : 2)", 2},
      {" \t( ( 1 ) )\n", 1},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double value = NAN;
    struct err e = {0};
    if (evaluate(cases[i].text, &value, &e) != 0)
      fail_msg("'%s': %s", cases[i].text, e.text);
    if (value != cases[i].value)
      fail_msg("'%s' is %.17g, expected %.17g", cases[i].text, value, cases[i].value);
  }
}

static void parse_errors_name_the_column(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"", "column 1: expected a number, a name or '('"},
      {"1 + * 2", "column 5: expected a number, a name or '('"},
      {"1 +", "column 4: expected a number, a name or '('"},
      {"(1 + 2", "column 7: expected ')' or an operator"},
      {"(1 2)", "column 4: expected ')' or an operator"},
      {"1 2", "column 3: expected an operator or the end"},
      {"1)", "column 2: expected an operator or the end"},
      {"a = b", "column 3: expected an operator or the end"},
      {"a & b", "column 3: expected an operator or the end"},
      {"a ! b", "column 3: expected an operator or the end"},
      {"µ + 1", "column 1: expected a number"},
      {"(µ + 1)", "column 2: expected a number"},
      {"1 × 2", "column 3: expected an operator or the end"},
      {"1 ? 2", "column 6: expected ':' or an operator"},
      {"1 ? : 2", "column 5: expected a number"},
      {"48Kx", "column 3: expected an operator: a number ends here"},
      {"12ab", "column 3: expected an operator: a number ends here"},
      {"1e", "column 2: expected an operator: a number ends here"},
      {"1.2.3", "column 4: expected an operator: a number ends here"},
      {"0x", "column 3: expected a hexadecimal digit"},
      {"0xg", "column 3: expected a hexadecimal digit"},
      {"1e999", "column 6: the number that ends here is too large"},
      {"1e308G", "column 7: the number that ends here is too large"},
      {".", "column 1: expected a number"},
      {"inf(1)", "column 1: unknown function: there are ceil"},
      {"1 + cos(1)", "column 5: unknown function: there are ceil"},
      {"ceil()", "column 6: expected a number"},
      {"ceil(1, 2)", "column 10: ceil takes 1 argument, not 2"},
      {"pow(2)", "column 6: pow takes 2 arguments, not 1"},
      {"ceildiv(1, 2, 3)", "column 16: ceildiv takes 2 arguments, not 3"},
      {"max(1, )", "column 8: expected a number"},
      {"max(1 2)", "column 7: expected ',' or ')'"},
      {"max(1, 2", "column 9: expected ',' or ')'"},
      {"\x01", "column 1: expected a number"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct expr *x = NULL;
    struct err e = {0};
    assert_int_equal(expr_parse(&x, cases[i].text, &e), ERR_DATA);
    if (strncmp(e.text, cases[i].said, strlen(cases[i].said)) != 0)
      fail_msg("'%s' said '%s', not '%s'", cases[i].text, e.text, cases[i].said);
    assert_null(x);
    assert_int_equal(expr_parse(&x, cases[i].text, NULL), ERR_DATA);
  }
}

static void eval_errors_name_the_cause(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"1 + WARPS", "unknown name 'WARPS' in '1 + WARPS'"},
      {"nan + 1", "the value of 'nan' is not a finite number in 'nan + 1'"},
      {"1 / zero", "division by zero in '1 / zero'"},
      {"1 % 0", "division by zero in '1 % 0'"},
      {"ceildiv(1, 0)", "division by zero in 'ceildiv(1, 0)'"},
      {"sqrt(-1)", "a result is not a finite number in 'sqrt(-1)'"},
      {"log2(0)", "a result is not a finite number in 'log2(0)'"},
      {"1e308 * 10", "a result is not a finite number in '1e308 * 10'"},
      /* It would be 0, and look like a number. */
      {"1 / pow(10, 400)", "a result is not a finite number in '1 / pow(10, 400)'"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double value = 5;
    struct err e = {0};
    assert_int_equal(evaluate(cases[i].text, &value, &e), ERR_DATA);
    assert_string_equal(e.text, cases[i].said);
    assert_true(value == 5);
    assert_int_equal(evaluate(cases[i].text, &value, NULL), ERR_DATA);
  }
  struct expr *x = NULL;
  double value = 0;
  assert_int_equal(expr_parse(&x, "M", NULL), 0);
  assert_int_equal(expr_eval(x, NULL, NULL, &value, NULL), ERR_DATA);
  expr_free(x);
}

static void sides_not_needed_are_not_evaluated(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
    int lookups;
  } cases[] = {
      {"0 && 1 / 0", 0, 0},
      {"1 || nowhere", 1, 0},
      {"1 ? 4 : nowhere", 4, 0},
      {"0 ? nowhere : 4", 4, 0},
      {"L == 8 || K == 1", 1, 1},
      {"L == 7 || K == 16384", 1, 2},
      {"L == 7 && nowhere || M", 1, 2},
      {"L ? zero ? nowhere : M : nowhere", 7168, 3},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double value = NAN;
    struct err e = {0};
    lookups = 0;
    if (evaluate(cases[i].text, &value, &e) != 0 || value != cases[i].value || lookups != cases[i].lookups)
      fail_msg("'%s' is %g after %d lookups: %s", cases[i].text, value, lookups, e.text);
  }
}

static int evaluate_long(const char *text, long min, long max, long *out, struct err *e) {
  struct expr *x = NULL;
  int rc = expr_parse(&x, text, e);
  if (rc == 0)
    rc = expr_eval_long(x, lookup, NULL, "grid.x", min, max, out, e);
  expr_free(x);
  return rc;
}

static void counts_are_whole_and_in_range(void **state) {
  (void)state;
  long n = 0;
  struct err e = {0};
  assert_int_equal(evaluate_long("ceil(M / 100)", 1, 72, &n, &e), 0);
  assert_int_equal(n, 72);
  assert_int_equal(evaluate_long("-5", -5, 0, &n, &e), 0);
  assert_int_equal(n, -5);
  assert_int_equal(evaluate_long("-pow(2, 63)", LONG_MIN, LONG_MAX, &n, &e), 0);
  assert_true(n == LONG_MIN);
  assert_int_equal(evaluate_long("M / 100", 1, 1000, &n, &e), ERR_DATA);
  assert_string_equal(e.text, "grid.x: 'M / 100' is 71.68, which is not a whole number");
  assert_int_equal(evaluate_long("M - M", 1, 1000, &n, &e), ERR_DATA);
  assert_string_equal(e.text, "grid.x: 'M - M' is 0, which is not between 1 and 1000");
  assert_int_equal(evaluate_long("1001", 1, 1000, &n, &e), ERR_DATA);
  assert_int_equal(evaluate_long("pow(2, 63)", LONG_MIN, LONG_MAX, &n, &e), ERR_DATA);
  assert_int_equal(evaluate_long("-1e300", LONG_MIN, LONG_MAX, &n, &e), ERR_DATA);
  assert_int_equal(evaluate_long("ROWS", 1, 2, &n, &e), ERR_DATA);
  assert_string_equal(e.text, "grid.x: unknown name 'ROWS' in 'ROWS'");
  assert_int_equal(evaluate_long("ROWS", 1, 2, &n, NULL), ERR_DATA);
  assert_true(n == LONG_MIN);
}

static void name_append(void *context, const char *name) {
  text_printf(context, "%s;", name);
}

static void names_are_distinct_and_in_order(void **state) {
  (void)state;
  struct expr *x = NULL;
  struct text t = {0};
  assert_int_equal(expr_parse(&x, "max(b, a.c, b) + (0 ? ab : a) * 1K + b", NULL), 0);
  expr_names(x, name_append, &t);
  assert_string_equal(text_str(&t), "b;a.c;ab;a;");
  assert_string_equal(expr_text(x), "max(b, a.c, b) + (0 ? ab : a) * 1K + b");
  expr_free(x);
  text_release(&t);
  assert_int_equal(expr_parse(&x, "1 + 2", NULL), 0);
  expr_names(x, name_append, &t);
  assert_string_equal(text_str(&t), "");
  expr_free(x);
  expr_free(NULL);
}

/* open n times, then middle, then close n times. */
static int evaluate_nested(const char *open, const char *middle, const char *close, int n, double *value,
                           struct err *e) {
  struct text t = {0};
  for (int i = 0; i < n; i++)
    text_add(&t, open);
  text_add(&t, middle);
  for (int i = 0; i < n; i++)
    text_add(&t, close);
  int rc = evaluate(text_str(&t), value, e);
  text_release(&t);
  return rc;
}

static void nesting_is_bounded(void **state) {
  (void)state;
  static const struct {
    const char *open, *middle, *close;
    double value; /* at the deepest nesting that is allowed */
  } cases[] = {
      {"(", "1", ")", 1},
      {"-", "1", "", -1},
      {"!", "1", "", 0},
      {"max(1,", "2", ")", 2},
      {"0?1:", "2", "", 2},
      {"1?", "2", ":1", 2},
      /* the most operands that one level can hold back: 5 a level */
      {"max(1, 1 == 1 < 1 + 1 * (", "1", "))", 1},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double value = NAN;
    struct err e = {0};
    int most = strstr(cases[i].open, "* (") ? 31 : 63;
    if (evaluate_nested(cases[i].open, cases[i].middle, cases[i].close, most, &value, &e) != 0)
      fail_msg("'%s': %s", cases[i].open, e.text);
    if (value != cases[i].value)
      fail_msg("'%s': %g", cases[i].open, value);
    assert_int_equal(evaluate_nested(cases[i].open, cases[i].middle, cases[i].close, most + 1, &value, &e), ERR_DATA);
    assert_non_null(strstr(e.text, "nested too deeply: at most 64 levels"));
    assert_int_equal(evaluate_nested(cases[i].open, cases[i].middle, "", 4000 / (int)strlen(cases[i].open), &value, &e),
                     ERR_DATA);
  }
}

static void length_is_bounded(void **state) {
  (void)state;
  char text[5001];
  double value = 0;
  struct err e = {0};
  /* A long chain does not nest: 1+1+...+1 with 2048 ones has 4095 characters. */
  for (int i = 0; i < 5000; i++)
    text[i] = i % 2 ? '+' : '1';
  text[4095] = '\0';
  assert_int_equal(evaluate(text, &value, &e), 0);
  assert_true(value == 2048);
  text[4095] = ' ';
  text[4096] = '\0';
  assert_int_equal(evaluate(text, &value, &e), 0);
  text[4096] = ' ';
  text[4097] = '\0';
  assert_int_equal(evaluate(text, &value, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "longer than 4096 characters"));
  /* The most nodes a text can make, and one name for every second character. */
  for (int i = 0; i < 4096; i++)
    text[i] = "a?b:c&&d||"[i % 10];
  text[4095] = 'z';
  text[4096] = '\0';
  assert_int_equal(evaluate(text, &value, &e), ERR_DATA);
  for (int i = 0; i < 4095; i++)
    text[i] = i % 2 ? '<' : (char)('a' + i / 2 % 26);
  text[4095] = '\0';
  assert_int_equal(evaluate(text, &value, &e), ERR_DATA);
  assert_non_null(strstr(e.text, "unknown name 'a' in 'a<b<c"));
}

/* No text may crash the parser or leave *out behind an error; what parses evaluates or fails. */
static void random_texts_do_no_harm(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "1", "0x1", "2K", "%",  "M",  "(",  ")",  "max(", "pow(", ",",   "?", ":", "+", "-", "*",
      "/", "<",   "<=", "==", "!=", "&&", "||", "!",    " ",    "1e9", ".", "µ", "=", "&", "a.b"};
  uint32_t seed = 1;
  int parsed = 0;
  for (int i = 0; i < 20000; i++) {
    struct text t = {0};
    struct expr *x = NULL;
    double value = 0;
    struct err e = {0};
    for (uint32_t n = seed % 12; n-- > 0;) {
      seed = seed * 1664525 + 1013904223;
      text_add(&t, pieces[(seed >> 16) % COUNT(pieces)]);
    }
    seed = seed * 1664525 + 1013904223;
    int rc = expr_parse(&x, text_str(&t), &e);
    assert_true((rc == 0) == (x != NULL));
    parsed += rc == 0;
    if (rc == 0 && expr_eval(x, lookup, NULL, &value, &e) == 0)
      assert_true(isfinite(value));
    else
      assert_int_equal(e.code, ERR_DATA);
    expr_free(x);
    text_release(&t);
  }
  assert_true(parsed > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),
      cmocka_unit_test(parse_errors_name_the_column),
      cmocka_unit_test(eval_errors_name_the_cause),
      cmocka_unit_test(sides_not_needed_are_not_evaluated),
      cmocka_unit_test(counts_are_whole_and_in_range),
      cmocka_unit_test(names_are_distinct_and_in_order),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(length_is_bounded),
      cmocka_unit_test(random_texts_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
