#include "profiler/mma/tuning.h"

#include <stdarg.h>
#include <stdio.h>

/* The instructions are those of the PTX ISA, section "Matrix multiply-accumulate operation using mma instruction".  Scales of 1: 0x7f of ue8m0, 0x38 of
 * ue4m3, four in a word. */
#define PLAIN(k, sum, a, b) "mma.sync.aligned.m16n8k" k ".row.col." sum "." a "." b "." sum
#define F8F6F4(sum, a, b)   "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col." sum "." a "." b "." sum
#define MXF8(a)             "mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32." a "." a ".f32.ue8m0"
#define MXF4(kind, vec, scale)                                                                                         \
  "mma.sync.aligned.kind::" kind ".block_scale.scale_vec::" vec ".m16n8k64.row.col.f32.e2m1.e2m1.f32." scale
#define UE8M0 "0x7f7f7f7f"
#define UE4M3 "0x38383838"

const struct mma_type mma_types[] = {
    {"bf16", MMA_BF16, MMA_BF16, MMA_F32, PLAIN("16", "f32", "bf16", "bf16"), NULL, "HMMA", "tensor_bf16_flops"},
    {"fp16", MMA_FP16, MMA_FP16, MMA_F32, PLAIN("16", "f32", "f16", "f16"), NULL, "HMMA", "tensor_fp16_flops"},
    {"fp16", MMA_FP16, MMA_FP16, MMA_F16, PLAIN("16", "f16", "f16", "f16"), NULL, "HMMA", "tensor_fp16_flops"},
    {"s8", MMA_S8, MMA_S8, MMA_S32, PLAIN("32", "s32", "s8", "s8"), NULL, "IMMA", "tensor_int8_flops"},
    {"u8", MMA_U8, MMA_U8, MMA_S32, PLAIN("32", "s32", "u8", "u8"), NULL, "IMMA", "tensor_int8_flops"},
    {"s8-u8", MMA_S8, MMA_U8, MMA_S32, PLAIN("32", "s32", "s8", "u8"), NULL, "IMMA", "tensor_int8_flops"},
    {"u8-s8", MMA_U8, MMA_S8, MMA_S32, PLAIN("32", "s32", "u8", "s8"), NULL, "IMMA", "tensor_int8_flops"},
    {"s4", MMA_S4, MMA_S4, MMA_S32, PLAIN("64", "s32", "s4", "s4"), NULL, "IMMA", NULL},
    {"u4", MMA_U4, MMA_U4, MMA_S32, PLAIN("64", "s32", "u4", "u4"), NULL, "IMMA", NULL},
    {"s4-u4", MMA_S4, MMA_U4, MMA_S32, PLAIN("64", "s32", "s4", "u4"), NULL, "IMMA", NULL},
    {"u4-s4", MMA_U4, MMA_S4, MMA_S32, PLAIN("64", "s32", "u4", "s4"), NULL, "IMMA", NULL},
    {"e4m3", MMA_E4M3, MMA_E4M3, MMA_F32, PLAIN("32", "f32", "e4m3", "e4m3"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e4m3", MMA_E4M3, MMA_E4M3, MMA_F16, PLAIN("32", "f16", "e4m3", "e4m3"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e5m2", MMA_E5M2, MMA_E5M2, MMA_F32, PLAIN("32", "f32", "e5m2", "e5m2"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e5m2", MMA_E5M2, MMA_E5M2, MMA_F16, PLAIN("32", "f16", "e5m2", "e5m2"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e4m3-e5m2", MMA_E4M3, MMA_E5M2, MMA_F32, PLAIN("32", "f32", "e4m3", "e5m2"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e4m3-e5m2", MMA_E4M3, MMA_E5M2, MMA_F16, PLAIN("32", "f16", "e4m3", "e5m2"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e5m2-e4m3", MMA_E5M2, MMA_E4M3, MMA_F32, PLAIN("32", "f32", "e5m2", "e4m3"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e5m2-e4m3", MMA_E5M2, MMA_E4M3, MMA_F16, PLAIN("32", "f16", "e5m2", "e4m3"), NULL, "QMMA", "tensor_fp8_flops"},
    {"e3m2", MMA_E3M2, MMA_E3M2, MMA_F32, F8F6F4("f32", "e3m2", "e3m2"), NULL, "QMMA", NULL},
    {"e3m2", MMA_E3M2, MMA_E3M2, MMA_F16, F8F6F4("f16", "e3m2", "e3m2"), NULL, "QMMA", NULL},
    {"e2m3", MMA_E2M3, MMA_E2M3, MMA_F32, F8F6F4("f32", "e2m3", "e2m3"), NULL, "QMMA", NULL},
    {"e2m3", MMA_E2M3, MMA_E2M3, MMA_F16, F8F6F4("f16", "e2m3", "e2m3"), NULL, "QMMA", NULL},
    {"e2m1", MMA_E2M1, MMA_E2M1, MMA_F32, F8F6F4("f32", "e2m1", "e2m1"), NULL, "QMMA", NULL},
    {"e2m1", MMA_E2M1, MMA_E2M1, MMA_F16, F8F6F4("f16", "e2m1", "e2m1"), NULL, "QMMA", NULL},
    {"mxf8", MMA_E4M3, MMA_E4M3, MMA_F32, MXF8("e4m3"), UE8M0, "QMMA", NULL},
    {"mxf6", MMA_E3M2, MMA_E3M2, MMA_F32, MXF8("e3m2"), UE8M0, "QMMA", NULL},
    {"mxf4", MMA_E2M1_PACKED, MMA_E2M1_PACKED, MMA_F32, MXF4("mxf4", "2X", "ue8m0"), UE8M0, "OMMA", NULL},
    {"nvf4", MMA_E2M1_PACKED, MMA_E2M1_PACKED, MMA_F32, MXF4("mxf4nvf4", "4X", "ue4m3"), UE4M3, "OMMA", NULL},
};
const size_t n_mma_types = sizeof mma_types / sizeof mma_types[0];

/* What is read of shared memory goes by a warp's tile, what is written there by the block's: 64 x 64 a warp is the most whose sums fit the registers
 * with the operands that are loaded ahead, and 96 x 64 fits where the sums take half. */
static const struct mma_tile tiles[] = {
    {256, 128, 128, 4, 2, 4, 8},  {128, 256, 128, 2, 4, 4, 8}, {256, 128, 128, 4, 2, 4, 4},
    {256, 128, 128, 4, 2, 4, 16}, {256, 128, 128, 4, 2, 3, 8}, {256, 128, 64, 4, 2, 6, 8},
    {128, 256, 128, 2, 4, 4, 16}, {192, 256, 128, 2, 4, 4, 8}, {192, 128, 64, 2, 2, 4, 16},
    {128, 128, 128, 2, 2, 3, 8},  {128, 128, 64, 2, 2, 4, 8},  {128, 128, 64, 2, 2, 6, 8},
};

bool mma_tile_at(size_t i, struct mma_tile *out) {
  if (i >= sizeof tiles / sizeof tiles[0])
    return false;
  *out = tiles[i];
  return true;
}

long mma_tile_smem(const struct mma_tile *t) {
  return (long)(t->m + t->n) * t->k_bytes * t->stages;
}

int mma_format_bits(enum mma_format f) {
  static const int bits[MMA_FORMATS] = {
      [MMA_BF16] = 16, [MMA_FP16] = 16, [MMA_S8] = 8,   [MMA_U8] = 8,   [MMA_S4] = 4,   [MMA_U4] = 4,
      [MMA_E4M3] = 8,  [MMA_E5M2] = 8,  [MMA_E3M2] = 8, [MMA_E2M3] = 8, [MMA_E2M1] = 8, [MMA_E2M1_PACKED] = 4};
  return bits[f];
}

const char *mma_sum_name(enum mma_sum s) {
  static const char *const names[] = {[MMA_F32] = "fp32", [MMA_F16] = "fp16", [MMA_S32] = "int32"};
  return names[s];
}

const char *mma_native_name(enum mma_native n) {
  static const char *const names[] = {[MMA_UNKNOWN] = "unknown", [MMA_NATIVE] = "native", [MMA_EMULATED] = "emulated"};
  return names[n];
}

void mma_present(struct mma_figure *f, double value) {
  *f = (struct mma_figure){.present = true, .value = value};
}

void mma_absent(struct mma_figure *f, const char *reason, ...) {
  va_list args;
  *f = (struct mma_figure){0};
  va_start(args, reason);
  vsnprintf(f->reason, sizeof f->reason, reason, args);
  va_end(args);
}
