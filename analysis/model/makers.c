#include "analysis/model/makers.h"

#include <stddef.h>
#include <string.h>

/* Levers of several rows. */
#define COMPILED "torch.compile fuses it with its neighbours"
static const char CUBLAS[] = "pad M, N and K to multiples of 64, take a narrower type, or let autotuning choose "
                             "(cublasLt's heuristics, torch's max-autotune)";
static const char CUB[] = "call it for more items at once, or fuse the steps beside it into its iterators";
static const char TOPK[] = "fewer items to choose from (a threshold first, or a smaller dimension); "
                           "16-bit values halve its passes";
static const char SORT[] = "fewer items, 16-bit keys (half of the passes), or topk in place of the sort";
static const char SCATTER[] = "fewer additions to one row: sort by index and add up neighbours first, "
                              "or torch.bincount where ones are added";
static const char SUMS_BY_INDEX[] = "sort by the index once, and add up segments without atomics "
                                    "(torch.segment_reduce, or a product with a sparse CSR matrix)";
static const char BLOCK_SIZES[] = "mode max-autotune and coordinate_descent_tuning try other block sizes";

/* Words of a kernel's name, and whose it is then: as seen in programs
 * on CUDA 13.0 and PyTorch 2.9.  The first row that fits counts. */
static const struct row {
  const char *word;
  struct maker maker;
  const char *also; /* another word, behind that one; NULL: none */
} rows[] = {
    {"nvjet_", {"cuBLAS", CUBLAS}},
    /* cutlass_80_tensorop_..., which cuBLAS carries; CUTLASS's own templates have types there */
    {"_tensorop_", {"cuBLAS", CUBLAS}},
    {"_xmma_gemm", {"cuBLAS", CUBLAS}},
    {"gemvNSP_kernel", {"cuBLAS", CUBLAS}},
    {"gemv2T_kernel", {"cuBLAS", CUBLAS}},
    {"gemvx::kernel", {"cuBLAS", CUBLAS}},
    {"splitKreduce_kernel", {"cuBLAS", CUBLAS}},
    {"cublas", {"cuBLAS", CUBLAS}},
    {"native_sdpa_",
     {"cuDNN",
      "near the tensor peak leave it; else head dimensions in multiples of 8, or another backend (torch: sdpa_kernel)"}},
    {"conv2d_c1_k1_nhwc",
     {"cuDNN", "it is that of depthwise convolutions; channels in multiples of 8, or half precision"}},
    {"cudnn",
     {"cuDNN",
      "channels in multiples of 8, memory_format=torch.channels_last, or another algorithm (torch: cudnn.benchmark)"}},
    {"FusedOptimizer", {"PyTorch", "it is fused already; fewer bytes of state help (moments of bf16 or 8 bits)"}},
    {"mbtopk", {"PyTorch", TOPK}},
    {"sbtopk", {"PyTorch", TOPK}},
    {"radixSortKVInPlace", {"PyTorch", SORT}},
    {"bitonicSort", {"PyTorch", SORT}},
    {"fill_reverse_indices_kernel", {"PyTorch", SORT}},
    {"at_cuda_detail::cub::detail::radix_sort", {"PyTorch", SORT}},
    {"at_cuda_detail::cub::detail::select",
     {"PyTorch", "a mask in place of nonzero: its size is known before, so that nobody waits for it"}},
    {"at_cuda_detail::cub::", {"PyTorch", "fewer or narrower items in its scan or reduction, or several rows at once"}},
    {"indexFunc", {"PyTorch", SCATTER}},
    {"indexing_backward_kernel", {"PyTorch", SCATTER}},
    {"_scatter_gather_elementwise_kernel", {"PyTorch", SCATTER}},
    {"embedding_backward", {"PyTorch", SCATTER}},
    {"conv_depthwise",
     {"PyTorch", "tensors in memory_format=torch.channels_last take cuDNN's; torch.compile does not fuse it"}},
    {"EmbeddingBag_updateOutputKernel",
     {"PyTorch",
      "torch.compile leaves it as it is, and fuses an embedding with a sum over the bag; or a table of 16 bits, and 32-bit indices"}},
    {"CatArrayBatchedCopy",
     {"PyTorch", "let the operators before write into slices of one tensor, so that torch.cat has nothing to copy"}},
    {"direct_copy_kernel_cuda",
     {"PyTorch",
      "it copies: keep one type and one order of dimensions, so that no .to(), .contiguous() or reshape is needed"}},
    {"multi_tensor_apply_kernel",
     {"PyTorch", "where it is an optimizer's step, fused=True makes one pass of it; else fewer and larger tensors"}},
    {"flash_fwd",
     {"FlashAttention",
      "another backend (torch: sdpa_kernel), or for few queries one that splits the keys (flash decoding)"}},
    {"flash_bwd", {"FlashAttention", "another backend (torch: sdpa_kernel), and head dimensions of 64 or 128"}},
    {"at::cuda::kernelHistogram1D",
     {"PyTorch",
      "of few bins count several copies (label + bins * (position % copies)), then add these up: fewer additions meet in one"}},
    {"at::native::elementwise_kernel<",
     {"PyTorch", "contiguous tensors of one type take its vectorized kernel; " COMPILED, .fuses = COMPILED}},
    {"at::native::", {"PyTorch", COMPILED, .fuses = COMPILED}},
    {"at::cuda::", {"PyTorch", COMPILED, .fuses = COMPILED}},
    {"triton_poi_fused_", {"torch.compile", SUMS_BY_INDEX, .writes = true}, "_scatter_add_"},
    {"triton_poi_fused_", {"torch.compile", SUMS_BY_INDEX, .writes = true}, "_index_add_"},
    {"triton_poi_fused_",
     {"torch.compile",
      "coordinate_descent_tuning tries other block sizes; fewer graph breaks fuse more of its neighbours",
      .writes = true}},
    {"triton_red_fused_", {"torch.compile", BLOCK_SIZES, .writes = true}},
    {"triton_per_fused_", {"torch.compile", BLOCK_SIZES, .writes = true}},
    {"cub::", {"CUB", CUB}},
    {"thrust::", {"CUB", CUB}},
};

/* PyTorch's kernels lie in its namespaces; a sort or a
 * scatter of the same name without one is somebody else's. */
static bool in_namespace(const struct maker *m, const char *kernel) {
  return strcmp(m->name, "PyTorch") != 0 || strstr(kernel, "at::") || strstr(kernel, "at_cuda_detail::");
}

const struct maker *maker_of(const char *kernel) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *at = strstr(kernel, rows[i].word);
    if (at && (!rows[i].also || strstr(at, rows[i].also)) && in_namespace(&rows[i].maker, kernel))
      return &rows[i].maker;
  }
  return NULL;
}

/* What torch.compile's code does to the cause, not only to the bytes: where it splits reductions and scans, and knows sizes. */
static const struct answer {
  const char *rule, *word, *answer; /* word: of the kernel's name */
} answers[] = {
#define SPLIT "more rows at once; of few long rows torch.compile spreads each over several blocks"
#define SIZES                                                                                                          \
  "torch.compile writes sizes that do not change into the code, and divisions by them become multiplications"
#define PLACES                                                                                                         \
  "torch.compile does not change the places, which values choose: sort these values, or let one place hold more neighbouring elements"
    {"small-grid", "reduce_kernel<", SPLIT},
    {"small-grid", "RowwiseMoments", SPLIT},
    {"small-grid", "tensor_kernel_scan_", SPLIT},
    /* a vectorized one divides values, and no indices */
    {"integer-division", "at::native::elementwise_kernel<", SIZES},
    {"integer-division", "roll_cuda_kernel", SIZES},
    {"uncoalesced", "grid_sampler_", PLACES},
    {"uncoalesced", "gather_kernel", PLACES},
    {"uncoalesced", "index_elementwise_kernel", PLACES},
};

const char *maker_answer(const struct maker *m, const char *kernel, const char *rule) {
  for (size_t i = 0; i < sizeof answers / sizeof answers[0] && m->fuses; i++)
    if (strcmp(rule, answers[i].rule) == 0 && strstr(kernel, answers[i].word))
      return answers[i].answer;
  return m->lever;
}

bool file_is_makers(const char *path) {
  static const char *const folders[] = {"/aten/src/",   "/ATen/",           "/c10/", "/torch/", "/torchinductor_",
                                        "/flash_attn/", "/flash-attention/"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (strstr(path, folders[i]))
      return true;
  return false;
}
