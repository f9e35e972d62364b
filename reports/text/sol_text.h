/* The speed of light of a device, by shape.  Nothing is computed here. */
#pragma once

#include "analysis/model/findings.h"
#include "base/shape.h"
#include "base/text.h"
#include "run/device.h"

#include <stdbool.h>
#include <stddef.h>

struct sol_text_row { /* one shape under one bandwidth */
  struct shape shape;
  const struct ceiling *bandwidth;
  struct sol minimal, contest;
  const char *origin; /* ceiling_kind_name of the bandwidth, or "given" */
  double ffma_s;      /* of the multiply-adds alone; 0: the rate is not known */
  double decode_s;    /* of the conversions of A from e2m1 alone; 0: no such instruction, or its rate is not known */
};

/* asked: the device was named, and is not the default. */
void report_sol_term(const struct device *d, bool asked, const struct sol_text_row *rows, size_t n, struct text *out,
                     int width, bool colour);
void report_sol_csv(const struct sol_text_row *rows, size_t n, struct text *out);
void report_sol_json(const struct device *d, const struct sol_text_row *rows, size_t n, struct text *out);
