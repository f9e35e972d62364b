#include "analysis/advice/makers.h"

#include <stddef.h>
#include <string.h>

/* Words of a kernel's name, and whose it is then: as seen in programs on CUDA 13.0 and PyTorch 2.9.  The first row that fits counts. */
static const struct row {
  const char *word;
  struct maker maker;
} rows[] = {
#define CUBLAS                                                                                                                            \
  {                                                                                                                                       \
    "cuBLAS",                                                                                                                             \
        "pad M, N and K to multiples of 64, take a narrower type, or let autotuning choose (cublasLt's heuristics, torch's max-autotune)" \
  }
#define CUB                                                                                                            \
  { "CUB", "call it for more items at once, or fuse the steps beside it into its iterators", true }
    {"nvjet_", CUBLAS},
    {"_tensorop_",
     CUBLAS}, /* cutlass_80_tensorop_..., which cuBLAS carries; CUTLASS's own templates have types there */
    {"_xmma_gemm", CUBLAS},
    {"gemvNSP_kernel", CUBLAS},
    {"gemv2T_kernel", CUBLAS},
    {"gemvx::kernel", CUBLAS},
    {"splitKreduce_kernel", CUBLAS},
    {"cublas", CUBLAS},
    {"cudnn",
     {"cuDNN",
      "channels and head dimensions in multiples of 8, or another backend of the operator (torch: sdpa_kernel, cudnn.benchmark)"}},
    {"FusedOptimizer", {"PyTorch", "it is fused already; fewer bytes of state help (moments of bf16 or 8 bits)"}},
    {"at::native::elementwise_kernel<",
     {"PyTorch",
      "contiguous tensors of one type take its vectorized kernel; torch.compile fuses it with its neighbours"}},
    {"at::native::", {"PyTorch", "torch.compile fuses it with its neighbours"}},
    {"triton_poi_fused_",
     {"torch.compile",
      "coordinate_descent_tuning tries other block sizes; fewer graph breaks fuse more of its neighbours"}},
    {"triton_red_fused_", {"torch.compile", "mode max-autotune and coordinate_descent_tuning try other block sizes"}},
    {"triton_per_fused_", {"torch.compile", "mode max-autotune and coordinate_descent_tuning try other block sizes"}},
    {"cub::", CUB},
    {"thrust::", CUB},
#undef CUBLAS
#undef CUB
};

const struct maker *maker_of(const char *kernel) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strstr(kernel, rows[i].word))
      return &rows[i].maker;
  return NULL;
}
