/* Time that only goes forward, for durations and limits, and the time of day. */
#pragma once

#include <stdint.h>

uint64_t clock_now_ns(void);
double clock_now_s(void);

enum { CLOCK_UTC_MAX = 32 };
void clock_utc(char out[CLOCK_UTC_MAX]); /* "2026-11-23T19:40:00Z" */
