#include "profiler/ceilings/measures.h"

#include "base/warp.h"

/* Bytes a chunk: threads x loads x width.  The plain loads stand first. */
enum { PLAIN_READS = 9 };
static const struct access reads[] = {
    {"read_16x1", 1024, 0, 16384, 0, "16 B per thread, 1024 threads per block, one block per chunk"},
    {"read_16x2", 512, 0, 16384, 0, "16 B x 2 per thread, 512 threads per block, one block per chunk"},
    {"read_16x4", 512, 0, 32768, 0, "16 B x 4 per thread, 512 threads per block, one block per chunk"},
    {"read_16x4", 1024, 0, 65536, 0, "16 B x 4 per thread, 1024 threads per block, one block per chunk"},
    {"read_16x8", 256, 0, 32768, 0, "16 B x 8 per thread, 256 threads per block, one block per chunk"},
    {"read_16x4", 512, 0, 32768, 4, "16 B x 4 per thread, 512 threads per block, 4 blocks per SM"},
    {"read_16x8", 256, 0, 32768, 4, "16 B x 8 per thread, 256 threads per block, 4 blocks per SM"},
    {"read_4x8", 512, 0, 16384, 0, "4 B x 8 per thread, 512 threads per block, one block per chunk"},
    {"read_32x4", 512, 0, 65536, 0, "32 B x 4 per thread, 512 threads per block, one block per chunk"},
    {"read_bulk", 32, 65536, 8192, 2, "bulk copies of 8 KiB to shared memory, 8 in flight per block, 2 blocks per SM"},
    {"read_bulk", 32, 65536, 8192, 1, "bulk copies of 8 KiB to shared memory, 8 in flight per block, 1 block per SM"},
};
static const struct access writes[] = {
    {"write_16x1", 1024, 0, 16384, 0, "16 B per thread, 1024 threads per block, one block per chunk"},
    {"write_16x4", 512, 0, 32768, 0, "16 B x 4 per thread, 512 threads per block, one block per chunk"},
    {"write_16x4", 512, 0, 32768, 4, "16 B x 4 per thread, 512 threads per block, 4 blocks per SM"},
};
static const struct access copies[] = {
    {"copy_16x1", 1024, 0, 16384, 0, "16 B per thread, 1024 threads per block, one block per chunk"},
    {"copy_16x4", 512, 0, 32768, 0, "16 B x 4 per thread, 512 threads per block, one block per chunk"},
    {"copy_16x4", 512, 0, 32768, 4, "16 B x 4 per thread, 512 threads per block, 4 blocks per SM"},
};
static const struct access partials[] = {
    {"write_partial", 1024, 0, 32768, 0, "4 B of each 32-byte sector, 1024 threads, one block per chunk"},
};
static const struct access lines[] = {
    {"read_lines", 1024, 0, 131072, 0, "4 B of each 128-byte line, 1024 threads, one block per chunk"},
};
static const struct access line_partials[] = {
    {"write_lines", 1024, 0, 131072, 0, "4 B of each 128-byte line, 1024 threads, one block per chunk"},
};
static const struct dram dram_read = {"dram_bw", "read", reads, sizeof reads / sizeof reads[0], 1};
static const struct dram dram_load = {"dram_load_bw", "read by plain loads", reads, PLAIN_READS, 1};
static const struct dram dram_bulk = {"dram_bulk_bw", "read by bulk copies", reads + PLAIN_READS,
                                      sizeof reads / sizeof reads[0] - PLAIN_READS, 1};
static const struct dram dram_write = {"dram_write_bw", "write", writes, sizeof writes / sizeof writes[0], 1};
static const struct dram dram_copy = {"dram_copy_bw", "copy", copies, sizeof copies / sizeof copies[0], 2};
/* Bytes of the sectors, of which an eighth is written. */
static const struct dram dram_partial = {"dram_partial_bw", "partial write", partials,
                                         sizeof partials / sizeof partials[0], 1};
/* Bytes of the sectors, one of a line's four. */
static const struct dram dram_lines = {"dram_line_bw", "read of a sector a line", lines, sizeof lines / sizeof lines[0],
                                       0.25};
static const struct dram dram_line_partial = {"dram_line_partial_bw", "write in a sector a line", line_partials,
                                              sizeof line_partials / sizeof line_partials[0], 0.25};

static const struct reread reread_l1 = {"reread_l1", "read_bw", "", 0, "clock_hz"};
static const struct reread reread_l2 = {"reread_l2", "read_bw_past_l1", ", past its L1 (ld.cg)", 1, NULL};

static const struct chase chase_l1 = {"l1_latency_cycles", NULL, CHASE_L1};
static const struct chase chase_l2 = {"l2_latency_cycles", NULL, CHASE_L2};
static const struct chase chase_dram = {"dram_latency_cycles", "dram_latency_ns", CHASE_DRAM};
static const struct chase chase_far = {"dram_latency_far_cycles", "dram_latency_far_ns", CHASE_FAR};

static const struct reuse l2_read = {
    "l2_bw", "reread_l2", "re-reads", 16384, 16384, 1, "past its L1 (ld.cg), 16 B x 8 per thread"};
static const struct reuse l2_write = {"l2_write_bw", "rewrite_l2", "rewrites", 16384, 16384, 1, "by 16 B per lane"};
static const struct reuse l2_copy = {"l2_copy_bw",
                                     "recopy_l2",
                                     "copies half of",
                                     16384,
                                     32768,
                                     2,
                                     "to the other half, 16 B x 8 per thread; read and written bytes"};
static const struct reuse l2_partial = {"l2_partial_sectors",           "rewrite_partial", "rewrites", 32768, 1024, 1,
                                        "by 4 B of each 32-byte sector"};
static const struct reuse l2_lines = {"l2_line_sectors",
                                      "reread_lines",
                                      "re-reads",
                                      131072,
                                      1024,
                                      1,
                                      "past its L1 (ld.cg), 4 B of each 128-byte line per lane"};
static const struct reuse l2_line_partial = {
    "l2_line_partial_sectors", "rewrite_lines", "rewrites", 131072, 1024, 1, "by 4 B of each 128-byte line"};

enum { LANES = WARP_LANES, HMMA_FLOPS = 2 * 16 * 8 * 16, LDS128_BYTES = 32 * 16 };
static const struct rate rate_issue = {.row = "rate_issue",
                                       .kernel = "rate_issue",
                                       .opcodes = {"FFMA", "LOP3"},
                                       .per_inst = 1,
                                       .text = "FFMA and LOP3 alternating"};
static const struct rate rate_issue_long = {
    .row = "rate_issue_icache_miss",
    .kernel = "rate_issue_long",
    .opcodes = {"FFMA", "LOP3"},
    .per_inst = 1,
    .per_turn = BENCH_PER_TURN_LONG,
    .turns = 20,
    .text = "FFMA and LOP3 alternating, a loop of 256 KiB: beyond the instruction caches"};
static const struct rate rate_ffma = {
    .row = "rate_ffma", .kernel = "rate_ffma", .opcodes = {"FFMA"}, .per_inst = LANES, .text = "FFMA"};
static const struct rate rate_hfma2 = {.row = "rate_hfma2",
                                       .kernel = "rate_hfma2",
                                       .opcodes = {"HFMA2"},
                                       .per_inst = LANES,
                                       .text = "HFMA2, two results per lane"};
static const struct rate rate_alu = {.row = "rate_alu",
                                     .kernel = "rate_lop3",
                                     .opcodes = {"LOP3"},
                                     .per_inst = LANES,
                                     .text = "LOP3 of three registers"};
static const struct rate rate_imad = {
    .row = "rate_imad", .kernel = "rate_imad", .opcodes = {"IMAD"}, .per_inst = LANES, .text = "IMAD, 32-bit"};
static const struct rate rate_imad_hi = {.row = "rate_imad_hi",
                                         .kernel = "rate_imad_hi",
                                         .opcodes = {"IMAD"},
                                         .per_inst = LANES,
                                         .text = "IMAD.HI, the upper 32 bits of the product"};
static const struct rate rate_f2fp = {.row = "rate_f2fp",
                                      .kernel = "rate_f2fp_e4m3",
                                      .opcodes = {"F2FP"},
                                      .per_inst = LANES,
                                      .text = "F2FP, f16x2 from e4m3x2, two results per lane"};
static const struct rate rate_f2fp_e2m1 = {.row = "rate_f2fp_e2m1",
                                           .kernel = "rate_f2fp_e2m1",
                                           .opcodes = {"F2FP"},
                                           .per_inst = LANES,
                                           .text = "F2FP, f16x2 from e2m1x2, two results per lane"};
static const struct rate rate_i2f = {.row = "rate_i2f",
                                     .kernel = "rate_i2f",
                                     .opcodes = {"I2F", "I2FP"},
                                     .per_inst = LANES,
                                     .text = "I2F or I2FP, fp32 from a signed 32-bit integer"};
static const struct rate rate_f2i = {.row = "rate_f2i",
                                     .kernel = "rate_f2i",
                                     .opcodes = {"F2I"},
                                     .per_inst = LANES,
                                     .text = "F2I, a signed 32-bit integer from fp32"};
static const struct rate rate_idiv = {
    .row = "rate_idiv",
    .kernel = "rate_idiv",
    .opcodes = {"MUFU"},
    .per_inst = LANES,
    .per_turn = BENCH_PER_TURN_SHORT,
    .expands_to = 32,
    .text = "signed 32-bit division by a variable, whole divisions, each a sequence with one MUFU.RCP"};
static const struct rate rate_xu = {
    .row = "rate_xu", .kernel = "rate_mufu", .opcodes = {"MUFU"}, .per_inst = LANES, .text = "MUFU.EX2"};
static const struct rate rate_adu = {.row = "rate_adu",
                                     .kernel = "rate_ldc",
                                     .opcodes = {"LDC"},
                                     .per_inst = LANES,
                                     .text = "LDC, a constant by a register, one address a warp"};
static const struct rate rate_fp64 = {
    .row = "rate_fp64", .kernel = "rate_dfma", .opcodes = {"DFMA"}, .per_inst = LANES, .text = "DFMA"};
static const struct rate rate_lsu = {.row = "rate_lsu",
                                     .kernel = "rate_lds32",
                                     .opcodes = {"LDS"},
                                     .per_inst = LANES,
                                     .text = "LDS of 32 bits, no bank conflict"};
static const struct rate smem = {.row = "smem_bytes_per_clock",
                                 .kernel = "rate_lds128",
                                 .opcodes = {"LDS"},
                                 .per_inst = LDS128_BYTES,
                                 .text = "LDS of 128 bits, no bank conflict"};
static const struct rate rate_atoms_one = {.row = "rate_atoms_one_address",
                                           .kernel = "rate_atoms_one_address",
                                           .opcodes = {"ATOMS"},
                                           .per_inst = LANES,
                                           .turns = 50,
                                           .text = "ATOMS.ADD, 32-bit integer, all lanes of the block to one word"};
static const struct rate rate_atoms_banks = {.row = "rate_atoms_32_banks",
                                             .kernel = "rate_atoms_32_banks",
                                             .opcodes = {"ATOMS"},
                                             .per_inst = LANES,
                                             .text =
                                                 "ATOMS.ADD, 32-bit integer, each lane of a warp to a bank of its own"};
static const struct rate rate_tensor = {.row = "rate_tensor",
                                        .kernel = "rate_hmma",
                                        .opcodes = {"HMMA"},
                                        .per_inst = LANES,
                                        .flops_row = "mma_f16_flops",
                                        .flops = HMMA_FLOPS,
                                        .text = "mma.sync m16n8k16, fp16 in, fp32 sum; warp instructions x 32"};

static const struct rate latency_ffma = {
    .row = "ffma_latency_cycles", .kernel = "latency_ffma", .opcodes = {"FFMA"}, .text = "FFMA"};
static const struct rate latency_hfma2 = {
    .row = "hfma2_latency_cycles", .kernel = "latency_hfma2", .opcodes = {"HFMA2"}, .text = "HFMA2"};
static const struct rate latency_imad = {
    .row = "imad_latency_cycles", .kernel = "latency_imad", .opcodes = {"IMAD"}, .text = "IMAD, 32-bit"};
static const struct rate latency_alu = {
    .row = "alu_latency_cycles", .kernel = "latency_lop3", .opcodes = {"LOP3"}, .text = "LOP3 of three registers"};
static const struct rate latency_xu = {
    .row = "xu_latency_cycles", .kernel = "latency_mufu", .opcodes = {"MUFU"}, .text = "MUFU.EX2"};
static const struct rate latency_fp64 = {
    .row = "fp64_latency_cycles", .kernel = "latency_dfma", .opcodes = {"DFMA"}, .text = "DFMA"};

/* A million words, 4 MiB; a stride near their golden section puts neighbours far apart. */
enum { RED_WORDS = 1 << 20, RED_SPREAD = 648055 };
static const struct red red_one = {"red_one_address", 1, 1, 0, 8, "all lanes of the chip to one word"};
static const struct red red_32 = {
    "red_32_addresses", 32, 1, 0, 64, "each lane of a warp to a word of its own, all warps to the same 32"};
static const struct red red_1024 = {
    "red_1024_addresses", 1024, 1, 0, 512, "each lane of a block to a word of its own, all blocks to the same 1024"};
static const struct red red_neighbours = {
    "red_neighbours", RED_WORDS, 1, 0, 4096, "neighbouring lanes to neighbouring words of 4 MiB"};
static const struct red red_per_warp = {
    "red_address_per_warp", RED_WORDS, RED_SPREAD, 5, 512, "all lanes of a warp to one word, warps spread over 4 MiB"};
static const struct red red_scattered = {
    "red_scattered", RED_WORDS, RED_SPREAD, 0, 512, "each lane to a sector of its own, spread over 4 MiB"};

static const struct blocks blocks_32 = {"blocks_per_s_32", 32};
static const struct blocks blocks_256 = {"blocks_per_s_256", 256};
static const struct blocks blocks_1024 = {"blocks_per_s_1024", 1024};

static const char lanes[] = "lane/cycle/SM", per_clock[] = "B/cycle/SM";

const struct measure measures[] = {
    {"DRAM read", measure_dram, &dram_read, {{"dram_bw", "B/s"}}},
    {"DRAM read by loads", measure_dram, &dram_load, {{"dram_load_bw", "B/s"}}},
    {"DRAM read by bulk copies", measure_dram, &dram_bulk, {{"dram_bulk_bw", "B/s"}}},
    {"DRAM write", measure_dram, &dram_write, {{"dram_write_bw", "B/s"}}},
    {"DRAM copy", measure_dram, &dram_copy, {{"dram_copy_bw", "B/s"}}},
    {"DRAM partial write", measure_dram, &dram_partial, {{"dram_partial_bw", "B/s"}}},
    {"L2 read", measure_l2, &l2_read, {{"l2_bw", "B/s"}}},
    {"L2 write", measure_l2, &l2_write, {{"l2_write_bw", "B/s"}}},
    {"L2 copy", measure_l2, &l2_copy, {{"l2_copy_bw", "B/s"}}},
    {"L2 partial write", measure_l2, &l2_partial, {{"l2_partial_sectors", "sector/s"}}},
    {"L2 read of lines", measure_l2, &l2_lines, {{"l2_line_sectors", "sector/s"}}},
    {"L2 write in lines", measure_l2, &l2_line_partial, {{"l2_line_partial_sectors", "sector/s"}}},
    {"DRAM read of lines", measure_dram, &dram_lines, {{"dram_line_bw", "B/s"}}},
    {"DRAM write in lines", measure_dram, &dram_line_partial, {{"dram_line_partial_bw", "B/s"}}},
    {"L1 read", measure_l1, NULL, {{"l1_bytes_per_clock", per_clock}}},
    {"shared memory", measure_rate, &smem, {{"smem_bytes_per_clock", per_clock}}},
    {"read over size", measure_read_curve, &reread_l1, {{"clock_hz", "Hz"}}, 1},
    {"read over size past L1", measure_read_curve, &reread_l2, {{NULL, NULL}}, 2},
    {"shared-memory latency", measure_smem_chase, NULL, {{"smem_latency_cycles", "cycle"}}},
    {"L1 latency", measure_chase, &chase_l1, {{"l1_latency_cycles", "cycle"}}},
    {"L2 latency", measure_chase, &chase_l2, {{"l2_latency_cycles", "cycle"}}},
    {"DRAM latency", measure_chase, &chase_dram, {{"dram_latency_cycles", "cycle"}, {"dram_latency_ns", "ns"}}},
    {"far DRAM latency",
     measure_chase,
     &chase_far,
     {{"dram_latency_far_cycles", "cycle"}, {"dram_latency_far_ns", "ns"}}},
    {"latency over size", measure_chase_curve, NULL, {{NULL, NULL}}, 3},
    {"issue", measure_rate, &rate_issue, {{"rate_issue", "warp-inst/cycle/SM"}}},
    {"issue past the instruction caches",
     measure_rate,
     &rate_issue_long,
     {{"rate_issue_icache_miss", "warp-inst/cycle/SM"}}},
    {"FFMA", measure_rate, &rate_ffma, {{"rate_ffma", lanes}}},
    {"HFMA2", measure_rate, &rate_hfma2, {{"rate_hfma2", lanes}}},
    {"ALU", measure_rate, &rate_alu, {{"rate_alu", lanes}}},
    {"IMAD", measure_rate, &rate_imad, {{"rate_imad", lanes}}},
    {"IMAD.HI", measure_rate, &rate_imad_hi, {{"rate_imad_hi", lanes}}},
    {"F2FP", measure_rate, &rate_f2fp, {{"rate_f2fp", lanes}}},
    {"F2FP e2m1", measure_rate, &rate_f2fp_e2m1, {{"rate_f2fp_e2m1", lanes}}},
    {"I2F", measure_rate, &rate_i2f, {{"rate_i2f", lanes}}},
    {"F2I", measure_rate, &rate_f2i, {{"rate_f2i", lanes}}},
    {"integer division", measure_rate, &rate_idiv, {{"rate_idiv", lanes}}},
    {"MUFU", measure_rate, &rate_xu, {{"rate_xu", lanes}}},
    {"LSU", measure_rate, &rate_lsu, {{"rate_lsu", lanes}}},
    {"ADU", measure_rate, &rate_adu, {{"rate_adu", lanes}}},
    {"fp64", measure_rate, &rate_fp64, {{"rate_fp64", lanes}}},
    {"tensor", measure_rate, &rate_tensor, {{"rate_tensor", lanes}, {"mma_f16_flops", "FLOP/s"}}},
    {"shared atomics, one address", measure_rate, &rate_atoms_one, {{"rate_atoms_one_address", lanes}}},
    {"shared atomics, 32 banks", measure_rate, &rate_atoms_banks, {{"rate_atoms_32_banks", lanes}}},
    {"FFMA latency", measure_latency, &latency_ffma, {{"ffma_latency_cycles", "cycle"}}},
    {"HFMA2 latency", measure_latency, &latency_hfma2, {{"hfma2_latency_cycles", "cycle"}}},
    {"IMAD latency", measure_latency, &latency_imad, {{"imad_latency_cycles", "cycle"}}},
    {"ALU latency", measure_latency, &latency_alu, {{"alu_latency_cycles", "cycle"}}},
    {"MUFU latency", measure_latency, &latency_xu, {{"xu_latency_cycles", "cycle"}}},
    {"fp64 latency", measure_latency, &latency_fp64, {{"fp64_latency_cycles", "cycle"}}},
    {"atomics, one address", measure_red, &red_one, {{"red_one_address", "lane/s"}}},
    {"atomics, 32 addresses", measure_red, &red_32, {{"red_32_addresses", "lane/s"}}},
    {"atomics, 1024 addresses", measure_red, &red_1024, {{"red_1024_addresses", "lane/s"}}},
    {"atomics, neighbours", measure_red, &red_neighbours, {{"red_neighbours", "lane/s"}}},
    {"atomics, an address per warp", measure_red, &red_per_warp, {{"red_address_per_warp", "lane/s"}}},
    {"atomics, scattered", measure_red, &red_scattered, {{"red_scattered", "lane/s"}}},
    {"launch", measure_launch, NULL, {{"launch_ns", "ns"}, {"launch_full_ns", "ns"}, {"launch_event_ns", "ns"}}},
    {"blocks of 32", measure_blocks, &blocks_32, {{"blocks_per_s_32", "block/s"}}},
    {"blocks of 256", measure_blocks, &blocks_256, {{"blocks_per_s_256", "block/s"}}},
    {"blocks of 1024", measure_blocks, &blocks_1024, {{"blocks_per_s_1024", "block/s"}}},
};
const size_t n_measures = sizeof measures / sizeof measures[0];
