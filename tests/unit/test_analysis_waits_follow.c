/* Waits that go with the work that they are for, though no remedy names them. */
#include "analysis/rules/rule_tools.h"
#include "unit/judged.h"

#include "analysis/model/time_model.h"

#include <math.h>

static const double EPSILON = 1e-9;

/* Loads and stores keep the data stage busy all of 100 us.  A warp waits 20 us at its end, and 10 us for shared memory; of as many for the XU nothing is to
 * be told by loads and stores. */
static const struct judged_case BUSY = {.rule = "bank-conflicts",
                                        .set = {{"l1_wavefronts", 1e6},
                                                {"shared_wavefronts", 500},
                                                {"pipe_xu", 500},
                                                {"stall_wait", 6.4e6},
                                                {"stall_drain", 6.4e6},
                                                {"stall_short_scoreboard", 6.4e6}}};

static struct workload work_of(struct judged *j) {
  judged_make(j, &BUSY, NULL);
  j->in.work.dependencies_s = value_of(60e-6);
  j->in.work.loads_s = value_of(40e-6);
  j->in.work.slow_loads = value_of(0.5);
  return j->in.work;
}

static void follows(struct judged *j, struct workload w, double dependencies_us, double slow) {
  waits_follow(&j->in, &w);
  assert_true(fabs(w.dependencies_s.v * 1e6 - dependencies_us) < EPSILON);
  assert_true(fabs(w.slow_loads.v - slow) < EPSILON);
}

static void waits_of_a_path(void **state) {
  (void)state;
  static struct judged j;
  struct workload same = work_of(&j), half = same, fewer = same, taken = same, even = same, more = same;
  follows(&j, same, 60, 0.5);
  half.l1_wavefronts.v /= 2;
  follows(&j, half, 45, 0.25); /* half of 20 and of 10 */
  fewer.l1_wavefronts.v /= 2;
  fewer.loads_s.v *= 0.75; /* that share of slow ones went with them */
  follows(&j, fewer, 45, 0.5 * 0.5 / 0.75);
  taken.l1_wavefronts.v /= 2;
  taken.dependencies_s.v -= 10e-6; /* the remedy named 10 of these 15 */
  follows(&j, taken, 45, 0.25);
  taken.dependencies_s.v -= 10e-6;
  follows(&j, taken, 40, 0.25);
  even.balance = 0.5; /* of the SMs: no warp waits longer or shorter for its loads */
  follows(&j, even, 60, 0.5);
  more.l1_wavefronts.v *= 2;
  follows(&j, more, 60, 0.5);
  judged_release(&j);
}

/* Without loads there are none that are slow; a path of no known work changes nothing. */
static void waits_of_no_path(void **state) {
  (void)state;
  static struct judged j;
  struct workload none = work_of(&j), half = none;
  none.loads_s = value_of(0);
  follows(&j, none, 60, 0.5);
  j.in.work.l1_wavefronts = half.l1_wavefronts = value_absent("not counted");
  follows(&j, half, 60, 0.5);
  judged_release(&j);
}

static double norm(double a, double b) {
  return pow(pow(a, model_fitted.p) + pow(b, model_fitted.p), 1 / model_fitted.p);
}

/* 100 us of bank conflicts, all but one of eight cycles, and 60 us at barriers: these last as long as what the others do. */
static void waits_at_barriers(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 1e6);
  set(r, "shared_wavefronts", 1e6);
  set(r, "shared_bank_conflicts", 875e3);
  set(r, "stall_wait", 0);
  set(r, "stall_selected", 0);
  set(r, "stall_barrier", 0.6 * 32e6);
  double before = norm(100, 60), after = norm(12.5, 60 * norm(12.5, 60) / before);
  saves(&d, "bank-conflicts", 100 * (1 - after / before));
  release(&d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_of_a_path),
      cmocka_unit_test(waits_of_no_path),
      cmocka_unit_test(waits_at_barriers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
