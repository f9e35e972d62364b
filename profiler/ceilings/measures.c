#include "profiler/ceilings/measures.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes a chunk: threads x loads x width. */
static const struct access reads[] = {
    {"read_16x1", 1024, 0, 16384, 0, "16 B a thread, 1024 threads, a block a chunk"},
    {"read_16x2", 512, 0, 16384, 0, "16 B x 2 a thread, 512 threads, a block a chunk"},
    {"read_16x4", 512, 0, 32768, 0, "16 B x 4 a thread, 512 threads, a block a chunk"},
    {"read_16x4", 1024, 0, 65536, 0, "16 B x 4 a thread, 1024 threads, a block a chunk"},
    {"read_16x8", 256, 0, 32768, 0, "16 B x 8 a thread, 256 threads, a block a chunk"},
    {"read_16x4", 512, 0, 32768, 4, "16 B x 4 a thread, 512 threads, 4 blocks an SM"},
    {"read_16x8", 256, 0, 32768, 4, "16 B x 8 a thread, 256 threads, 4 blocks an SM"},
    {"read_4x8", 512, 0, 16384, 0, "4 B x 8 a thread, 512 threads, a block a chunk"},
    {"read_32x4", 512, 0, 65536, 0, "32 B x 4 a thread, 512 threads, a block a chunk"},
    {"read_bulk", 32, 65536, 8192, 2, "bulk copies of 8 KiB to shared memory, 8 in flight a block, 2 blocks an SM"},
    {"read_bulk", 32, 65536, 8192, 1, "bulk copies of 8 KiB to shared memory, 8 in flight a block, 1 block an SM"},
};
static const struct access writes[] = {
    {"write_16x1", 1024, 0, 16384, 0, "16 B a thread, 1024 threads, a block a chunk"},
    {"write_16x4", 512, 0, 32768, 0, "16 B x 4 a thread, 512 threads, a block a chunk"},
    {"write_16x4", 512, 0, 32768, 4, "16 B x 4 a thread, 512 threads, 4 blocks an SM"},
};
static const struct access copies[] = {
    {"copy_16x1", 1024, 0, 16384, 0, "16 B a thread, 1024 threads, a block a chunk"},
    {"copy_16x4", 512, 0, 32768, 0, "16 B x 4 a thread, 512 threads, a block a chunk"},
    {"copy_16x4", 512, 0, 32768, 4, "16 B x 4 a thread, 512 threads, 4 blocks an SM"},
};
static const struct dram dram_read = {"dram_bw", "read", reads, sizeof reads / sizeof reads[0], 1};
static const struct dram dram_write = {"dram_write_bw", "write", writes, sizeof writes / sizeof writes[0], 1};
static const struct dram dram_copy = {"dram_copy_bw", "copy", copies, sizeof copies / sizeof copies[0], 2};

static const struct reread reread_l1 = {"reread_l1", "read_bw", "", 0, "clock_hz"};
static const struct reread reread_l2 = {"reread_l2", "read_bw_past_l1", ", past its L1 (ld.cg)", 1, NULL};

static const struct chase chase_l1 = {"l1_latency_cycles", NULL, CHASE_L1};
static const struct chase chase_l2 = {"l2_latency_cycles", NULL, CHASE_L2};
static const struct chase chase_dram = {"dram_latency_cycles", "dram_latency_ns", CHASE_DRAM};
static const struct chase chase_far = {"dram_latency_far_cycles", "dram_latency_far_ns", CHASE_FAR};

enum { LANES = 32, HMMA_FLOPS = 2 * 16 * 8 * 16, LDS128_BYTES = 32 * 16 };
static const struct rate rate_issue = {
    "rate_issue", "rate_issue", {"FFMA", "LOP3"}, 1, NULL, 0, "FFMA and LOP3 by turns"};
static const struct rate rate_ffma = {"rate_ffma", "rate_ffma", {"FFMA", NULL}, LANES, NULL, 0, "FFMA"};
static const struct rate rate_hfma2 = {
    "rate_hfma2", "rate_hfma2", {"HFMA2", NULL}, LANES, NULL, 0, "HFMA2, two results a lane"};
static const struct rate rate_alu = {"rate_alu", "rate_lop3", {"LOP3", NULL},           LANES,
                                     NULL,       0,           "LOP3 of three registers"};
static const struct rate rate_imad = {"rate_imad", "rate_imad", {"IMAD", NULL}, LANES, NULL, 0, "IMAD, 32-bit"};
static const struct rate rate_f2fp = {
    "rate_f2fp", "rate_f2fp_e4m3", {"F2FP", NULL}, LANES, NULL, 0, "F2FP, f16x2 from e4m3x2, two results a lane"};
static const struct rate rate_f2fp_e2m1 = {
    "rate_f2fp_e2m1", "rate_f2fp_e2m1", {"F2FP", NULL}, LANES, NULL, 0, "F2FP, f16x2 from e2m1x2, two results a lane"};
static const struct rate rate_xu = {"rate_xu", "rate_mufu", {"MUFU", NULL}, LANES, NULL, 0, "MUFU.EX2"};
static const struct rate rate_fp64 = {"rate_fp64", "rate_dfma", {"DFMA", NULL}, LANES, NULL, 0, "DFMA"};
static const struct rate rate_lsu = {
    "rate_lsu", "rate_lds32", {"LDS", NULL}, LANES, NULL, 0, "LDS of 32 bits, no bank conflict"};
static const struct rate smem = {
    "smem_bytes_per_clock", "rate_lds128", {"LDS", NULL}, LDS128_BYTES, NULL, 0, "LDS of 128 bits, no bank conflict"};
static const struct rate rate_tensor = {"rate_tensor",
                                        "rate_hmma",
                                        {"HMMA", NULL},
                                        LANES,
                                        "mma_f16_flops",
                                        HMMA_FLOPS,
                                        "mma.sync m16n8k16, fp16 in, fp32 sum; warp instructions x 32"};

static const char lanes[] = "lane/cycle/SM", per_clock[] = "B/cycle/SM";

const struct measure measures[] = {
    {"DRAM read", measure_dram, &dram_read, {{"dram_bw", "B/s"}}, CEILINGS_CURVES},
    {"DRAM write", measure_dram, &dram_write, {{"dram_write_bw", "B/s"}}, CEILINGS_CURVES},
    {"DRAM copy", measure_dram, &dram_copy, {{"dram_copy_bw", "B/s"}}, CEILINGS_CURVES},
    {"L2 read", measure_l2, NULL, {{"l2_bw", "B/s"}}, CEILINGS_CURVES},
    {"L1 read", measure_l1, NULL, {{"l1_bytes_per_clock", per_clock}}, CEILINGS_CURVES},
    {"shared memory", measure_rate, &smem, {{"smem_bytes_per_clock", per_clock}}, CEILINGS_CURVES},
    {"read over size", measure_read_curve, &reread_l1, {{"clock_hz", "Hz"}}, 0},
    {"read over size past L1", measure_read_curve, &reread_l2, {{NULL, NULL}}, 1},
    {"shared-memory latency", measure_smem_chase, NULL, {{"smem_latency_cycles", "cycle"}}, CEILINGS_CURVES},
    {"L1 latency", measure_chase, &chase_l1, {{"l1_latency_cycles", "cycle"}}, CEILINGS_CURVES},
    {"L2 latency", measure_chase, &chase_l2, {{"l2_latency_cycles", "cycle"}}, CEILINGS_CURVES},
    {"DRAM latency",
     measure_chase,
     &chase_dram,
     {{"dram_latency_cycles", "cycle"}, {"dram_latency_ns", "ns"}},
     CEILINGS_CURVES},
    {"far DRAM latency",
     measure_chase,
     &chase_far,
     {{"dram_latency_far_cycles", "cycle"}, {"dram_latency_far_ns", "ns"}},
     CEILINGS_CURVES},
    {"latency over size", measure_chase_curve, NULL, {{NULL, NULL}}, 2},
    {"issue", measure_rate, &rate_issue, {{"rate_issue", "warp-inst/cycle/SM"}}, CEILINGS_CURVES},
    {"FFMA", measure_rate, &rate_ffma, {{"rate_ffma", lanes}}, CEILINGS_CURVES},
    {"HFMA2", measure_rate, &rate_hfma2, {{"rate_hfma2", lanes}}, CEILINGS_CURVES},
    {"ALU", measure_rate, &rate_alu, {{"rate_alu", lanes}}, CEILINGS_CURVES},
    {"IMAD", measure_rate, &rate_imad, {{"rate_imad", lanes}}, CEILINGS_CURVES},
    {"F2FP", measure_rate, &rate_f2fp, {{"rate_f2fp", lanes}}, CEILINGS_CURVES},
    {"F2FP e2m1", measure_rate, &rate_f2fp_e2m1, {{"rate_f2fp_e2m1", lanes}}, CEILINGS_CURVES},
    {"MUFU", measure_rate, &rate_xu, {{"rate_xu", lanes}}, CEILINGS_CURVES},
    {"LSU", measure_rate, &rate_lsu, {{"rate_lsu", lanes}}, CEILINGS_CURVES},
    {"fp64", measure_rate, &rate_fp64, {{"rate_fp64", lanes}}, CEILINGS_CURVES},
    {"tensor", measure_rate, &rate_tensor, {{"rate_tensor", lanes}, {"mma_f16_flops", "FLOP/s"}}, CEILINGS_CURVES},
    {"launch",
     measure_launch,
     NULL,
     {{"launch_ns", "ns"}, {"launch_full_ns", "ns"}, {"launch_event_ns", "ns"}},
     CEILINGS_CURVES},
};
const size_t n_measures = sizeof measures / sizeof measures[0];

void row_fill(struct ceilings *out, const char *name, double value, double clock_hz, const char *detail, ...) {
  for (size_t i = 0; i < out->n; i++) {
    struct ceilings_row *r = &out->rows[i];
    if (strcmp(r->name, name) != 0)
      continue;
    va_list list;
    va_start(list, detail);
    vsnprintf(r->detail, sizeof r->detail, detail, list);
    va_end(list);
    r->value = value;
    r->clock_hz = clock_hz;
    r->present = true;
  }
}
