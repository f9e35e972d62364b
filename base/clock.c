#include "base/clock.h"

#include <time.h>

uint64_t clock_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void clock_utc(char out[CLOCK_UTC_MAX]) {
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  strftime(out, CLOCK_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

double clock_now_s(void) {
  return 1e-9 * (double)clock_now_ns();
}

struct timespec clock_limit_in(long ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += ms % 1000 * 1000000;
  t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}
