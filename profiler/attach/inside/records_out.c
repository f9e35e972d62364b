/* Writes the part: profiler/attach/records/records.h says how it reads. */
#include "profiler/attach/inside/pc_samples.h"

#include "base/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void part_field(struct text *t, const char *s) {
  text_add(t, "\t");
  for (const char *c = s; *c; c++)
    text_add_n(t, iscntrl((unsigned char)*c) ? " " : c, 1);
}

/* A part has tens of thousands of these, and printf took 0.4 us for each.  CUPTI counts whole ns. */
static void print_time(struct text *t, double ns) {
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = (uint64_t)ns;
  do
    digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  digits[--at] = '\t';
  text_add_n(t, digits + at, sizeof digits - at);
}

static void print_kernel(struct text *t, const struct kernel *k) {
  const unsigned *g = k->key.grid, *b = k->key.block, *c = k->cluster;
  text_add(t, "kernel");
  part_field(t, k->key.name);
  text_printf(t, "\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u", k->device, g[0], g[1], g[2], b[0], b[1], b[2], c[0], c[1],
              c[2]);
  text_printf(t, "\t%d\t%ld\t%ld\t%ld\t%d\t%llu\t%llu\t%llu\t%.17g\n", k->registers, k->smem_static,
              k->key.smem_dynamic, k->local_bytes, k->blocks_per_sm, (unsigned long long)k->launches,
              (unsigned long long)k->in_graphs, (unsigned long long)k->disturbed, k->total_ns);
  if (k->n_samples) {
    text_add(t, "samples");
    for (size_t i = 0; i < k->n_samples; i++)
      print_time(t, k->samples_ns[i]);
    text_add(t, "\n");
  }
  counters_print(t, k);
}

static void print_all(struct text *t, bool complete) {
  text_printf(t, "nvfp4-prof-part\t1\nprocess\t%ld", (long)injection.pid);
  part_field(t, injection.rank ? injection.rank : "");
  text_printf(t, "\ntotals\t%llu\t%.17g\t%llu\t%.17g\n", (unsigned long long)injection.launches, injection.total_ns,
              (unsigned long long)injection.beyond, injection.beyond_ns);
  for (size_t i = 0; i < sizeof injection.uuids / sizeof injection.uuids[0]; i++)
    if (injection.uuids[i])
      text_printf(t, "device\t%zu\t%s\n", i, injection.uuids[i]);
  for (size_t i = 0; i < injection.n_kernels; i++)
    if (injection.kernels[i].launches)
      print_kernel(t, &injection.kernels[i]);
  samples_print(t);
  for (size_t i = 0; i < injection.n_ranges; i++) {
    text_add(t, "range");
    part_field(t, injection.ranges[i].name);
    text_printf(t, "\t%llu\t%.17g\n", (unsigned long long)injection.ranges[i].launches, injection.ranges[i].total_ns);
  }
  for (size_t i = 0; i < injection.n_notes; i++) {
    text_add(t, "note");
    part_field(t, injection.notes[i]);
    text_add(t, "\n");
  }
  text_add(t, complete ? "end\tcomplete\n" : "end\tgoing on\n");
}

void part_write(bool complete) {
  static pthread_mutex_t one_writer = PTHREAD_MUTEX_INITIALIZER;
  struct text t = {0};
  pthread_mutex_lock(&one_writer);
  counters_gather();
  pthread_mutex_lock(&injection.lock);
  bool due = injection.dirty || complete;
  injection.dirty = false;
  if (due)
    print_all(&t, complete);
  pthread_mutex_unlock(&injection.lock);
  char *path = due && text_ok(&t) ? str_printf("%s/%ld.part", injection.folder, (long)injection.pid) : NULL;
  if (path)
    file_write(path, t.s, t.n, NULL); /* what fails once is tried again */
  pthread_mutex_unlock(&one_writer);
  free(path);
  text_release(&t);
}
