#include "analysis/model/code_place.h"

#include <string.h>

bool source_is_toolkits(const struct run *r, int source) {
  static const char *const folders[] = {"/usr/include/",
                                        "/include/c++/",
                                        "/usr/local/cuda",
                                        "/targets/x86_64-linux/include/",
                                        "/targets/sbsa-linux/include/",
                                        "/nvidia/cu13/",
                                        "/nvidia/cuda_runtime/include/",
                                        "/nvidia/cuda_cccl/include/",
                                        "/triton/language/",
                                        "/include/cccl/",
                                        "/cccl/cub/",
                                        "/cccl/thrust/",
                                        "/libcudacxx/include/",
                                        "/cub/cub/",
                                        "/thrust/thrust/",
                                        "/include/cub/",
                                        "/include/thrust/",
                                        "/cuda/std/",
                                        "/include/cutlass/",
                                        "/include/cute/"};
  if (source < 0 || (size_t)source >= r->n_sources)
    return false;
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    if (strstr(r->sources[source].name, folders[i]))
      return true;
  return false;
}

enum kind { OF_PROGRAM, UNNAMED, OF_TOOLKIT, KINDS };

static enum kind kind_of(const struct run *r, const struct run_line *l) {
  return l->source < 0 ? UNNAMED : source_is_toolkits(r, l->source) ? OF_TOOLKIT : OF_PROGRAM;
}

void code_place_of(struct code_place *out, const struct run *r, const struct run_instruction *i) {
  const struct run_line *inner[KINDS] = {0}, *outer[KINDS] = {0};
  for (size_t k = 0; k < i->n_lines; k++) {
    enum kind kind = kind_of(r, &i->lines[k]);
    inner[kind] = inner[kind] ? inner[kind] : &i->lines[k];
    outer[kind] = &i->lines[k];
  }
  *out = (struct code_place){0};
  if (inner[OF_PROGRAM] || inner[OF_TOOLKIT]) {
    enum kind kind = inner[OF_PROGRAM] ? OF_PROGRAM : OF_TOOLKIT;
    out->line = inner[kind];
    bool same = outer[kind]->source == inner[kind]->source && outer[kind]->line == inner[kind]->line;
    out->caller = same ? NULL : outer[kind];
  }
  if (outer[UNNAMED] && !inner[OF_PROGRAM])
    *out = (struct code_place){.line = outer[UNNAMED]};
  if (out->line && out->line != inner[OF_TOOLKIT] && inner[OF_TOOLKIT] && inner[OF_TOOLKIT] < out->line)
    out->inlined = inner[OF_TOOLKIT];
}
