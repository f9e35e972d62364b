/* Rates: what a device does at most, each from the ceiling that measured it, or from another
 * ceiling times a ratio that is stated. */
#pragma once

#include "run/device.h"

#include <stdbool.h>

enum rate_kind {
  RATE_DRAM,            /* B/s read by bulk copies */
  RATE_DRAM_LOAD,       /* B/s read by plain loads */
  RATE_DRAM_COPY,       /* B/s read and written together */
  RATE_L2_READ,         /* B/s */
  RATE_L2_WRITE,        /* B/s */
  RATE_L2_PARTIAL,      /* sectors/s written in part, four a request */
  RATE_L2_LINES,        /* sectors/s read, one a request */
  RATE_L2_LINE_PARTIAL, /* sectors/s written in part, one a request */
  RATE_ATOMIC_SECTORS,  /* sectors/s of reductions to scattered addresses: one a request */
  RATE_ATOMIC_LINES,    /* sectors/s of reductions to neighbouring addresses: four a request */
  RATE_ATOMIC_SLICE,    /* sectors/s that one L2 slice works on for them */
  RATE_ATOMIC_WORD,     /* lanes/s to one word */
  RATE_ISSUE,           /* warp instructions per cycle and SM */
  RATE_ALU,             /* lanes per cycle and SM, as those that follow */
  RATE_FFMA,
  RATE_IMAD,
  RATE_IMAD_HI, /* IMAD.WIDE is taken for as slow */
  RATE_LSU,
  RATE_XU,
  RATE_TENSOR,
  RATE_FP64,
  RATE_ADU,
  RATE_TEX,          /* lanes that fetch through the filter */
  RATE_DRAM_LATENCY, /* cycles at the device's highest clock */
  RATE_L2_LATENCY,
  RATE_LAUNCH,       /* s of an empty kernel of one block */
  RATE_BLOCKS,       /* blocks of 256 threads or fewer that start per second */
  RATE_BLOCKS_LARGE, /* blocks of 1024 threads */
  RATE_KINDS
};

struct rate_of_device {
  double value;                  /* 0: unknown */
  const struct ceiling *ceiling; /* that it was taken from: its own, or the one that stands in */
};

struct rates {
  const struct device *device;
  struct rate_of_device of[RATE_KINDS];
  double sms, clock_max_hz;
};

void rates_of(struct rates *out, const struct device *d);
/* The rate's ceiling name: "dram_bw". */
const char *rate_name(enum rate_kind k);
