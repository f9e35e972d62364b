/* Which instructions of a kernel could go, and how many: the sum of the kinds that a remedy names. */
#pragma once

#include "analysis/signs/mix.h"

enum { LEANER_KINDS = 3 };

/* Warp instructions. */
struct leaner {
  struct mix mix; /* goes filled: accesses, and where a thread takes several elements what these share */
  enum mix_kind kinds[LEANER_KINDS]; /* of which most goes: 2 % of all instructions or more each */
  size_t n;
  double goes;               /* all that go, half of all at most: of the kinds */
  double named;              /* all that the kinds take */
  double lsu, alu, fma, adu; /* of goes, by pipe */
  bool narrow;               /* wider accesses of global memory are asked for */
  double wider;              /* over what these have in the mean, 16 bytes */
  bool several;              /* a thread takes several elements, and there are as many fewer threads */
  double times;              /* as many loads are waited for at once; 1: no more than are now */
  bool packed;               /* of a GEMV: a tenth of what goes is fp32 arithmetic that packs two values */
};

/* Of all instructions those that go at most, which the remedy says: more is another algorithm. */
#define LEANER_MOST 0.5

void leaner_of(struct leaner *out, const struct rule_input *in);
/* Integer work, and what stands around it: of no remedy of its own. */
bool leaner_is_general(enum mix_kind k);
void leaner_release(struct leaner *x);
/* Of narrow accesses, those that go where others are wider; weight[i], which may be NULL: of each instruction. */
double accesses_widened(const struct rule_input *in, double *weight);
