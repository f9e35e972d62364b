#include "analysis/model/bounds.h"

static const struct level {
  const char *name;
  const char *bytes; /* derived metric or counter */
} LEVELS[ROOF_LEVELS] = {
    [ROOF_DRAM] = {"DRAM", "dram_bytes"},
    [ROOF_L2] = {"L2", "l2_bytes"},
    [ROOF_L1] = {"L1", "l1_load_bytes"},
};

const char *roof_level_name(enum roof_level l) {
  return l < ROOF_LEVELS ? LEVELS[l].name : "unknown";
}

void roofline_of(struct roof_point out[ROOF_LEVELS], const struct finding *f, struct pool *pool) {
  static const char no_time[] = "the measured time is 0";
  struct value time = finding_time(f);
  /* A control that computes nothing has no place on a roofline of FLOP/s; its bandwidth stands. */
  struct value work = f->result->flops > 0 ? value_of(f->result->flops) : value_absent("it computes no FLOP");
  for (int l = 0; l < ROOF_LEVELS; l++) {
    struct value bytes = finding_value_named(f, LEVELS[l].bytes, pool);
    out[l] = (struct roof_point){
        .intensity = value_ratio(work, bytes, "no byte moved at this level"),
        .flops = value_ratio(work, time, no_time),
        .bandwidth = value_ratio(bytes, time, no_time),
    };
  }
}

/* Of a ceiling by the cycle, what the whole chip does in a second; 0: unknown. */
static double chip_rate(const struct device *d, const struct ceiling *c) {
  return c ? c->value * d->sms * d->clock_max_hz : 0;
}

size_t roofs_of(struct roof out[ROOFS_MAX], const struct device *d, enum roof_level l) {
  static const char *const names[ROOF_LEVELS] = {[ROOF_DRAM] = "dram_bw", [ROOF_L2] = "l2_bw", [ROOF_L1] = "l1_bw"};
  size_t n = 0;
  for (int k = 0; k < ROOFS_MAX; k++) {
    const struct ceiling *c = device_ceiling(d, names[l], (enum ceiling_kind)k);
    double bandwidth = c ? c->value : 0;
    if (bandwidth <= 0 && l == ROOF_L1)
      bandwidth = chip_rate(d, device_ceiling(d, "l1_bytes_per_clock", (enum ceiling_kind)k));
    if (bandwidth > 0)
      out[n++] = (struct roof){bandwidth, (enum ceiling_kind)k};
  }
  return n;
}

struct value roof_fp32(const struct device *d) {
  enum { FLOP_PER_FMA = 2 };
  double rate = chip_rate(d, device_best(d, "rate_ffma"));
  return rate > 0 ? value_of(FLOP_PER_FMA * rate) : value_absent("no fp32 rate or no clock is known for this device");
}

struct value roof_issue(const struct device *d) {
  double rate = chip_rate(d, device_best(d, "rate_issue"));
  return rate > 0 ? value_of(rate) : value_absent("no issue rate or no clock is known for this device");
}
