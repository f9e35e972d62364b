#include "analysis/rules/reread_words.h"

#include "analysis/rules/rule_tools.h"
#include "analysis/signs/about.h"
#include "analysis/signs/accesses.h"
#include "analysis/signs/sectors_gone.h"

#include <math.h>

bool passes_load_again(struct sass_passes *x, const struct rule_input *in, double least) {
  static const double SLACK = 1.2;
  *x = (struct sass_passes){0};
  if (in->sass)
    sass_passes_of(x, in->sass);
  return x->n > 1 && least > 0 && load_bytes(in) <= SLACK * (double)x->n * least;
}

double needed_bytes(const struct rule_input *in) {
  const struct run_result *r = in->f->result;
  double least = distinct_bytes(in);
  struct sass_passes x = {0};
  if (in->sass && r->bytes_declared <= 0 && r->bytes_minimal <= 0)
    sass_passes_of(&x, in->sass);
  return x.again > 0 ? fmin(load_bytes(in) * (1 - x.again), least) : least;
}

static const char *line_of_load(const struct rule_input *in, size_t i) {
  const struct run_instruction *at = &in->sass->kernel->sass[i];
  const struct run_line *line = &at->lines[at->n_lines - 1];
  return pool_printf(in->pool, "%d", line->line);
}

const char *lines_of_passes(const struct rule_input *in, const struct sass_passes *x) {
  const char *words = "";
  for (size_t k = 0; k < x->n; k++)
    words = pool_printf(in->pool, "%s%s%s", words,
                        k == 0          ? ""
                        : k + 1 == x->n ? " and "
                                        : ", ",
                        line_of_load(in, x->at[k]));
  return words;
}

const char *passes_remedy(const struct rule_input *in, const struct sass_passes *x) {
  static const double KIBI = 1024;
  enum { HELD_MOST = 128 }; /* bytes: 32 registers of a thread */
  double blocks = grid_blocks(in), threads = blocks * (double)launch_block_threads(in->f->launch);
  double thread = threads > 0 ? x->bytes / threads : INFINITY, block = blocks > 0 ? x->bytes / blocks : INFINITY;
  bool fits = block <= (double)in->all->device->smem_optin;
  const char *shared =
      fits ? pool_printf(in->pool, "shared memory (about %.0f KiB per block)", two_digits(block / KIBI)) : "";
  if (thread > HELD_MOST && !fits)
    return "fewer passes: work out in one loop what two loops need (a running maximum and sum, rescaled as it grows)";
  return pool_printf(
      in->pool, "keep what the first loop loads in %s%s%s, for the others",
      thread <= HELD_MOST ? pool_printf(in->pool, "registers (about %.0f B per thread)", two_digits(thread)) : "",
      thread <= HELD_MOST && fits ? " or " : "", shared);
}

bool fetches_unasked(const struct rule_input *in, double asked, double sent) {
  static const double MORE = 1.5;
  return asked > 0 && sent > MORE * asked && l2_read_over(in) > 0;
}
