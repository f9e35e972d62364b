/* Which kernels are counted: those that the user names, those within a range, those of most GPU time, here or in an earlier run. */
#include "profiler/attach/inside/counting.h"

#include "base/demangle.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>

enum { CHOSEN_BYTES_MAX = 1 << 20 };

/* The expression is for the name that people read, or the one that the compiler made of it. */
static bool name_matches(const char *name) {
  char *readable = demangle(name);
  bool matches = regexec(&injection.kernel_regex, name, 0, NULL, 0) == 0 ||
                 (readable && regexec(&injection.kernel_regex, readable, 0, NULL, 0) == 0);
  free(readable);
  return matches;
}

bool kernel_is_asked_for(const struct kernel *k) {
  return !injection.kernel_pattern || name_matches(k->key.name);
}

bool kernel_is_chosen(struct kernel *k, bool in_range) {
  struct focus_kernel *focus = focus_of(k);
  if ((injection.kernel_pattern || injection.nvtx) && !k->tried)
    focus->chosen = kernel_is_asked_for(k);
  k->replay = (k->replay || injection.replay) && !k->allocates;
  k->tried = true;
  return focus->chosen && in_range && focus->asked > injection.skip && focus->asked > focus->skip;
}

static void choose_again(const struct chosen_record *c) {
  struct kernel_key key = {.name = c->name, .smem_dynamic = c->launch.smem_dynamic};
  memcpy(key.grid, c->launch.grid, sizeof key.grid);
  memcpy(key.block, c->launch.block, sizeof key.block);
  struct kernel *k = kernel_of(&key, (uint32_t)c->device);
  if (!k)
    return;
  focus_of(k)->chosen = true;
  focus_of(k)->expected = c->launches;
  focus_of(k)->skip = c->skip;
  focus_of(k)->expected_s = 1e-9 * c->total_ns;
}

void chosen_read(const char *path) {
  char *text = NULL, *rest;
  size_t n;
  if (file_read(path, CHOSEN_BYTES_MAX, &text, &n, NULL))
    return;
  rest = text;
  for (char *line; (line = strsep(&rest, "\n"));) {
    enum attach_record_kind kind;
    struct chosen_record c;
    char *fields;
    if (attach_record_kind_of(line, &kind, &fields, NULL) || kind != RECORD_CHOSEN ||
        attach_record_parse(kind, fields, &c, NULL))
      continue;
    choose_again(&c);
    attach_record_release(kind, &c);
  }
  free(text);
}
