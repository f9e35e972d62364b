/* Code that someone else compiled: cubins put together here, section by section, and PTX through a ptxas that is a script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "demangled.h"
#include "profiler/attach/outside/composing.h"
#include "profiler/compile/code_file.h"
#include "run/run.h"

#include <sys/stat.h>

static struct err e;

/* Two kernels: `_Z4axpyIfEvPT_` and `plain`; a function without parameters' bank is none.  Symbols 1 and 2 are theirs. */
static void two_kernels(unsigned char abi, unsigned flags) {
  static const unsigned char code[32] = {0};
  cubin_begin();
  size_t first = section(".text._Z4axpyIfEvPT_", SHT_PROGBITS, code, sizeof code);
  size_t second = section(".text.plain", SHT_PROGBITS, code, sizeof code);
  section(".text.helper", SHT_PROGBITS, code, sizeof code);
  section(".nv.constant0._Z4axpyIfEvPT_", SHT_PROGBITS, code, 24);
  section(".nv.constant0.plain", SHT_PROGBITS, code, 16);
  section(".nv.shared.plain", SHT_NOBITS, NULL, 1024 + 512);
  const Elf64_Sym symbols[] = {
      {.st_shndx = 0}, {.st_shndx = (Elf64_Section)first}, {.st_shndx = (Elf64_Section)second}};
  section(".symtab", SHT_SYMTAB, symbols, sizeof symbols);
  /* Rows: registers and frames of symbols 1 and 2, with a row of another format between. */
  static const unsigned char info[] = {4, 0x2f, 8, 0, 1,  0, 0, 0, 40, 0,    0, 0, 3, 0x2f, 8, 0, 4,  0x2f, 8, 0,
                                       2, 0,    0, 0, 17, 0, 0, 0, 4,  0x11, 8, 0, 2, 0,    0, 0, 64, 0,    0, 0};
  static const unsigned char own[] = {4, 5, 12, 0, 32, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0};
  section(".nv.info", SHT_PROGBITS, info, sizeof info);
  section(".nv.info.plain", SHT_PROGBITS, own, sizeof own);
  cubin_end(abi, flags);
}

static const char *put(const char *name, const void *data, size_t n) {
  static char path[700];
  snprintf(path, sizeof path, "%s/%s", own_folder, name);
  assert_int_equal(file_write(path, data, n, &e), 0);
  return path;
}

static void the_elf_is_read(void **state) {
  struct run_module m;
  (void)state;
  two_kernels(7, 90); /* before version 8 of the ABI the chip stands in the flags' first byte */
  assert_int_equal(cubin_module(&m, "a.cubin", made_cubin.data, made_cubin.n, &e), 0);
  assert_string_equal(m.arch, "sm_90");
  assert_int_equal(m.cubin_bytes, made_cubin.n);
  assert_int_equal(m.n_kernels, 2);
  const struct run_kernel *k = m.kernels;
  assert_string_equal(k[0].name, "_Z4axpyIfEvPT_");
  assert_int_equal(k[0].registers, 40);
  assert_int_equal(k[0].local_bytes, 0);
  assert_int_equal(k[0].const_bytes, 24);
  assert_int_equal(k[0].smem_static, 0);
  assert_int_equal(k[0].max_threads, 0);
  assert_int_equal(k[0].spill_store_bytes, -1); /* no attribute says it */
  assert_string_equal(k[1].name, "plain");
  assert_int_equal(k[1].registers, 17);
  assert_int_equal(k[1].local_bytes, 64);
  assert_int_equal(k[1].const_bytes, 16);
  assert_int_equal(k[1].smem_static, 512); /* without the driver's 1024 */
  assert_int_equal(k[1].max_threads, 32 * 4 * 2);
  assert_non_null(strstr(k[1].sass_reason, "a.cubin: NVFP4_NVDISASM: /nonexistent/nvdisasm"));
  run_module_release(&m);
  two_kernels(8, 80 << 8);
  assert_int_equal(cubin_module(&m, "a.cubin", made_cubin.data, made_cubin.n, &e), 0);
  assert_string_equal(m.arch, "sm_80");
  assert_int_equal(m.kernels[1].smem_static, 1536); /* before sm_90 the driver has none */
  run_module_release(&m);
}

static void refused(const char *why) {
  struct run_module m;
  char text[256];
  e = (struct err){0};
  assert_int_equal(cubin_module(&m, "a.cubin", made_cubin.data, made_cubin.n, &e), ERR_DATA);
  snprintf(text, sizeof text, "a.cubin: not a cubin that can be read: %s", why);
  assert_string_equal(e.text, text);
  run_module_release(&m);
}

static void what_is_no_cubin_is_refused(void **state) {
  (void)state;
  two_kernels(7, 90);
  made_cubin.data[0] = 'X';
  refused("it does not begin as an ELF file does");
  two_kernels(7, 90);
  made_cubin.n = 63;
  refused("it does not begin as an ELF file does");
  two_kernels(7, 90);
  ((Elf64_Ehdr *)(void *)made_cubin.data)->e_machine = 62;
  refused("it is an ELF file of another machine");
  two_kernels(7, 90);
  made_cubin.data[EI_CLASS] = ELFCLASS32;
  refused("it is an ELF file of another machine");
  two_kernels(7, 90);
  made_cubin.n--;
  refused("it is cut short: its section table is not all there");
  two_kernels(7, 90);
  ((Elf64_Ehdr *)(void *)made_cubin.data)->e_shentsize++;
  refused("it is cut short: its section table is not all there");
  two_kernels(7, 90);
  ((Elf64_Ehdr *)(void *)made_cubin.data)->e_shstrndx = 1;
  refused("it has no section names");
  two_kernels(7, 90);
  ((Elf64_Ehdr *)(void *)made_cubin.data)->e_shstrndx = 99;
  refused("it has no section names");
  cubin_begin();
  section(".text.helper", SHT_PROGBITS, "", 0);
  cubin_end(7, 90);
  refused("it holds no kernel");
}

/* --- one kernel of a cubin, for attach --- */

enum { SHT_CUDA_INFO = 0x70000000 };
enum { CODE_AB = 1, CODE_A, SHARED_A, INFO_AB, INFO_A, NOTE, SYMBOLS, STRINGS };

static const Elf64_Shdr *header_at(size_t i) {
  const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)made_cubin.data;
  return (const Elf64_Shdr *)(const void *)(made_cubin.data + head->e_shoff) + i;
}

static Elf64_Sym symbol_at(size_t i) {
  Elf64_Sym out;
  memcpy(&out, made_cubin.data + header_at(SYMBOLS)->sh_offset + i * sizeof out, sizeof out);
  return out;
}

/* Symbols 3 and 4 are the functions "ab" and "a"; 1 has the name of one and is none, 2 is defined elsewhere. */
static void two_functions(bool both) {
  static const unsigned char code[48] = {0};
  static const char names[] = "\0ab\0a";
  const unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  const Elf64_Sym symbols[] = {{.st_name = 0},
                               {.st_name = 4, .st_shndx = CODE_A},
                               {.st_name = 4, .st_info = function, .st_size = 9},
                               {.st_name = 1, .st_info = function, .st_shndx = CODE_AB, .st_size = 48},
                               {.st_name = 4, .st_info = function, .st_shndx = CODE_A, .st_size = 32}};
  cubin_begin();
  section(".text.ab", SHT_PROGBITS, code, 48);
  section(".text.a", SHT_PROGBITS, code, 32);
  section(".nv.shared.a", SHT_NOBITS, NULL, 64);
  section(".nv.info.ab", SHT_CUDA_INFO, code, 16);
  section(".nv.info.a", SHT_CUDA_INFO, code, 16);
  section(".note", SHT_NOTE, code, 16);
  section(".symtab", SHT_SYMTAB, symbols, sizeof symbols - (both ? 0 : sizeof *symbols));
  section(".strtab", SHT_STRTAB, names, sizeof names);
  made_cubin.sections[SHARED_A].sh_info = made_cubin.sections[INFO_A].sh_info = made_cubin.sections[NOTE].sh_info =
      CODE_A;
  made_cubin.sections[INFO_AB].sh_info = CODE_AB;
  made_cubin.sections[SYMBOLS].sh_info = CODE_A; /* there it is a number of symbols */
  made_cubin.sections[SYMBOLS].sh_link = STRINGS;
  cubin_end(7, 90);
}

static void one_function_is_cut_out(void **state) {
  static const size_t kept[] = {CODE_AB, INFO_AB, NOTE, SYMBOLS, STRINGS}, gone[] = {CODE_A, SHARED_A, INFO_A};
  char *data = (char *)made_cubin.data;
  (void)state;
  two_functions(true);
  assert_int_equal(cubin_symbol(data, made_cubin.n, "ab"), 3);
  assert_int_equal(cubin_symbol(data, made_cubin.n, "a"), 4);
  assert_int_equal(cubin_symbol(data, made_cubin.n, "b"), -1);
  assert_int_equal(cubin_symbol(data, made_cubin.n, "abc"), -1);
  assert_false(cubin_cut(data, made_cubin.n, -1));
  assert_false(cubin_cut(data, made_cubin.n, 5)); /* beyond the last */
  assert_true(cubin_cut(data, made_cubin.n, 3));
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    assert_memory_equal(header_at(kept[i]), &made_cubin.sections[kept[i]], sizeof(Elf64_Shdr));
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
    assert_true(header_at(gone[i])->sh_type == SHT_NULL && header_at(gone[i])->sh_size == 0);
  assert_int_equal(symbol_at(2).st_size, 9);
  assert_int_equal(symbol_at(3).st_size, 48);
  assert_int_equal(symbol_at(4).st_size, 0);
  two_functions(false); /* which leaves "ab" alone */
  assert_int_equal(cubin_symbol(data, made_cubin.n, "a"), -1);
  assert_false(cubin_cut(data, made_cubin.n, 3));
  assert_int_equal(symbol_at(3).st_size, 48);
  cubin_begin();
  section(".text.a", SHT_PROGBITS, "", 0);
  cubin_end(7, 90);
  assert_int_equal(cubin_symbol(data, made_cubin.n, "a"), -1);
  assert_int_equal(cubin_symbol("text", 4, "a"), -1);
}

/* --- as a run --- */

static int read_code(struct run *run, struct code_file q) {
  *run = (struct run){0};
  e = (struct err){0};
  return code_file_read(run, &q, &e);
}

static void kernels_are_chosen_by_name(void **state) {
  static const struct {
    const char *entry;
    size_t n;
    const char *first;
  } rows[] = {{NULL, 2, "axpy<float>"},   {"plain", 1, "plain"},
              {"axpy", 1, "axpy<float>"}, {"axpy<float>", 1, "axpy<float>"},
              {"ax*", 1, "axpy<float>"},  {"_Z4axpyIfEvPT_", 1, "axpy<float>"},
              {"*", 2, "axpy<float>"}};
  struct run run;
  (void)state;
  skip_without_demangler();
  two_kernels(7, 90);
  const char *path = put("a.cubin", made_cubin.data, made_cubin.n);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(
        read_code(&run, (struct code_file){.path = path, .entry = rows[i].entry, .block = 256, .grid = 7, .smem = 99}),
        0);
    assert_int_equal(run.n_results, rows[i].n);
    assert_int_equal(run.n_modules, rows[i].n);
    assert_string_equal(run.variants[0].id, rows[i].first);
    size_t last = rows[i].n - 1;
    assert_int_equal(run.results[last].module, last);
    assert_int_equal(run.results[last].variant, last);
    assert_int_equal(run.modules[last].n_kernels, 1);
    assert_string_equal(run.modules[last].arch, "sm_90");
    run_release(&run);
  }
  assert_int_equal(
      read_code(&run, (struct code_file){.path = path, .entry = "plain", .block = 256, .grid = 7, .smem = 99}), 0);
  const struct run_launch *l = run.results[0].launches;
  assert_int_equal(run.results[0].n_launches, 1);
  assert_string_equal(l->kernel, "plain");
  assert_int_equal(l->grid[0], 7);
  assert_int_equal(l->grid[1], 1);
  assert_int_equal(l->grid[2], 1);
  assert_int_equal(l->block[0], 256);
  assert_int_equal(l->block[1], 1);
  assert_int_equal(l->block[2], 1);
  assert_int_equal(l->smem_static, 512);
  assert_int_equal(l->smem_dynamic, 99);
  assert_int_equal(l->registers, 17);
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .entry = "plain", .block = 256}), 0);
  assert_int_equal(run.results[0].launches[0].grid[0] + run.results[0].launches[0].grid[1],
                   0); /* as many as fill the chip */
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .entry = "plain", .block = 256, .grid = 1}), 0);
  assert_int_equal(run.results[0].launches[0].grid[2], 1);
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .entry = "plain"}), 0);
  assert_int_equal(run.results[0].n_launches, 0);
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .entry = "other"}), ERR_USAGE);
  char *says = str_printf("--entry other: %s has axpy<float>, plain", path);
  assert_string_equal(e.text, says);
  free(says);
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .target = "sm_100a"}), ERR_USAGE);
  says = str_printf("--target sm_100a: %s holds code for sm_90, which cannot be translated", path);
  assert_string_equal(e.text, says);
  free(says);
  run_release(&run);
  assert_int_equal(read_code(&run, (struct code_file){.path = path, .target = "sm_90a"}), 0); /* the same chip */
  run_release(&run);
}

/* The only kernel of a file, with a name that is not mangled, goes by its file. */
static void a_kernel_alone_goes_by_its_file(void **state) {
  static const unsigned char code[16] = {0};
  struct run run;
  (void)state;
  cubin_begin();
  section(".text.alone", SHT_PROGBITS, code, sizeof code);
  section(".nv.constant0.alone", SHT_PROGBITS, code, 8);
  cubin_end(7, 90);
  const char *path = put("alone.cubin", made_cubin.data, made_cubin.n);
  assert_int_equal(read_code(&run, (struct code_file){.path = path}), 0);
  assert_string_equal(run.variants[0].id, path);
  run_release(&run);
}

/* --- PTX --- */

static void stand_in(const char *program, const char *variable, const char *script) {
  char path[700], *text = str_printf("#!/bin/sh\n%s\n", script);
  snprintf(path, sizeof path, "%s/%s", own_folder, program);
  assert_int_equal(file_write(path, text, strlen(text), &e), 0);
  assert_int_equal(chmod(path, 0700), 0);
  setenv(variable, path, 1);
  free(text);
}

static void assembler(const char *script) {
  stand_in("ptxas", "NVFP4_PTXAS", script);
}

static void ptx_goes_through_ptxas(void **state) {
  static const char ptx[] = ".version 8.0\n.target sm_90, debug\n.entry plain() {}\n";
  struct run run;
  (void)state;
  two_kernels(7, 90);
  put("made.cubin", made_cubin.data, made_cubin.n);
  /* It is given -v -arch=... -o CUBIN PTX, whose text it must find there. */
  char *script =
      str_printf("[ \"$1 $3\" = '-v -o' ] && grep -q 'entry plain' \"$5\" && cp %s/made.cubin \"$4\" && cat >&2 <<'X'\n"
                 "ptxas info    : Compiling entry function 'plain' for 'sm_90'\n"
                 "ptxas info    : Function properties for plain\n"
                 "    0 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\n"
                 "ptxas info    : Used 17 registers\nX\necho \"$2\" >%s/arch",
                 own_folder, own_folder);
  assembler(script);
  free(script);
  const char *path = put("a.ptx", ptx, strlen(ptx));
  char arch_path[700], *arch = NULL;
  size_t n;
  snprintf(arch_path, sizeof arch_path, "%s/arch", own_folder);
  for (int i = 0; i < 2; i++) {
    if (read_code(&run, (struct code_file){.path = path, .target = i ? "sm_90a" : NULL}))
      fail_msg("%s", e.text);
    assert_int_equal(run.n_results, 2);
    assert_string_equal(run.modules[0].arch, i ? "sm_90a" : "sm_90");
    assert_int_equal(run.modules[0].kernels[0].spill_store_bytes, -1); /* of which ptxas said nothing */
    assert_int_equal(run.modules[1].kernels[0].spill_store_bytes, 24);
    assert_int_equal(run.modules[1].kernels[0].spill_load_bytes, 40);
    run_release(&run);
    assert_int_equal(file_read(arch_path, 100, &arch, &n, &e), 0);
    assert_string_equal(arch, i ? "-arch=sm_90a\n" : "-arch=sm_90\n");
    free(arch);
  }
  assembler("echo 'ptxas fatal   : line 3; Parsing error ' >&2; exit 1");
  assert_int_equal(read_code(&run, (struct code_file){.path = path}), ERR_DATA);
  char *says = str_printf("%s: ptxas for sm_90: ptxas fatal   : line 3; Parsing error", path);
  assert_string_equal(e.text, says);
  free(says);
  run_release(&run);
  setenv("NVFP4_PTXAS", "/nonexistent/ptxas", 1);
  assert_int_equal(read_code(&run, (struct code_file){.path = path}), ERR_MACHINE);
  assert_string_equal(e.text, "NVFP4_PTXAS: /nonexistent/ptxas: No such file or directory");
  run_release(&run);
}

/* nvcc is given -cubin -lineinfo -Xptxas -v -x cu -arch=sm_90a -o CUBIN FILE.cu, and tells what ptxas says. */
static void host_code_goes_through_nvcc(void **state) {
  struct run_module m;
  (void)state;
  two_kernels(7, 90);
  put("made.cubin", made_cubin.data, made_cubin.n);
  const char *path = put("app.cu", "int main() {}", 13);
  char *script = str_printf(
      "[ \"$1 $2 $3 $4 $5 $6 $7 $8\" = '-cubin -lineinfo -Xptxas -v -x cu -arch=sm_90a -o' ] && [ \"${10}\" = %s ] && "
      "cp %s/made.cubin \"$9\" && cat >&2 <<'X'\n"
      "ptxas info    : Compiling entry function 'plain' for 'sm_90a'\n"
      "ptxas info    : Function properties for plain\n"
      "    0 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\nX\n",
      path, own_folder);
  stand_in("nvcc", "NVFP4_NVCC", script);
  free(script);
  if (nvcc_module(&m, path, 13, "sm_90a", &e))
    fail_msg("%s", e.text);
  assert_string_equal(m.arch, "sm_90a");
  assert_int_equal(m.n_kernels, 2);
  assert_int_equal(m.kernels[1].spill_store_bytes, 24);
  run_module_release(&m);
  stand_in("nvcc", "NVFP4_NVCC", "echo 'app.cu(1): error: no' >&2; exit 1");
  assert_int_equal(nvcc_module(&m, path, 13, "sm_90a", &e), ERR_COMPILE);
  char *says = str_printf("%s: nvcc for sm_90a: app.cu(1): error: no", path);
  assert_string_equal(e.text, says);
  free(says);
  run_module_release(&m);
  stand_in("nvcc", "NVFP4_NVCC", "exit 0");
  assert_int_equal(nvcc_module(&m, path, 13, "sm_90a", &e), ERR_COMPILE);
  assert_non_null(strstr(e.text, "app.cu: it has no __global__ function (a template needs an instantiation)"));
  run_module_release(&m);
}

static void what_is_no_ptx_is_refused(void **state) {
  static const char *const texts[] = {"", ".version 8.0\n", ".target compute_90\n"};
  struct run run;
  (void)state;
  for (size_t i = 0; i < 3; i++) {
    const char *path = put("b.ptx", texts[i], strlen(texts[i]));
    assert_int_equal(read_code(&run, (struct code_file){.path = path}), ERR_DATA);
    assert_non_null(strstr(e.text, "b.ptx: it is not PTX: it has no line \".target sm_...\""));
    run_release(&run);
  }
  assert_int_equal(read_code(&run, (struct code_file){.path = "/nonexistent/c.cubin"}), ERR_IO);
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elf_is_read),
      cmocka_unit_test(what_is_no_cubin_is_refused),
      cmocka_unit_test(one_function_is_cut_out),
      cmocka_unit_test(kernels_are_chosen_by_name),
      cmocka_unit_test(a_kernel_alone_goes_by_its_file),
      cmocka_unit_test(ptx_goes_through_ptxas),
      cmocka_unit_test(host_code_goes_through_nvcc),
      cmocka_unit_test(what_is_no_ptx_is_refused),
  };
  return cmocka_run_group_tests(tests, own_open, own_close);
}
