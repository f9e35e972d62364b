#include "analysis/model/bound_kind.h"

const struct bound_row bound_rows[BOUND_KINDS] = {
    [BOUND_DRAM] = {"dram", "DRAM", "DRAM traffic", "bytes to and from DRAM at its bandwidth"},
    [BOUND_L2] = {"l2", "the L2", "L2 traffic", "bytes between the SMs and the L2 at its read and write bandwidth"},
    [BOUND_L1] = {"l1", "L1 and shared memory", "L1 and shared-memory traffic",
                  "cycles of the data stage that L1 and shared memory share"},
    [BOUND_ATOMICS] = {"atomics", "atomics", "atomic traffic",
                       "sectors of atomics and reductions that the L2 works on"},
    [BOUND_ISSUE] = {"issue", "instruction issue", "instruction count", "warp instructions at four per cycle and SM"},
    [BOUND_ALU] = {"alu", "the ALU pipe", "ALU work", "integer, logic and conversion instructions"},
    [BOUND_FMA] = {"fma", "the FMA pipe", "FMA work", "fp32, packed fp16 and integer multiply-add instructions"},
    [BOUND_LSU] = {"lsu", "the LSU pipe", "LSU work", "load, store and shuffle instructions"},
    [BOUND_XU] = {"xu", "the XU pipe", "XU work", "transcendental functions, wide conversions, integer division"},
    [BOUND_TENSOR] = {"tensor", "the tensor pipe", "tensor work", "matrix instructions"},
    [BOUND_FP64] = {"fp64", "the fp64 pipe", "fp64 work", "double-precision instructions"},
    [BOUND_LATENCY] = {"latency", "latency", "waiting", "a warp's own chain of loads, instructions and waits"},
    [BOUND_LAUNCH] = {"launch", "launching", "launching",
                      "starting blocks, the first and the last bytes, the empty kernel"},
};

const char *bound_name(enum bound_kind k) {
  return k < BOUND_KINDS ? bound_rows[k].name : "unknown";
}
