#include "profiler/ceilings/measures.h"

#include "base/warp.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

enum { LANES = WARP_LANES, HMMA_FLOPS = 2 * 16 * 8 * 16, LDS128_BYTES = 32 * 16 };
/* A million words, 4 MiB; a stride near their golden section puts neighbours far apart. */
enum { RED_WORDS = 1 << 20, RED_SPREAD = 648055 };

static const char lanes[] = "lane/cycle/SM", per_clock[] = "B/cycle/SM";

/* A measure of one row, and what its run is told. */
#define ROW(label, name, unit, run, type, ...)                                                                         \
  {                                                                                                                    \
    label, run, &(const struct type){__VA_ARGS__}, {                                                                   \
      { name, unit }                                                                                                   \
    }                                                                                                                  \
  }

const struct measure measures[] = {
    ROW("DRAM read", "dram_bw", "B/s", measure_dram, dram, "read", reads, COUNT(reads), 1),
    ROW("DRAM read by loads", "dram_load_bw", "B/s", measure_dram, dram, "read by plain loads", reads, PLAIN_READS, 1),
    ROW("DRAM read by bulk copies", "dram_bulk_bw", "B/s", measure_dram, dram, "read by bulk copies",
        reads + PLAIN_READS, COUNT(reads) - PLAIN_READS, 1),
    ROW("DRAM write", "dram_write_bw", "B/s", measure_dram, dram, "write", writes, COUNT(writes), 1),
    ROW("DRAM copy", "dram_copy_bw", "B/s", measure_dram, dram, "copy", copies, COUNT(copies), 2),
    ROW("DRAM partial write", "dram_partial_bw", "B/s", measure_dram, dram, "partial write", partials, COUNT(partials),
        1),
    ROW("L2 read", "l2_bw", "B/s", measure_l2, reuse, "reread_l2", "re-reads", 16384, 16384, 1,
        "past its L1 (ld.cg), 16 B x 8 per thread"),
    ROW("L2 write", "l2_write_bw", "B/s", measure_l2, reuse, "rewrite_l2", "rewrites", 16384, 16384, 1,
        "by 16 B per lane"),
    ROW("L2 copy", "l2_copy_bw", "B/s", measure_l2, reuse, "recopy_l2", "copies half of", 16384, 32768, 2,
        "to the other half, 16 B x 8 per thread; read and written bytes"),
    ROW("L2 partial write", "l2_partial_sectors", "sector/s", measure_l2, reuse, "rewrite_partial", "rewrites", 32768,
        1024, 1, "by 4 B of each 32-byte sector"),
    ROW("L2 read of lines", "l2_line_sectors", "sector/s", measure_l2, reuse, "reread_lines", "re-reads", 131072, 1024,
        1, "past its L1 (ld.cg), 4 B of each 128-byte line per lane"),
    ROW("L2 write in lines", "l2_line_partial_sectors", "sector/s", measure_l2, reuse, "rewrite_lines", "rewrites",
        131072, 1024, 1, "by 4 B of each 128-byte line"),
    ROW("DRAM read of lines", "dram_line_bw", "B/s", measure_dram, dram, "read of a sector a line", lines, COUNT(lines),
        0.25),
    ROW("DRAM write in lines", "dram_line_partial_bw", "B/s", measure_dram, dram, "write in a sector a line",
        line_partials, COUNT(line_partials), 0.25),
    {"L1 read", measure_l1, NULL, {{"l1_bytes_per_clock", per_clock}}},
    ROW("shared memory", "smem_bytes_per_clock", per_clock, measure_rate, rate, .kernel = "rate_lds128",
        .opcodes = {"LDS"}, .per_inst = LDS128_BYTES, .text = "LDS of 128 bits, no bank conflict"),
    {"read over size", measure_read_curve, &(const struct reread){"reread_l1", "read_bw", ""}, {{"clock_hz", "Hz"}}, 1},
    {"read over size past L1",
     measure_read_curve,
     &(const struct reread){"reread_l2", "read_bw_past_l1", ", past its L1 (ld.cg)"},
     {{NULL, NULL}},
     2},
    {"shared-memory latency", measure_smem_chase, NULL, {{"smem_latency_cycles", "cycle"}}},
    ROW("L1 latency", "l1_latency_cycles", "cycle", measure_chase, chase, CHASE_L1),
    ROW("L2 latency", "l2_latency_cycles", "cycle", measure_chase, chase, CHASE_L2),
    {"DRAM latency",
     measure_chase,
     &(const struct chase){CHASE_DRAM},
     {{"dram_latency_cycles", "cycle"}, {"dram_latency_ns", "ns"}}},
    {"far DRAM latency",
     measure_chase,
     &(const struct chase){CHASE_FAR},
     {{"dram_latency_far_cycles", "cycle"}, {"dram_latency_far_ns", "ns"}}},
    {"latency over size", measure_chase_curve, NULL, {{NULL, NULL}}, 3},
    ROW("issue", "rate_issue", "warp-inst/cycle/SM", measure_rate, rate, .kernel = "rate_issue",
        .opcodes = {"FFMA", "LOP3"}, .per_inst = 1, .text = "FFMA and LOP3 alternating"),
    ROW("issue past the instruction caches", "rate_issue_icache_miss", "warp-inst/cycle/SM", measure_rate, rate,
        .kernel = "rate_issue_long", .opcodes = {"FFMA", "LOP3"}, .per_inst = 1, .per_turn = BENCH_PER_TURN_LONG,
        .turns = 20, .text = "FFMA and LOP3 alternating, a loop of 256 KiB: beyond the instruction caches"),
    ROW("FFMA", "rate_ffma", lanes, measure_rate, rate, .kernel = "rate_ffma", .opcodes = {"FFMA"}, .per_inst = LANES,
        .text = "FFMA"),
    ROW("HFMA2", "rate_hfma2", lanes, measure_rate, rate, .kernel = "rate_hfma2", .opcodes = {"HFMA2"},
        .per_inst = LANES, .text = "HFMA2, two results per lane"),
    ROW("ALU", "rate_alu", lanes, measure_rate, rate, .kernel = "rate_lop3", .opcodes = {"LOP3"}, .per_inst = LANES,
        .text = "LOP3 of three registers"),
    ROW("IMAD", "rate_imad", lanes, measure_rate, rate, .kernel = "rate_imad", .opcodes = {"IMAD"}, .per_inst = LANES,
        .text = "IMAD, 32-bit"),
    ROW("IMAD.HI", "rate_imad_hi", lanes, measure_rate, rate, .kernel = "rate_imad_hi", .opcodes = {"IMAD"},
        .per_inst = LANES, .text = "IMAD.HI, the upper 32 bits of the product"),
    ROW("F2FP", "rate_f2fp", lanes, measure_rate, rate, .kernel = "rate_f2fp_e4m3", .opcodes = {"F2FP"},
        .per_inst = LANES, .text = "F2FP, f16x2 from e4m3x2, two results per lane"),
    ROW("F2FP e2m1", "rate_f2fp_e2m1", lanes, measure_rate, rate, .kernel = "rate_f2fp_e2m1", .opcodes = {"F2FP"},
        .per_inst = LANES, .text = "F2FP, f16x2 from e2m1x2, two results per lane"),
    ROW("I2F", "rate_i2f", lanes, measure_rate, rate, .kernel = "rate_i2f", .opcodes = {"I2F", "I2FP"},
        .per_inst = LANES, .text = "I2F or I2FP, fp32 from a signed 32-bit integer"),
    ROW("F2I", "rate_f2i", lanes, measure_rate, rate, .kernel = "rate_f2i", .opcodes = {"F2I"}, .per_inst = LANES,
        .text = "F2I, a signed 32-bit integer from fp32"),
    ROW("integer division", "rate_idiv", lanes, measure_rate, rate, .kernel = "rate_idiv", .opcodes = {"MUFU"},
        .per_inst = LANES, .per_turn = BENCH_PER_TURN_SHORT, .expands_to = 32,
        .text = "signed 32-bit division by a variable, whole divisions, each a sequence with one MUFU.RCP"),
    ROW("MUFU", "rate_xu", lanes, measure_rate, rate, .kernel = "rate_mufu", .opcodes = {"MUFU"}, .per_inst = LANES,
        .text = "MUFU.EX2"),
    ROW("LSU", "rate_lsu", lanes, measure_rate, rate, .kernel = "rate_lds32", .opcodes = {"LDS"}, .per_inst = LANES,
        .text = "LDS of 32 bits, no bank conflict"),
    ROW("ADU", "rate_adu", lanes, measure_rate, rate, .kernel = "rate_ldc", .opcodes = {"LDC"}, .per_inst = LANES,
        .text = "LDC, a constant by a register, one address a warp"),
    ROW("fp64", "rate_fp64", lanes, measure_rate, rate, .kernel = "rate_dfma", .opcodes = {"DFMA"}, .per_inst = LANES,
        .text = "DFMA"),
    {"tensor",
     measure_rate,
     &(const struct rate){.kernel = "rate_hmma",
                          .opcodes = {"HMMA"},
                          .per_inst = LANES,
                          .flops = HMMA_FLOPS,
                          .text = "mma.sync m16n8k16, fp16 in, fp32 sum; warp instructions x 32"},
     {{"rate_tensor", lanes}, {"mma_f16_flops", "FLOP/s"}}},
    ROW("shared atomics, one address", "rate_atoms_one_address", lanes, measure_rate, rate,
        .kernel = "rate_atoms_one_address", .opcodes = {"ATOMS"}, .per_inst = LANES, .turns = 50,
        .text = "ATOMS.ADD, 32-bit integer, all lanes of the block to one word"),
    ROW("shared atomics, 32 banks", "rate_atoms_32_banks", lanes, measure_rate, rate, .kernel = "rate_atoms_32_banks",
        .opcodes = {"ATOMS"}, .per_inst = LANES,
        .text = "ATOMS.ADD, 32-bit integer, each lane of a warp to a bank of its own"),
    ROW("FFMA latency", "ffma_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_ffma",
        .opcodes = {"FFMA"}, .text = "FFMA"),
    ROW("HFMA2 latency", "hfma2_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_hfma2",
        .opcodes = {"HFMA2"}, .text = "HFMA2"),
    ROW("IMAD latency", "imad_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_imad",
        .opcodes = {"IMAD"}, .text = "IMAD, 32-bit"),
    ROW("ALU latency", "alu_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_lop3",
        .opcodes = {"LOP3"}, .text = "LOP3 of three registers"),
    ROW("MUFU latency", "xu_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_mufu",
        .opcodes = {"MUFU"}, .text = "MUFU.EX2"),
    ROW("fp64 latency", "fp64_latency_cycles", "cycle", measure_latency, rate, .kernel = "latency_dfma",
        .opcodes = {"DFMA"}, .text = "DFMA"),
    ROW("atomics, one address", "red_one_address", "lane/s", measure_red, red, 1, 1, 0, 8,
        "all lanes of the chip to one word"),
    ROW("atomics, 32 addresses", "red_32_addresses", "lane/s", measure_red, red, 32, 1, 0, 64,
        "each lane of a warp to a word of its own, all warps to the same 32"),
    ROW("atomics, 1024 addresses", "red_1024_addresses", "lane/s", measure_red, red, 1024, 1, 0, 512,
        "each lane of a block to a word of its own, all blocks to the same 1024"),
    ROW("atomics, neighbours", "red_neighbours", "lane/s", measure_red, red, RED_WORDS, 1, 0, 4096,
        "neighbouring lanes to neighbouring words of 4 MiB"),
    ROW("atomics, an address per warp", "red_address_per_warp", "lane/s", measure_red, red, RED_WORDS, RED_SPREAD, 5,
        512, "all lanes of a warp to one word, warps spread over 4 MiB"),
    ROW("atomics, scattered", "red_scattered", "lane/s", measure_red, red, RED_WORDS, RED_SPREAD, 0, 512,
        "each lane to a sector of its own, spread over 4 MiB"),
    {"launch", measure_launch, NULL, {{"launch_ns", "ns"}, {"launch_full_ns", "ns"}, {"launch_event_ns", "ns"}}},
    ROW("blocks of 32", "blocks_per_s_32", "block/s", measure_blocks, blocks, 32),
    ROW("blocks of 256", "blocks_per_s_256", "block/s", measure_blocks, blocks, 256),
    ROW("blocks of 1024", "blocks_per_s_1024", "block/s", measure_blocks, blocks, 1024),
};
const size_t n_measures = COUNT(measures);
