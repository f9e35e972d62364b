/* Rules where no instruction was counted by itself, as of a program that was attached to, and what they know of libraries, loops that compare and swap,
 * and products of matrices: estimates worked out beside each. */
#include "analysis/rules/remedies.h"
#include "analysis/rules/static.h"
#include "unit/made_diagnosis.h"

#include <stdio.h>

#include "analysis/model/makers.h"
#include "analysis/rules/rule_tools.h"

rule_change change_narrow_rows;

static void assert_near(double got, double want) {
  assert_true(fabs(got - want) <= 1e-9 * fabs(want));
}

/* --- executed counts of samples --- */

static struct run_sample issued[LINES_MAX];

/* A kernel of these lines, in one block: inst_executed is shared out evenly. */
static void sampled(struct made_diagnosis *d, const char *const *lines, double insts) {
  static const double none[LINES_MAX];
  struct run_result *r = &d->m.results[0];
  code(d, lines, none);
  r->n_counts = 0;
  issued[0] = (struct run_sample){.reason = (char *)"selected", .samples = 1000};
  r->samples = issued;
  r->n_samples = 1;
  set(r, "inst_executed", insts);
}

/* 1e5 loads of 4 bytes a lane need 4 sectors each and touch 16: 1.2e6 of 1.6e6 go, of as many cycles of the L1. */
static void sectors_of_samples(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static const char *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "FADD R5, R4, R5", "EXIT", NULL};
  struct run_result *r = made(&d);
  sampled(&d, lines, 3e5);
  set(r, "thread_inst_executed", 32 * 3e5);
  set(r, "l1_wavefronts", 16e5);
  set(r, "l1_load_requests", 1e5);
  set(r, "l1_load_sectors", 16e5);
  const struct advice *a = saves(&d, "uncoalesced", 75);
  assert_string_equal(a->told.sentence, "global accesses touch 4.0 times the sectors that their bytes need");
  assert_string_equal(a->told.remedy,
                      "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory");
  release(&d);
  r = made(&d);
  sampled(&d, lines, 3e5);
  set(r, "thread_inst_executed", 32 * 3e5);
  set(r, "l1_wavefronts", 16e5);
  set(r, "l1_load_requests", 1e5);
  set(r, "l1_load_sectors", 4e5);
  silent(&d, "uncoalesced");
  r = made(&d); /* all lanes, where active ones were not counted */
  sampled(&d, lines, 3e5);
  set(r, "l1_wavefronts", 16e5);
  set(r, "l1_load_requests", 1e5);
  set(r, "l1_load_sectors", 16e5);
  saves(&d, "uncoalesced", 75);
  release(&d);
}

/* Without samples: 6.4e6 bytes that lanes ask for fill 2e5 sectors, of 16e5 that were touched; 14 of 16 cycles go. */
static void sectors_of_counted_bytes(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  set(r, "l1_wavefronts", 16e5);
  set(r, "l1_load_requests", 1e5);
  set(r, "l1_load_sectors", 16e5);
  set(r, "load_data_bytes", 6.4e6);
  assert_string_equal(saves(&d, "uncoalesced", 87.5)->told.sentence,
                      "global accesses touch 8.0 times the sectors that their bytes need");
  release(&d);
}

/* A program leaves its L2 of 400 KB as it is: of 1 MB that lanes load, and the L2 sends, 400 KB may be read once, though DRAM reads 100; 450 KB of the
 * other 600 go.  Where the L2 is emptied, 675 of 900. */
static void an_l2_that_nobody_empties(void **state) {
  (void)state;
  static const struct {
    const char *l2;
    double saves_us;
  } cases[] = {{"as the program leaves it", 45}, {"cold", 67.5}};
  for (size_t i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    d.m.run.l2 = (char *)cases[i].l2;
    d.m.device.l2_bytes = 4e5;
    set(r, "l1_wavefronts", 8e5);
    set(r, "l1_load_bytes", 1e6);
    set(r, "l2_read_bytes", 1e6);
    set(r, "dram_read_bytes", 1e5);
    saves(&d, "redundant-loads", cases[i].saves_us);
    release(&d);
  }
}

static const char *remedy_of(struct made_diagnosis *d, const char *const *lines, const char *kernel) {
  struct run_result *r = made(d);
  sampled(d, lines, 5e5);
  d->kernel.name = (char *)kernel;
  r->launches->kernel = d->kernel.name;
  set(r, "thread_inst_executed", 32 * 5e5);
  set(r, "l1_wavefronts", 32e5);
  set(r, "l1_load_requests", 1e5);
  set(r, "l1_load_sectors", 32e5);
  diagnose(d);
  return advised(d, "uncoalesced")->told.remedy;
}

static void remedies_of_sectors(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static const char *const beside[] = {"LDG.E.U16 R4, desc[UR4][R2.64+0x8]", "LDG.E.U16 R5, desc[UR4][R2.64+0xa]",
                                       "FADD R6, R4, R5", "EXIT", NULL};
  static const char *const apart[] = {"LDG.E.U16 R4, desc[UR4][R2.64+0x8]",
                                      "LDG.E.U16 R5, desc[UR4][R2.64+0xc]",
                                      "LDG.E.U16 R7, desc[UR4][R8.64+0xa]",
                                      "FADD R6, R4, R5",
                                      "EXIT",
                                      NULL};
  static const char *const wide[] = {"LDG.E.128 R4, desc[UR4][R2.64]", "LDG.E.128 R8, desc[UR4][R2.64+0x10]",
                                     "FADD R6, R4, R8", "EXIT", NULL};
  static const char neighbours[] =
      "let neighbouring lanes access neighbouring bytes, or stage a tile through shared memory";
  assert_string_equal(
      remedy_of(&d, beside, "gemv"),
      "let neighbouring lanes read neighbouring elements (a warp per row, arrays for structs), or merge adjacent 2-byte loads where rows are multiples of 16 bytes");
  release(&d);
  assert_string_equal(remedy_of(&d, apart, "gemv"), neighbours);
  release(&d);
  assert_string_equal(remedy_of(&d, wide, "gemv"), neighbours);
  release(&d);
  assert_string_equal(remedy_of(&d, wide, "Kernel2_gemm_f16_tn_align8"), neighbours);
  release(&d);
}

/* Whoever pads rows gets whole sectors of loads and stores alike: one piece of advice in a library's kernel, two in the user's own. */
static void a_library_is_told_once_of_sectors(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static const char *const lines[] = {"LDG.E.U16 R4, desc[UR4][R2.64]", "STG.E.U16 desc[UR4][R2.64], R4", "EXIT", NULL};
  for (int library = 0; library < 2; library++) {
    struct run_result *r = made(&d);
    sampled(&d, lines, 3e5);
    d.kernel.name = (char *)(library ? "Kernel2_s1688gemm_bf16_128x128_tn_align1" : "scatter");
    r->launches->kernel = d.kernel.name;
    set(r, "thread_inst_executed", 32 * 3e5);
    set(r, "l1_wavefronts", 32e5);
    set(r, "load_data_bytes", 6.4e6);
    set(r, "l1_load_sectors", 16e5);
    set(r, "store_data_bytes", 6.4e6);
    set(r, "l1_store_sectors", 8e5);
    set(r, "dram_write_bytes", 12.8e6);
    diagnose(&d);
    assert_int_equal(diagnosis_find(&d.diagnosis, "partial-sectors") != NULL, !library);
    assert_int_equal(diagnosis_find(&d.diagnosis, "uncoalesced") != NULL, !library);
    assert_int_equal(diagnosis_find(&d.diagnosis, "narrow-rows") != NULL, library);
    release(&d);
  }
}

/* 8 elements in a load of 16 bytes: of 8e5 cycles of the L1, of which 2e5 are loads from shared memory, 6e5 go to the part that the rows' elements are of 8;
 * as many instructions as the rest of its 1e5; HMMA.1688 has half of the widest one's work, so that half of 2e4 do it. */
static void rows_that_are_not_aligned(void **state) {
  (void)state;
  static const struct {
    const char *kernel, *sentence;
    double saves_us, part;
  } cases[] = {
      {"Kernel2_s1688gemm_bf16_128x128_tn_align1",
       "the library took a kernel that loads 2 bytes at a time, because rows begin at multiples of 1 element", 65.625,
       0.125},
      {"Kernel2_s1688gemm_f16_128x128_tn_align4",
       "the library took a kernel that loads 8 bytes at a time, because rows begin at multiples of 4 elements", 37.5,
       0.5},
  };
  static const char *const lines[] = {"LDG.E.U16 R4, desc[UR4][R2.64]", "LDS R5, [R3]", "HMMA.1688.F32 R8, R4, R5, R8",
                                      "EXIT", NULL};
  static struct made_diagnosis d;
  for (size_t i = 0; i < 2; i++) {
    struct run_result *r = made(&d);
    sampled(&d, lines, 1e5);
    d.kernel.name = (char *)cases[i].kernel;
    r->launches->kernel = d.kernel.name;
    set(r, "l1_wavefronts", 8e5);
    set(r, "shared_wavefronts", 2e5);
    const struct advice *a = saves(&d, "narrow-rows", cases[i].saves_us);
    assert_string_equal(a->told.sentence, cases[i].sentence);
    assert_string_equal(a->told.remedy, NARROW_ROWS_REMEDY);
    assert_true(a->told.by_caller);
    struct rule_input in = {.all = &d.findings,
                            .f = d.diagnosis.finding,
                            .hot = &d.diagnosis.hot,
                            .sass = &d.diagnosis.hot.kernels[0].sass};
    struct workload w = {.tensor = value_of(2e4),
                         .inst = value_of(1e5),
                         .alu = value_of(8e3),
                         .lsu = value_of(4e3),
                         .loads_s = value_of(1e-5)};
    change_narrow_rows(&in, &w);
    assert_near(w.tensor.v, 1e4);
    assert_near(w.inst.v, 1e5 - 8e4 * (1 - cases[i].part));
    assert_near(w.alu.v, 8e3 * cases[i].part);
    assert_near(w.lsu.v, 4e3 * cases[i].part);
    assert_near(w.loads_s.v, 1e-5 * cases[i].part);
    release(&d);
  }
  made(&d);
  silent(&d, "narrow-rows");
}

/* Of a kernel that was not counted the name says as much. */
static void rows_of_a_kernel_without_counters(void **state) {
  (void)state;
  static const struct {
    const char *kernel, *reason;
  } cases[] = {{"scatter", "no counters were collected, so no bound is known"},
               {"Kernel2_gemm_f16_tn_align8", "no counters were collected, so no bound is known"},
               {"Kernel2_gemm_f16_tn_align2",
                "no counters were collected, so no bound is known; by its name: " NARROW_ROWS_REMEDY}};
  for (size_t i = 0; i < 3; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    r->launches->kernel = (char *)cases[i].kernel;
    diagnose(&d);
    release(&d);
    struct err e = {0};
    assert_int_equal(findings_make(&d.findings, &d.m.run, &d.m.device, &e), 0);
    d.findings.items[0].bounds.binding = BOUND_KINDS;
    diagnosis_make(&d.diagnosis, &d.findings, &d.findings.items[0]);
    assert_string_equal(d.diagnosis.reason, cases[i].reason);
    assert_int_equal(d.diagnosis.n, 0);
    release(&d);
  }
}

/* Why nothing of a kernel was counted, where the run says it or what attach was asked for does: it counts the kernels of most GPU time, where it chooses. */
static void why_a_kernel_was_not_counted(void **state) {
  static const struct {
    const char *command, *note;
    bool others; /* were counted */
    const char *why;
  } cases[] = {
      {"nvfp4-prof attach -- ./a", NULL, true, ": kernels of more GPU time were counted first"},
      {"nvfp4-prof attach -- ./a", NULL, false, ""},
      {"nvfp4-prof profile a", NULL, true, ""},
      {NULL, NULL, true, ""},
      {"nvfp4-prof attach --kernel b -- ./a", NULL, true, ""},
      {"nvfp4-prof attach -k b -- ./a", NULL, true, ""},
      {"nvfp4-prof attach --nvtx step -- ./a", NULL, true, ""},
      {"nvfp4-prof attach -- ./a", "the program ended before its hot kernels were counted: counters cover 3 %", true,
       ": the program ended before its hot kernels were counted"},
      {"nvfp4-prof attach -- ./a", "the second of two runs counts, and there was none: leave it out", true,
       ": the second of two runs counts, and there was none: leave it out"},
      {"nvfp4-prof profile a", "the GPU is busy", true, ""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static struct made_diagnosis d;
    char *notes[] = {(char *)cases[i].note}, wanted[200];
    made(&d)->n_metrics = 0;
    struct run_result *other = made_result(&d.m, "made", (struct shape){256, 256, 1});
    made_time(other, 100e3, 5);
    if (cases[i].others)
      made_metric(other, "inst_executed", 1);
    d.m.run.command = (char *)cases[i].command;
    d.m.run.notes = notes;
    d.m.run.n_notes = cases[i].note != NULL;
    diagnose(&d);
    snprintf(wanted, sizeof wanted, "no counters were collected, so no bound is known%s", cases[i].why);
    assert_string_equal(d.diagnosis.reason, wanted);
    release(&d);
  }
}

/* Who wrote a kernel, by its name. */
static void makers_of_kernels(void **state) {
  (void)state;
  static const struct {
    const char *kernel, *maker;
  } cases[] = {{"nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_NNT", "cuBLAS"},
               {"cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_128x256_nt_align1>", "cuBLAS"},
               {"cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int>>>", NULL},
               {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16", "cuDNN"},
               {"at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<...", "PyTorch"},
               {"at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>", "PyTorch"},
               {"triton_red_fused__log_softmax_0", "torch.compile"},
               {"triton_norm_of_mine", NULL},
               {"cub::DeviceReduceKernel<int>", "CUB"},
               {"at_cuda_detail::cub::detail::scan::DeviceScanKernel<int>", "PyTorch"},
               {"pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128> >", "FlashAttention"},
               {"bitonicSortShared1", NULL}, /* of no namespace of PyTorch's */
               {"void sort::fill_reverse_indices_kernel<int>", NULL},
               {"at::native::bitonicSortKVInPlace<2>", "PyTorch"},
               {"at::cuda::kernelHistogram1D<long, long, long, 1, 2, -1>", "PyTorch"},
               {"at::cuda::philox<4>", "PyTorch"},
               {"mine::kernelHistogram1D<int>", NULL},
               {"gemv", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct maker *m = maker_of(cases[i].kernel);
    if (cases[i].maker)
      assert_string_equal(m->name, cases[i].maker);
    else
      assert_null(m);
  }
  assert_non_null(strstr(maker_of("triton_poi_fused_index_select_mul_scatter_add_1")->lever, "sort by the index"));
  assert_null(strstr(maker_of("triton_poi_fused_add_scatter_0")->lever, "sort by the index"));
  assert_non_null(strstr(maker_of("at::native::EmbeddingBag_updateOutputKernel_sum_mean<float>")->lever, "leaves it"));
  assert_string_not_equal(maker_of("at::native::elementwise_kernel<128>")->lever,
                          maker_of("at::native::reduce_kernel")->lever);
  assert_non_null(strstr(maker_of("at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda>")->lever,
                         "it copies"));
  assert_non_null(strstr(maker_of("at::cuda::kernelHistogram1D<long>")->lever, "copies"));
  static const char *const fused[] = {"at::native::mbtopk::gatherTopK<float>",
                                      "at::native::indexFuncLargeIndex<float>",
                                      "at::native::conv_depthwise2d_forward_kernel<3>",
                                      "at::native::CatArrayBatchedCopy_vectorized<4>",
                                      "at::native::multi_tensor_apply_kernel<at::native::X>",
                                      "at::native::radixSortKVInPlace<2>"}; /* by no compiler */
  for (size_t i = 0; i < sizeof fused / sizeof fused[0]; i++)
    assert_null(strstr(maker_of(fused[i])->lever, "torch.compile fuses"));
}

/* Code is its caller's where a third of it has lines in his files: a template's functor, or all of a kernel that has a library's name.  What torch.compile
 * writes lies in files that are nobody's. */
static void a_functor_is_its_callers(void **state) {
  (void)state;
  static const double executed[] = {10, 10, 10, 1};
  struct run_source sources[] = {{.name = (char *)"/usr/local/cuda/include/cub/agent.cuh", .text = (char *)""},
                                 {.name = (char *)"utils.hpp", .text = (char *)""},
                                 {.name = (char *)"/src/aten/src/ATen/native/cuda/Reduce.cuh", .text = (char *)""}};
  static const char *const kernels[] = {"cub::transform_kernel<to_cartesian>", "at::native::reduce_kernel<512>",
                                        "triton_red_fused_sum_0"};
  struct run_line theirs = {0, 7}, own = {1, 7}, unnamed = {-1, 7}, torchs = {2, 7};
  struct {
    struct run_line *lines[4];
    bool callers;
  } cases[] = {{{&theirs, &theirs, &theirs, &theirs}, false}, {{&own, &theirs, &theirs, &theirs}, false},
               {{&own, &own, &theirs, &theirs}, true},        {{&unnamed, &unnamed, &theirs, &theirs}, false},
               {{&torchs, &torchs, &torchs, &torchs}, false}, {{&own, &own, NULL, NULL}, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (size_t kernel = 0; kernel < sizeof kernels / sizeof kernels[0]; kernel++) {
      static struct made_diagnosis d;
      struct run_result *r = made(&d);
      d.m.variants[0].id = (char *)kernels[kernel];
      code(&d, (const char *const[]){"DADD R4, R2, R2", "DADD R4, R4, R2", "DADD R4, R4, R2", "EXIT", NULL}, executed);
      d.m.run.sources = sources;
      d.m.run.n_sources = 3;
      for (size_t k = 0; k < 4; k++) {
        d.sass[k].lines = cases[i].lines[k];
        d.sass[k].n_lines = cases[i].lines[k] != NULL;
      }
      set(r, "pipe_fp64", 2e6);
      diagnose(&d);
      bool is_theirs = strncmp(advised(&d, "fp64")->told.remedy, "the code is", 11) == 0;
      if (is_theirs != (kernel == 2 || !cases[i].callers))
        fail_msg("case %zu: %s", i, d.diagnosis.items[0].told.remedy);
      release(&d);
    }
}

/* What fuses a kernel stands with a full DRAM, too, where it is known. */
static void a_full_dram_is_fused(void **state) {
  static const struct {
    const char *kernel, *remedy;
  } cases[] = {{"at::native::vectorized_elementwise_kernel<8>",
                "only fewer bytes help (a narrower type); torch.compile fuses it with its neighbours"},
               {"nvjet_sm90_tst_64x8", "only fewer bytes help (a narrower type, fusion with the neighbouring kernel)"},
               {"scale", "only fewer bytes help (a narrower type, fusion with the neighbouring kernel)"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    d.m.variants[0].id = (char *)cases[i].kernel;
    set(r, "dram_write_bytes", 0);
    set(r, "dram_read_bytes", 95e6);
    diagnose(&d);
    assert_true(d.diagnosis.items[0].told.stop);
    assert_string_equal(d.diagnosis.items[0].told.remedy, cases[i].remedy);
    release(&d);
  }
}

/* What the code alone shows is nothing that a library's caller can change either. */
static void a_librarys_caller_is_told_of_code_alone(void **state) {
  static const char *const kernels[] = {"at::native::vectorized_elementwise_kernel<4>", "mine"},
                           *const lines[] = {"LDG.E R4, desc[UR4][R2.64]", "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0",
                                             "EXIT", NULL};
  static const double executed[] = {1, 1, 1, 1};
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    d.m.variants[0].id = (char *)kernels[i];
    code(&d, lines, executed);
    r->module = 0;
    r->n_metrics = 0;
    diagnose(&d);
    assert_non_null(d.diagnosis.code);
    assert_true(d.diagnosis.code->n_advice > 0);
    const char *remedy = d.diagnosis.code->advice[0].told.remedy;
    assert_int_equal(strcmp(remedy, "the code is PyTorch's: torch.compile fuses it with its neighbours") == 0, i == 0);
    release(&d);
  }
}

/* Its caller is told what he can do, once; what he could do anyway stands. */
static void a_librarys_caller_is_told(void **state) {
  (void)state;
  static struct made_diagnosis d;
  struct run_result *r = made(&d);
  d.m.variants[0].id = (char *)"at::native::reduce_kernel<512>";
  set(r, "l1_wavefronts", 8e5);
  set(r, "l1_load_bytes", 4e6);
  set(r, "dram_read_bytes", 1e6);
  set(r, "shared_wavefronts", 4e5);
  diagnose(&d);
  assert_true(d.diagnosis.n > 1);
  assert_string_equal(d.diagnosis.items[0].told.remedy,
                      "the code is PyTorch's: torch.compile fuses it with its neighbours");
  for (size_t i = 1; i < d.diagnosis.n; i++)
    assert_string_equal(d.diagnosis.items[i].told.remedy, "the code is PyTorch's: what you can do stands under 1");
  release(&d);
  r = made(&d);
  d.m.variants[0].id = (char *)"at::native::reduce_kernel<512>";
  made_ceiling(&d.m, "launch_ns", 60e3, CEILING_MEASURED);
  set(r, "fixed_ns", 60e3);
  assert_string_equal(
      saves(&d, "launch-bound", 40)->told.remedy, /* a launch's 60 us are left */
      "fuse with a neighbouring kernel (estimate: two share a launch; a grid-wide barrier where blocks read each other's results); a CUDA graph only shortens gaps");
  release(&d);
}

/* What torch.compile does to one cause is said of that, of a kernel that it writes anew. */
static void a_cause_has_its_own_answer(void **state) {
  static const struct {
    const char *kernel, *rule, *begins;
  } cases[] = {
      {"at::native::reduce_kernel<512>", "small-grid", "more rows at once"},
      {"at::native::roll_cuda_kernel<int>", "integer-division", "torch.compile writes sizes"},
      {"at::native::grid_sampler_2d_kernel<float, int>", "uncoalesced", "torch.compile does not change the places"},
      {"at::native::vectorized_elementwise_kernel<2>", "integer-division", "torch.compile fuses"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_ptr_equal(strstr(maker_answer(maker_of(cases[i].kernel), cases[i].kernel, cases[i].rule), cases[i].begins),
                     maker_answer(maker_of(cases[i].kernel), cases[i].kernel, cases[i].rule));
  }
}

/* Nobody reuses values in a library's kernel. */
static void a_library_is_not_told_to_reuse(void **state) {
  (void)state;
  static struct made_diagnosis d;
  static const char *const kernels[] = {"gemm", "gemm_f16_align4", "gemm_f16_align8", "s1688gemm_align4"};
  for (size_t i = 0; i < 4; i++) {
    struct run_result *r = made(&d);
    r->launches->kernel = (char *)kernels[i];
    set(r, "l1_wavefronts", 8e5);
    set(r, "l1_load_bytes", 4e6);
    set(r, "dram_read_bytes", 1e6);
    if (i == 1) {
      silent(&d, "redundant-loads");
      continue;
    }
    saves(&d, "redundant-loads", 56.25);
    release(&d);
  }
}

/* Three of four sectors of the L1 are local, but a tenth of what the L2 sends passes the L1: bulk copies bring the rest. */
static void spills_beside_copies(void **state) {
  (void)state;
  static const struct { double l2_bytes, saves_us; } cases[] = {{4e3 * 32, 75}, {4e4 * 32, 7.5}};
  for (size_t i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    set(r, "l1_wavefronts", 5e4);
    set(r, "l1_load_sectors", 1e3);
    set(r, "local_load_sectors", 2e3);
    set(r, "local_store_sectors", 1e3);
    set(r, "l2_read_bytes", cases[i].l2_bytes);
    saves(&d, "spills", cases[i].saves_us);
    release(&d);
  }
}

/* --- tensor cores --- */

/* Of 1e15 FLOP/s for 100 us 0.8 or 0.6, and 0.6 where the clock is low: the pipes work in 3.5e6 of 4 x 1e6 cycles; what they read from shared memory is no traffic to mend. */
static void tensor_cores(void **state) {
  (void)state;
  static const double busy[] = {0.8, 0.6, 0, 0.6};
  for (size_t i = 0; i < 4; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    made_ceiling(&d.m, "tensor_bf16_flops", 1e15, CEILING_DATASHEET);
    r->shape = (struct shape){0};
    set(r, "dram_read_bytes", 1e6);
    set(r, "dram_write_bytes", 0);
    set(r, "l1_wavefronts", 5e4);
    set(r, "shared_wavefronts", 4e4);
    set(r, "async_mma_bf16_flops", busy[i] * 1e11);
    set(r, "pipe_tensor_cycles", i == 3 ? 3.5e6 : 4e5);
    diagnose(&d);
    const struct advice *first = &d.diagnosis.items[0], *a = diagnosis_find(&d.diagnosis, "tensor-saturated");
    assert_true((a != NULL) == (i == 0 || i == 3));
    const struct advice *shared = diagnosis_find(&d.diagnosis, "shared-memory");
    assert_true((shared && !strstr(shared->told.sentence, "no single cause")) == (i == 2));
    if (a) {
      assert_true(first == a && a->told.stop && a->price.saves_s == 0);
      assert_string_equal(a->told.helps, "fewer operations");
      assert_string_equal(a->told.sentence,
                          i ? "the tensor pipe works in 88 % of the cycles (bf16 tensor: 60 % of the peak)"
                            : "the tensor cores run at 80 % of their peak (bf16 tensor)");
    }
    release(&d);
  }
}

/* --- a shared atomic that compares and swaps --- */

/* 1e4 entries of a loop of 4e4 turns: of four instructions, two of shared memory, three quarters go, and of 5e4 cycles of each SM as much. */
static void compares_and_swaps(void **state) {
  (void)state;
  static const char *const lines[] = {"MOV R8, 0x4",
                                      "LDS R10, [R8]",
                                      "FADD R11, R4, R10",
                                      "ATOMS.CAST.SPIN R11, [R8], R10, R11",
                                      "@!P0 BRA 0x10",
                                      "EXIT",
                                      NULL};
  static const double executed[] = {1e4, 4e4, 4e4, 4e4, 4e4, 1e4}, once[] = {1e4, 1e4, 1e4, 1e4, 1e4, 1e4};
  for (int i = 0; i < 2; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, i ? once : executed);
    set(r, "shared_wavefronts", 5e4);
    set(r, "l1_wavefronts", 5e4);
    set(r, "shared_atomic_wavefronts", 25e3);
    if (i) {
      silent(&d, "hot-atomics");
      continue;
    }
    assert_string_equal(
        saves(&d, "hot-atomics", 75)->told.sentence,
        "shared-memory atomics of this type are a compare-and-swap loop: 4.0 iterations each, because lanes hit one address");
    release(&d);
  }
}

/* --- a product of matrices on the FMA pipe --- */

/* Of 8e5 instructions of the pipe 7e5 multiply and add; 1e5 loads of 4 bytes bring 2e5 values. */
static void matrices(void **state) {
  (void)state;
  static const char *const lines[] = {"LDS R4, [R8]", "HADD2.F32 R5, -RZ, R4.H0_H0", "FFMA R6, R5, R5, R6", "EXIT",
                                      NULL};
  static const double product[] = {1e5, 5e4, 7e5, 1}, vector[] = {4e5, 5e4, 7e5, 1}, fp32[] = {1e5, 0, 7e5, 1};
  static const double *const cases[] = {product, vector, fp32};
  for (int i = 0; i < 3; i++) {
    static struct made_diagnosis d;
    struct run_result *r = made(&d);
    code(&d, lines, cases[i]);
    set(r, "pipe_fma", 8e5);
    const struct advice *a = saves(&d, "pipe", i == 0 ? 87.5 : 50); /* 7 of 8 parts of the pipe; else half */
    bool told = strstr(a->told.remedy, "tensor cores") && strstr(a->told.sentence, "16-bit matrices");
    assert_true(told == (i == 0) && a->told.general == (i != 0));
    release(&d);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sectors_of_samples),
      cmocka_unit_test(sectors_of_counted_bytes),
      cmocka_unit_test(an_l2_that_nobody_empties),
      cmocka_unit_test(remedies_of_sectors),
      cmocka_unit_test(a_library_is_told_once_of_sectors),
      cmocka_unit_test(rows_that_are_not_aligned),
      cmocka_unit_test(rows_of_a_kernel_without_counters),
      cmocka_unit_test(why_a_kernel_was_not_counted),
      cmocka_unit_test(a_full_dram_is_fused),
      cmocka_unit_test(makers_of_kernels),
      cmocka_unit_test(a_functor_is_its_callers),
      cmocka_unit_test(a_librarys_caller_is_told),
      cmocka_unit_test(a_cause_has_its_own_answer),
      cmocka_unit_test(a_librarys_caller_is_told_of_code_alone),
      cmocka_unit_test(a_library_is_not_told_to_reuse),
      cmocka_unit_test(spills_beside_copies),
      cmocka_unit_test(tensor_cores),
      cmocka_unit_test(compares_and_swaps),
      cmocka_unit_test(matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
