/* The code that the program loads, kept in files: the parent disassembles the kernels that matter once the program has ended. */
#include "profiler/attach/inside/inject.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* Libraries hold hundreds of MB of code; CUDA loads it lazily, so that what comes here is little more than what runs. */
static const size_t module_max = (size_t)256 << 20, all_max = (size_t)1 << 30;

static struct {
  struct kept_module {
    uint64_t crc;
    size_t number;
  } * all;
  size_t n;
} kept;

long module_number(uint64_t crc) {
  for (size_t i = kept.n; i-- > 0;)
    if (kept.all[i].crc == crc)
      return (long)kept.all[i].number;
  return -1;
}

/* What CUPTI calls the code in its samples; 0 where it does not say. */
static uint64_t crc_of(const void *cubin, size_t bytes) {
  CUpti_GetCubinCrcParams p = {.size = CUpti_GetCubinCrcParamsSize, .cubinSize = bytes, .cubin = cubin};
  bool asked = injection.sampling_exponent && injection.cupti.cuptiGetCubinCrc;
  return asked && injection.cupti.cuptiGetCubinCrc(&p) == CUPTI_SUCCESS ? p.cubinCrc : 0;
}

/* Renamed into place, since the parent looks for kernels in these files while the program runs. */
static void module_write(const void *cubin, size_t bytes, size_t number) {
  sigset_t before;
  file_limit_hold(&before);
  char *path = str_printf("%s/%ld.%zu.cubin", injection.folder, (long)injection.pid, number),
       *unfinished = path ? str_printf("%s.unfinished", path) : NULL;
  FILE *file = unfinished ? fopen(unfinished, "wbe") : NULL;
  if (file) {
    bool whole = fwrite(cubin, 1, bytes, file) == bytes;
    if (fclose(file) || !whole || rename(unfinished, path)) {
      remove(unfinished);
      inject_note("%s could not be written: some kernels have no SASS", path);
    }
  }
  file_limit_release(&before);
  free(unfinished);
  free(path);
}

void module_keep(const void *cubin, size_t bytes) {
  uint64_t crc = bytes && bytes <= module_max ? crc_of(cubin, bytes) : 0;
  pthread_mutex_lock(&injection.lock);
  if (bytes)
    allocating_note(cubin, bytes);
  bool room = bytes && bytes <= module_max && injection.module_bytes + bytes <= all_max;
  size_t number = injection.modules;
  if (room) {
    injection.modules++;
    struct kept_module *k = array_add(&kept.all, &kept.n, sizeof *k);
    if (k)
      *k = (struct kept_module){crc, number};
    injection.module_bytes += bytes;
  } else if (bytes) {
    inject_note_locked("the program loads more than 1 GB of code and the rest was not kept: some kernels have no SASS");
  }
  pthread_mutex_unlock(&injection.lock);
  if (room)
    module_write(cubin, bytes, number);
}
