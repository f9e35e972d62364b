/* Numbers and units as Nsight Compute prints them.  Private to this folder. */
#pragma once

#include <stdbool.h>

enum quantity { QUANTITY_NUMBER, QUANTITY_ABSENT, QUANTITY_TEXT };

/* "1,234.50", "-3", "12 {132}" (the suffix counts instances).  Empty, "nan", "inf", "no data", "n/a" and "-" are absent.  Anything else is a
 * text; so is a number whose commas do not stand before three digits. */
enum quantity quantity_parse(const char *text, double *out);

/* What a value of that unit is multiplied by to stand in ncu's own base units (`--print-units base`), which are CUPTI's: byte, ns, Hz, %
 * as it is, counts as they are.  Prefixes are decimal: 1.024 Kbyte are 1024 byte (seen in ncu 2025.3).  False: an unknown unit. */
bool unit_scale(const char *unit, double *out);
