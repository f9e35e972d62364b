/* Hot lines, and def-use of long kernels: what is found over many blocks, and that it takes time in proportion to the kernel. */
#include "analysis/model/code_place.h"
#include "analysis/model/hot.h"
#include "unit/long_kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Line 7: instructions 0 and 1 wait 5 + 4 for loads, instruction 1 alone 6 at a barrier: 9 against 6 and 2, though no instruction has loads first
 * but one.  Line 8 only issues; at line 9 issuing is more than its one stall. */
static void a_lines_reason_is_summed_over_its_instructions(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  long_init(&k, 8);
  long_add(&k, "FADD R1, R2, R3", 7);
  long_add(&k, "FADD R4, R5, R6", 7);
  long_add(&k, "FADD R7, R8, R9", 8);
  long_add(&k, "EXIT", 9);
  long_sample(&k, 0, "long_scoreboard", 5);
  long_sample(&k, 0, "wait", 2);
  long_sample(&k, 1, "barrier", 6);
  long_sample(&k, 1, "long_scoreboard", 4);
  long_sample(&k, 2, "selected", 3);
  long_sample(&k, 3, "selected", 1);
  long_sample(&k, 3, "wait", 1);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.n_lines, 3);
  assert_int_equal(h.lines[0].line, 7);
  assert_int_equal(h.lines[0].samples, 17);
  assert_string_equal(h.lines[0].top.reason, "long_scoreboard");
  assert_int_equal(h.lines[0].top.samples, 9);
  assert_string_equal(h.lines[1].top.reason, "selected");
  assert_int_equal(h.lines[2].line, 9);
  assert_string_equal(h.lines[2].top.reason, "wait");
  assert_int_equal(h.insts[0].at, 1); /* 10 samples, and 7 at the one before it: each is found by its place */
  assert_int_equal(h.kernels[0].insts[0], 1);
  assert_int_equal(h.kernels[0].insts[1], 0);
  hot_release(&h);
  long_release(&k);
}

/* A function of the compiler's is shown at the line that calls it, of two the one with more samples; what stands where it begins, of warps that
 * have ended, is not. */
static void functions_are_shown_at_their_calls(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  static const char call[] = "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)";
  long_init(&k, 16);
  long_add(&k, call, 7);
  long_add(&k, "@P0 BRA 0x30", 7);
  long_add(&k, call, 8);
  long_add(&k, "EXIT", 9);
  long_add(&k, "FADD R4, R5, R6", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "RET.REL.NODEC R2 `(k)", 9);
  long_sample(&k, 0, "wait", 1);
  long_sample(&k, 2, "wait", 2);
  long_sample(&k, 4, "drain", 9);
  long_sample(&k, 4, "wait", 1);
  long_sample(&k, 5, "wait", 4);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.n_lines, 3);
  assert_int_equal(h.lines[0].line, 9);
  assert_int_equal(h.lines[0].samples, 10);
  assert_int_equal(h.lines[1].line, 8);
  assert_int_equal(h.lines[1].samples, 6);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[2]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 4), &k.insts[4]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 0), &k.insts[0]);
  assert_true(fabs(hot_function_share(&h, &h.kernels[0], 0) - 5 / 17.0) < 1e-9);
  hot_release(&h);
  k.result.n_samples = 3; /* it did not run */
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[5]);
  hot_release(&h);
  long_release(&k);
}

/* The only call of a function stands behind the kernel's first block, which has more samples. */
static void a_function_called_once(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  long_init(&k, 8);
  long_add(&k, "FADD R4, R5, R6", 7);
  long_add(&k, "@P0 BRA 0x30", 7);
  long_add(&k, "CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath)", 8);
  long_add(&k, "EXIT", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "FADD R7, R8, R9", 9);
  long_add(&k, "RET.REL.NODEC R2 `(k)", 9);
  long_sample(&k, 0, "wait", 9);
  long_sample(&k, 2, "wait", 1);
  long_sample(&k, 5, "wait", 4);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_ptr_equal(hot_shown(&h.kernels[0], 5), &k.insts[2]);
  assert_ptr_equal(hot_shown(&h.kernels[0], 3), &k.insts[3]);
  hot_release(&h);
  long_release(&k);
}

/* Samples at no instruction and in no kernel of the result are counted apart; of an instruction
 * four reasons are kept, in order. */
static void samples_are_added_up_and_sorted(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  static const struct {
    const char *reason;
    uint64_t samples;
  } at_first[] = {{"wait", 3},
                  {"selected", 1},
                  {"barrier", 7},
                  {"long_scoreboard", 5},
                  {"dispatch", 5}}; /* as many as of long_scoreboard, and later */
  long_init(&k, 16);
  long_add(&k, "FADD R1, R2, R3", 7);
  long_add(&k, "FADD R4, R5, R6", 9);
  long_add(&k, "FADD R4, R5, R6", 8);
  long_add(&k, "EXIT", 9);
  for (size_t i = 0; i < sizeof at_first / sizeof at_first[0]; i++)
    long_sample(&k, 0, at_first[i].reason, at_first[i].samples);
  long_sample(&k, 2, "wait", 6);
  long_sample(&k, 1, "wait", 6);
  long_sample(&k, 40, "wait", 9); /* behind the code */
  long_sample(&k, 0, "wait", 11);
  for (size_t i = 0; i < k.result.n_samples; i++)
    k.samples[i].not_issued = 1;
  k.samples[k.result.n_samples - 1].module = 1; /* of another module */
  k.insts[1].lines[0].source = 1;
  struct run_line inlined[2] = {{.source = -1, .line = 3}, {.source = 0, .line = 5}};
  k.insts[3].lines = inlined; /* the first is in no file that the run holds */
  k.insts[3].n_lines = 2;
  long_sample(&k, 3, "wait", 2);
  struct run_count counts[] = {{.offset = 0, .global_sectors = 8, .global_sectors_ideal = 4},
                               {.offset = 640, .global_sectors = 9, .global_sectors_ideal = 9}};
  k.result.counts = counts;
  k.result.n_counts = 2;
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_null(h.reason);
  assert_int_equal(h.samples, 55);
  assert_int_equal(h.unplaced, 20);
  assert_int_equal(h.kernels[0].samples, 35);
  assert_int_equal(h.n_insts, 4);
  const struct hot_inst *x = &h.insts[0];
  assert_true(x->at == 0 && x->samples == 21 && x->not_issued == 5 && x->n_reasons == HOT_REASONS);
  assert_string_equal(x->reasons[0].reason, "barrier");
  assert_string_equal(x->reasons[1].reason, "long_scoreboard");
  assert_string_equal(x->reasons[2].reason, "dispatch");
  assert_string_equal(x->reasons[3].reason, "wait");
  assert_true(h.insts[1].at == 1 && h.insts[2].at == 2); /* as many samples: in the order of the code */
  for (size_t i = 0; i < h.n_insts; i++)
    assert_int_equal(h.kernels[0].insts[h.insts[i].at], i);
  static const int sources[] = {0, 0, 1, 0}, lines[] = {7, 8, 9, 5}, samples[] = {21, 6, 6, 2};
  assert_int_equal(h.n_lines, 4);
  for (size_t i = 0; i < h.n_lines; i++) {
    assert_int_equal(h.lines[i].source, sources[i]);
    assert_int_equal(h.lines[i].line, lines[i]);
    assert_int_equal(h.lines[i].samples, samples[i]);
  }
  assert_int_equal(h.lines[0].not_issued, 5);
  assert_int_equal(h.lines[0].top.not_issued, 1);
  hot_release(&h);
  k.result.n_samples = 0;
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_string_equal(h.reason, "no PC samples were taken");
  hot_release(&h);
  k.result.sampling.reason = (char *)"not permitted";
  k.result.module = -1;
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_string_equal(h.reason, "not permitted");
  assert_int_equal(h.n_kernels, 0);
  hot_release(&h);
  k.insts[3].lines = &k.lines[3];
  long_release(&k);
}

/* Line 2 of a toolkit's header (source 1) is inlined into the program's line 5: it is told as
 * line 5, also where the run does not name that file; and as itself where nothing else is
 * known. */
static void a_toolkits_line_is_its_callers(void **state) {
  static const char *const headers[] = {"/usr/local/cuda-13.0/include/cuda_bf16.hpp",
                                        "/opt/x/targets/sbsa-linux/include/crt/mma.hpp",
                                        "/opt/x/targets/x86_64-linux/include/crt/mma.hpp",
                                        "/usr/include/math.h",
                                        "/opt/gcc/include/c++/13/cmath",
                                        "/v/lib/python3.12/site-packages/nvidia/cu13/include/cuda_fp16.hpp",
                                        "/v/lib/python3.12/site-packages/nvidia/cuda_runtime/include/cuda_fp16.hpp",
                                        "/v/lib/python3.12/site-packages/nvidia/cuda_cccl/include/cub/agent/a.cuh",
                                        "/opt/cuda/include/cccl/cub/block/block_reduce.cuh",
                                        "/home/me/cccl/cub/cub/block/block_reduce.cuh",
                                        "/home/me/cccl/thrust/thrust/system/cuda/detail/reduce.h",
                                        "/home/me/cccl/libcudacxx/include/cuda/__barrier/barrier.h",
                                        "/home/me/third_party/cub/cub/device/device_scan.cuh",
                                        "/home/me/third_party/thrust/thrust/transform.h",
                                        "/opt/x/include/cub/warp/warp_scan.cuh",
                                        "/opt/x/include/thrust/functional.h",
                                        "/opt/x/include/cuda/std/__functional/operations.h",
                                        "/home/me/cutlass/include/cutlass/gemm/collective.hpp",
                                        "/home/me/cutlass/include/cute/tensor.hpp",
                                        "/v/lib/python3.12/site-packages/triton/language/standard.py"};
  (void)state;
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
    for (int outer = 0; outer < 3; outer++) { /* the program's, one without a name, none */
      struct run_source sources[] = {{(char *)"/home/me/cuda/gemv.cu", (char *)""}, {(char *)headers[i], (char *)""}};
      struct run_line inlined[] = {{1, 2}, {1, 3}, {outer == 1 ? -1 : 0, 5}};
      struct long_kernel k;
      struct hot h;
      struct err e = {0};
      long_init(&k, 2);
      k.run.sources = sources;
      k.run.n_sources = 2;
      long_add(&k, "FADD R1, R2, R3", 7);
      long_add(&k, "EXIT", 7);
      k.insts[0].lines = inlined;
      k.insts[0].n_lines = outer == 2 ? 2 : 3;
      long_sample(&k, 0, "wait", 5);
      assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
      assert_int_equal(h.n_lines, 1);
      assert_int_equal(h.lines[0].source, outer == 2 ? 1 : inlined[2].source);
      assert_int_equal(h.lines[0].line, outer == 2 ? 2 : 5);
      assert_int_equal(h.insts[0].line->line, outer == 2 ? 2 : 5);
      assert_ptr_equal(hot_first_line(&h), &h.lines[0]);
      assert_ptr_equal(hot_line_inst(&h, &h.lines[0]), &h.insts[0]);
      hot_release(&h);
      long_release(&k);
    }
}

/* Which of a chain, innermost first, are told: sources 0 and 1 are the program's, 2 and 3 a
 * toolkit's. */
static void which_lines_of_a_chain(void **state) {
  enum { NONE = -1 };
  static const struct {
    struct run_line chain[5];
    size_t n;
    int line, caller, inlined; /* their index in the chain */
  } rows[] = {
      {{{0, 0}}, 0, NONE, NONE, NONE},
      {{{0, 9}}, 1, 0, NONE, NONE},
      {{{1, 7}, {0, 9}}, 2, 0, 1, NONE},
      {{{1, 7}, {0, 8}, {0, 9}}, 3, 0, 2, NONE},
      {{{0, 9}, {0, 9}}, 2, 0, NONE, NONE}, /* it came to itself */
      {{{0, 9}, {1, 9}}, 2, 0, 1, NONE},
      {{{0, 8}, {0, 9}}, 2, 0, 1, NONE},
      {{{2, 5}}, 1, 0, NONE, NONE},
      {{{2, 5}, {3, 6}}, 2, 0, 1, NONE},
      {{{2, 5}, {0, 9}}, 2, 1, NONE, 0},
      {{{2, 5}, {3, 6}, {1, 7}, {0, 9}}, 4, 2, 3, 0},
      {{{1, 7}, {2, 5}}, 2, 0, NONE, NONE}, /* a toolkit's kernel that was given the program's function */
      {{{1, 7}, {2, 5}, {0, 9}}, 3, 0, 2, NONE},
      {{{-1, 1}, {-1, 2}}, 2, 1, NONE, NONE},
      {{{2, 5}, {-1, 1}, {-1, 2}}, 3, 2, NONE, 0},
      {{{-1, 1}, {2, 5}}, 2, 0, NONE, NONE},
      {{{-1, 1}, {0, 9}, {-1, 2}}, 3, 1, NONE, NONE},
  };
  struct run_source sources[] = {{(char *)"a.cu", (char *)""},
                                 {(char *)"b.cuh", (char *)""},
                                 {(char *)"/usr/local/cuda/include/a.h", (char *)""},
                                 {(char *)"/usr/local/cuda/include/b.h", (char *)""}};
  const struct run r = {.sources = sources, .n_sources = 4};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const struct run_line *chain = rows[i].chain;
    struct code_place place;
    code_place_of(&place, &r, &(struct run_instruction){.lines = (struct run_line *)chain, .n_lines = rows[i].n});
    assert_ptr_equal(place.line, rows[i].line == NONE ? NULL : chain + rows[i].line);
    assert_ptr_equal(place.caller, rows[i].caller == NONE ? NULL : chain + rows[i].caller);
    assert_ptr_equal(place.inlined, rows[i].inlined == NONE ? NULL : chain + rows[i].inlined);
  }
}

/* A folder of a user's own that is called as a toolkit's is. */
static void what_is_no_toolkits(void **state) {
  static const char *const names[] = {"/home/me/cutlass/examples/a.cu", "/home/me/include/cuda/kernels.cuh",
                                      "/home/me/cub/a.cu", "/home/me/thrust/a.cu", "main.cu"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    struct run_source source = {(char *)names[i], (char *)""};
    assert_false(source_is_toolkits(&(struct run){.sources = &source, .n_sources = 1}, 0));
  }
  assert_false(source_is_toolkits(&(struct run){0}, 0));
  assert_false(source_is_toolkits(&(struct run){0}, -1));
}

/* Of 100 samples so many at line 4 of the program and at line 3 of a toolkit, which came through
 * no other. */
static void the_line_to_look_at_first(void **state) {
  static const struct {
    uint64_t program, toolkit, elsewhere;
    int want; /* 0: none */
  } rows[] = {{10, 0, 90, 4}, {9, 0, 91, 0}, {10, 90, 0, 4}, {9, 91, 0, 0}, {0, 10, 90, 3}, {0, 9, 91, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct run_source sources[] = {{(char *)"a.cu", (char *)""}, {(char *)"/usr/local/cuda/include/a.h", (char *)""}};
    struct long_kernel k;
    struct hot h;
    long_init(&k, 4);
    k.run.sources = sources;
    k.run.n_sources = 2;
    long_add(&k, "FADD R1, R2, R3", 4);
    long_add(&k, "FADD R1, R2, R3", 3);
    long_add(&k, "EXIT", 9);
    k.lines[1].source = 1;
    k.insts[2].n_lines = 0;
    const uint64_t samples[] = {rows[i].program, rows[i].toolkit, rows[i].elsewhere};
    for (size_t at = 0; at < 3; at++)
      if (samples[at])
        long_sample(&k, at, "wait", samples[at]);
    assert_int_equal(hot_make(&h, &k.run, &k.result, &(struct err){0}), 0);
    const struct hot_line *first = hot_first_line(&h);
    assert_int_equal(first ? first->line : 0, rows[i].want);
    hot_release(&h);
    long_release(&k);
  }
}

/* A warp that has ended waits for its stores: those on the paths to its end, the nearest first, and the line to look at is the nearest's, where it has samples. */
static void a_drain_is_for_stores(void **state) {
  (void)state;
  static const struct {
    const char *first; /* the instruction of line 3 */
    uint64_t at_stores, at_exit, behind;
    size_t n_feeds, nearest;
    int line;
  } cases[] = {
      {"STG.E desc[UR4][R2.64], R1", 5, 50, 0, 2, 2, 4},
      {"STG.E desc[UR4][R2.64], R1", 5, 0, 50, 2, 2, 4}, /* at the branch to itself behind the EXIT */
      {"STG.E desc[UR4][R2.64], R1", 0, 50, 0, 2, 2, 9}, /* no sample stands at a store */
      {"STG.E desc[UR4][R2.64], R1", 60, 50, 0, 2, 2, 4},
      {"STS [R2], R1", 5, 50, 0, 1, 2, 4}, /* shared memory is waited for elsewhere */
      {"ATOMS.ADD R1, [R2], R1", 5, 50, 0, 1, 2, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
    struct long_kernel k;
    struct hot h;
    struct err e = {0};
    long_init(&k, 8);
    k.run.sources = sources;
    k.run.n_sources = 1;
    long_add(&k, cases[i].first, 3);
    long_add(&k, "FADD R1, R2, R3", 2);
    long_add(&k, "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R1", 4);
    long_add(&k, "EXIT", 9);
    long_add(&k, "BRA 0x40", 9);
    if (cases[i].at_stores)
      long_sample(&k, 2, "lg_throttle", cases[i].at_stores);
    if (cases[i].at_exit)
      long_sample(&k, 3, "drain", cases[i].at_exit);
    if (cases[i].behind)
      long_sample(&k, 4, "drain", cases[i].behind);
    assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
    const struct hot_inst *x = NULL;
    for (size_t j = 0; j < h.n_insts && !x; j++)
      x = strcmp(h.insts[j].reasons[0].reason, "drain") == 0 ? &h.insts[j] : NULL;
    assert_non_null(x);
    assert_int_equal(x->n_feeds, cases[i].n_feeds);
    assert_int_equal(x->feeds[0].inst, cases[i].nearest);
    assert_int_equal(x->feeds[0].wait, WAIT_STORES);
    if (cases[i].n_feeds == 2)
      assert_int_equal(x->feeds[1].inst, 0);
    assert_int_equal(hot_first_line(&h)->line, cases[i].line);
    hot_release(&h);
    long_release(&k);
  }
  assert_null(hot_first_line(&(struct hot){0}));
}

/* Most samples of the last line are of its two drains together; a load that another instruction of the line waits for is no store. */
static void a_load_beside_the_end_is_no_store(void **state) {
  (void)state;
  struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  long_init(&k, 8);
  k.run.sources = sources;
  k.run.n_sources = 1;
  long_add(&k, "LDG.E R4, desc[UR4][R2.64]", 3);
  long_add(&k, "STG.E desc[UR4][R6.64], R8", 4);
  long_add(&k, "FADD R5, R4, R4", 9);
  long_add(&k, "EXIT", 9);
  long_add(&k, "BRA 0x40", 9);
  long_sample(&k, 0, "wait", 1);
  long_sample(&k, 1, "lg_throttle", 5);
  long_sample(&k, 2, "long_scoreboard", 50);
  long_sample(&k, 3, "drain", 30);
  long_sample(&k, 4, "drain", 30);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.lines[0].line, 9);
  assert_string_equal(h.lines[0].top.reason, "drain");
  assert_int_equal(h.insts[0].at, 2);
  assert_int_equal(hot_first_line(&h)->line, 4);
  hot_release(&h);
  long_release(&k);
}

/* Of the line where warps drain an instruction that issues has more samples than the end that waits for stores. */
static void an_instruction_beside_the_end_has_no_stores(void **state) {
  (void)state;
  struct run_source sources[] = {{(char *)"a.cu", (char *)""}};
  struct long_kernel k;
  struct hot h;
  long_init(&k, 8);
  k.run.sources = sources;
  k.run.n_sources = 1;
  long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 3);
  long_add(&k, "FADD R1, R2, R3", 9);
  long_add(&k, "STG.E desc[UR4][R2.64], R1", 4);
  long_add(&k, "EXIT", 9);
  long_sample(&k, 0, "lg_throttle", 5);
  long_sample(&k, 1, "selected", 70);
  long_sample(&k, 2, "lg_throttle", 5);
  long_sample(&k, 3, "drain", 50);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &(struct err){0}), 0);
  assert_string_equal(h.lines[0].top.reason, "drain");
  assert_int_equal(hot_first_line(&h)->line, 4);
  hot_release(&h);
  long_release(&k);
}

/* SASS that no compiler wrote, two instructions at one place: its samples are counted, and placed nowhere. */
static void code_that_cannot_be_read_has_no_place(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  long_init(&k, 4);
  long_add(&k, "FADD R1, R2, R3", 1);
  long_add(&k, "EXIT", 1);
  k.insts[1].offset = 0;
  long_sample(&k, 0, "wait", 5);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &(struct err){0}), 0);
  assert_int_equal(h.n_kernels, 0);
  assert_int_equal(h.samples, 5);
  assert_int_equal(h.unplaced, 5);
  hot_release(&h);
  long_release(&k);
}

/* Only waits that registers tell are followed back to what they wait for: a barrier's is for
 * other warps. */
static void which_waits_are_for_data(void **state) {
  (void)state;
  static const struct {
    const char *reason;
    size_t feeds;
  } cases[] = {{"long_scoreboard", 1}, {"gmma", 1},    {"wait", 0},   {"selected", 0},
               {"lg_throttle", 0},     {"barrier", 0}, {"membar", 0}, {"branch_resolving", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct long_kernel k;
    struct hot h;
    long_init(&k, 4);
    long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 1);
    long_add(&k, "FADD R4, R1, R6", 1);
    long_add(&k, "EXIT", 1);
    long_sample(&k, 1, cases[i].reason, 5);
    assert_int_equal(hot_make(&h, &k.run, &k.result, &(struct err){0}), 0);
    assert_int_equal(h.insts[0].n_feeds, cases[i].feeds);
    hot_release(&h);
    long_release(&k);
  }
}

/* What has the short scoreboard is not what the long one is for. */
static void a_long_wait_is_for_memory(void **state) {
  (void)state;
  static const struct {
    const char *producer, *reason;
    size_t feeds;
  } cases[] = {
      {"LDG.E R1, desc[UR4][R2.64]", "long_scoreboard", 1},
      {"LDL R1, [R2]", "long_scoreboard", 1},
      {"LDC R1, c[0x0][R2]", "long_scoreboard", 0},
      {"LDC R1, c[0x0][R2]", "short_scoreboard", 1},
      {"LDS R1, [R2]", "long_scoreboard", 0},
      {"LDS R1, [R2]", "short_scoreboard", 1},
      {"SHFL.BFLY PT, R1, R2, 0x1, 0x1f", "long_scoreboard", 0},
      {"MUFU.RCP R1, R2", "long_scoreboard", 0},
      {"MUFU.RCP R1, R2", "short_scoreboard", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct long_kernel k;
    struct hot h;
    long_init(&k, 3);
    long_add(&k, cases[i].producer, 1);
    long_add(&k, "FADD R4, R1, R6", 1);
    long_add(&k, "EXIT", 1);
    long_sample(&k, 1, cases[i].reason, 5);
    assert_int_equal(hot_make(&h, &k.run, &k.result, &(struct err){0}), 0);
    assert_int_equal(h.insts[0].n_feeds, cases[i].feeds);
    hot_release(&h);
    long_release(&k);
  }
}

/* R1 is loaded, then 100 blocks that do not touch it may each be left early for the end, where it is read.  Halfway a guarded load may write
 * it anew, so that both may have. */
static void a_writer_is_found_over_many_blocks(void **state) {
  (void)state;
  enum { BLOCKS = 100 };
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  long_init(&k, 4 + 2 * BLOCKS);
  long_add(&k, "LDG.E R1, desc[UR4][R2.64]", 1);
  for (int b = 0; b < BLOCKS; b++) {
    char text[64];
    snprintf(text, sizeof text, "@P0 BRA 0x%x", 16 * (1 + 2 * BLOCKS));
    long_add(&k, b == BLOCKS / 2 ? "@P1 LDG.E R1, desc[UR4][R4.64]" : "FADD R8, R9, R10", 2);
    long_add(&k, text, 2);
  }
  long_add(&k, "FADD R3, R1, R1", 3);
  long_add(&k, "EXIT", 3);
  long_sample(&k, 1 + 2 * BLOCKS, "long_scoreboard", 10);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.insts[0].n_feeds, 2);
  size_t first = h.insts[0].feeds[0].inst, second = h.insts[0].feeds[1].inst;
  assert_int_equal(first < second ? first : second, 0);
  assert_int_equal(first < second ? second : first, 1 + BLOCKS);
  hot_release(&h);
  long_release(&k);
}

/* 5,000 instructions with a branch to anywhere every fifth: following every producer of every producer took minutes here. */
static void time_is_in_proportion_to_the_kernel(void **state) {
  (void)state;
  enum { N = 5000 };
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  uint32_t seed = 1;
  long_init(&k, N + 1);
  for (size_t i = 0; i < N; i++) {
    char text[64];
    unsigned r[5];
    for (size_t d = 0; d < 5; d++)
      r[d] = (seed = seed * 1664525 + 1013904223) >> 8;
    if (i % 5 == 4)
      snprintf(text, sizeof text, "@P%u BRA 0x%x", r[0] % 6, 16 * (r[1] % N));
    else if (r[0] % 3 == 0)
      snprintf(text, sizeof text, "LDG.E R%u, desc[UR4][R%u.64]", r[1] % 250, 2 * (r[2] % 120));
    else
      snprintf(text, sizeof text, "FFMA R%u, R%u, R%u, R%u", r[1] % 250, r[2] % 250, r[3] % 250, r[4] % 250);
    long_add(&k, text, 1);
    long_sample(&k, i, "long_scoreboard", 1);
  }
  long_add(&k, "EXIT", 1);
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.n_insts, N);
  hot_release(&h);
  long_release(&k);
}

/* The second load's address comes from the first through an addition: both are in the loop.  Without the addition they are two streams. */
static void a_load_that_waits_for_a_load(void **state) {
  (void)state;
  struct made_sass m;
  made_kernel(&m, (const char *const[]){"LDG.E R1, desc[UR4][R2.64]", "IADD3 R4, R1, 0x10, RZ",
                                        "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT", NULL});
  assert_int_equal(m.sass.n_loops, 1);
  assert_int_equal(sass_chained_load(&m.sass, 0), 2);
  sass_release(&m.sass);
  made_kernel(&m, (const char *const[]){"LDG.E R1, desc[UR4][R2.64]", "IADD3 R4, R8, 0x10, RZ",
                                        "LDG.E R6, desc[UR4][R4.64]", "@P0 BRA 0x0", "EXIT", NULL});
  assert_true(sass_chained_load(&m.sass, 0) == SASS_NONE);
  sass_release(&m.sass);
  /* A guarded address in the register that the load of the turn before filled. */
  made_kernel(&m, (const char *const[]){"@!P1 IMAD.WIDE R2, R8, 0x4, R10", "@!P1 LDG.E R2, desc[UR4][R2.64]",
                                        "@P0 BRA 0x0", "EXIT", NULL});
  assert_true(sass_chained_load(&m.sass, 0) == SASS_NONE);
  sass_release(&m.sass);
}

/* Warps that wait at a barrier stand behind it, in its block or where the next one begins: the line with most samples is the barrier's, and it is what they wait for. */
static void a_barriers_waits_are_its_lines(void **state) {
  (void)state;
  struct long_kernel k;
  struct hot h;
  struct err e = {0};
  long_init(&k, 8);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 10);
  long_add(&k, "IADD3 R4, R4, 0x1, RZ", 11);
  long_add(&k, "LDS R5, [R7]", 12);
  long_add(&k, "@P0 BRA 0x10", 13);
  long_add(&k, "BAR.SYNC.DEFER_BLOCKING 0x0", 20);
  long_add(&k, "@P1 BRA 0x10", 21);
  long_add(&k, "FADD R6, R5, R5", 22);
  long_add(&k, "EXIT", 23);
  long_sample(&k, 2, "barrier", 40);
  long_sample(&k, 2, "mio_throttle", 5);
  long_sample(&k, 5, "barrier", 30);
  long_sample(&k, 6, "barrier", 20); /* no barrier stands in its block */
  assert_int_equal(hot_make(&h, &k.run, &k.result, &e), 0);
  assert_int_equal(h.n_lines, 4);
  static const struct {
    int line;
    uint64_t samples;
  } lines[] = {{10, 40}, {12, 5}, {20, 30}, {22, 20}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const struct hot_line *l = NULL;
    for (size_t j = 0; j < h.n_lines; j++)
      l = h.lines[j].line == lines[i].line ? &h.lines[j] : l;
    assert_non_null(l);
    assert_int_equal(l->samples, lines[i].samples);
  }
  assert_int_equal(h.insts[0].n_feeds, 1);
  assert_int_equal(h.insts[0].feeds[0].inst, 0);
  assert_int_equal(h.insts[0].feeds[0].wait, WAIT_BLOCK);
  assert_int_equal(h.insts[2].n_feeds, 0);
  hot_release(&h);
  long_release(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lines_reason_is_summed_over_its_instructions),
      cmocka_unit_test(functions_are_shown_at_their_calls),
      cmocka_unit_test(a_function_called_once),
      cmocka_unit_test(samples_are_added_up_and_sorted),
      cmocka_unit_test(a_toolkits_line_is_its_callers),
      cmocka_unit_test(which_lines_of_a_chain),
      cmocka_unit_test(what_is_no_toolkits),
      cmocka_unit_test(the_line_to_look_at_first),
      cmocka_unit_test(a_drain_is_for_stores),
      cmocka_unit_test(a_barriers_waits_are_its_lines),
      cmocka_unit_test(a_load_beside_the_end_is_no_store),
      cmocka_unit_test(an_instruction_beside_the_end_has_no_stores),
      cmocka_unit_test(code_that_cannot_be_read_has_no_place),
      cmocka_unit_test(which_waits_are_for_data),
      cmocka_unit_test(a_long_wait_is_for_memory),
      cmocka_unit_test(a_writer_is_found_over_many_blocks),
      cmocka_unit_test(time_is_in_proportion_to_the_kernel),
      cmocka_unit_test(a_load_that_waits_for_a_load),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
