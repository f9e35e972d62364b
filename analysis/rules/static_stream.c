/* Which of the hot loop's loads bring what is read once: A and its scales.  B's bytes pass through the same loop, once a row, and must not be
 * counted as progress. */
#include "analysis/idioms/buffers.h"
#include "analysis/rules/static.h"

#include <math.h>
#include <stdlib.h>

static bool is_load(const struct static_code *c, size_t i) {
  const struct sass_inst *x = &c->sass.insts[i];
  return static_in_loop(c, i) && (x->class == SASS_LOAD_GLOBAL || x->access == ACCESS_ASYNC_COPY);
}

bool static_in_loop(const struct static_code *c, size_t inst) {
  return sass_summed(&c->sass, inst, c->code.hot);
}

struct value static_once_bytes(struct static_code *c) {
  static const char unknown[] = "the buffers that the loop loads from could not be told apart";
  struct buffers buffers;
  double bytes = 0;
  bool told = buffers_begin(&buffers, &c->sass, &c->run->variants[c->result->variant], c->device->sm);
  for (size_t i = 0; i < c->sass.n && told; i++) {
    const struct sass_inst *x = &c->sass.insts[i];
    if (!is_load(c, i))
      continue;
    enum buffer buffer = buffers_load(&buffers, i);
    told = buffer != BUFFER_UNKNOWN;
    bytes += buffer == BUFFER_A || buffer == BUFFER_SFA ? x->bytes : 0;
  }
  buffers_release(&buffers);
  return told && bytes > 0 ? value_of(bytes) : value_absent(unknown);
}

double static_least_bytes(struct static_code *c) {
  struct buffers buffers;
  double least = c->turn_bytes.v;
  unsigned *arrays = calloc(c->sass.n + 1, sizeof *arrays);
  buffers_begin_any(&buffers, &c->sass, c->device->sm);
  for (size_t i = 0; i < c->sass.n; i++)
    arrays[i] = is_load(c, i) ? buffers_arguments(&buffers, i) : 0;
  for (size_t i = 0; i < c->sass.n; i++) {
    double bytes = 0;
    for (size_t k = 0; k < c->sass.n && arrays[i]; k++)
      bytes += arrays[k] == arrays[i] ? c->sass.insts[k].bytes : 0;
    least = bytes > 0 ? fmin(least, bytes) : least;
  }
  buffers_release(&buffers);
  free(arrays);
  return least;
}
