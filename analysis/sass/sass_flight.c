/* Loads in flight: what a thread has asked of memory and not yet waited for. */
#include "analysis/sass/sass_parts.h"

#include "base/warp.h"

#include <stdio.h>
#include <string.h>

enum { LOADS_MAX = 256, GROUPS_MAX = 64 };

struct load {
  size_t inst;
  int bytes;
};

struct group { /* of LDGSTS, closed by an LDGDEPBAR */
  long bytes;
  size_t loads;
};

struct walk {
  const struct sass *sass;
  struct load loads[LOADS_MAX]; /* by register: there are no more than registers */
  size_t n_loads;
  struct group groups[GROUPS_MAX]; /* oldest first; the last is open */
  size_t n_groups;
  struct sass_flight *out;
  bool peaked; /* the most so far was reached, and nothing has waited since */
};

bool sass_waits_for(const struct sass_inst *i, const struct sass_inst *load) {
  for (size_t w = 0; w < load->n_writes; w++) {
    for (size_t k = 0; k < i->n_reads; k++)
      if (ranges_overlap(&i->reads[k], &load->writes[w]))
        return true;
    for (size_t k = 0; k < i->n_writes; k++)
      if (ranges_overlap(&i->writes[k], &load->writes[w]))
        return true;
  }
  return false;
}

static void waited(struct walk *w, size_t inst) {
  if (w->peaked)
    w->out->first_use = inst;
  w->peaked = false;
}

static void arrive(struct walk *w, size_t at) {
  const struct sass *s = w->sass;
  size_t kept = 0;
  for (size_t l = 0; l < w->n_loads; l++)
    if (sass_waits_for(&s->insts[at], &s->insts[w->loads[l].inst]))
      waited(w, at);
    else
      w->loads[kept++] = w->loads[l];
  w->n_loads = kept;
}

bool sass_groups_left(const struct sass_inst *i, unsigned *left) {
  return strcmp(i->opcode, "DEPBAR") == 0 && sscanf(i->modifiers + i->n_modifiers, " SB0 , 0x%x", left) == 1;
}

static void wait_groups(struct walk *w, size_t at, size_t left) {
  size_t closed = w->n_groups - 1;
  size_t done = closed > left ? closed - left : 0;
  if (!done)
    return;
  bool bytes = false;
  for (size_t g = 0; g < done; g++)
    bytes = bytes || w->groups[g].bytes;
  w->n_groups -= done;
  memmove(w->groups, w->groups + done, w->n_groups * sizeof *w->groups);
  if (bytes)
    waited(w, at);
}

static void close_group(struct walk *w) {
  if (w->n_groups == GROUPS_MAX) { /* nothing waits for them: the two oldest count as one */
    w->groups[0].bytes += w->groups[1].bytes;
    w->groups[0].loads += w->groups[1].loads;
    memmove(w->groups + 1, w->groups + 2, (GROUPS_MAX - 2) * sizeof *w->groups);
    w->n_groups--;
  }
  w->groups[w->n_groups++] = (struct group){.bytes = 0};
}

static void measure(struct walk *w) {
  long bytes = 0;
  size_t loads = w->n_loads;
  for (size_t l = 0; l < w->n_loads; l++)
    bytes += w->loads[l].bytes;
  for (size_t g = 0; g < w->n_groups; g++) {
    bytes += w->groups[g].bytes;
    loads += w->groups[g].loads;
  }
  if (bytes <= w->out->known_bytes)
    return;
  w->out->known_bytes = bytes;
  w->out->loads = loads;
  w->out->first_use = SASS_NONE;
  w->peaked = true;
}

static void issue(struct walk *w, size_t at) {
  const struct sass_inst *i = &w->sass->insts[at];
  bool load = i->class == SASS_LOAD_GLOBAL && i->n_writes, copy = i->access == ACCESS_ASYNC_COPY;
  if (load && w->n_loads < LOADS_MAX)
    w->loads[w->n_loads++] = (struct load){at, i->bytes};
  if (copy) {
    w->groups[w->n_groups - 1].bytes += i->bytes;
    w->groups[w->n_groups - 1].loads++;
  }
  if (!load && !copy)
    return;
  w->out->guarded = w->out->guarded || i->guarded;
  measure(w);
}

static void step(struct walk *w, size_t at) {
  const struct sass_inst *i = &w->sass->insts[at];
  unsigned left = 0;
  if (i->never)
    return;
  arrive(w, at);
  if (sass_groups_left(i, &left))
    wait_groups(w, at, left);
  if (strcmp(i->opcode, "LDGDEPBAR") == 0)
    close_group(w);
  issue(w, at);
}

/* Does the region go more than one way, but for the branch that closes the loop?  And what a walk must know of it beforehand. */
static unsigned survey(const struct sass *s, size_t loop, struct sass_flight *out) {
  unsigned most = 0; /* groups that a wait leaves */
  for (size_t b = 0; b < s->n_blocks; b++) {
    const struct sass_block *block = &s->blocks[b];
    if (!block->reachable || (loop != SASS_NONE && !sass_in_loop(s, block->first, loop)))
      continue;
    size_t inside = 0;
    for (size_t k = 0; k < block->n_succ; k++)
      inside += loop == SASS_NONE ||
                (sass_in_loop(s, s->blocks[block->succ[k]].first, loop) && block->succ[k] != s->loops[loop].header);
    out->branches = out->branches || inside > 1;
    for (size_t i = block->first; i < block->first + block->n; i++) {
      unsigned left = 0;
      out->bulk_copies += s->insts[i].access == ACCESS_BULK_COPY && !s->insts[i].never;
      if (sass_groups_left(&s->insts[i], &left) && left < GROUPS_MAX && left > most)
        most = left;
    }
  }
  /* A turn fills one group: so many until the first wait is for one of this loop's. */
  return loop == SASS_NONE ? 1 : most + 2;
}

void sass_flight_of(struct sass *s, size_t loop, struct sass_flight *out) {
  *out = (struct sass_flight){.first_use = SASS_NONE};
  struct walk w = {.sass = s, .out = out, .n_groups = 1};
  unsigned turns = survey(s, loop, out);
  for (unsigned turn = 0; turn < turns; turn++)
    for (size_t b = 0; b < s->n_blocks; b++) {
      const struct sass_block *block = &s->blocks[b];
      if (!block->reachable || (loop != SASS_NONE && !sass_in_loop(s, block->first, loop)))
        continue;
      for (size_t i = block->first; i < block->first + block->n; i++)
        step(&w, i);
    }
  struct value *thread = &out->bytes_thread;
  *thread = (struct value){.present = true, .v = (double)out->known_bytes};
  if (out->bulk_copies)
    *thread = (struct value){.reason = "bulk copies (UBLKCP, UTMALDG) move bytes that their instructions do not name"};
  out->bytes_warp = *thread;
  out->bytes_warp.v *= WARP_LANES;
}
