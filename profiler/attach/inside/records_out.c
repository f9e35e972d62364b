/* Writes what is known of this process, by the rows of profiler/attach/records. */
#include "profiler/attach/inside/pc_samples.h"
#include "profiler/attach/records/attach_record.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EARLIER_MAX = 1000, MODULES_EACH = 1 << 20 };

void records_keep_earlier(void) {
  char *path = str_printf("%s/%ld.part", injection.folder, (long)injection.pid);
  for (size_t i = 1; path && i < EARLIER_MAX && access(path, F_OK) == 0; i++) {
    char *kept = str_printf("%s/%ld.%zu.part", injection.folder, (long)injection.pid, i);
    injection.modules = i * MODULES_EACH; /* the earlier program's files of code stay, too */
    if (!kept || (access(kept, F_OK) && rename(path, kept)))
      i = EARLIER_MAX;
    free(kept);
  }
  free(path);
}

static void print_kernel(struct text *t, const struct kernel *k) {
  struct stretch_choice count = stretches_choose(&k->stretches);
  struct kernel_record seen = {.name = (char *)k->key.name,
                               .device = (int)k->device,
                               .launch = {.registers = k->registers,
                                          .smem_static = k->smem_static,
                                          .smem_dynamic = k->key.smem_dynamic,
                                          .local_bytes = k->local_bytes,
                                          .blocks_per_sm = k->blocks_per_sm},
                               .launches = k->launches,
                               .in_graphs = k->in_graphs,
                               .disturbed = k->disturbed,
                               .total_ns = k->total_ns,
                               .blocks_least = k->blocks_least,
                               .blocks_most = k->blocks_most,
                               .skip = count.skip,
                               .alone = count.alone,
                               .range = k->key.range ? injection.ranges[k->key.range - 1].name : NULL};
  memcpy(seen.launch.grid, k->key.grid, sizeof seen.launch.grid);
  memcpy(seen.launch.block, k->key.block, sizeof seen.launch.block);
  memcpy(seen.launch.cluster, k->cluster, sizeof seen.launch.cluster);
  attach_record_print(t, RECORD_KERNEL, &seen);
  if (k->n_samples)
    attach_record_print(t, RECORD_SAMPLES, &(struct times_record){k->samples_ns, k->n_samples});
  counters_print(t, k);
}

static void print_process(struct text *t) {
  text_add(t, RECORDS_FIRST "\n");
  attach_record_print(t, RECORD_PROCESS,
                      &(struct process_record){.pid = injection.pid,
                                               .launcher = (char *)injection.launched.launcher,
                                               .rank = injection.launched.rank,
                                               .size = injection.launched.size,
                                               .local_rank = injection.launched.local_rank,
                                               .host = injection.host});
  attach_record_print(t, RECORD_FOLDERS, &(struct folders_record){injection.work, injection.program});
  if (injection.pass_set.sets)
    attach_record_print(t, RECORD_PASS_SET, &injection.pass_set);
  for (int i = 0; i < RECORD_DEVICES; i++)
    if (injection.uuids[i])
      attach_record_print(t, RECORD_DEVICE, &(struct device_record){i, injection.uuids[i]});
}

/* False: there is no such kernel. */
static bool print_kernel_at(struct text *t, size_t i) {
  pthread_mutex_lock(&injection.lock);
  bool any = i < injection.n_kernels;
  if (any && injection.kernels[i].launches)
    print_kernel(t, &injection.kernels[i]);
  pthread_mutex_unlock(&injection.lock);
  return any;
}

static void print_sums(struct text *t, bool complete) {
  attach_record_print(t, RECORD_TOTALS,
                      &(struct totals_record){.launches = injection.launches,
                                              .beyond = injection.beyond,
                                              .total_ns = injection.total_ns,
                                              .beyond_ns = injection.beyond_ns});
  attach_record_print(t, RECORD_GAPS, &injection.gaps);
  samples_print(t);
  for (size_t i = 0; i < injection.n_ranges; i++) {
    struct range_record range = counters_of_range(i);
    attach_record_print(t, RECORD_RANGE, &range);
  }
  for (size_t i = 0; i < injection.n_notes; i++)
    attach_record_print(t, RECORD_NOTE, &(struct note_record){injection.notes[i]});
  attach_record_print(t, RECORD_END, &(struct end_record){complete ? RECORD_COMPLETE : "going on"});
}

/* A launch of the program may wait for the lock: a program of 80 kernels has 20 ms to print, and
 * is not to wait for all of it.  What is summed over the kernels comes after them, so that they
 * are never more than it. */
static bool print_all(struct text *t, bool complete) {
  pthread_mutex_lock(&injection.lock);
  bool due = injection.dirty || complete;
  injection.dirty = false;
  if (due)
    print_process(t);
  pthread_mutex_unlock(&injection.lock);
  for (size_t i = 0; due && print_kernel_at(t, i); i++)
    ;
  pthread_mutex_lock(&injection.lock);
  if (due)
    print_sums(t, complete);
  pthread_mutex_unlock(&injection.lock);
  return due;
}

void records_write(bool complete) {
  static pthread_mutex_t one_writer = PTHREAD_MUTEX_INITIALIZER;
  struct text t = {0};
  pthread_mutex_lock(&one_writer);
  counters_gather();
  bool due = print_all(&t, complete);
  char *path = due && text_ok(&t) ? str_printf("%s/%ld.part", injection.folder, (long)injection.pid) : NULL;
  sigset_t before;
  file_limit_hold(&before);
  if (path)
    file_write(path, t.s, t.n, NULL); /* what fails once is tried again */
  file_limit_release(&before);
  pthread_mutex_unlock(&one_writer);
  free(path);
  text_release(&t);
}
