//! id:         control-cublaslt-fp4
//! ladder:     control
//! change:     cublasLt's block-scaled FP4 product of COLUMNS columns, of which one is wanted
//! host:       cublaslt
//! param:      COLUMNS = 16 in {16, 32, 64, 128}
//! sf_layout:  128x4
//! scratch:    d = 2 * M * COLUMNS * L
//! step:       call = fp4; args = a, b, sfa, sfb, d, COLUMNS
//! step:       kernel = first_column; grid = ceil(M / 256), L; block = 256; args = d, c, M, COLUMNS
//! accumulate: fp32
//! limits:     scale_max < 448
//! note:       never run: no chip that has FP4 was at hand
//! note:       limits: the library ignores the sign of a scale; of the inputs here only the extreme ones have negative scales, and 448 with them
//! note:       one product a batch, then a kernel of ours that takes the first column of each; the rows of B that make the other columns are the
//! note:       padding that the contest's storage has
