/* The code that the program loads, kept in files: the parent disassembles the kernels that matter once the program has ended. */
#include "profiler/inject/inject.h"

#include <stdio.h>
#include <stdlib.h>

/* Libraries hold hundreds of MB of code; CUDA loads it lazily, so that what comes here is little more than what runs. */
static const size_t module_max = (size_t)256 << 20, all_max = (size_t)1 << 30;

void module_keep(const void *cubin, size_t bytes) {
  pthread_mutex_lock(&injection.lock);
  bool room = bytes && bytes <= module_max && injection.module_bytes + bytes <= all_max;
  size_t number = injection.modules;
  if (room) {
    injection.modules++;
    injection.module_bytes += bytes;
  } else if (bytes) {
    inject_note_locked(
        "the program loads more than 1 GB of code, of which the rest was not kept: some kernels have no SASS");
  }
  pthread_mutex_unlock(&injection.lock);
  char *path = room ? str_printf("%s/%ld.%zu.cubin", injection.folder, (long)injection.pid, number) : NULL;
  FILE *file = path ? fopen(path, "wbe") : NULL;
  if (file) {
    bool whole = fwrite(cubin, 1, bytes, file) == bytes;
    if (fclose(file) || !whole) {
      remove(path);
      inject_note("%s could not be written: some kernels have no SASS", path);
    }
  }
  free(path);
}
