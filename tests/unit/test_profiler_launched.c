/* Which rank a process is, by the environments that launchers make: srun's and Open MPI's are as slurm 22.05 and Open MPI 4.1 made them. */
#include "profiler/attach/records/launched_rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define IS(launcher_, rank_, size_, local_, ...)                                                                       \
  do {                                                                                                                 \
    struct launched_rank r = launched_rank_of((char *[]){__VA_ARGS__, NULL});                                          \
    assert_string_equal(r.launcher, launcher_);                                                                        \
    assert_int_equal(r.rank, rank_);                                                                                   \
    assert_int_equal(r.size, size_);                                                                                   \
    assert_int_equal(r.local_rank, local_);                                                                            \
  } while (0)

static void test_launchers(void **state) {
  (void)state;
  IS("torchrun", 5, 16, 1, "PATH=/bin", "RANK=5", "WORLD_SIZE=16", "LOCAL_RANK=1");
  IS("Open MPI", 3, 8, 3, "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=3",
     "PMIX_RANK=3");
  IS("PMI", 2, 4, 0, "PMI_RANK=2", "PMI_SIZE=4", "MPI_LOCALRANKID=0");
  IS("PMIx", 2, -1, -1, "PMIX_RANK=2");
  IS("srun", 1, 2, 1, "SLURM_JOB_ID=2", "SLURM_STEP_ID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_NTASKS=4",
     "SLURM_LOCALID=1");
  IS("srun", 1, 4, -1, "SLURM_PROCID=1", "SLURM_NTASKS=4");
  IS("RANK", 7, -1, -1, "RANK=7");
}

static void test_within_each_other(void **state) {
  (void)state;
  /* torchrun under srun, a task a node; mpirun that starts its daemons by srun */
  IS("torchrun", 9, 16, 1, "SLURM_PROCID=1", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "SLURM_LOCALID=0", "RANK=9",
     "WORLD_SIZE=16", "LOCAL_RANK=1");
  IS("Open MPI", 6, 8, 2, "SLURM_PROCID=1", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "OMPI_COMM_WORLD_RANK=6",
     "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=2");
  IS("PMI", 6, 8, -1, "SLURM_PROCID=1", "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2", "PMI_RANK=6", "PMI_SIZE=8");
  /* srun --mpi=pmix: one rank, told by two */
  IS("PMIx", 1, 2, 1, "PMIX_RANK=1", "SLURM_STEP_ID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_LOCALID=1");
  /* a RANK of the user's own */
  IS("Open MPI", 6, 8, -1, "RANK=0", "OMPI_COMM_WORLD_RANK=6", "OMPI_COMM_WORLD_SIZE=8");
}

static void test_no_rank(void **state) {
  (void)state;
  assert_null(launched_rank_of((char *[]){"PATH=/bin", "RANKS=3", NULL}).launcher);
  assert_null(launched_rank_of((char *[]){NULL}).launcher);
  /* a batch script itself, and what it starts without srun */
  assert_null(
      launched_rank_of((char *[]){"SLURM_JOB_ID=2", "SLURM_PROCID=0", "SLURM_NTASKS=4", "SLURM_LOCALID=0", NULL})
          .launcher);
  assert_null(launched_rank_of((char *[]){"RANK=senior", "PMI_RANK=", "SLURM_PROCID=-1", NULL}).launcher);
  assert_null(launched_rank_of((char *[]){"RANK=99999999999", "WORLD_SIZE=8", NULL}).launcher);
  IS("torchrun", 8, -1, -1, "RANK=8", "WORLD_SIZE=8", "LOCAL_RANK=x"); /* no size of a program that has this rank */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launchers),
      cmocka_unit_test(test_within_each_other),
      cmocka_unit_test(test_no_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
