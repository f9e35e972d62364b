/* Roofs of a device: the speed of light, and the classic roofline. */
#include "analysis/model/finding_parts.h"

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

struct value roof_fp32(const struct device *d) {
  enum { FLOP_PER_FMA = 2 };
  const struct ceiling *c = device_best(d, "rate_ffma");
  double rate = c ? c->value * d->sms * d->clock_max_hz : 0;
  return rate > 0 ? value_of(FLOP_PER_FMA * rate) : value_absent("no fp32 rate or no clock is known for this device");
}

const struct ceiling *sol_stated_bandwidth(const struct device *d) {
  const struct ceiling *c = device_ceiling(d, "dram_bw", CEILING_DATASHEET);
  return c ? c : device_ceiling(d, "dram_bw", CEILING_DRIVER);
}

void sol_of(struct sol *out, double bytes, const char *bytes_kind, const struct ceiling *bandwidth) {
  *out = (struct sol){.bytes = bytes, .bytes_kind = bytes_kind, .bandwidth = bandwidth};
  if (bandwidth && bandwidth->value > 0)
    out->seconds = bytes / bandwidth->value;
}
