/* Which rank of a parallel program a process is, by what its launcher put into its environment: for the library that attach injects, and for attach itself. */
#pragma once

struct launched_rank {
  const char *launcher; /* "srun"; NULL: the process is no rank, and the rest says nothing */
  long rank;            /* from 0 */
  long size;            /* ranks of the program; -1: unknown */
  long local_rank;      /* on its host; -1: unknown */
};

/* environment: NAME=VALUE, closed by NULL.  Launchers may stand within each other (an sbatch script's mpirun, torchrun under srun): the innermost
 * names the rank. */
struct launched_rank launched_rank_of(char *const *environment);
