/* What ptxas and nvdisasm print.  One text is read as both, so that it can name the kernels that its sections are of. */
#include "fuzz/fuzz.h"

#include "profiler/compile/toolchain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static struct rung_file files[] = {{"common/load.cuh", "", true}, {"cuda/2-x.cu", "", false}};
  static const struct rung_set set = {.files = files, .n_files = 2};
  static const char known[] = "ptxas info    : Compiling entry function 'gemv' for 'sm_90a'\n";
  char *text = fuzz_text(data, n);
  struct run_module module = {0};
  struct run_source *sources = NULL;
  size_t n_sources = 0;
  bool whole = n % 2;
  ptxas_parse(&module, known);
  ptxas_parse(&module, text);
  sass_parse(&module, text, whole ? NULL : &set, whole ? &sources : NULL, whole ? &n_sources : NULL);
  for (size_t k = 0; k < module.n_kernels; k++)
    for (size_t i = 0; i < module.kernels[k].n_sass; i++) {
      const struct run_instruction *at = &module.kernels[k].sass[i];
      fuzz_require(at->text && at->text[0]);
      for (size_t l = 0; l < at->n_lines; l++)
        fuzz_require(at->lines[l].source >= -1 && at->lines[l].source < (int)(whole ? n_sources : set.n_files));
    }
  run_module_release(&module);
  for (size_t i = 0; i < n_sources; i++) {
    free(sources[i].name);
    free(sources[i].text);
  }
  free(sources);
  free(text);
  return 0;
}
