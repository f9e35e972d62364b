#include "analysis/advice/triton_words.h"

#include <string.h>

/* tl.* and triton.* are Triton 3's (triton-lang.org, triton.language and triton.Config). */
const struct triton_row triton_rows[] = {
    {"small-grid",
     "more programs (a smaller tile along tl.program_id, or the loop split over programs and a second kernel), or more num_warps in each"},
    {"small-blocks", "a larger BLOCK (1024 elements or more), so that fewer programs start; num_warps to match"},
    {"spills", "smaller tiles, or more num_warps: what a thread holds goes to local memory"},
    {"hot-atomics", "add up within the program first (tl.sum, tl.histogram), then one tl.atomic_add per result"},
    {"atomics",
     "add up within the program first (tl.sum, tl.histogram), then one tl.atomic_add per result, with sem=\"relaxed\" where order does not matter"},
    {"integer-division",
     "divide by tl.constexpr numbers, or let another axis of the grid (tl.program_id) take the place of // and %"},
    {"partial-sectors", "let the tile's last axis run along memory, 32 bytes or more of it, and mask only at the end"},
    {"uncoalesced",
     "let the tile's last axis run along memory: a 2D tile of several short rows, or tl.trans of a tile that was loaded along it"},
    {"bank-conflicts",
     "Triton lays out shared memory: another tile, num_warps or num_stages changes it; let triton.autotune choose",
     "larger tiles (BLOCK_M and BLOCK_N of 64 or more, BLOCK_K of 64): Triton lays out shared memory, and small ones badly"},
    {"barrier",
     "fewer num_warps, so that fewer wait for each other, or fewer reductions (tl.sum) in the loop: one behind it"},
    {"dependent-loads", "load the next tile's indices a turn ahead, or compute addresses from them"},
    {"long-scoreboard", "more loads under way: a larger tile in the loop, more num_warps, and num_stages of 3 or more"},
    {"redundant-loads",
     "load each value once: a whole row in a tile, or one pass over it (an online softmax), and larger tiles where programs share rows",
     "larger tiles (BLOCK_M and BLOCK_N of 64 or more), so that fewer programs load the same rows and columns"},
    {"l2-rereads", "load each value once: a whole row in a tile, or one pass over it (an online softmax)",
     "larger tiles, or programs in groups that share rows (GROUP_SIZE_M of Triton's tutorial on matrix products)"},
    {"tail", "as many programs as fit at once, each with a loop over tiles (a persistent kernel), or smaller tiles"},
    {"imbalance",
     "as many programs as fit at once, each with a loop over tiles (a persistent kernel), or smaller tiles"},
    {"occupancy",
     "smaller tiles or fewer num_stages, so that more programs fit; more num_warps where a tile is large: let triton.autotune choose"},
    {"dependent-chain",
     "larger tiles or more num_warps: independent elements side by side; tl.sum once behind the loop"},
    {"denormals",
     "fast_expf of libdevice, or ex2.approx.ftz.f32 by tl.inline_asm_elementwise: denormals count as zero"},
    {"fences",
     "sem=\"relaxed\" in tl.atomic_add and its like, which are acq_rel by default: the fence beside each goes (not where order is meant)"},
    {"partial-warps", "a BLOCK of 32 x num_warps elements or more, or fewer num_warps"},
    {"shared-memory",
     "fewer reductions and fewer changes of layout: reduce once behind the loop (tl.sum), one axis at a time",
     "larger tiles use each value more often (BLOCK_M and BLOCK_N of 64 or more): let triton.autotune choose"},
    {NULL, NULL},
};

const char *triton_remedy(const char *rule, bool products) {
  for (const struct triton_row *x = triton_rows; x->rule; x++)
    if (strcmp(x->rule, rule) == 0)
      return products && x->of_products ? x->of_products : x->remedy;
  return NULL;
}

bool triton_multiplies(const struct rule_input *in) {
  for (size_t i = 0; in->sass && i < in->sass->n; i++)
    if (in->sass->insts[i].class == SASS_TENSOR && !in->sass->insts[i].never)
      return true;
  return false;
}

static bool is_python(const struct run *r, const struct run_line *line) {
  static const char ending[] = ".py";
  const char *name = line->source >= 0 && (size_t)line->source < r->n_sources ? r->sources[line->source].name : NULL;
  size_t n = name ? strlen(name) : 0;
  return n >= sizeof ending - 1 && strcmp(name + n - (sizeof ending - 1), ending) == 0;
}

/* Numba's names begin so, and CuTe's. */
static bool is_of_others(const char *kernel) {
  return strstr(kernel, "cudapy") || strstr(kernel, "cutlass");
}

bool triton_made(const struct rule_input *in) {
  const struct run_kernel *k = in->sass ? in->sass->kernel : NULL;
  for (size_t i = 0; k && i < k->n_sass; i++)
    if (k->sass[i].n_lines)
      return is_python(in->all->run, &k->sass[i].lines[0]) && !is_of_others(in->f->variant->id);
  return false;
}
