/* JUnit XML as Jenkins and GitLab read it: testsuites > testsuite > testcase, with failure, skipped
 * and system-out below a case. */
#include "reports/compare/diff_text.h"

#include "base/html.h"
#include "reports/compare/diff_words.h"

struct junit { /* of one suite, as it grows */
  struct text cases;
  size_t tests, failures, skipped;
};

static void suite_put(struct junit *j, const char *suite, struct text *out) {
  text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  text_printf(out, "<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", j->tests, j->failures,
              j->skipped);
  text_printf(out, "<testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", suite,
              j->tests, j->failures, j->skipped);
  text_add(out, text_str(&j->cases));
  text_add(out, "</testsuite>\n</testsuites>\n");
  text_end(&j->cases, out);
}

/* A test case: a failure of this type, skipped, or passed; releases the message. */
static void case_add(struct junit *j, const char *suite, const char *variant, struct shape s, const char *failure,
                     bool skipped, struct text *message) {
  char shape[SHAPE_TEXT_MAX];
  text_printf(&j->cases, "<testcase classname=\"%s.", suite);
  html_text(&j->cases, variant);
  text_printf(&j->cases, "\" name=\"%s\">", shape_text(s, shape));
  if (failure)
    text_printf(&j->cases, "<failure type=\"%s\" message=\"", failure);
  else
    text_add(&j->cases, skipped ? "<skipped message=\"" : "<system-out>");
  html_text(&j->cases, text_str(message));
  text_add(&j->cases, failure || skipped ? "\"/></testcase>\n" : "</system-out></testcase>\n");
  j->tests++;
  j->failures += failure != NULL;
  j->skipped += skipped && !failure;
  text_end(message, &j->cases);
}

/* --- times --- */

static void pair_message(const struct diff *d, const struct diff_pair *p, struct text *out) {
  text_add(out, diff_verdict_name(p->verdict));
  if (p->ratio.present) {
    text_printf(out, ": %s µs, was %s µs: ", VIEW_NUMBER(p->time_b.v * 1e6, 4), VIEW_NUMBER(p->time_a.v * 1e6, 4));
    text_printf(out, "%s %% (95 %% interval %s to %s)", WORDS_CHANGE(p->ratio.v), WORDS_CHANGE(p->ratio_low.v),
                WORDS_CHANGE(p->ratio_high.v));
  }
  if (p->reason)
    text_printf(out, ": %s", p->reason);
  for (size_t i = 0; p->metrics && i < d->n_metrics; i++)
    if (p->metrics[i].regression)
      text_printf(out, "; %s rose from %s to %s", d->metrics[i].name, VIEW_NUMBER(p->metrics[i].before.v, 6),
                  VIEW_NUMBER(p->metrics[i].after.v, 6));
}

void report_diff_junit(const struct diff_report *r, struct text *out) {
  static const char suite[] = "nvfp4-prof.diff";
  struct junit j = {0};
  for (size_t i = 0; i < r->d->n; i++) {
    const struct diff_pair *p = &r->d->pairs[i];
    struct text message = {0};
    char name[WORDS_VARIANT_MAX];
    bool failed = p->regression;
    bool skipped = p->verdict == DIFF_ADDED || p->verdict == DIFF_REMOVED || p->verdict == DIFF_UNTIMED;
    if (!p->selected)
      continue;
    for (size_t k = 0; p->metrics && k < r->d->n_metrics; k++)
      failed |= p->metrics[k].regression;
    pair_message(r->d, p, &message);
    case_add(&j, suite, words_variant(name, p->id_a, p->id_b), p->shape, failed ? diff_verdict_name(p->verdict) : NULL,
             skipped, &message);
  }
  suite_put(&j, suite, out);
}

/* --- what needs no GPU --- */

static void static_message(const struct static_pair *p, struct text *out) {
  size_t n = 0;
  const struct static_quantity *q = static_quantities(&n);
  text_add(out, static_verdict_name(p->verdict));
  for (size_t i = 0; i < n; i++)
    if (p->changes[i].changed)
      text_printf(out, "; %s %.0f, was %.0f%s", q[i].key, p->changes[i].after.v, p->changes[i].before.v,
                  p->changes[i].regression ? " (regression)" : "");
  if (p->reason)
    text_printf(out, ": %s", p->reason);
}

void report_static_junit(const struct static_report *r, struct text *out) {
  static const char suite[] = "nvfp4-prof.diff-static";
  struct junit j = {0};
  for (size_t i = 0; i < r->d->n; i++) {
    const struct static_pair *p = &r->d->pairs[i];
    struct text message = {0};
    char name[WORDS_VARIANT_MAX];
    bool failed = p->verdict == STATIC_WORSE || p->verdict == STATIC_BROKEN;
    bool skipped = p->verdict == STATIC_ADDED || p->verdict == STATIC_REMOVED || p->verdict == STATIC_ABSENT;
    static_message(p, &message);
    case_add(&j, suite, words_variant(name, p->id_a, p->id_b), p->shape,
             failed ? static_verdict_name(p->verdict) : NULL, skipped, &message);
  }
  suite_put(&j, suite, out);
}
