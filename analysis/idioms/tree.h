/* Reductions of a block through shared memory: a tree of halves. */
#pragma once

#include "analysis/sass/sass.h"

struct sass_tree {
  unsigned char *of; /* of every instruction: enum sass_tree_part */
  size_t levels;     /* in the text; 0: there is no tree */
  double turns;      /* warps times levels of those that loops make, executed; 0: none, or unknown */
  double entered;    /* warps that go through those that are written out, likewise */
  double in_warp;    /* of these, whose values are those of a warp at most, in TREE_WARP levels */
  double warp_turns; /* their levels, together */
};

enum { TREE_WARP = 5 };

enum sass_tree_part {
  TREE_NOT,
  TREE_PART, /* a level's instruction that shuffles in registers spare */
  TREE_STEP  /* of these, that makes the value which the level stores */
};

/* Each level combines two values of shared memory to one, fewer threads work at each, and they meet at a barrier.  Scans, where a barrier stands between a level's
 * loads and its store in place, and levels that give two values back are none.  The caller releases *out. */
void sass_tree_make(struct sass_tree *out, struct sass *s);
void sass_tree_release(struct sass_tree *t); /* leaves *t all zero */
/* What instruction i is made of, in the loop, has a number that a turn halves, or doubles, of the turn before's. */
bool sass_halves(struct sass *s, size_t i, size_t loop);
