/* Advice that changes no line of the kernel but how it is launched. */
#pragma once

#include "analysis/rules/rules.h"
#include "base/text.h"

/* The grid, the block or the number of launches is what its remedy changes. */
bool advice_of_launch(const struct advice *a, const struct finding *f, const struct device *d);
/* "<<<65536, 256>>>", "<<<64x4, 32x8>>>"; nothing where the launch is not known. */
void launch_words(const struct finding *f, struct text *out);
