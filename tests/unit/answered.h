/* A run made by hand of two ladders at two shapes, and what the first screen says of it. */
#ifndef TESTS_UNIT_ANSWERED_H
#define TESTS_UNIT_ANSWERED_H

#include "reports/text/answer_text.h"
#include "unit/made_run.h"
#include "unit/text_is.h"

#include <stdio.h>
#include <string.h>

static const struct shape ONE = {128, 256, 1}, TWO = {256, 256, 1};

struct answered {
  struct made_run m;
  struct findings findings;
  struct answer answer;
};

static inline struct run_result *timed(struct answered *x, const char *id, struct shape s, double time_us) {
  struct run_result *r = made_result(&x->m, id, s);
  r->bytes_minimal = 10e6;
  made_time(r, time_us * 1e3, 5);
  return r;
}

static inline void at_both(struct answered *x, const char *id, double one_us, double two_us) {
  timed(x, id, ONE, one_us);
  timed(x, id, TWO, two_us);
}

/* 10 MB at 1 TB/s are 10 us.  a1 is a step from a0, b1 one from a rung that was not run; a read of the same bytes takes 25 and 100 us. */
static inline void begin(struct answered *x) {
  memset(x, 0, sizeof *x);
  made_begin(&x->m);
  x->m.run.device.name = (char *)"NVIDIA H200";
  x->m.device.sms = 10;
  made_ceiling(&x->m, "dram_bw", 1e12, CEILING_DATASHEET);
  made_variant(&x->m, "a0", "a", NULL);
  made_variant(&x->m, "a1", "a", "a0")->change = (char *)"unroll by 4";
  made_variant(&x->m, "b1", "b", "gone");
  made_variant(&x->m, "control-read", "control", NULL);
  at_both(x, "a0", 200, 800);
  at_both(x, "a1", 50, 200);
  at_both(x, "b1", 60, 240);
  at_both(x, "control-read", 25, 100);
}

static inline void find(struct answered *x, const bool *keep) {
  struct err e = {0};
  if (findings_make(&x->findings, &x->m.run, &x->m.device, &e) != 0)
    fail_msg("%s", e.text);
  answer_make(&x->answer, &x->findings, keep);
}

static inline void end(struct answered *x) {
  answer_release(&x->answer);
  findings_release(&x->findings);
}

static inline void tell(const struct answered *x, const struct report_answer_options *o, struct text *out) {
  text_release(out);
  report_answer_term(&x->answer, o, out);
  assert_true(text_ok(out));
}

#endif
