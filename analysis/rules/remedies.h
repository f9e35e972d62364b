/* Remedies that several rules name, word for word.  Private to the room. */
#pragma once

#define DIVISION_REMEDY                                                                                                \
  "avoid / and % by variables: a 2D grid, a precomputed multiply and shift, or a power-of-two divisor"
#define NARROW_ROWS_REMEDY                                                                                             \
  "pad leading dimensions (also an odd vocabulary size) to 8 elements, 16 bytes: the library's kernels with bulk or 16-byte loads need it"
#define TREE_REMEDY                                                                                                    \
  "replace the tree: several elements per thread in registers, then warp shuffles (__shfl_down_sync), then one barrier and one value per warp"
