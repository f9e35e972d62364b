/* Time that only goes forward, for durations and limits. */
#pragma once

#include <stdint.h>

uint64_t clock_now_ns(void);
double clock_now_s(void);
