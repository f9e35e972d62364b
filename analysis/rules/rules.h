/* What a rule is, and what it says of one finding.  Pure.
 *
 * A rule is one RULE_ROW (rule_tools.h) and two functions below it; its name is what a rung's `cures:` names.  `judge` looks at one finding and either keeps silent
 * or fills a struct told; `change` alters the work as the remedy would.  What that saves is the model's answer (analysis/model/time_model.h), priced and capped by
 * analysis/rules/saving.h.  CONTRIBUTING, "A rule in half an hour", has the files in order and the fields that usual remedies change.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "analysis/model/findings.h"
#include "analysis/model/hot.h"
#include "analysis/rules/evidence.h"

#include <stdbool.h>
#include <stddef.h>

/* What a rule says of one finding: all that its judge sets.  What it leaves alone is 0. */
struct told {
  struct evidence evidence[EVIDENCE_MAX]; /* numbers that it rests on, SI units: evidence_add() and its kin */
  size_t n_evidence;
  const char *sentence; /* what is wrong; at most 160 characters, of in->pool or the program's */
  const char *remedy;   /* what to do; likewise.  The engine puts a caller's words or Triton's in its place */
  const struct run_instruction *at; /* the instruction that the remedy is about, with its line; NULL: none by itself */
  bool by_caller;                   /* the remedy is for whoever calls the kernel; else it is for who writes it */
  bool general;                     /* RULE_GENERAL of its row; a rule may say otherwise of this finding */
  bool stop;                        /* nothing is left to mend but what `helps` says: it stands first */
  const char *helps;                /* "fewer bytes"; NULL where stop is false */
  /* Where the model's answer to `change` is not all there is to say of the saving. */
  double named_s; /* seconds that go by what the remedy names alone, where `change` takes more: low_s is no more */
  double most; /* part of the measured time, 0..1, that is saved at most by what the remedy assumes; 0: no such part */
  double most_high; /* likewise, that the interval ends at */
  double roof_s;    /* seconds that stay where the remedy goes as far as can be: the interval ends there; 0: not told */
  bool more_elements;     /* several elements to a thread (more_elements.h), which is told once of all such advice */
  bool unpriced;          /* the cause is known, what its remedy saves of this launch is not: no saving is promised */
  double rank_s;          /* of what is unpriced, seconds: it stands where this saving would; 0: as `change` has it */
  const char *yields_to;  /* the rule whose remedy does this, too: it stands right behind that one; NULL: none */
  const char *yields_why; /* what is said then */
  bool spares_registers;  /* it lets more warps in by fewer registers */
  const char *frugal;     /* the remedy beside advice that spares registers; NULL: the same */
  int tiles;              /* 1: the remedy is larger tiles, -1: smaller ones; 0: neither */
  const char *tiles_else; /* the remedy behind advice that asks for the other; NULL: the same */
  /* The rule whose words in Triton fit (triton_words.c); NULL: its own; "": none, what remedy says
   * does. */
  const char *triton_as;
};

/* What the remedy may save: the engine's answer (saving.h), in seconds of this launch. */
struct price {
  double saves_s;       /* capped; 0: none (a statement, such as that DRAM is full) */
  double low_s, high_s; /* what eight in ten such promises kept (promise.h), capped likewise; 0 where saves_s is */
  bool up_to;           /* resources that may bind were not counted: the saving is up to saves_s, low_s is 0 */
  bool capped;          /* the estimate before the cap was larger */
  enum bound_kind cap;  /* whose row stays and capped it; BOUND_KINDS: the speed of light did, or nothing */
  double cap_s;         /* of that row */
  bool fewer_bytes;     /* less time would be left than DRAM needs: the remedy moves fewer bytes */
};

struct advice {
  const struct rule *rule;
  struct told told;
  struct price price;
  bool doubted;  /* rests on a value that cannot be: it stands after all others, and never first */
  double rank_s; /* the order, seconds: saves_s, or less where it yields to other advice (advice_order.h) */
  /* Of the first: what needs most of the time that it leaves, and the cause of that; NULL: not
   * told. */
  const char *then;
  const char *behind; /* why it stands after advice that saves less; NULL: it does not */
};

/* What a rule's advice is to other advice, said in its row: advice_order.c has a pass for each. */
enum rule_flag {
  RULE_CAUSE = 0,     /* it names a cause, and stands where its saving puts it */
  RULE_GENERAL = 1,   /* it says what is busy or idle, not why: it stands behind a cause of the same seconds */
  RULE_REMAINDER = 2, /* it stands by what it saves beyond all other advice, and goes where that is not worth telling */
  RULE_FULL_DRAM = 4, /* it says that DRAM is full: advice that moves fewer bytes comes first, no other helps much */
  RULE_DRAM_QUEUE = 8,     /* what it is about is DRAM's queue where DRAM is full: then it goes */
  RULE_BY_LAUNCH = 16,     /* its remedy is another launch, unless it names a place in the code (story/of_launch.h) */
  RULE_BY_BLOCK_SIZE = 32, /* so is its remedy where the size of a block, or too few of them, keeps warps out */
  RULE_NO_PAIR =
      64, /* no pair of tests/corpus plants its cause: nothing scores it (its README says where it was read) */
  RULE_LAUNCHING = 128, /* it says what launch and ramp take: where that is most of the time it comes first */
  /* Where it is right by code alone warps wait for loads, or for shared memory: samples may speak against it. */
  RULE_LOAD_WAITS = 256,
  RULE_SHORT_WAITS = 512,
  RULE_BYTES = 1024, /* it is about bytes that DRAM moves twice: not first where SMs are idle, and so is memory */
  RULE_BYTES_OF_CACHES = 2048, /* about those that a cache delivers again: last where no memory is half busy */
};

struct rule_input;  /* analysis/signs/rule_input.h */
struct static_code; /* static.h */
struct rule {
  const char *name;  /* "long-scoreboard": what `cures:` names */
  const char *title; /* "exposed load latency" */
  /* Fills evidence, sentence, remedy and what else it has to say, and returns true; or keeps silent: false. */
  bool (*judge)(const struct rule_input *in, struct told *out);
  /* Alters the work as the remedy would; other remedies may have changed it before: by parts, then. */
  void (*change)(const struct rule_input *in, struct workload *w);
  /* As judge, of code that was not run (static.h); NULL: the code does not tell it. */
  bool (*judge_static)(struct static_code *c, struct told *out);
  unsigned flags; /* of enum rule_flag */
};
extern const struct rule rules[];
extern const size_t n_rules;
struct told told_of(const struct rule *rule);   /* what its judge is given to fill */
const struct rule *rule_find(const char *name); /* by its name or a former one; NULL: none */

/* Advice that saves less than this part of the time is not given, unless there is no other. */
#define ADVICE_LEAST_SHARE 0.02
