/* Which kernels are counted: those that the user names, those within a range, those of most GPU time, here or in an earlier run. */
#include "profiler/attach/inside/counting.h"

#include "base/demangle.h"
#include "base/file.h"
#include "profiler/attach/records/collective.h"

#include <stdlib.h>
#include <string.h>

enum { CHOSEN_FIELDS = 9, CHOSEN_BYTES_MAX = 1 << 20 };

void choose_top(void) {
  for (long n = 0; n < injection.top && n < TOP_MAX; n++) {
    struct kernel *best = NULL;
    for (size_t i = 0; i < injection.n_kernels; i++) {
      struct kernel *k = &injection.kernels[i];
      if (!k->chosen && k->launches > k->in_graphs && k->total_ns > 0 && !kernel_is_collective(k->key.name) &&
          (!best || k->total_ns > best->total_ns))
        best = k;
    }
    if (best)
      best->chosen = true;
  }
}

size_t chosen_count(void) {
  size_t n = 0;
  for (size_t i = 0; i < injection.n_kernels; i++)
    n += injection.kernels[i].chosen;
  return n;
}

/* The expression is for the name that people read, or the one that the compiler made of it. */
static bool name_matches(const char *name) {
  char *readable = demangle(name);
  bool matches = regexec(&injection.kernel_regex, name, 0, NULL, 0) == 0 ||
                 (readable && regexec(&injection.kernel_regex, readable, 0, NULL, 0) == 0);
  free(readable);
  return matches;
}

bool kernel_is_chosen(struct kernel *k, bool in_range) {
  if (injection.kernel_pattern && !k->tried)
    k->chosen = name_matches(k->key.name);
  else if (injection.nvtx && !injection.kernel_pattern)
    k->chosen = true;
  if (!k->tried)
    k->replay = k->replay || injection.replay;
  k->tried = true;
  return k->chosen && in_range && k->asked > injection.skip;
}

/* A line: name, device, grid, block, dynamic shared memory, launches, with a tab between. */
static void chosen_add(char *line) {
  char *fields[CHOSEN_FIELDS + 2] = {NULL}, *rest = line;
  size_t n = 0;
  while (n < sizeof fields / sizeof fields[0] && (fields[n] = strsep(&rest, "\t")))
    n++;
  if (n != sizeof fields / sizeof fields[0] - 1)
    return;
  struct kernel_key key = {.name = fields[0], .smem_dynamic = atol(fields[8])};
  for (int i = 0; i < 3; i++) {
    key.grid[i] = (unsigned)strtoul(fields[2 + i], NULL, 10);
    key.block[i] = (unsigned)strtoul(fields[5 + i], NULL, 10);
  }
  struct kernel *k = kernel_of(&key, (uint32_t)strtoul(fields[1], NULL, 10));
  if (!k)
    return;
  k->chosen = true;
  k->expected = strtoull(fields[9], NULL, 10);
}

void chosen_read(const char *path) {
  char *text = NULL, *rest;
  size_t n;
  if (file_read(path, CHOSEN_BYTES_MAX, &text, &n, NULL))
    return;
  rest = text;
  for (char *line; (line = strsep(&rest, "\n"));)
    chosen_add(line);
  free(text);
}
