/* The pipes of an SM, as rules on instructions ask for them. */
#pragma once

#include "analysis/signs/rule_input.h"

#define PIPE_BUSY 0.8 /* a pipe that needs this part of the time is what to speak of, not the schedulers */

enum { N_PIPES = 7 };
extern const struct pipe {
  enum bound_kind bound;
  const char *counter;
  size_t field; /* of struct workload */
} PIPES[N_PIPES];

const struct pipe *busiest_pipe(const struct rule_input *in);
/* A problem of the GEMV's is declared. */
bool is_gemv(const struct rule_input *in);
/* It runs matrix instructions: those of a warp that were counted, or such of its code that ran. */
bool runs_tensor_cores(const struct rule_input *in);
/* Matrices are multiplied by mma.sync alone. */
bool synchronous_products(const struct rule_input *in);
