/* A GEMV's warps walked through their code, at its shape and launch. */
#include "analysis/rules/static_walk.h"
#include "analysis/idioms/buffers.h"
#include "analysis/rules/static.h"

#include <string.h>

struct bank {
  const struct static_code *c;
  struct buffers buffers;
};

/* Where the size of a block and of the grid stand in bank 0: read from `nvdisasm -c` of a kernel that stores blockDim and gridDim in x, y and z and has a pointer first,
 * by nvcc 13.0: sm_90a c[0x0][RZ], 0x4, 0x8 and 0xc, 0x10, 0x14, its argument 0x210; sm_100a, sm_103a and sm_120a 0x360 ff. and 0x370 ff., 0x380. */
static bool size_word(const struct bank *b, uint32_t offset, uint32_t *value) {
  const struct run_launch *l = b->c->launch;
  uint32_t first = b->c->device->sm >= 100 ? 0x360 : 0, gap = b->c->device->sm >= 100 ? 0x10 : 0xc;
  for (uint32_t i = 0; i < 3; i++) {
    if (offset == first + 4 * i || offset == first + gap + 4 * i) {
      *value = offset == first + 4 * i ? l->block[i] : l->grid[i];
      return true;
    }
  }
  return false;
}

static bool word_at(const void *context, uint32_t offset, uint32_t *value) {
  const struct bank *b = context;
  return size_word(b, offset, value) || buffers_word(&b->buffers, &b->c->result->shape, offset, value);
}

static bool streams_at(const void *context, uint64_t address) {
  enum buffer of = buffers_at(&((const struct bank *)context)->buffers, address);
  return of == BUFFER_A || of == BUFFER_SFA;
}

static double cycles_of(const struct device *d, const char *name, double otherwise) {
  const struct ceiling *c = device_best(d, name);
  return c && c->value > 0 ? c->value : otherwise;
}

/* Latencies that a device file lacks are an H200's. */
static struct sass_latencies latencies_of(const struct device *d) {
  enum { SCHEDULERS = 4 };
  return (struct sass_latencies){.fixed = cycles_of(d, "alu_latency_cycles", 4),
                                 .half = cycles_of(d, "hfma2_latency_cycles", 8),
                                 .special = cycles_of(d, "xu_latency_cycles", 17),
                                 .shared = cycles_of(d, "smem_latency_cycles", 23),
                                 .l1 = cycles_of(d, "l1_latency_cycles", 32),
                                 .l2 = cycles_of(d, "l2_latency_cycles", 328),
                                 .dram = cycles_of(d, "dram_latency_cycles", 672),
                                 .alu_turn = WARP_LANES * SCHEDULERS / cycles_of(d, "rate_alu", 64)};
}

bool static_walk(struct sass_walk *out, struct static_code *c) {
  struct bank b = {.c = c};
  bool told = buffers_begin(&b.buffers, &c->sass, &c->run->variants[c->result->variant], c->device->sm);
  *out = (struct sass_walk){.constants = {&b, word_at}, .latencies = latencies_of(c->device), .streams = streams_at};
  memcpy(out->grid, c->launch->grid, sizeof out->grid);
  memcpy(out->block, c->launch->block, sizeof out->block);
  told = told && sass_walk(out, &c->sass);
  out->constants = (struct sass_constants){0};
  buffers_release(&b.buffers);
  return told;
}
