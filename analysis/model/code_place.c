#include "analysis/model/code_place.h"

#include <string.h>

enum kind { OF_PROGRAM, UNNAMED, OF_LIBRARY, OF_TOOLKIT, KINDS };

/* Of several that a name holds the last tells: in CUTLASS the main loops and epilogues are what is chosen by a template argument, or copied and changed; what these
 * are made of wraps an instruction, an address or a layout, as PyTorch's number types do. */
static const struct folder {
  const char *name;
  enum kind kind;
} FOLDERS[] = {{"/usr/include/", OF_TOOLKIT},
               {"/include/c++/", OF_TOOLKIT},
               {"/usr/local/cuda", OF_TOOLKIT},
               {"/targets/x86_64-linux/include/", OF_TOOLKIT},
               {"/targets/sbsa-linux/include/", OF_TOOLKIT},
               {"/nvidia/cu13/", OF_TOOLKIT},
               {"/nvidia/cuda_runtime/include/", OF_TOOLKIT},
               {"/nvidia/cuda_cccl/include/", OF_TOOLKIT},
               {"/triton/language/", OF_TOOLKIT},
               {"/include/cccl/", OF_TOOLKIT},
               {"/cccl/cub/", OF_TOOLKIT},
               {"/cccl/thrust/", OF_TOOLKIT},
               {"/libcudacxx/include/", OF_TOOLKIT},
               {"/cub/cub/", OF_TOOLKIT},
               {"/thrust/thrust/", OF_TOOLKIT},
               {"/include/cub/", OF_TOOLKIT},
               {"/include/thrust/", OF_TOOLKIT},
               {"/cuda/std/", OF_TOOLKIT},
               {"/c10/util/", OF_TOOLKIT},
               {"/ATen/cuda/", OF_TOOLKIT},
               {"/include/cute/", OF_TOOLKIT},
               {"/include/cutlass/", OF_TOOLKIT},
               {"/include/cutlass/conv/", OF_LIBRARY},
               {"/include/cutlass/conv/warp/", OF_TOOLKIT},
               {"/include/cutlass/conv/thread/", OF_TOOLKIT},
               {"/include/cutlass/conv/threadblock/", OF_TOOLKIT},
               {"/include/cutlass/conv/threadblock/implicit_gemm", OF_LIBRARY},
               {"/include/cutlass/conv/threadblock/depthwise_fprop_direct_conv", OF_LIBRARY},
               {"/include/cutlass/epilogue/", OF_LIBRARY},
               {"/include/cutlass/epilogue/warp/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/thread/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/threadblock/", OF_TOOLKIT},
               {"/include/cutlass/epilogue/threadblock/epilogue", OF_LIBRARY},
               {"/include/cutlass/gemm/", OF_LIBRARY},
               {"/include/cutlass/gemm/warp/", OF_TOOLKIT},
               {"/include/cutlass/gemm/thread/", OF_TOOLKIT}};

/* The last row of FOLDERS that the name holds; each begins with a slash. */
static enum kind kind_of(const struct run *r, int source) {
  if (source < 0)
    return UNNAMED;
  const char *at = (size_t)source < r->n_sources ? r->sources[source].name : "";
  size_t rows = 0;
  while ((at = strchr(at, '/'))) {
    for (size_t i = sizeof FOLDERS / sizeof FOLDERS[0]; i-- > rows;)
      if (at[1] == FOLDERS[i].name[1] && strncmp(at, FOLDERS[i].name, strlen(FOLDERS[i].name)) == 0)
        rows = i + 1;
    at++;
  }
  return rows ? FOLDERS[rows - 1].kind : OF_PROGRAM;
}

bool source_is_toolkits(const struct run *r, int source) {
  return source_wraps(r, source) || kind_of(r, source) == OF_LIBRARY;
}

bool source_wraps(const struct run *r, int source) {
  return kind_of(r, source) == OF_TOOLKIT;
}

void code_place_of(struct code_place *out, const struct run *r, const struct run_instruction *i) {
  const struct run_line *inner[KINDS] = {0}, *outer[KINDS] = {0};
  for (size_t k = 0; k < i->n_lines; k++) {
    enum kind kind = kind_of(r, i->lines[k].source);
    inner[kind] = inner[kind] ? inner[kind] : &i->lines[k];
    outer[kind] = &i->lines[k];
  }
  *out = (struct code_place){0};
  if (inner[OF_PROGRAM] || inner[OF_LIBRARY] || inner[OF_TOOLKIT]) {
    enum kind kind = inner[OF_PROGRAM] ? OF_PROGRAM : inner[OF_LIBRARY] ? OF_LIBRARY : OF_TOOLKIT;
    out->line = inner[kind];
    bool same = outer[kind]->source == inner[kind]->source && outer[kind]->line == inner[kind]->line;
    out->caller = same ? NULL : outer[kind];
  }
  if (outer[UNNAMED] && !inner[OF_PROGRAM])
    *out = (struct code_place){.line = outer[UNNAMED]};
  if (out->line && out->line != inner[OF_TOOLKIT] && inner[OF_TOOLKIT] && inner[OF_TOOLKIT] < out->line)
    out->inlined = inner[OF_TOOLKIT];
}
