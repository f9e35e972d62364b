/* A cubin of another compiler, without its disassembly: what its ELF says of each kernel, and one kernel's code cut out of it. */
#include "fuzz/fuzz.h"

#include "profiler/attach/outside/composing.h"
#include "profiler/compile/compile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static bool alone;
  if (!alone)
    alone =
        setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1) == 0; /* a process for each input is not what is tried */
  char *cubin = malloc(n ? n : 1);                                 /* no NUL after it */
  struct run_module m;
  struct err e = {0};
  if (!cubin)
    abort();
  memcpy(cubin, data, n);
  if (fuzz_checked(cubin_module(&m, "fuzz.cubin", cubin, n, &e), &e) == 0)
    for (size_t i = 0; i < m.n_kernels; i++) {
      long symbol = cubin_symbol(cubin, n, m.kernels[i].name);
      fuzz_require(!m.kernels[i].n_sass);
      if (symbol >= 0 && cubin_cut(cubin, n, symbol))
        cubin_symbol(cubin, n, m.kernels[i].name);
    }
  run_module_release(&m);
  free(cubin);
  return 0;
}
