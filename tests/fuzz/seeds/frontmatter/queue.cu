//! id:         ours-3-queue
//! ladder:     ours
//! change:     a queue of pieces of work, for warps that stay until it is empty
//! predicts:   time < 0.95x
//! cures:      tail
//! param:      WARPS = 4 in {1, 2, 4, 8}
//! param:      STAGES = 2 in {2, 3, 4}
//! param:      BLOCKS = 4 in {1, 2, 3, 4, 5, 8}
//! param:      PARTS = 16 in {1, 2, 4, 8, 16}
//! param:      RAGGED = 0 in {0, 1}
//! when:       K % 256 != 0: RAGGED = 1
//! when:       K < 16384: PARTS = 4
//! constants:  K
//! tensormap:  a_map = a; type = u8; dims = K / 2, M, L; strides = K / 2, M * K / 2; box = 128, 32, 1; swizzle = 128; l2 = 256
//! tensormap:  sfa_map = sfa; type = u8; dims = K % 256 ? 16 : K / 16, M, L; strides = K % 256 ? 16 : K / 16, K % 256 ? M * 16 : M * K / 16; box = 16, 32, 1; swizzle = 0; l2 = 256
//! scratch:    sums = ceil(M / 32) * 32 * L * 4; fill = 0
//! scratch:    counts = (ceil(M / 32) * L + 2) * 4; fill = 0
//! needs:      sm >= 90
//! step:       kernel = gemv; grid = sms * BLOCKS; block = 32 * WARPS; smem = 1024 + WARPS * (STAGES * (4096 + 768) + 512); args = a_map, sfa_map, b, sfa, sfb, c, sums, counts, M, L
//! accumulate: fp32
//! path:       1: TMA; prmt to bytes, mma.sync m16n8k32 u8 x s8
//! note:       every task pays an atomic for its place in the queue and a fence and two atomics for its sums
