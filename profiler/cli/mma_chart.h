/* The chart of `mma --out`. */
#ifndef PROFILER_CLI_MMA_CHART_H
#define PROFILER_CLI_MMA_CHART_H

#include "profiler/mma/mma.h"
#include "run/device.h"

/* Writes it to the folder, where there is anything to draw; without gnuplot its sources, and a warning on stderr.  gpu, datasheet: NULL where there is
 * none. */
int mma_chart_write(const struct mma *m, const struct mma_options *o, const struct gpu_probe *gpu,
                    const struct device *datasheet, const char *folder, struct err *e);

/* Of a type's row in a device description; 0: it has none. */
double mma_datasheet(const struct mma_type *t, const struct device *d);

#endif
