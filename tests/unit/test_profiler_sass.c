/* What nvdisasm and ptxas print, read from texts made by hand in their forms. */
#include "base/clock.h"
#include "profiler/compile/toolchain.h"
#include "profiler/cuda/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct rung_file files[] = {
    {"common/load.cuh", "", true},
    {"cuda/2-x.cu", "", false},
    {"load.cuh", "", true},
};
static const struct rung_set set = {.files = files, .n_files = 3};

static const char two_kernels[] =
    "ptxas info    : 28 bytes gmem\n"
    "ptxas info    : Compiling entry function 'gemv' for 'sm_90a'\n"
    "ptxas info    : Function properties for gemv\n"
    "ptxas         .     128 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\n"
    "ptxas info    : Used 47 registers, used 1 barriers, 128 bytes cumulative stack size, "
    "4352 bytes smem, 552 bytes cmem[0]\n"
    "ptxas info    : Compile time = 24.121 ms\n"
    "ptxas info    : Function properties for _Z4helpPf\n"
    "ptxas         .     8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Compiling entry function 'gemv2' for 'sm_90a'\n"
    "ptxas info    : Function properties for gemv2\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 4 registers";

static struct run_module module_of(const char *log) {
  struct run_module m = {0};
  ptxas_parse(&m, log);
  return m;
}

static void ptxas_says(void **state) {
  (void)state;
  struct run_module m = module_of(two_kernels);
  assert_int_equal(m.n_kernels, 2);
  const struct run_kernel *k = &m.kernels[0];
  assert_string_equal(k->name, "gemv");
  assert_int_equal(k->registers, 47);
  assert_int_equal(k->smem_static, 4352);
  assert_int_equal(k->const_bytes, 552);
  assert_int_equal(k->local_bytes, 128); /* its own, not the 8 of the function that it calls */
  assert_int_equal(k->spill_store_bytes, 24);
  assert_int_equal(k->spill_load_bytes, 40);
  k = &m.kernels[1];
  assert_string_equal(k->name, "gemv2");
  assert_int_equal(k->registers, 4);
  assert_int_equal(k->smem_static, 0);
  assert_int_equal(k->local_bytes, 0);
  assert_int_equal(k->spill_store_bytes, 0);
  assert_int_equal(k->spill_load_bytes, 0);
  run_module_release(&m);
}

static void ptxas_says_little(void **state) {
  (void)state;
  struct run_module m = module_of("");
  assert_int_equal(m.n_kernels, 0);
  m = module_of("Used 12 registers\n0 bytes stack frame\nof no kernel\n");
  assert_int_equal(m.n_kernels, 0);
  m = module_of("ptxas info    : Compiling entry function 'k' for 'sm_80'\nwhatever\n");
  assert_int_equal(m.n_kernels, 1);
  assert_int_equal(m.kernels[0].registers, 0);
  assert_int_equal(m.kernels[0].spill_store_bytes, -1); /* not reported is not zero */
  assert_int_equal(m.kernels[0].spill_load_bytes, -1);
  run_module_release(&m);
}

static const char disassembly[] =
    "\t.target\tsm_90a\n"
    "\n"
    "//--------------------- .text.gemv              --------------------------\n"
    "\t.section\t.text.gemv,\"ax\",@progbits\n"
    "\t.sectionflags\t@\"SHF_BARRIERS=1\"\n"
    "\t.align\t128\n"
    "        .global         gemv\n"
    "        .size           gemv,(.L_x_3 - gemv)\n"
    "gemv:\n"
    ".text.gemv:\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    "\t//## File \"/any/where/common/load.cuh\", line 8 inlined at \"/any/where/cuda/2-x.cu\", line 42\n"
    "\t//## File \"/any/where/cuda/2-x.cu\", line 42\n"
    "        /*0010*/                   LDG.E.128.CONSTANT R4, desc[UR4][R2.64+0x10] ;\n"
    "        /*0020*/              @!P0 BRA `(.L_x_1) ;\n"
    ".L_x_0:\n"
    "\t//## File \"/usr/local/cuda/include/cuda_fp16.hpp\", line 1700 inlined at \"/any/where/common/load.cuh\", line 20\n"
    "\t//## File \"/any/where/common/load.cuh\", line 20 inlined at \"/any/where/cuda/2-x.cu\", line 43\n"
    "\t//## File \"/any/where/cuda/2-x.cu\", line 43\n"
    "        /*0030*/                   HFMA2.MMA R5, R5, R6, -RZ ;\n"
    ".L_x_1:\n"
    ".L_x_2:\n"
    "\t//## File \"/any/where/cuda/2-x.cu\", line 50\n"
    "        /*0040*/                   BSSY B0, `(.L_x_0) ;\n"
    "        /*0050*/                   @P1 BRA `(.L_x_2);\n"
    "        /*0060*/                   BRA `(.L_x_3) ;\n"
    "        /*0070*/                   CALL.REL.NOINC `($gemv$_Z4helpPf) ;\n"
    ".L_x_3:\n"
    "\n"
    "//--------------------- .nv.info --------------------------\n"
    "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
    "        /*0000*/ \t.byte\t0x04, 0x2f\n"
    "\t.section\t.text._Z5otherPf,\"ax\",@progbits\n"
    "        /*0000*/                   NOP ;\n"
    "\t.section\t.text.gemv2,\"ax\",@progbits\n"
    ".L_x_0:\n"
    "        /*0000*/                   NOP ;\n"
    "\t//## File \"/home/u/upload.cuh\", line 7\n"
    "        /*0010*/                   BRA `(.L_x_0) ;";

static struct run_module disassembled(const char *text) {
  struct run_module m = module_of(two_kernels);
  sass_parse(&m, text, &set, NULL, NULL);
  return m;
}

static void instructions_and_branches(void **state) {
  (void)state;
  static const char *const want[] = {
      "LDC R1, c[0x0][0x28]",
      "LDG.E.128.CONSTANT R4, desc[UR4][R2.64+0x10]",
      "@!P0 BRA 0x40", /* forward */
      "HFMA2.MMA R5, R5, R6, -RZ",
      "BSSY B0, 0x30", /* back */
      "@P1 BRA 0x40",  /* the second label of one place */
      "BRA `(.L_x_3)", /* the section's end: no instruction to go to */
      "CALL.REL.NOINC `($gemv$_Z4helpPf)",
  };
  struct run_module m = disassembled(disassembly);
  const struct run_kernel *k = &m.kernels[0];
  assert_int_equal(k->n_sass, 8);
  for (size_t i = 0; i < 8; i++) {
    assert_string_equal(k->sass[i].text, want[i]);
    assert_int_equal(k->sass[i].offset, 16 * i);
  }
  k = &m.kernels[1];
  assert_int_equal(k->n_sass, 2);
  assert_string_equal(k->sass[0].text, "NOP");
  assert_string_equal(k->sass[1].text, "BRA 0x0"); /* its own .L_x_0, not the other kernel's */
  run_module_release(&m);
}

static void check_lines(const struct run_instruction *i, size_t n, const struct run_line *want) {
  assert_int_equal(i->n_lines, n);
  for (size_t l = 0; l < n; l++) {
    assert_int_equal(i->lines[l].source, want[l].source);
    assert_int_equal(i->lines[l].line, want[l].line);
  }
}

static void lines_innermost_first(void **state) {
  (void)state;
  struct run_module m = disassembled(disassembly);
  const struct run_instruction *i = m.kernels[0].sass;
  check_lines(&i[0], 0, NULL); /* before any line was named */
  check_lines(&i[1], 2, (struct run_line[]){{0, 8}, {1, 42}});
  check_lines(&i[2], 2, (struct run_line[]){{0, 8}, {1, 42}});              /* in force until the next */
  check_lines(&i[3], 3, (struct run_line[]){{-1, 1700}, {0, 20}, {1, 43}}); /* CUDA's own header is not kept */
  check_lines(&i[4], 1, (struct run_line[]){{1, 50}});
  i = m.kernels[1].sass;
  check_lines(&i[0], 0, NULL);                         /* the chain of the kernel before does not reach here */
  check_lines(&i[1], 1, (struct run_line[]){{-1, 7}}); /* upload.cuh is not load.cuh */
  run_module_release(&m);
}

static void odd_texts(void **state) {
  (void)state;
  static const char *const odd[] = {
      "",
      "\n\n",
      "nothing of the kind",
      "\t.section\t.text.gemv",
      "\t.section\t.text.gemv,\"ax\"\n        /*0000",
      "\t.section\t.text.gemv,\"ax\"\n        /*0000*/",
      "\t.section\t.text.gemv,\"ax\"\n\t//## File \"unclosed\n\t//## File none\n\t//## File \"a\", row 3\n.L_x_9:",
  };
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    struct run_module m = disassembled(odd[i]);
    assert_int_equal(m.kernels[0].n_sass + m.kernels[1].n_sass, 0);
    run_module_release(&m);
  }
}

/* More instructions than the array first holds, and an inline chain deeper than is kept. */
static void many(void **state) {
  (void)state;
  struct text t = {0};
  text_add(&t, "\t.section\t.text.gemv,\"ax\",@progbits\n");
  for (int i = 0; i < 40; i++)
    text_printf(&t, "\t//## File \"/d/load.cuh\", line %d inlined at \"/d/load.cuh\", line %d\n", i + 1, i + 2);
  for (unsigned i = 0; i < 1000; i++)
    text_printf(&t, "        /*%04x*/                   IADD3 R%u, R1, R2, RZ ;\n", 16 * i, i);
  struct run_module m = disassembled(text_str(&t));
  const struct run_kernel *k = &m.kernels[0];
  assert_int_equal(k->n_sass, 1000);
  assert_int_equal(k->sass[999].offset, 15984);
  assert_string_equal(k->sass[999].text, "IADD3 R999, R1, R2, RZ");
  assert_in_range(k->sass[0].n_lines, 1, 40);
  assert_int_equal(k->sass[0].lines[0].source, 2);
  assert_int_equal(k->sass[0].lines[0].line, 1);
  run_module_release(&m);
  text_release(&t);
}

static void nvdisasm_that_fails(void **state) {
  (void)state;
  struct err e = {0};
  char *text = NULL;
  assert_int_equal(nvdisasm_run("/no/such/nvdisasm", "x", 1, &text, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "/no/such/nvdisasm failed: No such file"));
  assert_int_equal(nvdisasm_run("/bin/false", "x", 1, &text, &e), ERR_MACHINE);
  assert_int_equal(nvdisasm_run("/bin/true", "x", 1, &text, &e), ERR_MACHINE);
  assert_non_null(strstr(e.text, "/bin/true failed: it printed no SASS"));
  assert_null(text);
}

/* A program that never ends costs its limit, and is not left behind. */
static void nvdisasm_that_hangs(void **state) {
  (void)state;
  struct err e = {0};
  char script[] = "/tmp/nvfp4-prof-hangs.XXXXXX", *text = NULL;
  int fd = mkstemp(script);
  static const char body[] = "#!/bin/sh\nexec sleep 1000\n";
  assert_int_equal(write(fd, body, sizeof body - 1), sizeof body - 1);
  assert_int_equal(fchmod(fd, 0700), 0);
  close(fd);
  setenv("NVFP4_PROGRAM_LIMIT", "1", 1);
  double start_s = clock_now_s();
  assert_int_equal(nvdisasm_run(script, "x", 1, &text, &e), ERR_MACHINE);
  assert_true(clock_now_s() - start_s < 500);
  assert_non_null(strstr(e.text, "the disassembler"));
  assert_non_null(strstr(e.text, "gave no answer within 1 s"));
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  unsetenv("NVFP4_PROGRAM_LIMIT");
  unlink(script);
  assert_true(program_limit_s(0) == 60 && program_limit_s(1200000) == 120);
}

/* Files that are not known are numbered after those that are, each once; names are compared whole. */
static void files_beside_the_set(void **state) {
  static const char text[] = "\t.section\t.text.gemv,\"ax\",@progbits\n"
                             "\t//## File \"/t/hpp\", line 8 inlined at \"/p/cuda/2-x.cu\", line 42\n"
                             "\t//## File \"/p/cuda/2-x.cu\", line 42\n"
                             "        /*0000*/                   NOP ;\n"
                             "\t//## File \"cuda/2-x.cu\", line 43\n"
                             "        /*0010*/                   NOP ;\n"
                             "\t//## File \"/t/hpp\", line 9\n"
                             "        /*0020*/                   NOP ;\n"
                             "\t//## File \"/t/h\", line 1\n"
                             "        /*0030*/                   EXIT ;\n";
  static const struct run_line want[][2] = {{{2, 8}, {3, 42}}, {{1, 43}}, {{2, 9}}, {{4, 1}}};
  static const char *const names[] = {"common/load.cuh", "cuda/2-x.cu", "/t/hpp", "/p/cuda/2-x.cu", "/t/h"};
  size_t n = 2;
  struct run_source *sources = calloc(n, sizeof *sources);
  struct run_module m = module_of(two_kernels);
  (void)state;
  for (size_t i = 0; i < n; i++)
    sources[i] = (struct run_source){str_copy(names[i]), str_copy("text")};
  sass_parse(&m, text, NULL, &sources, &n);
  assert_int_equal(n, 5);
  for (size_t i = 0; i < n; i++) {
    assert_string_equal(sources[i].name, names[i]);
    assert_string_equal(sources[i].text, i < 2 ? "text" : "");
    free(sources[i].name);
    free(sources[i].text);
  }
  free(sources);
  assert_int_equal(m.kernels[0].n_sass, 4);
  for (size_t i = 0; i < 4; i++) {
    const struct run_instruction *x = &m.kernels[0].sass[i];
    assert_int_equal(x->n_lines, i ? 1 : 2);
    for (size_t l = 0; l < x->n_lines; l++)
      assert_true(x->lines[l].source == want[i][l].source && x->lines[l].line == want[i][l].line);
  }
  run_module_release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_beside_the_set),
      cmocka_unit_test(ptxas_says),
      cmocka_unit_test(ptxas_says_little),
      cmocka_unit_test(instructions_and_branches),
      cmocka_unit_test(lines_innermost_first),
      cmocka_unit_test(odd_texts),
      cmocka_unit_test(many),
      cmocka_unit_test(nvdisasm_that_fails),
      cmocka_unit_test(nvdisasm_that_hangs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
