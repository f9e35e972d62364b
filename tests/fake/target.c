/* A program to attach to: target LAUNCHES [exit N|segv|kill|fork|reset|again|wait].  It starts its "CUDA" as a driver does, by loading the library that
 * CUDA_INJECTION64_PATH names, then launches kernels on the fake driver, and tells the fake CUPTI of them; `again` launches the second half in another
 * context, and `wait` stays for half a second.  TARGET_CUBIN: files of code that it loads first, a colon between;
 * TARGET_LIBRARY: a library that it loads.  TARGET_BIG: what the kernel "big" is called; TARGET_BIG_UNTIL: from that launch on
 * there is none of it. */
#include "fake/fake.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t address_of(const char *library, const char *name) {
  void *handle = library ? dlopen(library, RTLD_NOW) : NULL;
  return handle ? (size_t)dlsym(handle, name) : 0; /* a function's address comes as data */
}

static void cuda_start(void) {
  size_t address = address_of(getenv("CUDA_INJECTION64_PATH"), "InitializeInjection");
  if (address)
    ((int (*)(void))address)();
}

/* CUPTI is told of what the driver does; where there is none, nobody is. */
static void load_code(void) {
  static char code[1 << 20];
  char *paths = getenv("TARGET_CUBIN");
  size_t tell = address_of(getenv("NVFP4_LIBCUPTI"), "fake_tell_module");
  for (char *path; paths && tell && (path = strsep(&paths, ":"));) {
    FILE *file = fopen(path, "rbe");
    size_t n = file ? fread(code, 1, sizeof code, file) : 0;
    if (n)
      ((__typeof__(&fake_tell_module))tell)(code, n);
    if (file)
      fclose(file);
  }
}

static void launch_all(long launches) {
  size_t launch = address_of(getenv("NVFP4_LIBCUDA"), "fake_launch"),
         tell = address_of(getenv("NVFP4_LIBCUPTI"), "fake_tell_launch");
  const char *called = getenv("TARGET_BIG"), *until = getenv("TARGET_BIG_UNTIL");
  for (long i = 0; i < launches && launch; i++) {
    bool is_big = i % 4 == 0 && (!until || i < atol(until));
    const char *name = !is_big ? "small" : called ? called : "big";
    unsigned blocks = is_big ? 91 : 1;
    if (tell)
      ((__typeof__(&fake_tell_launch))tell)(name, blocks, 0);
    ((__typeof__(&fake_launch))launch)(name, blocks);
    if (tell)
      ((__typeof__(&fake_tell_launch))tell)(name, blocks, 1);
  }
}

int main(int argc, char **argv) {
  long launches = argc > 1 ? atol(argv[1]) : 0;
  const char *how = argc > 2 ? argv[2] : "exit";
  puts("the target's stdout");
  fputs("the target's stderr\n", stderr);
  fflush(stdout);
  if (strcmp(how, "fork") == 0 && fork() > 0)
    wait(NULL); /* both launch */
  cuda_start();
  if (getenv("TARGET_LIBRARY"))
    dlopen(getenv("TARGET_LIBRARY"), RTLD_NOW);
  load_code();
  bool again = strcmp(how, "again") == 0;
  launch_all(again ? launches / 2 : launches);
  size_t gone = address_of(getenv("NVFP4_LIBCUPTI"), "fake_tell_context_gone");
  if ((again || strcmp(how, "reset") == 0) && gone) {
    ((__typeof__(&fake_tell_context_gone))gone)();
    usleep(100000); /* a thread of the library's that still asks for its samples */
  }
  if (again)
    launch_all(launches - launches / 2);
  if (strcmp(how, "wait") == 0)
    usleep(500000);
  if (strcmp(how, "segv") == 0 || strcmp(how, "kill") == 0) {
    usleep(500000); /* the library writes what it has several times a second */
    raise(how[0] == 's' ? SIGSEGV : SIGKILL);
  }
  return argc > 3 ? atoi(argv[3]) : 0;
}
