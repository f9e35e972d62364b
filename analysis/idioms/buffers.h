/* Which of the GEMV's buffers a load reads: its address followed back, by def-use, to the kernel parameter that it starts from.  Pure.
 *
 * The parameters' places follow from the arguments of the step that launches the kernel (`args = a, b, ...`, else the default list) and from
 * where the chip's kernels have their parameters in the constant bank.  A load whose address rests on no pointer among them, or on several, is
 * not told.
 */
#pragma once

#include "analysis/sass/sass.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum buffer { BUFFER_UNKNOWN, BUFFER_A, BUFFER_B, BUFFER_SFA, BUFFER_SFB, BUFFER_OTHER }; /* other: c, scratch */

enum { BUFFERS_MAX = 32 };
struct buffers {
  struct sass *sass;
  struct buffer_param {
    unsigned offset; /* in the constant bank */
    enum buffer buffer;
    const char *text; /* of a number its expression, so long */
    size_t length;
  } params[BUFFERS_MAX];
  size_t n_params;
  bool *seen, found[BUFFERS_MAX]; /* of one walk */
  size_t *stack, depth;
};

/* sm: 90, 100 ...  False where the arguments are not known (another problem than the GEMV, a tensor map among them, no step that launches this
 * kernel).  Release in either case. */
bool buffers_begin(struct buffers *b, struct sass *s, const struct run_variant *v, int sm);
/* Of any kernel, whatever its arguments are; for buffers_arguments alone. */
void buffers_begin_any(struct buffers *b, struct sass *s, int sm);
void buffers_release(struct buffers *b);
/* The word of the constant bank that lies there: of a number its value at the shape; of a pointer the low word is 0, and the upper one the place
 * of its parameter among all, from 1 on (buffers_at). */
bool buffers_word(const struct buffers *b, const struct shape *shape, unsigned offset, uint32_t *value);
/* Whose an address is that is made from such pointers. */
enum buffer buffers_at(const struct buffers *b, uint64_t address);
/* Of a load from global memory, or of a copy from it to shared memory. */
enum buffer buffers_load(struct buffers *b, size_t load);
/* The arguments that its address is made of, a bit for eight bytes; 0: none was found.  Loads of one array have the same but for those of the index. */
unsigned buffers_arguments(struct buffers *b, size_t load);
