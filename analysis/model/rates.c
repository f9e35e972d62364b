#include "analysis/model/rates.h"

#include <stddef.h>

/* A rate of a device file; where a device lacks it, another ceiling times the ratio of the two on
 * the chip that both were measured on. */
static const struct rate_row {
  const char *name;
  const char *from; /* NULL: nothing stands in */
  double ratio;
} RATES[RATE_KINDS] = {
    [RATE_DRAM] = {"dram_bulk_bw", "dram_bw", 1},
    /* Plain loads reach less than bulk copies: on an H200 the slope of `control-read` between 66
     * and 133 MB is 0.970 of dram_bw, on an H100 0.987. */
    [RATE_DRAM_LOAD] = {"dram_load_bw", "dram_bw", 0.98},
    [RATE_DRAM_COPY] = {"dram_copy_bw", "dram_bw", 0.85},
    [RATE_L2_READ] = {"l2_bw"},
    /* 4.2 against 9.03 TB/s on an H200, 2026-11-22. */
    [RATE_L2_WRITE] = {"l2_write_bw", "l2_bw", 0.465},
    /* 114 G sectors/s of which 4 bytes are written, there. */
    [RATE_L2_PARTIAL] = {"l2_partial_sectors", "l2_bw", 0.0127},
    /* 170 and 70 G sectors/s against 8.86 TB/s on another H200, 2026-11-23. */
    [RATE_L2_LINES] = {"l2_line_sectors", "l2_bw", 0.0192},
    [RATE_L2_LINE_PARTIAL] = {"l2_line_partial_sectors", "l2_bw", 0.00794},
    /* 104 G sectors/s of RED.ADD to scattered addresses against 9.03 TB/s, there. */
    [RATE_ATOMIC_SECTORS] = {"red_scattered", "l2_bw", 0.0115},
    /* 8 lanes of red_neighbours are a sector. */
    [RATE_ATOMIC_LINES] = {"red_line_sectors", "red_neighbours", 1.0 / 8},
    /* The 32 words of red_32_addresses are a line's four sectors, in one slice: 8 lanes each. */
    [RATE_ATOMIC_SLICE] = {"red_slice_sectors", "red_32_addresses", 1.0 / 8},
    [RATE_ATOMIC_WORD] = {"red_one_address"},
    [RATE_ISSUE] = {"rate_issue"},
    [RATE_ALU] = {"rate_alu"},
    [RATE_FFMA] = {"rate_ffma"},
    [RATE_IMAD] = {"rate_imad", "rate_ffma", 0.5},
    [RATE_IMAD_HI] = {"rate_imad_hi", "rate_imad", 0.5},
    [RATE_LSU] = {"rate_lsu"},
    [RATE_XU] = {"rate_xu"},
    [RATE_TENSOR] = {"rate_tensor"},
    [RATE_FP64] = {"rate_fp64"},
    [RATE_ADU] = {"rate_adu"},
    [RATE_TEX] = {"rate_tex"},
    [RATE_DRAM_LATENCY] = {"dram_latency_cycles"},
    [RATE_L2_LATENCY] = {"l2_latency_cycles"},
    [RATE_LAUNCH] = {"launch_ns"},
    [RATE_BLOCKS] = {"blocks_per_s_256"},
    [RATE_BLOCKS_LARGE] = {"blocks_per_s_1024"},
};

const char *rate_name(enum rate_kind k) {
  return RATES[k].name;
}

static struct rate_of_device rate_of(const struct device *d, enum rate_kind k) {
  const struct rate_row *row = &RATES[k];
  const struct ceiling *own = device_best(d, row->name), *other = row->from ? device_best(d, row->from) : NULL;
  if (own && own->value > 0)
    return (struct rate_of_device){own->value, own};
  if (other && other->value > 0)
    return (struct rate_of_device){other->value * row->ratio, other};
  return (struct rate_of_device){0};
}

void rates_of(struct rates *out, const struct device *d) {
  *out = (struct rates){.device = d, .sms = d->sms, .clock_max_hz = d->clock_max_hz};
  for (int k = 0; k < RATE_KINDS; k++)
    out->of[k] = rate_of(d, (enum rate_kind)k);
}
