/* Ceilings: what the compiler leaves of the loops, for each chip that has its own.  By itself, since it compiles for seconds. */
#include "compile_fixture.h"

#include "profiler/ceilings/bench.h"
#include "profiler/ceilings/measures.h"

#include <string.h>

static void kernel_holds(const struct bench_code *c, const char *name, const char *opcode, long least, long most) {
  const struct run_kernel *k = bench_kernel(c, name);
  if (!k)
    fail_msg("%s is not there", name);
  long n = bench_count(k, opcode);
  if (n < least || n > most)
    fail_msg("%s has %ld %s, not %ld to %ld", name, n, opcode, least, most);
}

/* The loop holds what its rate says, and little beside it: 512 of 512, with less than a quarter more in the whole kernel (all of that outside
 * the loop but its counter), the 8 stores and loads of the tensor's chains aside. */
static void rate_holds(const struct bench_code *c, const struct rate *r) {
  const struct run_kernel *k = bench_kernel(c, r->kernel);
  if (!k)
    fail_msg("%s is not there", r->kernel);
  int per_turn = rate_per_turn(r);
  size_t expected = (size_t)per_turn * (size_t)(r->expands_to ? r->expands_to : 1);
  long found = bench_count(k, r->opcodes[0]) + (r->opcodes[1] ? bench_count(k, r->opcodes[1]) : 0);
  if (found < per_turn || found > per_turn + 16 || k->n_sass > expected * 4 / 3)
    fail_msg("%s: %ld of %d %s in %zu instructions", r->kernel, found, per_turn, r->opcodes[0], k->n_sass);
}

static void rates_hold(const struct bench_code *c, bool e2m1) {
  size_t seen = 0;
  for (size_t m = 0; m < n_measures; m++) {
    const struct rate *r = measures[m].what;
    if (measures[m].run != measure_rate && measures[m].run != measure_latency)
      continue;
    seen++;
    if (e2m1 || strcmp(r->kernel, "rate_f2fp_e2m1") != 0)
      rate_holds(c, r);
  }
  assert_int_equal(seen, 26);
}

static void test_kernels(void **state) {
  (void)state;
  static const char *const archs[] = {"sm_80", "sm_90a", "sm_100a"};
  need_nvrtc();
  for (size_t a = 0; a < 3; a++) {
    struct bench_code code;
    struct compile_tools tools;
    struct err e = {0};
    assert_int_equal(bench_compile(&code, archs[a], fixture.cache, &tools, &e), 0);
    for (int i = 0; i < BENCH_UNITS; i++)
      if (!code.units[i].ok)
        fail_msg("%s", code.units[i].error);
    assert_true((bench_kernel(&code, "rate_f2fp_e2m1") != NULL) == (a == 2));
    assert_true((bench_kernel(&code, "rate_f2fp_e4m3") != NULL) == (a > 0));
    assert_true((bench_kernel(&code, "read_bulk") != NULL) == (a > 0));
    assert_null(bench_kernel(&code, "read_17x1"));
    if (tools.note[0]) {
      print_message("the SASS is not looked at: %s\n", tools.note);
    } else if (a) {
      rates_hold(&code, a == 2);
      kernel_holds(&code, "reread_l1", "LDG.E.128", 8, 8);
      kernel_holds(&code, "read_16x8", "LDG", 8, 8);
      kernel_holds(&code, "write_16x4", "STG.E.128", 4, 4);
      kernel_holds(&code, "chase_l1", "LDG.E.64", 32, 1024);
      kernel_holds(&code, "chase_smem", "LDS", 16, 512);
      kernel_holds(&code, "read_bulk", "UBLKCP", 1, 1);
      kernel_holds(&code, "empty", "LDG", 0, 0);
      kernel_holds(&code, "write_partial", "STG.E", 1, 1);
      kernel_holds(&code, "rewrite_l2", "STG.E.128", 8, 8);
      kernel_holds(&code, "rewrite_partial", "STG.E.128", 0, 0);
      kernel_holds(&code, "rewrite_partial", "STG", 10, 10); /* and the stamp's two */
      kernel_holds(&code, "rewrite_lines", "STG", 10, 10);
      kernel_holds(&code, "reread_lines", "LDG.E.STRONG.GPU", 8, 8);
      kernel_holds(&code, "read_lines", "LDG", 1, 1);
      kernel_holds(&code, "write_lines", "STG.E", 1, 1);
      kernel_holds(&code, "rate_imad_hi", "IMAD.HI", BENCH_PER_TURN, BENCH_PER_TURN);
      kernel_holds(&code, "recopy_l2", "LDG.E.128", 8, 8);
      kernel_holds(&code, "recopy_l2", "STG.E.128", 8, 8);
      kernel_holds(&code, "red_f32", "REDG.E.ADD.F32", 8, 8);
      kernel_holds(&code, "rate_atoms_one_address", "ATOMS.ADD", BENCH_PER_TURN, BENCH_PER_TURN);
    }
    bench_code_release(&code);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels),
  };
  return cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
