/* The pipe of fetches from textures, of which the model of time has no row: what the rule on pipes says of it.  Private to analysis/rules and analysis/advice. */
#pragma once

#include "analysis/rules/rules.h"
#include "analysis/signs/rule_input.h"

/* Warps wait for it. */
bool waits_for_texture(const struct rule_input *in);
void tell_texture(struct told *out, const struct rule_input *in);
