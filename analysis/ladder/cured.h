/* What a step cured, by what moved: labels that nobody sets.  docs/model.md has the rule.  Pure.
 *
 * A label needs both ends of a step; advice sees its parent alone.
 */
#pragma once

#include "analysis/ladder/labels.h"
#include "analysis/model/findings.h"

#include <stddef.h>

/* The causes that the step from parent to child cured: none where it gained no more than its noise, or where no work of it explains ADVICE_LEAST_SHARE
 * of the parent's time. */
void cured_of(struct label *out, const struct finding *parent, const struct finding *child, const struct rates *r);
/* The rule of a row of cured.c's table of causes, NULL behind the last: a rule without a row is no step's label. */
const char *cured_rule(size_t row);
/* A label for every step, at each shape where it has one.  The caller frees *out; the findings must outlive it. */
void labels_of_steps(struct label **out, size_t *n, const struct findings *f);
