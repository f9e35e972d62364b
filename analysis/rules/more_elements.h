/* One change that several rules ask for: several elements to a thread, with their loads first.  Private to analysis/rules and analysis/advice. */
#pragma once

#include "analysis/rules/rule_tools.h"

bool more_elements_known(const struct rule_input *in);
/* The work as it would leave it: fewer blocks and threads, what a thread does once done less often, and an element's waits side by side. */
rule_change change_more_elements;
