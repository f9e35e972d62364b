/* What every file of the injected library shares; it calls none of them. */
#include "profiler/attach/inside/inject.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct injection injection = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const atomic_bool *own_page; /* true in this process, and wiped in a child; NULL: the kernel cannot wipe pages */

void process_begin(void) {
  size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED && madvise(page, bytes, MADV_WIPEONFORK) == 0) {
    atomic_store((atomic_bool *)page, true);
    own_page = page;
  }
  injection.pid = getpid();
}

bool process_is_child(void) {
  if (!injection.pid)
    return false;
  return own_page ? !atomic_load_explicit(own_page, memory_order_relaxed) : injection.pid != getpid();
}

void inject_note_locked(const char *sentence) {
  for (size_t i = 0; i < injection.n_notes; i++)
    if (strcmp(injection.notes[i], sentence) == 0)
      return;
  char *copy = injection.n_notes < NOTES_MAX ? str_copy(sentence) : NULL;
  if (copy) {
    injection.notes[injection.n_notes++] = copy;
    injection.dirty = true;
  }
}

void inject_note(const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  pthread_mutex_lock(&injection.lock);
  inject_note_locked(sentence);
  pthread_mutex_unlock(&injection.lock);
}

bool thread_begin(void *(*run)(void *), void *context) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t others, before;
  pthread_t thread;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    sigdelset(&others, own[i]);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  bool begun = pthread_create(&thread, NULL, run, context) == 0;
  if (begun)
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return begun;
}

void file_limit_hold(sigset_t *before) {
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, before);
}

/* A write beyond the limit has left its signal pending. */
void file_limit_release(const sigset_t *before) {
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  while (!sigismember(before, SIGXFSZ) && sigtimedwait(&limit, NULL, &(struct timespec){0}) > 0)
    ;
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

CUresult gpu_wait(void) {
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (injection.exchange_capture_mode)
    injection.exchange_capture_mode(&mode);
  CUresult result = injection.driver.cuCtxSynchronize();
  if (injection.exchange_capture_mode)
    injection.exchange_capture_mode(&mode);
  return result;
}
