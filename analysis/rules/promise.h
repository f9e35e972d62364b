/* The record of promises: what cures gained over what right advice had promised of them.  docs/model.md has the cases.
 *
 * Of the corpus' test half on an H200 and an H100, which no rule was made on (tests/unit/test_analysis_promise.c works it out again): the interval
 * holds eight in ten.  Pooled over rules, since no rule has PROMISE_CASES cases.
 */
#pragma once

enum { PROMISE_CASES = 8 }; /* of a rule, for an interval of its own */
#define PROMISE_LOW  0.48   /* gained over promised */
#define PROMISE_HIGH 1.49
