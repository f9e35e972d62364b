/* Time that only goes forward, for durations and limits, and the time of day. */
#pragma once

#include <stdint.h>
#include <time.h>

uint64_t clock_now_ns(void);
double clock_now_s(void);
/* The time of day in so many ms, as pthread_cond_timedwait and pthread_mutex_timedlock take it. */
struct timespec clock_limit_in(long ms);

enum { CLOCK_UTC_MAX = 32 };
void clock_utc(char out[CLOCK_UTC_MAX]); /* "2026-11-23T19:40:00Z" */
