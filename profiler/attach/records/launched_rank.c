#include "profiler/attach/records/launched_rank.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The innermost first.  mpirun and mpiexec may start their daemons by srun, whose variables then tell of the daemons. */
static const struct launcher_row {
  const char *name, *rank, *size, *local_rank; /* of the environment; NULL: it does not tell */
  const char *needs, *of;                      /* the row counts where there is `needs`, or no `of` */
} rows[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "WORLD_SIZE", "RANK"},
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"}, /* MPICH, Intel MPI, srun --mpi=pmi2 */
    {"PMIx", "PMIX_RANK"},
    /* A batch script and all that it starts are SLURM_PROCID 0 by themselves: only a step has ranks. */
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_ID", "SLURM_JOB_ID"},
    {"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_ID", "SLURM_JOB_ID"},
    {"RANK", "RANK", NULL, "LOCAL_RANK"},
};

static const char *value_of(char *const *environment, const char *name) {
  size_t n = strlen(name);
  for (; *environment; environment++)
    if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
      return *environment + n + 1;
  return NULL;
}

/* -1: there is none, or it is no number. */
static long number_of(char *const *environment, const char *name) {
  const char *text = name ? value_of(environment, name) : NULL;
  size_t n = text ? strlen(text) : 0;
  return n > 0 && n <= 9 && strspn(text, "0123456789") == n ? strtol(text, NULL, 10) : -1;
}

static bool counts(const struct launcher_row *row, char *const *environment) {
  return !row->needs || value_of(environment, row->needs) || !value_of(environment, row->of);
}

struct launched_rank launched_rank_of(char *const *environment) {
  struct launched_rank out = {.rank = -1, .size = -1, .local_rank = -1};
  for (const struct launcher_row *row = rows; row < rows + sizeof rows / sizeof rows[0]; row++) {
    long rank = counts(row, environment) ? number_of(environment, row->rank) : -1;
    /* What the innermost does not tell, another may that agrees on the rank. */
    if (rank < 0 || (out.launcher && rank != out.rank))
      continue;
    long size = number_of(environment, row->size), local_rank = number_of(environment, row->local_rank);
    out.launcher = out.launcher ? out.launcher : row->name;
    out.rank = rank;
    out.size = out.size < 0 && size > rank ? size : out.size;
    out.local_rank = out.local_rank < 0 ? local_rank : out.local_rank;
  }
  return out;
}
