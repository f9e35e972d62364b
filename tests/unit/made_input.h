/* What rules are asked about, of code made by hand. */
#ifndef TESTS_UNIT_MADE_INPUT_H
#define TESTS_UNIT_MADE_INPUT_H

#include "analysis/signs/rule_input.h"
#include "unit/made_sass.h"

struct made_input {
  struct made_sass m;
  struct findings all;
  struct finding f;
  struct device device;
  struct run_launch launch;
  struct rule_input in;
};

/* Each line executed once, unless told otherwise; a block of 256 threads; blocks and waves unknown. */
static inline struct rule_input *input(struct made_input *x, const char *const *lines, const double *executed) {
  double once[MADE_INSTS];
  *x = (struct made_input){.device = {.sms = 10}, .launch = {.grid = {1, 1, 1}, .block = {32, 4, 2}}};
  made_kernel(&x->m, lines);
  for (size_t i = 0; i < MADE_INSTS; i++)
    once[i] = 1;
  made_counts(&x->m, executed ? executed : once);
  for (size_t i = 0; i < x->m.result.n_counts; i++)
    x->m.counts[i].global_sectors = x->m.counts[i].global_sectors_ideal = -1;
  x->all.device = &x->device;
  x->f.launch = &x->launch;
  x->f.result = &x->m.result;
  x->in = (struct rule_input){.all = &x->all, .f = &x->f, .sass = &x->m.sass};
  return &x->in;
}

#endif
