/* A kernel of any number of instructions, each with a line and samples of its own. */
#ifndef TESTS_UNIT_LONG_KERNEL_H
#define TESTS_UNIT_LONG_KERNEL_H

#include "unit/made_sass.h"

#include <stdlib.h>

struct long_kernel {
  struct run_instruction *insts;
  struct run_line *lines;
  struct run_sample *samples;
  struct run_kernel kernel;
  struct run_module module;
  struct run_result result;
  struct run run;
};

static inline void long_init(struct long_kernel *k, size_t n) {
  memset(k, 0, sizeof *k);
  k->insts = calloc(n, sizeof *k->insts);
  k->lines = calloc(n, sizeof *k->lines);
  k->samples = calloc(n, sizeof *k->samples);
  assert_true(k->insts && k->lines && k->samples);
  k->kernel = (struct run_kernel){.name = (char *)"k", .sass = k->insts};
  k->module = (struct run_module){.kernels = &k->kernel, .n_kernels = 1};
  k->result.samples = k->samples;
  k->run = (struct run){.modules = &k->module, .n_modules = 1, .results = &k->result, .n_results = 1};
}

static inline void long_release(struct long_kernel *k) {
  for (size_t i = 0; i < k->kernel.n_sass; i++)
    free(k->insts[i].text);
  free(k->insts);
  free(k->lines);
  free(k->samples);
}

static inline void long_add(struct long_kernel *k, const char *text, int line) {
  size_t i = k->kernel.n_sass++;
  k->lines[i] = (struct run_line){.source = 0, .line = line};
  k->insts[i] = (struct run_instruction){.offset = (uint32_t)(16 * i), .text = strdup(text)};
  k->insts[i].lines = &k->lines[i];
  k->insts[i].n_lines = 1;
}

static inline void long_sample(struct long_kernel *k, size_t at, const char *reason, uint64_t samples) {
  k->samples[k->result.n_samples++] =
      (struct run_sample){.offset = (uint32_t)(16 * at), .reason = (char *)reason, .samples = samples};
}

#endif
