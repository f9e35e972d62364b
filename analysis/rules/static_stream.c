/* Which of the hot loop's loads bring what is read once: A and its scales.  B's bytes pass through the same loop, once a row, and must not be
 * counted as progress. */
#include "analysis/idioms/buffers.h"
#include "analysis/rules/static.h"

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
    if (!static_in_loop(c, i) || (x->class != SASS_LOAD_GLOBAL && x->access != ACCESS_ASYNC_COPY))
      continue;
    enum buffer buffer = buffers_load(&buffers, i);
    told = buffer != BUFFER_UNKNOWN;
    bytes += buffer == BUFFER_A || buffer == BUFFER_SFA ? x->bytes : 0;
  }
  buffers_release(&buffers);
  return told && bytes > 0 ? value_of(bytes) : value_absent(unknown);
}
