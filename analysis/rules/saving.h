/* What a remedy saves: the model's answer to the changed work, and what of it is left to promise.  Private to analysis/rules and analysis/advice.
 *
 * No promise goes below what stays where the remedy is applied: the least time of a launch and of bytes that were declared, and the rows of bounds
 * (docs/model.md, "Promises are capped").
 */
#pragma once

#include "analysis/rules/rules.h"
#include "analysis/signs/rule_input.h"

/* The least time: the speed of light by bytes that were declared, and one launch with them at the best known bandwidth. */
double saving_floor_s(const struct finding *f, const struct device *d, const struct rates *r);
/* The measured time, scaled as the model's time changes from the work as it is; not capped. */
double saving_of(const struct rule_input *in, const struct workload *changed);
/* Fills the saving of advice whose rule has judged, and what capped it. */
void saving_fill(struct advice *a, const struct rule_input *in);
/* Of advice that is filled: where several elements to a thread save more than its own change, that. */
void saving_of_elements(struct advice *a, const struct rule_input *in);
/* Of work that several remedies have changed: seconds, capped. */
double saving_together(const struct rule_input *in, const struct workload *changed);
