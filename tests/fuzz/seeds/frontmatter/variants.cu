//! id:         cuda-4-tuned
//! ladder:     cuda
//! change:     threads per row, rows per block and resident threads a multiprocessor (so, registers a thread) chosen by a sweep
//! predicts:   time < 1x; inst within 5%; dram_bytes within 2%
//! cures:      occupancy
//! param:      THREADS_PER_ROW = 32 in {8, 16, 32}
//! param:      ROWS_PER_BLOCK = 4 in {4, 8, 16}
//! param:      RESIDENT_THREADS = 1024 in {512, 768, 1024, 1280, 1536}
//! when:       K <= 2048: THREADS_PER_ROW = 16, ROWS_PER_BLOCK = 8
//! step:       kernel = gemv; grid = ceil(M / ROWS_PER_BLOCK), L; block = THREADS_PER_ROW, ROWS_PER_BLOCK
//! accumulate: fp32
//! published:  B200 ~26 us geomean "Yue Zhang, From 100us to 22.3us, part 2"
//! needs:      sm >= 80
//! note:       without the second launch bound ptxas delays loads to save registers; with it, all of a tile come before the first use
//! path:       sm >= 100: cvt.rn.f16x2.e2m1x2
//! path:       sm >= 89: nibbles shuffled to e4m3 bytes, cvt.rn.f16x2.e4m3x2
//! path:       1: shift and mask into fp16
//! id:         cuda-4-tuned-child
//! parent:     cuda-4-tuned
//! change:     one register cap
//! options:    maxrregcount = 32, fast-math, ftz, --extra-device-vectorization
//! param:      THREADS_PER_ROW = 8
//! published:
//! constants:  M, K, L
//! limits:     sum_abs_max < 65504 && contest == 0
//! scratch:    partial = 4 * M * L; fill = 0
//! setup:      kernel = prepare; grid = sms; block = 128; args = a, partial, i64(M * K)
//! reset:      fill partial = 0
//! output:     none
//! wrong:      unwritten
//! bytes:      M * K / 2 + M * L * 2
//! flops:      2 * M * K * L
//! claim:      half the sectors [test: dram_bytes < 1G]
