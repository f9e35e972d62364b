#include "analysis/signs/lane_rows.h"

#include "analysis/signs/asked.h"

#include <math.h>
#include <stdlib.h>

/* A warp's part of a block: so many rows of so many lanes; width 0: rows do not fill it evenly. */
struct part {
  unsigned width, rows;
};

static struct part part_of(const struct run_launch *l) {
  unsigned x = l->block[0], y = l->block[1], z = l->block[2];
  if (x == 0 || y == 0)
    return (struct part){0};
  if (y * z == 1 || x % RULE_LANES == 0)
    return (struct part){x < RULE_LANES ? x : RULE_LANES, 1};
  if (RULE_LANES % x != 0 || (y < RULE_LANES / x && z > 1)) /* rows of two planes */
    return (struct part){0};
  return (struct part){x, y < RULE_LANES / x ? y : RULE_LANES / x};
}

struct touched {
  double sectors, bytes; /* bytes: that lanes ask for */
  double begins;         /* rows of several lanes */
};

static double sectors_of(double bytes) {
  return ceil(bytes / SECTOR_BYTES);
}

/* False where lanes lie apart, or where that is not known. */
static bool touched_by(struct touched *out, struct part p, int bytes, struct sass_step x, struct sass_step y) {
  double step = labs(x.bytes), between = labs(y.bytes), row = step > 0 ? (double)p.width * bytes : bytes;
  if (x.kind != STEP_BYTES || (step > 0 && step != bytes))
    return false;
  if (p.rows > 1 && y.kind == STEP_UNKNOWN)
    return false;
  unsigned rows = y.kind == STEP_BYTES && between == 0 ? 1 : p.rows;
  if (y.kind == STEP_BYTES && between == row) { /* they lie side by side: one row */
    row *= rows;
    rows = 1;
  }
  *out = (struct touched){rows * sectors_of(row), rows * row, row > bytes ? rows : 0};
  return true;
}

void lane_rows_of(struct lane_rows *out, const struct rule_input *in, enum sass_class class) {
  static const double UNKNOWN_MOST = 0.02; /* of the accesses */
  static const struct part WIDE = {RULE_LANES, 1};
  const struct run_launch *l = in->f->launch;
  struct sass *s = in->sass;
  struct sass_step *x = NULL, *y = NULL;
  struct part p = l ? part_of(l) : (struct part){0};
  double all = 0, unknown = 0;
  *out = (struct lane_rows){.rows = p.rows};
  bool made = s && p.width > 0;
  if (made) {
    x = sass_steps_make(s, 0);
    y = sass_row_steps_make(s);
  }
  for (size_t i = 0; made && i < s->n; i++) {
    struct touched now, wide;
    double n = counts_as(&s->insts[i], class) ? fmax(s->executed[i], 0) : 0;
    bool told = n > 0 && touched_by(&now, p, s->insts[i].bytes, x[i], y[i]) &&
                touched_by(&wide, WIDE, s->insts[i].bytes, x[i], y[i]);
    all += n;
    unknown += told ? 0 : n;
    if (!told)
      continue;
    out->least += n * now.sectors;
    out->begins += n * now.begins;
    out->shared += n * (now.sectors - now.bytes / SECTOR_BYTES);
    out->wide += n * wide.sectors;
    out->wide_shared += n * (wide.sectors - wide.bytes / SECTOR_BYTES);
  }
  free(x);
  free(y);
  out->known = all > unknown && unknown <= UNKNOWN_MOST * all;
  double *const means[] = {&out->least, &out->begins, &out->shared, &out->wide, &out->wide_shared};
  for (size_t k = 0; k < sizeof means / sizeof means[0]; k++)
    *means[k] = out->known ? *means[k] / (all - unknown) : 0;
}

/* Where rows do not fill a warp evenly, as many of them as it takes. */
static struct part any_part_of(const struct rule_input *in) {
  const struct run_launch *l = in->f->launch;
  struct part p = l ? part_of(l) : (struct part){RULE_LANES, 1};
  if (p.width > 0)
    return p;
  unsigned x = l->block[0] > 0 ? l->block[0] : 1;
  return x < RULE_LANES ? (struct part){x, (RULE_LANES + x - 1) / x} : (struct part){RULE_LANES, 1};
}

double lanes_apart_excess(const struct rule_input *in, int bytes) {
  struct part p = any_part_of(in);
  double lanes = p.width * p.rows;
  return lanes * sectors_of(bytes) - fmax(lanes * bytes / SECTOR_BYTES, 1);
}

/* From the first lane's first byte to the last one's last; lanes apart by a number that the code does not say lie in a sector each. */
double lanes_excess(const struct rule_input *in, int bytes, struct sass_step x, struct sass_step y) {
  struct part p = any_part_of(in);
  if (x.kind == STEP_UNKNOWN || (p.rows > 1 && y.kind == STEP_UNKNOWN))
    return -1;
  bool same_x = x.kind == STEP_BYTES && x.bytes == 0, same_y = y.kind == STEP_BYTES && y.bytes == 0;
  double width = same_x ? 1 : p.width, rows = same_y ? 1 : p.rows;
  double in_x = (width - 1) * labs(x.bytes), in_y = (rows - 1) * labs(y.bytes);
  double row =
      x.kind == STEP_TIMES ? width * sectors_of(bytes) : fmin(sectors_of(in_x + bytes), width * sectors_of(bytes));
  double touched = rows * row;
  if (x.kind == STEP_BYTES && (y.kind == STEP_BYTES || rows == 1))
    touched = fmin(touched, sectors_of(in_x + in_y + bytes));
  return fmax(touched - fmax(width * rows * bytes / SECTOR_BYTES, 1), 0);
}
