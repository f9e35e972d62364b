/* Time that only goes forward, for durations and limits. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);
double clock_now_s(void);

#endif
