/* The rule tensor-saturated: what it says and takes away; figures worked out beside each row. */
#include "unit/judged_work.h"

/* 1e15 FLOP/s, for 100 us. */
static void tensor_roof(struct made_diagnosis *d) {
  made_ceiling(&d->m, "tensor_bf16_flops", 1e15, CEILING_DATASHEET);
  no_problem(d);
}

static void tensor_roof_of_blackwell(struct made_diagnosis *d) {
  tensor_roof(d);
  d->m.device.sm = 100;
}

static const struct judged_case CASES[] = {
    {.sized = true,
     .rule = "tensor-saturated", /* 71 of 100 TFLOP: 0.7 and more is what libraries reach */
     .also = tensor_roof,
     .set = {{"async_mma_bf16_flops", 0.71e11}, {"dram_read_bytes", 1e6}, {"dram_write_bytes", 0}},
     .says = "bf16 tensor 0.71 ratio\n"
             "issue slots used 0.75 ratio\n"
             "STOP the tensor cores run at 71 % of their peak (bf16 tensor)\n"
             "only fewer operations, a narrower type (fp8) or fusion with a neighbouring kernel help\n",
     .takes = "",
     .silent = {{"async_mma_bf16_flops", 0.69e11}}},
    {.sized = true, /* on a third of the SMs: the others' tensor cores are idle */
     .rule = "tensor-saturated",
     .also = tensor_roof,
     .set = {{"async_mma_bf16_flops", 0.9e11}, {"dram_read_bytes", 1e6}, {"dram_write_bytes", 0}},
     .says = "bf16 tensor 0.9 ratio\n"
             "issue slots used 0.75 ratio\n"
             "STOP the tensor cores run at 90 % of their peak (bf16 tensor)\n"
             "only fewer operations, a narrower type (fp8) or fusion with a neighbouring kernel help\n",
     .takes = "",
     .silent = {{"sm_cycles_active_max", 3e5}}},
    {.sized = true,
     .rule = "tensor-saturated",
     .also = tensor_roof_of_blackwell,
     .set = {{"async_mma_bf16_flops", 0.71e11}, {"dram_read_bytes", 1e6}, {"dram_write_bytes", 0}},
     .says = "bf16 tensor 0.71 ratio\n"
             "issue slots used 0.75 ratio\n"
             "STOP the tensor cores run at 71 % of their peak (bf16 tensor)\n"
             "only fewer operations, a narrower type (fp8, fp4) or fusion with a neighbouring kernel help\n",
     .takes = ""},
};

static void rows(void **state) {
  (void)state;
  JUDGE_ALL(CASES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
