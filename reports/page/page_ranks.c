/* The ranks of a merged run: the answer, the map, the spreads, and what was left out. */
#include "reports/page/page.h"

#include "reports/text/ranks_text.h"

#include <string.h>

enum { PAGE_KERNELS = 100, PAGE_RANGES = 50 };

void page_ranks(const struct page *p, struct slots *s) {
  const struct ranks *r = &p->story->ranks;
  slot_list(s, "ranks_answer");
  slot_list(s, "ranks_charts");
  slot_list(s, "ranks_left_out");
  slot_text(s, "ranks_kernels", NULL);
  slot_text(s, "ranks_ranges", NULL);
  if (!r->merge)
    return;
  ranks_answer(r, page_list_add, &(struct page_list){s, "ranks_answer"});
  ranks_left_out(r, page_list_add, &(struct page_list){s, "ranks_left_out"});
  for (size_t i = 0; i < p->parts->n_charts; i++)
    if (strcmp(p->parts->charts[i].kind, "ranks") == 0)
      page_chart(p, s, "ranks_charts", &p->parts->charts[i]);
  page_table(
      p, true, s, "ranks_kernels", ranks_table(r, false, PAGE_KERNELS),
      "GPU time of a rank by kernel, over %zu ranks; an outlier lies farther from the median than %.1f standard deviations "
      "and %.0f %%%s",
      r->merge->n_ranks, ranks_deviations(r->merge->n_ranks), RANKS_MARGIN * 100,
      r->n_kernels > PAGE_KERNELS ? "; the shorter kernels are in the CSV of merge" : "");
  if (r->n_ranges)
    page_table(p, false, s, "ranks_ranges", ranks_table(r, true, PAGE_RANGES),
               "GPU time of a rank by NVTX range, collectives left out; imbalance: the maximum over the mean, minus 1");
}
