/* SASS read as a program: what each instruction does, who feeds it, where the loops are, and how
 * many bytes of loads are in flight.
 *
 * Works on the text of run_kernel.sass, for sm_80 to sm_120, with or without executed counts
 * (run_count).  Pure: it knows instructions by their printed names (analysis/sass/sass_ops.c).  An
 * opcode that is not in the table is marked unknown, never guessed.
 *
 * Limits, stated once:
 *   a call of a function that is not the compiler's own may have written any register; what it does
 *   is not followed;
 *   an indirect branch (BRX, JMX) ends its block without successors, and sets `indirect`;
 *   a value that passes through memory (a spill, shared memory) is followed to its load.
 */
#pragma once

#include "analysis/metrics/value.h"
#include "base/err.h"
#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- one instruction ---- */

enum sass_class {
  SASS_LOAD_GLOBAL, /* and generic */
  SASS_LOAD_LOCAL,
  SASS_LOAD_SHARED,
  SASS_LOAD_CONSTANT,
  SASS_LOAD_TENSOR, /* tensor memory */
  SASS_STORE_GLOBAL,
  SASS_STORE_LOCAL,
  SASS_STORE_SHARED,
  SASS_STORE_TENSOR,
  SASS_ATOMIC,     /* and reductions, whatever the space */
  SASS_ASYNC_COPY, /* LDGSTS, UBLKCP, UTMALDG: global memory to shared memory past the registers */
  SASS_CONVERT,
  SASS_INTEGER,
  SASS_LOGIC, /* and shifts, permutes, selects, moves of bits */
  SASS_FP16,
  SASS_FP32,
  SASS_FP64,
  SASS_SPECIAL, /* MUFU */
  SASS_TENSOR,
  SASS_SHUFFLE, /* and votes */
  SASS_BARRIER,
  SASS_CONTROL,
  SASS_UNIFORM, /* arithmetic of the uniform datapath */
  SASS_OTHER,
  SASS_CLASSES
};
const char *sass_class_name(enum sass_class c); /* "load global", "convert", ... */

enum sass_pipe {
  PIPE_UNKNOWN,
  PIPE_ALU,
  PIPE_FMA,
  PIPE_FP16, /* packed fp16 on the FMA pipes: counted in PIPE_FMA's counter too */
  PIPE_FP64,
  PIPE_XU,
  PIPE_LSU,
  PIPE_TENSOR,
  PIPE_UNIFORM,
  PIPE_ADU,
  PIPE_CBU,
  SASS_PIPES
};

enum sass_space { SPACE_NONE, SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED, SPACE_CONSTANT, SPACE_GENERIC, SPACE_TENSOR };

enum sass_access { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_ASYNC_COPY, ACCESS_BULK_COPY };

/* Registers by file.  The zero and true registers (RZ, URZ, PT, UPT) never appear. */
enum sass_file { FILE_R, FILE_UR, FILE_P, FILE_UP, FILE_B, SASS_FILES };

struct sass_range {
  uint8_t file;   /* enum sass_file */
  uint8_t first;  /* number of the first register */
  uint16_t count; /* registers */
};

enum { SASS_WRITES_MAX = 8, SASS_READS_MAX = 16, SASS_POLICY_MAX = 32, SASS_OPCODE_MAX = 16 };

/* Why an instruction waits for more than a fixed number of cycles. */
enum sass_wait {
  WAIT_NONE,         /* fixed latency */
  WAIT_LOAD,         /* a load or an atomic of any space but constant */
  WAIT_CONSTANT,     /* a load of constant memory */
  WAIT_SHUFFLE,      /* data of other lanes */
  WAIT_SPECIAL,      /* XU: MUFU, wide conversions, bit counts; reads of special registers */
  WAIT_TENSOR,       /* an asynchronous matrix instruction */
  WAIT_ASYNC_GROUP,  /* DEPBAR: groups of LDGSTS */
  WAIT_TRANSACTION,  /* SYNCS: an mbarrier, which bulk copies complete */
  WAIT_BLOCK,        /* BAR, cluster barriers: the block's other warps */
  WAIT_MEMORY_ORDER, /* MEMBAR, FENCE */
  WAIT_STORES,       /* of a warp that ends: its stores and reductions; no instruction has it */
};

struct sass_inst {
  const char *text;             /* the run's */
  uint32_t offset;              /* bytes from the kernel's start */
  char opcode[SASS_OPCODE_MAX]; /* "LDG" */
  const char *modifiers;        /* in text: ".E.128.CONSTANT"; its length is n_modifiers */
  size_t n_modifiers;
  bool known;     /* the opcode is in the table */
  bool malformed; /* not the form of an instruction: nothing else is filled */
  bool guarded;   /* it runs where guard holds (@P0) or, negated, does not (@!P0); @PT is no guard */
  bool guard_negated;
  bool never; /* @!PT: the compiler's padding, it does nothing */
  bool calls; /* a function: see sass_called */
  struct sass_range guard;
  struct sass_range writes[SASS_WRITES_MAX];
  size_t n_writes;
  struct sass_range reads[SASS_READS_MAX]; /* without the guard; a register group named once for each operand */
  size_t n_reads;
  enum sass_class class;
  enum sass_pipe pipe; /* that it issues on */
  enum sass_wait wait; /* what its result, or itself, waits for */
  enum sass_space space;
  enum sass_access access;
  int bytes;                    /* a lane moves; 0: none, or not in the instruction (bulk copies) */
  char policy[SASS_POLICY_MAX]; /* cache modifiers: ".NA.LTC256B.CONSTANT", "" for none */
  bool branches, conditional;   /* it may go elsewhere than to the next instruction; it may also go on */
  bool ends;                    /* EXIT, RET and their like: where it takes effect, nothing follows */
  bool has_target;
  uint32_t target; /* offset */
};

/* One line of SASS.  *out borrows text. */
void sass_inst_parse(struct sass_inst *out, const char *text, uint32_t offset);

/* ---- asked of an instruction by itself ---- */

static inline bool opcode_is(const struct sass_inst *i, const char *name) {
  return strcmp(i->opcode, name) == 0;
}
/* A modifier, whole: sass_modifier(i, "64") finds ".64", not ".64B". */
bool sass_modifier(const struct sass_inst *i, const char *name);
/* Of integers and bits, in lanes' registers. */
bool sass_is_integer(const struct sass_inst *i);
bool sass_is_global_atomic(const struct sass_inst *i);
/* Loads from and stores to global memory, that touch bytes. */
bool sass_is_global(const struct sass_inst *i);
enum { LANE_BYTES_MOST = 16 }; /* that one access has of a lane */
/* The thread's number in its block, or the lane's in its warp. */
static inline bool is_threads_number(const struct sass_inst *i) {
  return strstr(i->text, "SR_TID") || strstr(i->text, "SR_LANEID");
}
/* Whether an instruction reads or overwrites what a load brings, and so waits for it. */
bool sass_waits_for(const struct sass_inst *i, const struct sass_inst *load);
/* DEPBAR.LE SB0, 0x1: so many closed groups may stay open.  False: it waits for something else. */
bool sass_groups_left(const struct sass_inst *i, unsigned *left);

static inline bool ranges_same(const struct sass_range *a, const struct sass_range *b) {
  return a->file == b->file && a->first == b->first && a->count == b->count;
}
static inline bool ranges_overlap(const struct sass_range *a, const struct sass_range *b) {
  return a->file == b->file && a->first < b->first + b->count && b->first < a->first + a->count;
}
enum { FACTORS = 2 }; /* of a multiply-add, before its addend */
/* A range that a multiply-add multiplies: one of its first two operands. */
static inline bool is_factor(const struct sass_inst *x, const struct sass_range *range) {
  return ranges_overlap(&x->reads[0], range) || ranges_overlap(&x->reads[1], range);
}

/* The last brackets, "[R2.64+0x8]" of "LDG.E R4, desc[UR4][R2.64+0x8]", and how long they are
 * before the last; 0, NULL: there are none. */
size_t sass_address(const struct sass_inst *x, const char **at);
/* Of "[R2.64+0x8]" how long "[R2.64" is, and 8; offset may be NULL.  0: it has none. */
size_t sass_address_base(const struct sass_inst *x, const char **at, long *offset);
/* Of "[R2.64+0x8]" 2; -1: it begins with no register of a lane's. */
long sass_address_register(const struct sass_inst *x);
/* Whether both have one base.  *between: bytes from
 * the address of x to that of y, where they have. */
bool sass_bytes_between(const struct sass_inst *x, const struct sass_inst *y, long *between);

/* The known opcodes, for tests: NULL past the end.  *source: where it was seen or is described. */
const char *sass_opcode_at(size_t at, const char **source);

/* ---- the kernel ---- */

enum { SASS_SUCCESSORS_MAX = 2 };
#define SASS_NONE ((size_t)-1)

struct sass_block {
  size_t first, n; /* instructions */
  size_t succ[SASS_SUCCESSORS_MAX], n_succ;
  bool reachable;
  bool rare;   /* for arguments that programs hardly have (sass_rare.c), and what only leads there */
  size_t idom; /* block; SASS_NONE: the entry, or unreachable */
  /* Its number in the dominators' tree, and how many follow
   * that it dominates, itself among them; 0: unreachable. */
  size_t dom_first, dom_n;
  size_t loop;     /* innermost loop that holds it; SASS_NONE */
  size_t function; /* of the compiler's, that holds it; SASS_NONE */
  double executed; /* warp instructions of its first instruction; -1: unknown */
};

struct sass_loop {
  size_t header;  /* block */
  size_t parent;  /* loop; SASS_NONE */
  int depth;      /* 1: outermost */
  bool spins;     /* it only waits, or hands out bulk copies: no arithmetic on data, no load but one that polls */
  bool innermost; /* no loop within but such that spin or are rare; it is neither itself */
  size_t n_blocks, n_insts; /* with those of inner loops */
  struct value trips;       /* turns of the loop a warp makes for each time it enters */
  double executed;          /* warp instructions executed in it, inner loops included; -1: unknown */
};

/* A function of the compiler's own, in the text of the kernel that calls it: the slow path of a
 * division or a root, a division of 64 bits. */
struct sass_function {
  const char *name; /* in the text of a call, from its number on: "1_$__cuda_sm20_sqrt_rn_f32_slowpath)" */
  size_t entry;     /* block */
};

struct sass {
  const struct run_kernel *kernel;
  struct sass_inst *insts; /* in the kernel's order */
  double *executed;        /* a warp instruction count each; -1: unknown */
  double *threads;         /* thread instructions each, of lanes not predicated off; -1: unknown */
  /* What was counted of each by itself, of the result that sass_count
   * took, which must outlive it; NULL: nothing was. */
  const struct run_count **count;
  size_t n;
  struct sass_block *blocks; /* by offset; block 0 is the entry */
  size_t n_blocks;
  size_t *block_of; /* block of an instruction */
  struct sass_loop *loops;
  size_t n_loops;
  struct sass_function *functions; /* in the order of the text; none where they are not told apart */
  size_t n_functions;
  size_t n_irreducible;         /* edges back into a loop that has a second entry: no loop is made of them */
  bool indirect;                /* a branch whose targets are not in the text */
  bool counted;                 /* executed counts are there */
  bool estimated;               /* they are estimates, of samples (sass_count) */
  bool spread;                  /* they are estimates, of the counters of the whole launch */
  struct sass_scratch *scratch; /* private */
};

/* The kernel must outlive *out.  ERR_DATA where it has no SASS (with the run's reason), more than
 * SASS_INSTS_MAX instructions, offsets that do not rise, or branches and loops that no compiler
 * makes. */
enum { SASS_INSTS_MAX = 1 << 17 };
int sass_make(struct sass *out, const struct run_kernel *k, struct err *e);
void sass_release(struct sass *s); /* leaves *s all zero */

/* Takes the executed counts of a result for this kernel, and from them the loops' trips.  What
 * has no entry was not executed.
 *
 * A result without any counts, as of a program that was attached to, has estimates: a sample of
 * a warp that issues ("selected") falls on an instruction as often as it is issued, so that
 * these samples share out inst_executed.  The relative error of a block's count is 1 / sqrt(its
 * samples). With fewer than SASS_ISSUE_SAMPLES_LEAST of them (10 % for all together) the
 * counters of the whole launch share them out (sass_spread.c), where it is the result's only
 * one; else all counts stay unknown. */
enum { SASS_ISSUE_SAMPLES_LEAST = 100 };
void sass_count(struct sass *s, const struct run_result *r, int module, int kernel);

size_t sass_find(const struct sass *s, uint32_t offset); /* the instruction there; SASS_NONE */

/* ---- control flow ---- */

bool sass_in_loop(const struct sass *s, size_t inst, size_t loop);
/* Whether block `by` lies on every way to block `to`. */
bool sass_dominates(const struct sass *s, size_t by, size_t to);
/* Which of the compiler's functions that instruction calls; SASS_NONE: none, or it is not told. */
size_t sass_called(const struct sass *s, size_t call);
/* The EXIT that a warp has come to which drains at instruction i. */
size_t sass_ended_at(const struct sass *s, size_t i);

/* ---- def-use ---- */

struct sass_producer {
  size_t inst;             /* wrote, or may have written, the source */
  struct sass_range range; /* the source of the reader that it feeds, as the reader names it (or its guard) */
  bool may;                /* it runs under a guard, or others on other paths write the same */
};
/* The instructions that may have written what instruction i reads, its guard included, nearest
 * first within a source.  Returns their number; writes at most max. */
size_t sass_producers(struct sass *s, size_t i, struct sass_producer *out, size_t max);
/* The nearest max of them: how many it wrote. */
size_t sass_first_producers(struct sass *s, size_t i, struct sass_producer *out, size_t max);
/* Two accesses have the same address as far as the code says: the same register, by the same
 * writers, and the same number added; or any number. */
bool sass_same_place(struct sass *s, size_t i, size_t k);
bool sass_same_base(struct sass *s, size_t i, size_t k);

struct sass_feed {
  size_t inst;         /* a producer of variable latency */
  enum sass_wait wait; /* why it has one */
};
/* What a stall at instruction i is for: the instructions of variable latency whose results it
 * reads.  Where i is itself a wait (DEPBAR, SYNCS, BAR), the async and bulk copies that may stand
 * before it.  Nearest first; returns their number; writes at most max. */
size_t sass_waited_for(struct sass *s, size_t i, struct sass_feed *out, size_t max);
/* What a warp that ends at instruction i waits for, WAIT_STORES each: stores to global memory and
 * reductions on the paths to it, nearest first. */
size_t sass_stores_before(struct sass *s, size_t i, struct sass_feed *out, size_t max);

/* ---- loads: what waits for them, what becomes of them ---- */

/* A global load of the loop whose address another global load of the loop brings, directly or
 * through instructions of fixed latency: one cannot start before the other has come.  SASS_NONE:
 * there is none. */
size_t sass_chained_load(struct sass *s, size_t loop);
/* Of such a load: the other load only decides whether it runs, by its guard. */
bool sass_chain_is_guard(struct sass *s, size_t loop, size_t load);
/* Whether a load of global or shared memory brought what instruction i reads, its guard included:
 * directly, or through instructions of fixed latency. */
bool sass_reads_loaded(struct sass *s, size_t i);
/* The same of the place of an access: what it stores, and whether it runs, is left out. */
bool sass_place_is_loaded(struct sass *s, size_t i);
/* Whether the kernel stores what it has loaded, and nothing else: a copy, a transpose, a gather. */
bool sass_only_moves(struct sass *s);

/* The outermost loop that copies and computes by turns: it fills shared memory and reads it, and
 * waits for what it copies (cp.async, or loads that it stores) in the turn that starts the copy.
 * SASS_NONE: there is none. */
size_t sass_turns(struct sass *s);
/* Whether that is what the kernel does, by its executed counts: a warp makes two turns of the
 * loop or more, and half of the kernel's global loads or more are the loop's copies.  True where
 * nothing was counted. */
bool sass_turns_matter(struct sass *s, size_t loop);

/* ---- the same in all threads ---- */

/* Of every instruction, whether what it makes depends on numbers and the kernel's arguments alone
 * (sass_given.c); of a call of the compiler's functions, whether such values decide on it.  The
 * caller frees it. */
bool *sass_given_make(struct sass *s);
/* Arithmetic, conversions and constants: of registers and the kernel's arguments alone. */
bool sass_computes(const struct sass_inst *x);

/* ---- addresses ---- */

/* Of every instruction, whether it is work on integers for the address of an access (sass_index.c).
 * The caller frees it. */
bool *sass_index_make(struct sass *s);

/* ---- lanes that part ---- */

/* weight: of every instruction.  The branch on what differs between
 * lanes (sass_diverge.c) that holds most of it, as the innermost.
 * SASS_NONE: all such branches together hold less than half. */
size_t sass_diverging_branch(struct sass *s, const double *weight);

/* ---- neighbouring lanes ---- */

struct sass_step {
  enum {
    STEP_UNKNOWN,
    STEP_BYTES,
    STEP_TIMES
  } kind;     /* TIMES: by a number that the code does not say, as a row's length */
  long bytes; /* from a lane's address to the next one's; 0: all lanes have one */
  int wraps;  /* of an UNKNOWN: it is `bytes` but for multiples of 2^wraps, as of (row + c) % 64; 0: nothing is known */
};
/* By instruction, of every access of global and shared memory and every load of
 * constants.  Addresses are followed back to the thread's number, through additions,
 * products, shifts and masks.  What comes from memory, other lanes or other functions is
 * unknown, but for a lane's place among voters and what one lane hands to all.  block_x:
 * threads of a block in x; 0: not known, taken for whole warps.  Where these are no
 * whole warps, what rests on the thread's number is unknown.  The caller frees it. */
struct sass_step *sass_steps_make(struct sass *s, unsigned block_x);
/* The same from a thread's address to that of its neighbour in y.  The caller frees it. */
struct sass_step *sass_row_steps_make(struct sass *s);
/* Turns of an access of shared memory whose lanes of `bytes` lie so
 * far apart: the most words of one of the 32 banks; 1: no conflict. */
int sass_step_turns(long step, int bytes);

/* ---- loads in flight ---- */

struct sass_flight {
  /* The most that a thread has outstanding at once; absent
   * where bulk copies move bytes that no instruction names. */
  struct value bytes_thread;
  struct value bytes_warp; /* 32 times that: assumes 32 distinct lanes */
  long known_bytes;        /* without the bulk copies */
  size_t loads;            /* instructions outstanding at that moment */
  size_t first_use;        /* instruction that ends that moment: the first to read one of them, or to wait; SASS_NONE */
  bool guarded;            /* some of them stand under a guard, and count as issued */
  bool branches;           /* the region branches: both ways count as walked, in the order of offsets */
  size_t bulk_copies;      /* bulk copies in the region */
};
/* Of a loop in its steady state, or of the whole kernel in one pass (loop = SASS_NONE).  A global
 * load is outstanding from its issue to the first instruction that reads (or overwrites) its
 * destination, LDGSTS to the DEPBAR that waits for its group. */
void sass_flight_of(struct sass *s, size_t loop, struct sass_flight *out);

/* ---- summary ---- */

struct sass_class_count {
  size_t insts;          /* in the text, padding left out */
  struct value executed; /* warp instructions */
};

struct sass_summary {
  struct sass_class_count classes[SASS_CLASSES];
  size_t pipes[SASS_PIPES]; /* instructions in the text */
  size_t insts;             /* without what never runs */
  size_t unknown;           /* opcodes that are not in the table */
  /* The loop that matters: of the innermost ones that do not spin the most executed; without counts
   * the deepest, and of these the one with most instructions.  SASS_NONE: there is none, and the
   * kernel as a whole stands for it. */
  size_t hot;
  size_t hot_insts, hot_classes[SASS_CLASSES]; /* in its text */
  /* Where its data come from: the loop itself if it loads from global memory (LDGSTS and bulk
   * copies too), else the nearest around it that does, else the kernel (SASS_NONE). */
  size_t stream;
  struct value stream_bytes; /* a thread asks for in one turn of it */
  /* Warp instructions for each byte that a thread asks
   * for, by executed counts where there are some. */
  struct value insts_per_byte;
  struct sass_flight flight;        /* of that loop */
  int widest_load, narrowest_load;  /* global loads and LDGSTS without rare ones: bytes a lane; 0: none */
  size_t spill_loads, spill_stores; /* instructions of local memory, without rare ones */
};
void sass_summarise(struct sass *s, struct sass_summary *out);
/* The instruction counts there: it does something, is no rare one,
 * and is in the loop (SASS_NONE: in any place that is reached). */
bool sass_summed(const struct sass *s, size_t inst, size_t loop);
