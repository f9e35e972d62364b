/* A program to attach to: target LAUNCHES [exit N|segv|kill|abort|become|become-at-once|fork|forks|reset|again|wait|now|limit|thread|drop].
 * It starts its "CUDA" as a driver does, by loading the library that CUDA_INJECTION64_PATH names, then launches kernels on the fake driver, and
 * tells the fake CUPTI of them; `again` launches the second half in another context, `wait` stays for half a second, `now` ends by _exit at once and
 * `abort` by abort, `become` executes itself with 4 launches once all are written, `become-at-once` before, `limit` lets no file grow beyond 100
 * bytes, `thread` launches in a second thread once the first has ended, `drop` gives up root's rights, and `forks` has children that push a range
 * each while a thread does nothing else.
 * TARGET_CUPTI: the fake CUPTI, where NVFP4_LIBCUPTI does not name it.
 * TARGET_CUBIN: files of code that it loads first, a colon between; TARGET_LIBRARY: a library that it loads.  TARGET_BIG: what the kernel "big" is
 * called; TARGET_BIG_UNTIL: from that launch on there is none of it.  TARGET_STEP: what it launches instead, LAUNCHES times, as NAME:BLOCKS:TIMES, a comma
 * between.
 *
 * TARGET_RANGES: what it does with NVTX 3, a comma between: AT+NAME pushes a range before launch AT (from 0; -1: before CUDA), AT- pops one, AT~ waits for
 * half a second.  TARGET_PUSH: by which functions, ascii (nvtxRangePushA), wide, event or domain, or which names they are given, wide-event, registered or
 * wide-registered; started, started-wide, started-event and started-domain by nvtxRangeStart.  A name that begins with ! is one of the domain "LIB".  TARGET_WORKER: another
 * thread launches.  TARGET_GRAPH: so many launches come from a graph at a time, of which the library is told once. */
#include "fake/fake.h"

#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static size_t address_of(const char *library, const char *name) {
  void *handle = library ? dlopen(library, RTLD_NOW) : NULL;
  return handle ? (size_t)dlsym(handle, name) : 0; /* a function's address comes as data */
}

static size_t told(const char *name) {
  const char *cupti = getenv("TARGET_CUPTI");
  return address_of(cupti ? cupti : getenv("NVFP4_LIBCUPTI"), name);
}

static void cuda_start(void) {
  size_t address = address_of(getenv("CUDA_INJECTION64_PATH"), "InitializeInjection");
  if (address)
    ((int (*)(void))address)();
  size_t made = told("fake_tell_context_made");
  if (made)
    ((__typeof__(&fake_tell_context_made))made)();
}

/* CUPTI is told of what the driver does; where there is none, nobody is. */
static void load_code(void) {
  static char code[1 << 20];
  char *paths = getenv("TARGET_CUBIN");
  size_t tell = told("fake_tell_module");
  for (char *path; paths && tell && (path = strsep(&paths, ":"));) {
    FILE *file = fopen(path, "rbe");
    size_t n = file ? fread(code, 1, sizeof code, file) : 0;
    if (n)
      ((__typeof__(&fake_tell_module))tell)(code, n);
    if (file)
      fclose(file);
  }
}

static nvtxRangeId_t started[8]; /* what ranges were started, as a stack */
static size_t n_started;

/* False: it is not by a start. */
static bool range_start(const char *by, const char *name) {
  wchar_t wide[32];
  nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                 .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                 .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                 .message = {.ascii = name}};
  if (strncmp(by, "started", 7) != 0)
    return false;
  swprintf(wide, sizeof wide / sizeof wide[0], L"%s", name);
  started[n_started++] = strcmp(by, "started-wide") == 0     ? nvtxRangeStartW(wide)
                         : strcmp(by, "started-event") == 0  ? nvtxRangeStartEx(&event)
                         : strcmp(by, "started-domain") == 0 ? nvtxDomainRangeStartEx(NULL, &event)
                                                             : nvtxRangeStartA(name);
  return true;
}

/* The domain "LIB", whose ranges have a stack of their own. */
static nvtxDomainHandle_t library(void) {
  static nvtxDomainHandle_t made;
  return made ? made : (made = nvtxDomainCreateA("LIB"));
}

static void range_push(const char *by, const char *name) {
  if (range_start(by, name))
    return;
  wchar_t wide[32];
  nvtxEventAttributes_t event = {.version = NVTX_VERSION,
                                 .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                 .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                 .message = {.ascii = name}};
  if (*by == 'w') /* swprintf holds a lock that a forked child would wait for */
    swprintf(wide, sizeof wide / sizeof wide[0], L"%s", name);
  if (strcmp(by, "registered") == 0 || strcmp(by, "wide-registered") == 0) {
    event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    event.message.registered =
        *by == 'w' ? nvtxDomainRegisterStringW(NULL, wide) : nvtxDomainRegisterStringA(NULL, name);
  } else if (strcmp(by, "wide-event") == 0) {
    event.messageType = NVTX_MESSAGE_TYPE_UNICODE;
    event.message.unicode = wide;
  }
  if (*name == '!') { /* whatever is said: in the library's domain */
    event.message.ascii = name + 1;
    nvtxDomainRangePushEx(library(), &event);
  } else if (strcmp(by, "wide") == 0)
    nvtxRangePushW(wide);
  else if (strcmp(by, "ascii") == 0)
    nvtxRangePushA(name);
  else if (strcmp(by, "event") == 0)
    nvtxRangePushEx(&event);
  else
    nvtxDomainRangePushEx(NULL, &event);
}

static void range_pop(const char *by, bool of_library) {
  if (n_started) {
    nvtxRangeEnd(started[--n_started]);
    return;
  }
  if (of_library)
    nvtxDomainRangePop(library());
  else if (strcmp(by, "ascii") == 0 || strcmp(by, "wide") == 0 || strcmp(by, "event") == 0)
    nvtxRangePop();
  else
    nvtxDomainRangePop(NULL);
}

static void ranges_at(long launch) {
  static char *rest;
  char *by = getenv("TARGET_PUSH"), *what, name[32];
  rest = rest ? rest : getenv("TARGET_RANGES");
  while (rest && *rest && strtol(rest, &what, 10) <= launch) {
    rest = what + strcspn(what, ",");
    snprintf(name, sizeof name, "%.*s", (int)(rest - what - 1), what + 1);
    if (*what == '+')
      range_push(by ? by : "ascii", name);
    else if (*what == '-')
      range_pop(by ? by : "ascii", what[1] == '!');
    else
      usleep(500000);
    rest += *rest == ',';
  }
}

struct launched {
  const char *name;
  unsigned blocks;
};

static void launch_here(const char *name, unsigned blocks) {
  static size_t launch, tell;
  launch = launch ? launch : address_of(getenv("NVFP4_LIBCUDA"), "fake_launch");
  tell = tell ? tell : told("fake_tell_launch");
  bool alone = !getenv("TARGET_GRAPH");
  if (tell && alone)
    ((__typeof__(&fake_tell_launch))tell)(name, blocks, 0);
  if (launch)
    ((__typeof__(&fake_launch))launch)(name, blocks);
  if (tell && alone)
    ((__typeof__(&fake_tell_launch))tell)(name, blocks, 1);
}

static void *launch_worker(void *launched) {
  const struct launched *l = launched;
  launch_here(l->name, l->blocks);
  return NULL;
}

static void launch_one(const char *name, unsigned blocks) {
  struct launched l = {name, blocks};
  pthread_t worker;
  if (getenv("TARGET_WORKER") && pthread_create(&worker, NULL, launch_worker, &l) == 0)
    pthread_join(worker, NULL);
  else
    launch_here(name, blocks);
}

static struct step_kernel {
  char name[128]; /* the fake driver keeps its address */
  unsigned blocks;
  int times;
} kernels[64];

static void launch_steps(long steps, char *step) {
  size_t n = 0;
  long launch = 0;
  for (char *one; n < 64 && (one = strsep(&step, ","));)
    n += sscanf(one, "%127[^:]:%u:%d", kernels[n].name, &kernels[n].blocks, &kernels[n].times) == 3;
  for (long i = 0; i < steps; i++)
    for (size_t k = 0; k < n; k++)
      for (int t = 0; t < kernels[k].times; t++) {
        ranges_at(launch++);
        launch_one(kernels[k].name, kernels[k].blocks);
      }
}

/* Tells of a graph's first launch, and of its last. */
static void graph(bool begins, bool ends) {
  size_t tell = told("fake_tell_graph"), driver = address_of(getenv("NVFP4_LIBCUDA"), "fake_graph");
  if (begins && tell && driver) {
    ((__typeof__(&fake_tell_graph))tell)(true);
    ((__typeof__(&fake_graph))driver)(true);
  }
  if (ends && tell && driver)
    ((__typeof__(&fake_graph))driver)(false);
}

static void launch_all(long launches) {
  const char *called = getenv("TARGET_BIG"), *until = getenv("TARGET_BIG_UNTIL");
  char *step = getenv("TARGET_STEP");
  if (step)
    launch_steps(launches, step);
  long in_graph = getenv("TARGET_GRAPH") ? atol(getenv("TARGET_GRAPH")) : 0;
  for (long i = 0; i < launches && !step; i++) {
    ranges_at(i);
    if (in_graph)
      graph(i % in_graph == 0, false);
    bool is_big = i % 4 == 0 && (!until || i < atol(until));
    launch_one(!is_big ? "small" : called ? called : "big", is_big ? 91 : 1);
    if (in_graph)
      graph(false, i % in_graph == in_graph - 1);
  }
}

static void *launch_later(void *launches) {
  usleep(300000); /* the first thread has ended */
  launch_all(*(long *)launches);
  return NULL;
}

/* Before the launches. */
static void change_rights(const char *how) {
  if (strcmp(how, "limit") == 0)
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){100, 100});
  if (strcmp(how, "drop") == 0 && setuid(65534))
    puts("setuid failed");
}

static void *push_for_ever(void *unused) {
  for (;;) {
    range_push("ascii", "busy");
    range_pop("ascii", false);
  }
  return unused;
}

static void fork_often(void) {
  pthread_t thread;
  range_push("ascii", "parent"); /* NVTX itself has a child wait for ever where its parent was about to load it */
  range_pop("ascii", false);
  if (pthread_create(&thread, NULL, push_for_ever, NULL))
    return;
  for (int i = 0; i < 500; i++) {
    if (fork() == 0) {
      alarm(2); /* a child that waits for a lock that nobody holds is ended, and told of below */
      range_push("ascii", "child");
      _exit(0);
    }
    int status = 0;
    wait(&status);
    if (WIFSIGNALED(status))
      puts("a child hung");
  }
}

/* Until the library has written all launches, and as many PC samples as TARGET_SAMPLES says, which it does several times a second, however busy the
 * machine is. */
static void wait_written(long launches) {
  const char *folder = getenv("NVFP4_ATTACH_DIR"), *wanted = getenv("TARGET_SAMPLES");
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld.part", folder ? folder : "", (long)getpid());
  for (int i = 0; folder && i < 6000; i++) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rbe");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    const char *totals = strstr(text, "\ntotals\t"), *sampling = strstr(text, "\nsampling\t");
    long samples = 0;
    if (file)
      fclose(file);
    if (sampling)
      sscanf(sampling, "\nsampling\t%*s%ld", &samples);
    if (totals && atol(totals + strlen("\ntotals\t")) >= launches && (!wanted || samples >= atol(wanted)))
      return;
    usleep(10000);
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
  ranges_at(-1);
  cuda_start();
  if (getenv("TARGET_LIBRARY"))
    dlopen(getenv("TARGET_LIBRARY"), RTLD_NOW);
  load_code();
  change_rights(how);
  if (strcmp(how, "thread") == 0) {
    static long later;
    pthread_t thread;
    later = launches;
    pthread_create(&thread, NULL, launch_later, &later);
    pthread_exit(NULL);
  }
  bool again = strcmp(how, "again") == 0;
  launch_all(again ? launches / 2 : launches);
  size_t gone = told("fake_tell_context_gone");
  if ((again || strcmp(how, "reset") == 0) && gone) {
    ((__typeof__(&fake_tell_context_gone))gone)();
    usleep(100000); /* a thread of the library's that still asks for its samples */
  }
  if (again)
    launch_all(launches - launches / 2);
  if (strcmp(how, "wait") == 0)
    usleep(500000);
  if (strcmp(how, "forks") == 0)
    fork_often();
  if (strcmp(how, "now") == 0)
    _exit(argc > 3 ? atoi(argv[3]) : 0);
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "become") == 0)
    wait_written(launches);
  if (strncmp(how, "become", 6) == 0)
    execl(argv[0], argv[0], "4", NULL);
  if (strcmp(how, "segv") == 0 || strcmp(how, "kill") == 0) {
    wait_written(launches);
    raise(how[0] == 's' ? SIGSEGV : SIGKILL);
  }
  return argc > 3 ? atoi(argv[3]) : 0;
}
