/* Which of an instruction's lines is told: the program's and not a toolkit's, and which line is to be looked at first. */
#include "analysis/model/code_place.h"
#include "analysis/model/hot.h"
#include "unit/long_kernel.h"

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
      long_init(&k, 2);
      k.run.sources = sources;
      k.run.n_sources = 2;
      long_add(&k, "FADD R1, R2, R3", 7);
      long_add(&k, "EXIT", 7);
      k.insts[0].lines = inlined;
      k.insts[0].n_lines = outer == 2 ? 2 : 3;
      long_sample(&k, 0, "wait", 5);
      hot_make(&h, &k.run, &k.result);
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
      {{{2, 5}, {4, 4}, {5, 3}, {6, 2}}, 4, 1, 2, 0}, /* a main loop in a library's kernel */
      {{{7, 6}, {4, 4}, {6, 2}}, 3, 1, NONE, 0},      /* what its folder holds beside loops */
      {{{2, 5}, {4, 4}, {0, 9}}, 3, 2, NONE, 0},
  };
  struct run_source sources[] = {{(char *)"a.cu", (char *)""},
                                 {(char *)"b.cuh", (char *)""},
                                 {(char *)"/usr/local/cuda/include/a.h", (char *)""},
                                 {(char *)"/usr/local/cuda/include/b.h", (char *)""},
                                 {(char *)"/src/include/cutlass/gemm/collective/loop.hpp", (char *)""},
                                 {(char *)"/src/include/cutlass/gemm/kernel/kernel.hpp", (char *)""},
                                 {(char *)"/src/include/cutlass/device_kernel.h", (char *)""},
                                 {(char *)"/src/include/cutlass/gemm/warp/tile.h", (char *)""}};
  const struct run r = {.sources = sources, .n_sources = 8};
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

/* A function in one line, or the end of one, is told where it is called. */
static void one_line_functions(void **state) {
  static const struct {
    const char *text;
    int line; /* of the chain: 0: its own, 1: the caller's */
  } rows[] = {{"operator float() const { return x; }", 1},
              {"  __device__ Half(float f) { x = f; };\n", 1},
              {"template <typename T> T load(const T *p) { return __ldg(p); } ", 1},
              {"uint hash(uint x) { x ^= x >> 16; x *= 3; return x; }", 0}, /* what it computes is its own */
              {"T load(const T *p) {", 0},
              {"  if (n > 0) { x = p[n]; }", 0},
              {"  for (int i = 0; i < n; i++) { x += p[i]; }", 0},
              {"} else if (n) { x = 0; }", 0},
              {"return p[i];", 0},
              {"  return x;\n}", 1}, /* the end of a function says nothing of what it does */
              {"  }\r\n", 1},
              {"  return;", 1},
              {"  return x * x;", 0},
              {"  x", 0},
              {"x = f(a); }", 0},
              {"{ x = f(a); }", 0},
              {"", 0}};
  struct run_source sources[] = {{(char *)"a.h", NULL}, {(char *)"a.cu", (char *)"int a;\nb = x;"}};
  const struct run r = {.sources = sources, .n_sources = 2};
  struct run_line chain[] = {{0, 1}, {1, 2}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct code_place place;
    sources[0].text = (char *)rows[i].text;
    code_place_of(&place, &r, &(struct run_instruction){.lines = chain, .n_lines = 2});
    if (place.line != &chain[rows[i].line])
      fail_msg("%s", rows[i].text);
    assert_ptr_equal(place.inlined, rows[i].line ? chain : NULL);
    assert_ptr_equal(place.caller, rows[i].line ? NULL : chain + 1);
    code_place_of(&place, &r, &(struct run_instruction){.lines = chain, .n_lines = 1}); /* nothing calls it */
    assert_ptr_equal(place.line, chain);
    assert_null(place.inlined);
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
    hot_make(&h, &k.run, &k.result);
    const struct hot_line *first = hot_first_line(&h);
    assert_int_equal(first ? first->line : 0, rows[i].want);
    hot_release(&h);
    long_release(&k);
  }
}

/* Triton keeps no line of the call of its functions: that of what they work on stands for it, through shared memory and barriers, too. */
static void a_call_that_was_lost(void **state) {
  static const struct {
    const char *text;
    int source, line, want;                                      /* source 1: Triton's */
  } insts[] = {{"SHFL.BFLY PT, R9, R8, 0x2, 0x1f", 1, 293, 293}, /* made by nothing here */
               {"LDG.E R4, desc[UR4][R2.64]", 0, 5, 5},
               {"FMUL R5, R4, R4", 0, 7, 7},
               {"FADD R5, R5, R4", 1, 263, 7}, /* the nearer of two */
               {"SHFL.BFLY PT, R6, R5, 0x1, 0x1f", 1, 293, 7},
               {"MOV R11, R10", 0, 8, 8},
               {"STS [R11], R6", 1, 293, 7}, /* what is stored, and not where */
               {"BAR.SYNC.DEFER_BLOCKING 0x0", 1, 293, 7},
               {"LDS R7, [R11]", 1, 293, 7},
               {"FADD R12, R12, R7", 0, 9, 9},
               {"MUFU.EX2 R13, R12", 2, 11, 11}, /* a toolkit's of C++ has its chain */
               {"EXIT", 0, 12, 12}};
  enum { N = sizeof insts / sizeof insts[0] };
  struct run_source sources[] = {{(char *)"a.py", (char *)""},
                                 {(char *)"/v/site-packages/triton/language/standard.py", (char *)""},
                                 {(char *)"/usr/local/cuda/include/a.h", (char *)""}};
  struct long_kernel k;
  struct hot h;
  (void)state;
  long_init(&k, N);
  k.run.sources = sources;
  k.run.n_sources = 3;
  for (size_t i = 0; i < N; i++) {
    long_add(&k, insts[i].text, insts[i].line);
    k.lines[i].source = insts[i].source;
    long_sample(&k, i, "wait", 1 + i);
  }
  hot_make(&h, &k.run, &k.result);
  for (size_t i = 0; i < N; i++)
    if (hot_placed(&h.kernels[0], i)->lines[0].line != insts[i].want)
      fail_msg("%s: line %d", insts[i].text, hot_placed(&h.kernels[0], i)->lines[0].line);
  assert_ptr_equal(hot_shown(&h.kernels[0], 4), &k.insts[2]);
  assert_int_equal(h.lines[0].line, 7); /* 3 + 4 + 5 + 7 + 8 + 9 samples */
  assert_int_equal(h.lines[0].samples, 36);
  hot_release(&h);
  long_release(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_toolkits_line_is_its_callers),
      cmocka_unit_test(which_lines_of_a_chain),
      cmocka_unit_test(one_line_functions),
      cmocka_unit_test(what_is_no_toolkits),
      cmocka_unit_test(the_line_to_look_at_first),
      cmocka_unit_test(a_call_that_was_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
