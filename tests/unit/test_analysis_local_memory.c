/* What a kernel keeps in local memory, by its fixed and its computed places: small enough to follow by hand. */
#include "analysis/idioms/local_memory.h"
#include "unit/made_sass.h"

static const struct {
  const char *lines[8];
  double executed[8];
  struct sass_local is;
} CASES[] = {
    /* spilled: stored and loaded at one place */
    {{"STL [R1+0x8], R4", "LDL R5, [R1+0x8]", "EXIT"}, {10, 30, 1}, {.fixed = 40}},
    /* a table of the same numbers; what reads it stands at a computed place */
    {{"IADD3 R1, R1, -0x20, RZ", "MOV R4, 0x1", "CS2R R6, SRZ", "STL [R1], R4", "STL.64 [R1+0x8], RZ",
      "LDL R5, [R9+0x8]", "EXIT"},
     {1, 10, 10, 10, 20, 3, 1},
     {.fixed = 30, .computed = 3, .array = 30, .bytes = 32, .table = true}},
    /* one of its values is the thread's */
    {{"S2R R4, SR_TID.X", "STL [R1], R4", "STL [R1+0x4], RZ", "LDL R5, [R9]", "EXIT"},
     {10, 10, 20, 3, 1},
     {.fixed = 30, .computed = 3, .array = 30, .table = true}},
    /* of two words one is loaded where it was stored: a spill beside the table */
    {{"STL.64 [R1], R6", "LDL R5, [R1+0x4]", "STL [R1+0x8], RZ", "LDL R5, [R9]", "EXIT"},
     {10, 10, 20, 3, 1},
     {.fixed = 40, .computed = 3, .array = 20, .table = true}},
    /* computed stores, too: an array, and no table */
    {{"STL [R1], RZ", "STL [R9], R4", "LDL R5, [R9]", "EXIT"},
     {10, 2, 3, 1},
     {.fixed = 10, .computed = 5, .array = 10}},
    /* filled at computed places, read at fixed ones */
    {{"STL [R9], R4", "LDL R5, [R1+0x10]", "EXIT"}, {10, 2, 1}, {.fixed = 2, .computed = 10, .array = 2}},
    /* nothing reads it at all, and nothing stores it; a place that no frame has */
    {{"STL [R1+0x10], R4", "LDL R5, [R1+0x20]", "EXIT"}, {10, 2, 1}, {.fixed = 12}},
    {{"STL [R1+0x80000], R4", "LDL R5, [R9]", "EXIT"}, {10, 2, 1}, {.fixed = 10, .computed = 2}},
    /* a load that the compiler has switched off reads nothing */
    {{"STL [R1], RZ", "@!PT LDL R5, [R1]", "LDL R5, [R9]", "EXIT"},
     {10, 10, 2, 1},
     {.fixed = 10, .computed = 2, .array = 10, .table = true}},
};

static void what_is_kept(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    static struct made_sass m;
    struct sass_local x;
    made_kernel(&m, CASES[i].lines);
    made_counts(&m, CASES[i].executed);
    sass_local_of(&x, &m.sass);
    if (x.fixed != CASES[i].is.fixed || x.computed != CASES[i].is.computed || x.array != CASES[i].is.array ||
        x.bytes != CASES[i].is.bytes || x.table != CASES[i].is.table)
      fail_msg("case %zu: fixed %g, computed %g, array %g, bytes %g, table %d", i, x.fixed, x.computed, x.array,
               x.bytes, x.table);
    sass_release(&m.sass);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
