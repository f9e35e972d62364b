/* Products that no stored output needs, by hand: of 100 x 100 outputs in halves, 40,000 bytes of operands are a K of 100 at most. */
#include "analysis/signs/padding.h"
#include "unit/made_diagnosis.h"

static void padding(void **state) {
  static const struct {
    const char *line, *counter;
    double flops, written, l2_read, dram_read, is;
  } rows[] = {
      {"FADD R4, R4, R5", "async_mma_fp16_flops", 4e6, 20000, 40000, 40000, 2},
      {"FADD R4, R4, R5", "async_mma_bf16_flops", 3.8e6, 20000, 40000, 40000, 1.9},
      {"FADD R4, R4, R5", "async_mma_tf32_flops", 4e6, 40000, 80000, 80000, 2}, /* words are twice the bytes */
      {"FADD R4, R4, R5", "async_mma_int8_ops", 4e6, 10000, 20000, 20000, 2},
      {"FADD R4, R4, R5", "async_mma_fp8_flops", 4e6, 10000, 1e9, 20000,
       4e4}, /* over what DRAM reads, and what the L2 may have */
      {"FADD R4, R4, R5", "pipe_tensor_mma", 4e6, 20000, 40000, 40000, 0},
      {"FADD R4, R4, R5", "async_mma_fp16_flops", 4e6, 0, 40000, 40000, 0},
      {"FADD R4, R4, R5", "async_mma_fp16_flops", 4e6, 20000, 0, 40000, 0},
      {"SHFL.BFLY PT, R7, R4, 0x1, 0x1f", "async_mma_fp16_flops", 4e6, 20000, 40000, 40000, 0},
      {"SHFL.IDX PT, R7, R4, RZ, 0x1f", "async_mma_fp16_flops", 4e6, 20000, 40000, 40000, 2},
      {"MUFU.EX2 R4, R4", "async_mma_fp16_flops", 4e6, 20000, 40000, 40000, 0},
      {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", "async_mma_fp16_flops", 4e6, 20000, 40000, 40000, 0},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, (const char *const[]){rows[i].line, "EXIT", NULL}, (const double[]){10, 10});
    set(r, rows[i].counter, rows[i].flops);
    set(r, "l2_write_bytes", rows[i].written);
    set(r, "l2_read_bytes", rows[i].l2_read);
    set(r, "dram_read_bytes", rows[i].dram_read);
    diagnose(&d);
    double l2 = d.findings.device->l2_bytes;
    double is = rows[i].is > 1e3 ? rows[i].is / (rows[i].dram_read + l2) : rows[i].is;
    struct rule_input in = {.all = &d.findings, .f = &d.findings.items[0], .sass = &d.diagnosis.hot.kernels[0].sass};
    if (fabs(padding_of_products(&in) - is) > 1e-9)
      fail_msg("row %zu: %g", i, padding_of_products(&in));
    assert_int_equal(pads_products(&in), is >= 2);
    in.sass = NULL;
    assert_true(padding_of_products(&in) <= 0);
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(padding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
