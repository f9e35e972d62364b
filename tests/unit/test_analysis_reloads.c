/* Bytes that a thread loads again, and what stands between the two loads. */
#include "analysis/signs/reloads.h"
#include "unit/made_input.h"

#define LOAD    "LDG.E R4, desc[UR4][R2.64]"
#define AGAIN   "LDG.E R6, desc[UR4][R2.64]"
#define BARRIER "BAR.SYNC.DEFER_BLOCKING 0x0"
#define STORE   "STG.E desc[UR4][R8.64], R10"

static const struct {
  const char *lines[12];
  double executed[12];
  double again;
  enum reload why; /* where something is loaded again */
} ROWS[] = {
    /* half of the bytes: the second of two */
    {{LOAD, AGAIN, "EXIT"}, {1, 1, 1}, 0.5, RELOAD_READ},
    {{LOAD, "FADD R10, R11, R12", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_READ},
    /* the third is compared with the second */
    {{LOAD, AGAIN, "LDG.E R7, desc[UR4][R2.64]", "EXIT"}, {1, 1, 1, 1}, 2.0 / 3, RELOAD_READ},
    /* what stands between them: the most that keeps the compiler from taking the first for both */
    {{LOAD, BARRIER, AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_BARRIER},
    {{LOAD, STORE, AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_STORE},
    {{LOAD, "ATOMG.E.ADD.STRONG.GPU PT, R12, desc[UR4][R8.64], R10", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_STORE},
    {{LOAD, STORE, BARRIER, AGAIN, "EXIT"}, {1, 1, 1, 1, 1}, 0.5, RELOAD_STORE},
    {{LOAD, BARRIER, STORE, AGAIN, "EXIT"}, {1, 1, 1, 1, 1}, 0.5, RELOAD_STORE},
    /* before the first, or behind the second, it parts nothing */
    {{STORE, LOAD, AGAIN, BARRIER, "EXIT"}, {1, 1, 1, 1, 1}, 0.5, RELOAD_READ},
    /* a store of shared memory writes elsewhere */
    {{LOAD, "STS [R8], R10", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_READ},
    /* another place, another width */
    {{LOAD, "LDG.E R6, desc[UR4][R2.64+0x4]", "EXIT"}, {1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "LDG.E R6, desc[UR4][R8.64]", "EXIT"}, {1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "LDG.E.64 R6, desc[UR4][R2.64]", "EXIT"}, {1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "LDS R6, [R2]", "EXIT"}, {1, 1, 1}, 0, RELOAD_READ},
    /* R2 and R3 are the address: it is another where one of them was written, also by the first load; R0, R1 and R4 are not */
    {{LOAD, "IADD3 R2, R2, 0x4, RZ", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "IADD3 R3, R3, 0x4, RZ", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "IADD3 R1, R3, 0x4, RZ", "IADD3 R4, R3, 0x4, RZ", AGAIN, "EXIT"}, {1, 1, 1, 1, 1}, 0.5, RELOAD_READ},
    {{LOAD, "LDS.64 R0, [R8]", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_READ},
    {{LOAD, "LDS.128 R0, [R8]", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0, RELOAD_READ},
    {{"LDG.E R2, desc[UR4][R2.64]", AGAIN, "EXIT"}, {1, 1, 1}, 0, RELOAD_READ},
    {{LOAD, "ISETP.NE.AND P2, PT, R8, RZ, PT", AGAIN, "EXIT"}, {1, 1, 1, 1}, 0.5, RELOAD_READ}, /* P2 is no R2 */
    /* in another block of code, on a way that not all go */
    {{LOAD, "@P0 BRA 0x30", AGAIN, "EXIT"}, {2, 2, 1, 2}, 0, RELOAD_READ},
    /* by bytes: 16 of 40, behind a store, are more than 4, and 8 * 4 of 72 are more than 16 */
    {{"LDG.E.128 R12, desc[UR4][R8.64]", "STG.E desc[UR4][R10.64], R20", "LDG.E.128 R16, desc[UR4][R8.64]", LOAD, AGAIN,
      "EXIT"},
     {1, 1, 1, 1, 1, 1},
     20.0 / 40,
     RELOAD_STORE},
    {{"LDG.E.128 R12, desc[UR4][R8.64]", "STG.E desc[UR4][R10.64], R20", "LDG.E.128 R16, desc[UR4][R8.64]", LOAD, AGAIN,
      "EXIT"},
     {1, 1, 1, 2, 8, 8},
     48.0 / 72,
     RELOAD_READ},
    /* nothing loads, or nothing of it ran */
    {{"FADD R10, R11, R12", "EXIT"}, {1, 1}, 0, RELOAD_READ},
    {{LOAD, AGAIN, "EXIT"}, {0, 0, 1}, 0, RELOAD_READ},
};

static void loaded_again(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    static struct made_input x;
    enum reload why;
    double again = loads_again(input(&x, ROWS[i].lines, ROWS[i].executed), &why);
    if (!(again > ROWS[i].again - 1e-12 && again < ROWS[i].again + 1e-12) || why != ROWS[i].why)
      fail_msg("row %zu: %g, %d", i, again, (int)why);
    sass_release(&x.m.sass);
  }
}

static void not_counted(void **state) {
  (void)state;
  static const char *const lines[] = {LOAD, AGAIN, "EXIT", NULL};
  static struct made_input x;
  enum reload why;
  struct rule_input *in = input(&x, lines, NULL);
  x.m.sass.counted = false;
  assert_float_equal(loads_again(in, &why), 0, 0);
  in->sass = NULL;
  assert_float_equal(loads_again(in, &why), 0, 0);
  sass_release(&x.m.sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loaded_again), cmocka_unit_test(not_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
