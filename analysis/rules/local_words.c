#include "analysis/rules/local_words.h"
#include "analysis/signs/local.h"

const char *local_words(struct pool *p, const struct local_kinds *x) {
  if (x->array && x->spills)
    return pool_printf(
        p,
        "an array is indexed at run time (%.0f %% of the accesses); the rest are fixed places of it or spilled registers",
        100 * x->part);
  if (x->table)
    return "each thread fills an array and reads it at run-time indices";
  return x->array    ? "an array is indexed at run time"
         : x->spills ? "registers spill"
                     : "registers spill, or an array is indexed at run time";
}

/* Of an array; a small one fits beside the registers that the thread has now. */
static const char *array_remedy(struct pool *p, const struct local_kinds *x, int registers) {
  const char *small =
      x->spills
          ? "index the array by constants (unroll its loops), else keep it in shared memory"
          : "index the array by constants (unroll its loops), else keep it in shared memory or packed in a register";
  return x->bytes > (REGISTERS_MOST - registers) * REGISTER_BYTES
             ? pool_printf(p, "store less or compute values again: %.0f bytes per thread do not fit in registers",
                           x->bytes)
             : small;
}

const char *local_remedy(struct pool *p, const struct local_kinds *x, int registers, bool frugal) {
  if (x->array)
    return pool_printf(p, "%s; %s", array_remedy(p, x, registers),
                       x->spills && registers < REGISTERS_MOST ? "allow more registers for what spills"
                                                               : "more registers do not help");
  const char *arrays = x->spills ? "" : ", index arrays by constants";
  return pool_printf(
      p,
      registers >= REGISTERS_MOST
          ? "keep fewer values live (smaller tiles, or two kernels: 255 registers are the most)%s"
      : frugal ? "keep fewer values live%s; more registers (launch bounds, -maxrregcount) would let fewer warps in"
               : "allow more registers (launch bounds, -maxrregcount), keep fewer values live%s",
      arrays);
}
