/* What a product of matrices may gain by tiles.  Private to analysis/rules and analysis/advice. */
#pragma once

#include "analysis/rules/rule_tools.h"
#include "analysis/signs/product_roof.h"

/* Where it is such a product: the interval goes as far as what its arithmetic and DRAM's bytes leave, and the words say so; NULL: it is none. */
const char *product_words(const struct rule_input *in, struct told *out, struct product_roof *roof);
