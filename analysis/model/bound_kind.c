#include "analysis/model/bound_kind.h"

const struct bound_row bound_rows[BOUND_KINDS] = {
    [BOUND_DRAM] = {"dram", "DRAM"},
    [BOUND_L2] = {"l2", "the L2"},
    [BOUND_L1] = {"l1", "L1 and shared memory"},
    [BOUND_ATOMICS] = {"atomics", "atomics"},
    [BOUND_ISSUE] = {"issue", "instruction issue"},
    [BOUND_ALU] = {"alu", "the ALU pipe"},
    [BOUND_FMA] = {"fma", "the FMA pipe"},
    [BOUND_LSU] = {"lsu", "the LSU pipe"},
    [BOUND_XU] = {"xu", "the XU pipe"},
    [BOUND_TENSOR] = {"tensor", "the tensor pipe"},
    [BOUND_FP64] = {"fp64", "the fp64 pipe"},
    [BOUND_ADU] = {"adu", "the ADU pipe (constants, barriers)"},
    [BOUND_TEX] = {"texture", "the texture units"},
    [BOUND_LATENCY] = {"latency", "latency"},
    [BOUND_LAUNCH] = {"launch", "launching"},
};

const char *bound_name(enum bound_kind k) {
  return k < BOUND_KINDS ? bound_rows[k].name : "unknown";
}
