//! problem:   generic
//! id:        g
//! ladder:    g
//! size:      N = 4K
//! size:      ROWS = N / 2
//! buffer:    x = fp32[N * 2]; init = random
//! buffer:    y = bf16[ROWS]; init = file:y.bin
//! buffer:    z = u8[1]
//! output:    y, z
//! constants: ROWS
//! reset:     init y
//! reset:     fill z = 7
//! step:      kernel = k; grid = ceil(N / 256); block = 256; args = x, y, f32(1 / 3), i64(N), z
//! reference: kernel = r; grid = 1; block = 1
//! tolerance: 1e-3 0
//! bytes:     8 * N
//! id:        h
//! size:      N = 8
//! buffer:    x = i16[N]; init = iota
//! reference: file = out.bin
