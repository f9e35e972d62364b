#include "analysis/model/overlap.h"

#include <math.h>

enum { STATIONS = 2, CUSTOMERS_MAX = 64 };

double overlap_seconds(double n, double work_s, double memory_s, double delay_s) {
  double customers = fmin(fmax(floor(n + 0.5), 1), CUSTOMERS_MAX);
  /* One customer's part.  Where there are fewer warps than schedulers each works alone, on more than its share; memory is the chip's. */
  const double demand[STATIONS] = {work_s / fmin(n, customers), memory_s / customers};
  double queue[STATIONS] = {0}, rate = 0;
  for (int k = 1; k <= (int)customers; k++) {
    double response[STATIONS], cycle = delay_s;
    for (int i = 0; i < STATIONS; i++) {
      response[i] = demand[i] * (1 + queue[i]);
      cycle += response[i];
    }
    if (cycle <= 0)
      return 0;
    rate = k / cycle;
    for (int i = 0; i < STATIONS; i++)
      queue[i] = rate * response[i];
  }
  return customers / rate;
}
