/* Kernels without a run, whose static model and advice are worked out by hand. */
#pragma once

#include "analysis/rules/static.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/made_run.h"
#include "unit/made_sass.h"

/* A turn loads 16 bytes of a (parameter 0x210) and 16 of b (0x218): 7 instructions, of which 2 FFMA and 2 on the ALU. */
static const char *const LOOP[] = {"LDC.64 R2, c[0x0][0x210]",
                                   "LDC.64 R4, c[0x0][0x218]",
                                   "LDG.E.128 R8, desc[UR4][R2.64]", /* 0x20 */
                                   "LDG.E.128 R12, desc[UR4][R4.64]",
                                   "FFMA R16, R8, R12, R16",
                                   "FFMA R17, R9, R13, R17",
                                   "IADD3 R2, R2, 0x10, RZ",
                                   "ISETP.NE.AND P0, PT, R2, R6, PT",
                                   "@P0 BRA 0x20",
                                   "EXIT",
                                   NULL};

struct made_code {
  struct made_run m;
  struct made_sass sass;
  struct run_module module;
  struct run_key step;
  struct static_code code;
};

/* 10 SMs at 1 GHz, DRAM of 4 TB/s and 900 cycles; 20 blocks of 64 threads; 1 MB to load for 32768 elements. */
static inline struct run_result *made(struct made_code *d, const char *const *lines) {
  memset(d, 0, sizeof *d);
  made_begin(&d->m);
  made_kernel(&d->sass, lines);
  d->m.device.sm = 90;
  d->m.device.sms = 10;
  d->m.device.clock_max_hz = 1e9;
  occupancy_chip(&d->m.device, 90);
  made_ceiling(&d->m, "dram_bw", 4e12, CEILING_DATASHEET);
  made_ceiling(&d->m, "dram_latency_cycles", 900, CEILING_MEASURED);
  made_ceiling(&d->m, "rate_ffma", 128, CEILING_DATASHEET);
  made_ceiling(&d->m, "rate_alu", 64, CEILING_DATASHEET);
  struct run_variant *v = made_variant(&d->m, "made", "made", NULL);
  d->step = (struct run_key){(char *)"step", (char *)"kernel = made; grid = 20; block = 64"};
  v->keys = &d->step;
  v->n_keys = 1;
  d->sass.kernel.registers = 32;
  d->module = (struct run_module){.arch = (char *)"sm_90a", .kernels = &d->sass.kernel, .n_kernels = 1};
  d->m.run.modules = &d->module;
  d->m.run.n_modules = 1;
  struct run_result *r = made_result(&d->m, "made", (struct shape){.m = 128, .k = 256, .l = 1});
  r->module = 0;
  r->bytes_minimal = 1e6;
  r->n_launches = 1;
  *r->launches = (struct run_launch){.kernel = (char *)"made", .grid = {20, 1, 1}, .block = {64, 1, 1}};
  return r;
}

static inline void make(struct made_code *d) {
  struct err e = {0};
  if (static_code_make(&d->code, &d->m.run, d->m.results, d->m.results[0].launches, &d->m.device, &e))
    fail_msg("%s", e.text);
}

static inline void release(struct made_code *d) {
  static_code_release(&d->code);
  sass_release(&d->sass.sass);
}
