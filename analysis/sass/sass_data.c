/* Def-use: who may have written what an instruction reads, and whose latency it waits for. */
#include "analysis/sass/sass_parts.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
  FOUND_MAX = 64,   /* writers of one register that are told apart; one that has more is joined from that many paths */
  NEAR_BLOCKS = 64, /* that a walk passes, the near ones first, before the reaching writers are asked for */
};

struct search {
  struct sass *sass;
  size_t reader;
  unsigned bit; /* of the register */
  size_t found[FOUND_MAX];
  bool may[FOUND_MAX];
  size_t n;
};

static void note(struct search *x, size_t inst, bool may) {
  for (size_t f = 0; f < x->n; f++)
    if (x->found[f] == inst)
      return;
  if (x->n == FOUND_MAX)
    return;
  x->found[x->n] = inst;
  x->may[x->n++] = may;
}

/* Both run under one guard, and nothing between them writes it: the writer leaves nothing of what
 * was there before for the reader. */
static bool same_lanes(const struct search *x, size_t writer) {
  const struct sass *s = x->sass;
  const struct sass_inst *w = &s->insts[writer], *r = &s->insts[x->reader];
  if (!w->guarded || w->calls || !r->guarded || w->guard_negated != r->guard_negated ||
      w->guard.file != r->guard.file || w->guard.first != r->guard.first || writer >= x->reader ||
      s->block_of[writer] != s->block_of[x->reader])
    return false;
  return sass_guard_stays(s, writer, x->reader);
}

/* Back from before `end` to the block's start.  A write under a guard leaves what was there
 * before for the lanes that it skips, unless another takes these.  True where nothing
 * before the block can be read any more, or as many writers are known as are told apart. */
static bool search_block(struct search *x, size_t first, size_t end) {
  const struct sass *s = x->sass;
  const size_t *at = s->scratch->writers_at + x->bit, *writers = s->scratch->writers + at[0];
  for (size_t k = sass_writers_before(writers, at[1] - at[0], end); k-- > 0 && writers[k] >= first;) {
    bool may = !sass_writes_surely(s, writers[k], x->bit) && !same_lanes(x, writers[k]) &&
               !sass_choice_writes(s, writers[k], x->bit, end);
    note(x, writers[k], may);
    if (x->n == FOUND_MAX || !may)
      return true;
  }
  return false;
}

/* All that is left to find, where a walk would pass many blocks. */
static bool search_reaching(struct search *x, size_t block) {
  const struct sass_scratch *scratch = x->sass->scratch;
  size_t n_words = 0, first = scratch->writers_at[x->bit], n = scratch->writers_at[x->bit + 1] - first;
  const uint64_t *reaching = sass_reaching(x->sass, x->bit, &n_words);
  if (!reaching)
    return n == 0;
  for (size_t w = n; w-- > 0;)
    if (reaching[block * n_words + w / 64] >> (w % 64) & 1)
      note(x, scratch->writers[first + w], true);
  return true;
}

static void search_before(struct search *x, size_t block) {
  struct sass *s = x->sass;
  struct sass_scratch *scratch = s->scratch;
  uint64_t stamp = sass_stamp(s);
  size_t n = 0;
  scratch->stack[n++] = block;
  size_t next = 0;
  while (next < n && x->n < FOUND_MAX) { /* a queue: near blocks first; each is put in once */
    if (next == NEAR_BLOCKS && search_reaching(x, block))
      return;
    size_t b = scratch->stack[next++];
    for (size_t p = scratch->pred_at[b]; p < scratch->pred_at[b + 1]; p++) {
      size_t from = edge_from(scratch->preds[p]);
      if (scratch->block_mark[from] == stamp)
        continue;
      scratch->block_mark[from] = stamp;
      const struct sass_block *f = &s->blocks[from];
      bool settled = bits_has(&scratch->written[from], x->bit) && search_block(x, f->first, f->first + f->n);
      if (!settled && from != block)
        scratch->stack[n++] = from;
    }
  }
}

static void search_writers(struct search *x, size_t reader) {
  size_t block = x->sass->block_of[reader];
  x->n = 0;
  x->reader = reader;
  if (!search_block(x, x->sass->blocks[block].first, reader))
    search_before(x, block);
  if (x->n > 1)
    memset(x->may, true, sizeof x->may);
}

struct seen { /* producers of one source: a group of registers has each of them once */
  struct sass_producer items[FOUND_MAX];
  size_t n;
};

static void merge(struct seen *out, const struct search *x, const struct sass_range *range) {
  for (size_t f = 0; f < x->n; f++) {
    size_t k = 0;
    while (k < out->n && out->items[k].inst != x->found[f])
      k++;
    if (k < out->n)
      out->items[k].may = out->items[k].may || x->may[f];
    else if (out->n < FOUND_MAX)
      out->items[out->n++] = (struct sass_producer){.inst = x->found[f], .range = *range, .may = x->may[f]};
  }
}

typedef void producer_see(void *context, const struct sass_producer *p);

static void search_producers(struct sass *s, size_t i, producer_see *see, void *context) {
  const struct sass_inst *reader = &s->insts[i];
  struct search x = {.sass = s};
  for (size_t k = 0; k <= reader->n_reads; k++) {
    const struct sass_range *range = k == reader->n_reads ? &reader->guard : &reader->reads[k];
    struct seen seen = {.n = 0};
    for (unsigned r = 0; r < range->count; r++) {
      x.bit = (unsigned)SASS_FILE_BIT[range->file] + range->first + r;
      search_writers(&x, i);
      merge(&seen, &x, range);
    }
    for (size_t p = 0; p < seen.n; p++)
      see(context, &seen.items[p]);
  }
}

static void keep(void *context, const struct sass_producer *p) {
  struct sass_made_by *m = context;
  struct sass_producer *next = array_add(&m->items, &m->n, sizeof *m->items);
  *next = *p;
}

/* Several queries ask for the same instruction's. */
static void sass_each_producer(struct sass *s, size_t i, producer_see *see, void *context) {
  struct sass_made_by *m = s->scratch->made_by ? &s->scratch->made_by[i] : NULL;
  if (!m) {
    search_producers(s, i, see, context);
    return;
  }
  if (!m->known)
    search_producers(s, i, keep, m);
  m->known = true;
  for (size_t p = 0; p < m->n; p++)
    see(context, &m->items[p]);
}

struct listing {
  struct sass_producer *out;
  size_t n, max;
};

static void list(void *context, const struct sass_producer *p) {
  struct listing *l = context;
  if (l->n < l->max)
    l->out[l->n] = *p;
  l->n++;
}

size_t sass_producers(struct sass *s, size_t i, struct sass_producer *out, size_t max) {
  struct listing l = {.out = out, .max = max};
  sass_each_producer(s, i, list, &l);
  return l.n;
}

size_t sass_first_producers(struct sass *s, size_t i, struct sass_producer *out, size_t max) {
  size_t n = sass_producers(s, i, out, max);
  return n < max ? n : max;
}

/* ---- back to what has a latency ---- */

struct follow {
  struct sass *sass;
  uint64_t stamp;
  size_t queued;
  struct sass_feed *out;
  size_t n, max;
};

static void add_feed(struct follow *f, size_t inst, enum sass_wait wait) {
  if (f->n < f->max)
    f->out[f->n] = (struct sass_feed){inst, wait};
  f->n++;
}

static void follow(void *context, const struct sass_producer *p) {
  struct follow *f = context;
  struct sass_scratch *scratch = f->sass->scratch;
  const struct sass_inst *i = &f->sass->insts[p->inst];
  if (scratch->feed_mark[p->inst] == f->stamp)
    return;
  scratch->feed_mark[p->inst] = f->stamp;
  if (i->wait != WAIT_NONE)
    add_feed(f, p->inst, i->wait);
  else if (!i->calls)
    scratch->queue[f->queued++] = p->inst;
}

/* Whether an instruction is what a wait of this kind waits for. */
static bool completes(const struct sass_inst *i, enum sass_wait wait) {
  bool group = i->access == ACCESS_ASYNC_COPY, bulk = i->access == ACCESS_BULK_COPY;
  switch (wait) {
  case WAIT_ASYNC_GROUP:
    return group && !i->never;
  case WAIT_TRANSACTION:
  case WAIT_BLOCK:
    return (group || bulk) && !i->never;
  case WAIT_TENSOR:
    return i->wait == WAIT_TENSOR && i->class == SASS_TENSOR && !i->never;
  case WAIT_STORES:
    return (i->class == SASS_STORE_GLOBAL || (i->class == SASS_ATOMIC && i->space != SPACE_SHARED)) && !i->never;
  default:
    return false;
  }
}

static void scan_for(struct follow *f, enum sass_wait wait, size_t first, size_t end) {
  for (size_t i = end; i-- > first;)
    if (completes(&f->sass->insts[i], wait) && f->sass->executed[i] != 0 &&
        f->sass->scratch->feed_mark[i] != f->stamp) {
      f->sass->scratch->feed_mark[i] = f->stamp;
      add_feed(f, i, wait);
    }
}

static void all_before(struct follow *f, size_t waiter, enum sass_wait wait) {
  struct sass *s = f->sass;
  struct sass_scratch *scratch = s->scratch;
  size_t n = 0, next = 0;
  scratch->stack[n++] = s->block_of[waiter];
  scan_for(f, wait, s->blocks[scratch->stack[0]].first, waiter);
  while (next < n) {
    size_t b = scratch->stack[next++];
    for (size_t p = scratch->pred_at[b]; p < scratch->pred_at[b + 1]; p++) {
      size_t from = edge_from(scratch->preds[p]);
      if (scratch->block_mark[from] == f->stamp)
        continue;
      scratch->block_mark[from] = f->stamp;
      scan_for(f, wait, s->blocks[from].first, s->blocks[from].first + s->blocks[from].n);
      if (from != scratch->stack[0])
        scratch->stack[n++] = from;
    }
  }
}

enum { GROUPS_BEHIND_MOST = 8 };

/* How many groups are closed behind a copy that the last DEPBAR before `end` waits
 * for: those that it leaves open, and the copy's own.  0: it is not told. */
static unsigned groups_behind(const struct sass *s, size_t end, size_t *wait) {
  unsigned left;
  for (size_t i = end + 1; i-- > s->blocks[s->block_of[end]].first;)
    if (!s->insts[i].never && sass_groups_left(&s->insts[i], &left)) {
      *wait = i;
      return left < GROUPS_BEHIND_MOST ? left + 1 : 0;
    } else if (completes(&s->insts[i], WAIT_BLOCK) || (i < end && s->insts[i].wait == WAIT_BLOCK)) {
      return 0;
    }
  return 0;
}

/* Back to the first of a block; the groups that must still be closed before it. */
static unsigned scan_groups(struct follow *f, unsigned behind, size_t first, size_t end) {
  for (size_t i = end; i-- > first;)
    if (behind == 0)
      scan_for(f, WAIT_ASYNC_GROUP, i, i + 1);
    else if (!f->sass->insts[i].never && opcode_is(&f->sass->insts[i], "LDGDEPBAR"))
      behind--;
  return behind;
}

/* Only copies of closed groups, without the last ones, which may stay open.
 * A block is passed again where fewer groups are missing, as a turn later. */
static void copies_before(struct follow *f, size_t wait, unsigned behind) {
  struct sass *s = f->sass;
  const struct sass_scratch *scratch = s->scratch;
  unsigned char *least = malloc(s->n_blocks);
  bool more = true;
  memset(least, GROUPS_BEHIND_MOST + 1, s->n_blocks); /* on the way out of a block; this many: not passed */
  size_t own = s->block_of[wait];
  least[own] = (unsigned char)scan_groups(f, behind, s->blocks[own].first, wait);
  while (more) {
    more = false;
    for (size_t b = s->n_blocks; b-- > 0;)
      for (size_t p = scratch->pred_at[b]; least[b] <= GROUPS_BEHIND_MOST && p < scratch->pred_at[b + 1]; p++) {
        size_t from = edge_from(scratch->preds[p]);
        unsigned left = scan_groups(f, least[b], s->blocks[from].first, s->blocks[from].first + s->blocks[from].n);
        more = more || left < least[from];
        least[from] = (unsigned char)(left < least[from] ? left : least[from]);
      }
  }
  free(least);
}

static bool waits_itself(const struct sass_inst *i) {
  return i->wait == WAIT_ASYNC_GROUP || i->wait == WAIT_TRANSACTION || i->wait == WAIT_BLOCK ||
         (i->wait == WAIT_TENSOR && i->class == SASS_BARRIER);
}

static bool waits_for_groups(const struct sass_inst *i) {
  return i->wait == WAIT_ASYNC_GROUP || i->wait == WAIT_BLOCK;
}

size_t sass_waited_for(struct sass *s, size_t i, struct sass_feed *out, size_t max) {
  struct follow f = {.sass = s, .out = out, .max = max, .stamp = sass_stamp(s)};
  if (s->insts[i].never)
    return 0;
  size_t wait = i;
  unsigned behind = waits_for_groups(&s->insts[i]) ? groups_behind(s, i, &wait) : 0;
  if (behind > 0)
    copies_before(&f, wait, behind);
  if (f.n > 0)
    return f.n;
  if (waits_itself(&s->insts[i]))
    all_before(&f, i, s->insts[i].wait);
  else
    sass_each_producer(s, i, follow, &f);
  return f.n;
}

/* The samples stand at the EXIT, or behind it, at the branch
 * to itself that ends the code or whatever comes there. */
size_t sass_ended_at(const struct sass *s, size_t i) {
  bool behind = i > 0 && strcmp(s->insts[i - 1].opcode, "EXIT") == 0 && strcmp(s->insts[i].opcode, "EXIT") != 0;
  return behind ? i - 1 : i;
}

size_t sass_stores_before(struct sass *s, size_t i, struct sass_feed *out, size_t max) {
  struct follow f = {.sass = s, .out = out, .max = max, .stamp = sass_stamp(s)};
  all_before(&f, sass_ended_at(s, i), WAIT_STORES);
  return f.n;
}

/* ---- what leads to an instruction ---- */

struct search_back {
  struct follow follow;
  size_t passed;                  /* of what is queued */
  size_t loop;                    /* the one whose loads are asked for */
  const struct sass_inst *access; /* whose guard is left out, or whose place alone is asked for */
  bool found;
};

/* Shows the producers of what i reads to `first`, and what
 * leads to these to `next`, until one of both has found it. */
static bool search_back(struct search_back *b, size_t i, producer_see *first, producer_see *next) {
  struct sass *s = b->follow.sass;
  sass_each_producer(s, i, first, b);
  for (; b->passed < b->follow.queued && !b->found; b->passed++)
    sass_each_producer(s, s->scratch->queue[b->passed], next, b);
  return b->found;
}

/* ---- loads that wait for loads ---- */

static void see_load_of_loop(void *context, const struct sass_producer *p) {
  struct search_back *b = context;
  const struct sass_inst *i = &b->follow.sass->insts[p->inst];
  b->found |= i->class == SASS_LOAD_GLOBAL && !i->never && sass_in_loop(b->follow.sass, p->inst, b->loop);
  follow(&b->follow, p);
}

/* What an earlier load's walk has passed leads to no load of the loop, or the search would have
 * ended: each instruction is passed once. */
size_t sass_chained_load(struct sass *s, size_t loop) {
  if (loop >= s->n_loops)
    return SASS_NONE;
  struct search_back b = {.follow = {.sass = s, .stamp = sass_stamp(s)}, .loop = loop};
  for (size_t i = 0; i < s->n; i++)
    if (s->insts[i].class == SASS_LOAD_GLOBAL && !s->insts[i].never && sass_in_loop(s, i, loop) &&
        search_back(&b, i, see_load_of_loop, see_load_of_loop))
      return i;
  return SASS_NONE;
}

static void see_but_guard(void *context, const struct sass_producer *p) {
  const struct sass_inst *load = ((struct search_back *)context)->access;
  bool guard = load->guarded && p->range.file == load->guard.file && p->range.first == load->guard.first;
  if (!guard)
    see_load_of_loop(context, p);
}

bool sass_chain_is_guard(struct sass *s, size_t loop, size_t load) {
  struct search_back b = {.follow = {.sass = s, .stamp = sass_stamp(s)}, .loop = loop, .access = &s->insts[load]};
  return !search_back(&b, load, see_but_guard, see_load_of_loop);
}

/* ---- what was loaded ---- */

static void see_load(void *context, const struct sass_producer *p) {
  struct search_back *b = context;
  enum sass_class class = b->follow.sass->insts[p->inst].class;
  b->found |= class == SASS_LOAD_GLOBAL || class == SASS_LOAD_SHARED;
  follow(&b->follow, p);
}

/* Of the register in the last brackets alone: "@P0 STS [R10+0x4], R8". */
static void see_place(void *context, const struct sass_producer *p) {
  const struct sass_inst *access = ((struct search_back *)context)->access;
  if (p->range.file == FILE_R && p->range.first == sass_address_register(access))
    see_load(context, p);
}

bool sass_place_is_loaded(struct sass *s, size_t i) {
  struct search_back b = {.follow = {.sass = s, .stamp = sass_stamp(s)}, .access = &s->insts[i]};
  return search_back(&b, i, see_place, see_load);
}

bool sass_reads_loaded(struct sass *s, size_t i) {
  struct search_back b = {.follow = {.sass = s, .stamp = sass_stamp(s)}};
  return search_back(&b, i, see_load, see_load);
}
