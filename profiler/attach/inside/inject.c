/* The entry, the callbacks and the end. */
#include "profiler/attach/inside/counting.h"
#include "profiler/attach/inside/pc_samples.h"

#include "base/clock.h"
#include "base/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cupti_driver_cbid.h>

/* The parameters of two driver calls as a callback is shown them: CUPTI's generated_cuda_meta.h, which needs all of CUDA's headers, old types
 * included. */
struct launch_kernel_params {
  CUfunction f;
  unsigned grid[3], block[3], smem_dynamic;
  CUstream stream;
};
struct launch_kernel_ex_params {
  const CUlaunchConfig *config;
  CUfunction f;
};

/* --- callbacks --- */

static void see_context(CUcontext context) {
  CUdevice device;
  CUuuid uuid;
  int major = 0, minor = 0;
  (void)context;
  if (!injection.driver.cuDeviceGet)
    return;
  if (injection.driver.cuDeviceGet(&device, 0) == CUDA_SUCCESS) {
    injection.driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    injection.driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    ahead_begin(10 * major + minor);
  }
  for (int i = 0; i < RECORD_DEVICES; i++) {
    if (injection.driver.cuDeviceGet(&device, i) || injection.driver.cuDeviceGetUuid_v2(&uuid, device))
      return;
    char text[GPU_UUID_BYTES];
    gpu_uuid_text(text, &uuid);
    pthread_mutex_lock(&injection.lock);
    if (!injection.uuids[i])
      injection.uuids[i] = str_copy(text);
    pthread_mutex_unlock(&injection.lock);
  }
}

static void see_resource(CUpti_CallbackId id, const CUpti_ResourceData *data) {
  if (id == CUPTI_CBID_RESOURCE_CONTEXT_CREATED) {
    see_context(data->context);
  } else if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    samples_context_gone(data->context);
    counters_context_gone(data->context);
  } else if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED && data->resourceDescriptor) {
    const CUpti_ModuleResourceData *m = data->resourceDescriptor;
    module_keep(m->pCubin, m->cubinSize);
  }
}

static bool launch_read(CUpti_CallbackId id, const CUpti_CallbackData *data, struct kernel_key *key, CUfunction *f,
                        CUstream *stream) {
  key->name = data->symbolName ? data->symbolName : "(no name)";
  if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx || id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
    const struct launch_kernel_ex_params *p = data->functionParams;
    const CUlaunchConfig *c = p->config;
    if (!c)
      return false;
    memcpy(key->grid, (unsigned[]){c->gridDimX, c->gridDimY, c->gridDimZ}, sizeof key->grid);
    memcpy(key->block, (unsigned[]){c->blockDimX, c->blockDimY, c->blockDimZ}, sizeof key->block);
    key->smem_dynamic = c->sharedMemBytes;
    *f = p->f;
    *stream = c->hStream;
    return true;
  }
  /* cuLaunchCooperativeKernel's parameters are the same down to the stream. */
  const struct launch_kernel_params *p = data->functionParams;
  memcpy(key->grid, p->grid, sizeof key->grid);
  memcpy(key->block, p->block, sizeof key->block);
  key->smem_dynamic = p->smem_dynamic;
  *f = p->f;
  *stream = p->stream;
  return true;
}

static void see_graph(const CUpti_CallbackData *data) {
  int16_t ranges[NVTX_RANGES];
  samples_launch(data->context, false, false);
  if (nvtx_current(ranges))
    pending_add(data->correlationId, ranges, true);
}

#define DRIVER(call) CUPTI_DRIVER_TRACE_CBID_##call

static const CUpti_CallbackId launches[] =
    {DRIVER(cuLaunchKernel),        DRIVER(cuLaunchKernel_ptsz),       DRIVER(cuLaunchKernelEx),
     DRIVER(cuLaunchKernelEx_ptsz), DRIVER(cuLaunchCooperativeKernel), DRIVER(cuLaunchCooperativeKernel_ptsz),
     DRIVER(cuGraphLaunch),         DRIVER(cuGraphLaunch_ptsz)},
                              changes[] = {DRIVER(cuModuleUnload),     DRIVER(cuLibraryUnload),
                                           DRIVER(cuModuleLoad),       DRIVER(cuModuleLoadData),
                                           DRIVER(cuModuleLoadDataEx), DRIVER(cuModuleLoadFatBinary),
                                           DRIVER(cuLibraryLoadData),  DRIVER(cuLibraryLoadFromFile)},
                              /* Those that may load code, as launches may: CUDA loads it as late as it can. */
    loads[] = {DRIVER(cuModuleGetFunction),
               DRIVER(cuModuleGetGlobal_v2),
               DRIVER(cuLibraryGetModule),
               DRIVER(cuLibraryGetGlobal),
               DRIVER(cuLibraryGetManaged),
               DRIVER(cuKernelGetFunction),
               DRIVER(cuKernelGetAttribute),
               DRIVER(cuKernelSetAttribute),
               DRIVER(cuFuncGetAttribute),
               DRIVER(cuFuncSetAttribute),
               DRIVER(cuFuncLoad),
               DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor),
               DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
               DRIVER(cuGraphInstantiate),
               DRIVER(cuGraphInstantiate_v2),
               DRIVER(cuGraphInstantiateWithFlags),
               DRIVER(cuGraphInstantiateWithParams),
               DRIVER(cuGraphInstantiateWithParams_ptsz),
               DRIVER(cuGraphUpload),
               DRIVER(cuGraphUpload_ptsz)};
enum { LAUNCHES = sizeof launches / sizeof launches[0], CHANGES = sizeof changes / sizeof changes[0] };
enum { LOADS = sizeof loads / sizeof loads[0], UNLOADS = 2, CHANGE_TRIES = 4 }; /* UNLOADS: of changes, the first */

static bool is_one_of(CUpti_CallbackId id, const CUpti_CallbackId *ids, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (ids[i] == id)
      return true;
  return false;
}

static void see_launch(CUpti_CallbackId id, const CUpti_CallbackData *data) {
  struct kernel_key key = {0};
  CUfunction function = NULL;
  CUstream stream = NULL;
  if (id == DRIVER(cuGraphLaunch) || id == DRIVER(cuGraphLaunch_ptsz))
    see_graph(data);
  else if (launch_read(id, data, &key, &function, &stream))
    counters_launch(data, &key, function, stream);
}

/* Sampling may have begun while the thread waited to enter. */
static void enter_change(bool unloads) {
  int tries = 0;
  if (!unloads && code_is_alone()) {
    code_enter();
    return;
  }
  do {
    if (tries)
      code_leave();
    samples_code_changes(unloads);
    code_enter();
  } while (samples_going() && ++tries < CHANGE_TRIES);
}

/* The thread's launch, for the profiler: it does not run as it would by itself. */
static _Thread_local bool waits;

/* Where launches are sampled to be counted, they begin to be at any of them. */
static bool launches_are_disturbed(void) {
  return counters_open() || (samples_going() && !injection.samples_all);
}

static void launch_left(const CUpti_CallbackData *data) {
  waits = counters_launched() || waits || launches_are_disturbed();
  if (!waits)
    return;
  pthread_mutex_lock(&injection.lock);
  gaps_mark(data->correlationId);
  pthread_mutex_unlock(&injection.lock);
}

/* Whatever the profiler itself does at a call it does before the thread counts as one that may load
 * code, or after. */
static void see_driver(CUpti_CallbackId id, const CUpti_CallbackData *data) {
  bool launch = is_one_of(id, launches, LAUNCHES), unloads = is_one_of(id, changes, UNLOADS),
       alone = code_is_alone() && !unloads;
  if (data->callbackSite == CUPTI_API_ENTER) {
    if (launch) {
      waits = launches_are_disturbed();
      see_launch(id, data);
    }
    if (samples_may_go() && is_one_of(id, changes, CHANGES))
      enter_change(unloads);
    else if (samples_may_go())
      code_enter();
    return;
  }
  if (!alone && is_one_of(id, changes, CHANGES))
    samples_code_changed();
  code_leave();
  if (launch)
    launch_left(data);
}

static void CUPTIAPI callback(void *context, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
  (void)context;
  if (process_is_child())
    return;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE)
    see_resource(id, data);
  else if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
    see_driver(id, data);
}

/* --- other owners of CUPTI in the program, as far as they can be told from outside --- */

static int is_proton(struct dl_phdr_info *info, size_t size, void *found) {
  const char *slash = strrchr(info->dlpi_name, '/');
  (void)size;
  *(bool *)found = *(bool *)found || strcmp(slash ? slash + 1 : info->dlpi_name, "libproton.so") == 0;
  return 0;
}

static void others_note(void) {
  bool proton = false;
  dl_iterate_phdr(is_proton, &proton);
  if (proton)
    inject_note(
        "the program has loaded Proton (triton.profiler), and CUPTI has one subscriber per process: under attach proton.start "
        "raises a RuntimeError (cuptiSubscribe, error 39); run the program without Proton, or Proton without attach");
}

/* --- start and end --- */

enum { WINDOW_USUAL = 200 };

static pthread_mutex_t flushing = PTHREAD_MUTEX_INITIALIZER; /* held while the thread takes what has ended */

static void at_exit(void) {
  static atomic_flag ended = ATOMIC_FLAG_INIT;
  if (process_is_child() || atomic_flag_test_and_set(&ended))
    return;
  ahead_end();
  others_note();
  samples_end();
  counters_end();
  struct timespec limit = clock_limit_in(2000);
  pthread_mutex_timedlock(&flushing, &limit); /* never unlocked: the thread's work is done */
  activity_flush(true);
  counters_sum_up();
  records_write(true);
}

/* The end of the process, early, for one that reads its own run (python/nvfp4_prof). */
__attribute__((visibility("default"))) void nvfp4_attach_finish(void);
void nvfp4_attach_finish(void) {
  if (!process_is_child() && injection.driver.cuCtxSynchronize)
    gpu_wait();
  at_exit();
}

static struct {
  pthread_mutex_t lock; /* taken before the lock of the injection; no callback takes it */
  bool possible, on;    /* possible: this library is CUPTI's subscriber */
  bool code;            /* calls that load and unload code call back, too */
} watching = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The lock is held. */
static void call_back(bool on, const CUpti_CallbackId *ids, size_t n) {
  for (size_t i = 0; i < n; i++)
    injection.enable(on, injection.subscriber, CUPTI_CB_DOMAIN_DRIVER_API, ids[i]);
}

/* As long as samples may be taken; the lock is held. */
static void code_watch(void) {
  bool wanted = watching.possible && (injection.top || injection.samples_all) && samples_may_go();
  if (wanted == watching.code)
    return;
  call_back(wanted, loads, LOADS);
  call_back(wanted, changes, CHANGES);
  watching.code = wanted;
}

static void launches_watch(void) {
  if (!injection.pid || process_is_child()) /* before CUDA, or in a child */
    return;
  pthread_mutex_lock(&watching.lock);
  /* Asked for its effect, too: launches that are watched for ranges alone cost less. */
  bool counts = injection.top && !counters_settled(), samples = injection.samples_all && samples_may_go();
  bool wanted = watching.possible && (nvtx_in_use() || counts || samples);
  if (wanted != watching.on)
    call_back(wanted, launches, LAUNCHES);
  watching.on = wanted;
  code_watch();
  pthread_mutex_unlock(&watching.lock);
}

/* Where the first thread has ended by pthread_exit, this one must not be the last. */
static bool is_last_thread(void) {
  char stat[512];
  size_t threads = 0;
  FILE *file = fopen("/proc/self/stat", "re");
  size_t n = file ? fread(stat, 1, sizeof stat - 1, file) : 0;
  if (file)
    fclose(file);
  stat[n] = 0;
  const char *name_end = strrchr(stat, ')');
  if (!name_end || strncmp(name_end, ") Z", 3) != 0)
    return false;
  DIR *d = opendir("/proc/self/task");
  for (struct dirent *entry; d && (entry = readdir(d));)
    threads += entry->d_name[0] != '.';
  if (d)
    closedir(d);
  return threads == 2 + samples_threads(); /* the first, which has ended, and this library's */
}

/* Hands over what has ended and writes it, often at first, since a short program may be killed, then ever more seldom: a kill costs a tenth of the
 * time that the program had, and the parent knows by then which kernels to disassemble. */
static void *flush_forever(void *context) {
  (void)context;
  static const long least_ms = 100, most_ms = 2000;
  long start_ms = (long)(clock_now_ns() / 1000000), wait_ms = least_ms;
  for (;; wait_ms = ((long)(clock_now_ns() / 1000000) - start_ms) / 10) {
    wait_ms = wait_ms < least_ms ? least_ms : wait_ms > most_ms ? most_ms : wait_ms;
    nanosleep(&(struct timespec){.tv_sec = wait_ms / 1000, .tv_nsec = wait_ms % 1000 * 1000000}, NULL);
    if (is_last_thread()) {
      samples_end(); /* and with them their thread */
      return NULL;   /* the last one's return ends the process, by exit */
    }
    pthread_mutex_lock(&flushing);
    activity_flush(false);
    records_write(false);
    launches_watch();
    pthread_mutex_unlock(&flushing);
  }
}

static uint64_t setting(const char *name, uint64_t fallback) {
  const char *value = getenv(name);
  return value && *value ? strtoull(value, NULL, 10) : fallback;
}

/* How long the process has run: it may have computed for seconds before CUDA starts. */
static double process_age_s(void) {
  char *text = NULL;
  size_t n;
  struct timespec now;
  double started = 0;
  const char *after = file_read("/proc/self/stat", 4096, &text, &n, NULL) == 0 ? strrchr(text, ')') : NULL;
  for (int field = 2; after && field < 22;
       field++) /* the start, in ticks since the machine's, is the 22nd; the name is the second */
    after = strchr(after + 1, ' ');
  if (after)
    started = strtod(after, NULL) / (double)sysconf(_SC_CLK_TCK);
  free(text);
  return after && clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - started
                                                           : 0;
}

/* A program with one prepares for long at run time: compilers try kernels, frameworks fill their weights. */
static bool has_interpreter(void) {
  return dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL;
}

static void focus_read_settings(void) {
  const char *overhead = getenv("NVFP4_ATTACH_OVERHEAD"), *window = getenv("NVFP4_ATTACH_WINDOW");
  bool named = injection.kernel_pattern || injection.nvtx || injection.chosen_file;
  struct focus_settings set = {
      .coverage = 0.01 * (double)setting("NVFP4_ATTACH_COVERAGE", 90),
      .overhead = overhead && *overhead ? 0.01 * strtod(overhead, NULL) : INFINITY,
      .start_s = clock_now_s() - process_age_s(),
      .window = setting("NVFP4_ATTACH_WINDOW", WINDOW_USUAL),
      .count = setting("NVFP4_ATTACH_COUNT", 0),
      .top = injection.top,
      .settle = !(window && *window) && !named,
      .brisk = !has_interpreter() && injection.launched.size <= 1,
      .in_step = injection.launched.size > 1,
      .named = named,
      .unknown = named,
  };
  focus_start(&injection.focus, &set, injection.focus.kernels);
}

/* Ranks choose without a word to each other. */
static void pass_set_choose(void) {
  const struct launched_rank *r = &injection.launched;
  injection.pass_set = pass_set_of_rank(r->rank, r->size);
  if (!injection.pass_set.sets)
    inject_note("--split-passes: %s: all counters are collected here",
                r->launcher && r->size < 0 ? "the launcher does not say how many ranks there are"
                                           : "the process is not one of several ranks");
}

static void read_settings(void) {
  const char *folder = getenv("NVFP4_ATTACH_DIR"), *pattern = getenv("NVFP4_ATTACH_KERNEL"),
             *nvtx = getenv("NVFP4_ATTACH_NVTX"), *chosen = getenv("NVFP4_ATTACH_CHOSEN");
  injection.folder = folder && *folder ? str_copy(folder) : NULL; /* the program may change its environment */
  injection.nvtx = nvtx && *nvtx ? str_copy(nvtx) : NULL;
  injection.kernel_pattern = pattern && *pattern ? str_copy(pattern) : NULL;
  if (injection.kernel_pattern && regcomp(&injection.kernel_regex, injection.kernel_pattern, REG_EXTENDED | REG_NOSUB))
    injection.kernel_pattern = NULL; /* the parent has checked it */
  injection.skip = setting("NVFP4_ATTACH_SKIP", 0);
  injection.top = (long)setting("NVFP4_ATTACH_TOP", LONG_MAX);
  injection.sampling_exponent = (uint32_t)setting("NVFP4_ATTACH_SAMPLING", 0);
  injection.samples_all = injection.sampling_exponent && setting("NVFP4_ATTACH_SAMPLE_ALL", 0);
  injection.replay = setting("NVFP4_ATTACH_REPLAY", 0) != 0;
  injection.by_range = setting("NVFP4_ATTACH_BY_RANGE", 0) != 0;
  injection.chosen_file = chosen && *chosen ? str_copy(chosen) : NULL;
  injection.launched = launched_rank_of(environ ? environ : (char *[]){NULL});
  focus_read_settings();
  if (setting("NVFP4_ATTACH_SPLIT", 0))
    pass_set_choose();
  if (gethostname(injection.host, sizeof injection.host - 1)) /* a longer name is none */
    injection.host[0] = 0;
  if (!getcwd(injection.work, sizeof injection.work))
    injection.work[0] = 0;
  if (readlink("/proc/self/exe", injection.program, sizeof injection.program - 1) < 0)
    injection.program[0] = 0;
  /* NVTX starts with the program's first range, maybe before CUDA, and needs its own variable. */
  if (!setting("NVFP4_ATTACH_FOLLOW", 0))
    unsetenv("CUDA_INJECTION64_PATH");
}

static void *symbol_of(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  return handle ? dlsym(handle, name) : NULL;
}

/* CUPTI has one subscriber a process: where another came first, activity still records kernels. */
static void subscribe(void) {
  const struct cupti *c = &injection.cupti;
  __typeof__(&cuptiSubscribe) start;
  void *address[] = {symbol_of(c->path, "cuptiSubscribe"), symbol_of(c->path, "cuptiEnableCallback"),
                     symbol_of(c->path, "cuptiUnsubscribe")};
  memcpy(&start, &address[0], sizeof start);
  memcpy(&injection.enable, &address[1], sizeof injection.enable);
  memcpy(&injection.unsubscribe, &address[2], sizeof injection.unsubscribe);
  if (!start || !injection.enable) {
    inject_note("%s has no callbacks: no counters and no SASS", c->path);
    return;
  }
  struct err e = {0};
  if (cupti_check(c, start(&injection.subscriber, callback, NULL), "cuptiSubscribe", &e)) {
    inject_note(
        "another profiler in the program holds CUPTI's callbacks (PyTorch's profiler, Proton, Nsight): no counters "
        "and no SASS; run the program without it: %s",
        e.text);
    return;
  }
  static const CUpti_CallbackId resources[] = {CUPTI_CBID_RESOURCE_CONTEXT_CREATED, CUPTI_CBID_RESOURCE_MODULE_LOADED,
                                               CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING};
  for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++)
    injection.enable(1, injection.subscriber, CUPTI_CB_DOMAIN_RESOURCE, resources[i]);
  pthread_mutex_lock(&watching.lock);
  watching.possible = true;
  pthread_mutex_unlock(&watching.lock);
  launches_watch();
}

static void load_driver(void) {
  struct err e = {0};
  if (driver_load(&injection.driver, &e)) {
    inject_note("no counters: %s", e.text);
    injection.top = 0;
    injection.samples_all = false;
    return;
  }
  void *capturing = symbol_of(injection.driver.path, "cuStreamIsCapturing"),
       *exchange = symbol_of(injection.driver.path, "cuThreadExchangeStreamCaptureMode"),
       *device = symbol_of(injection.driver.path, "cuCtxGetDevice");
  memcpy(&injection.stream_is_capturing, &capturing, sizeof capturing);
  memcpy(&injection.exchange_capture_mode, &exchange, sizeof exchange);
  memcpy(&injection.current_device, &device, sizeof device);
}

/* CUDA calls this as it starts (CUDA_INJECTION64_PATH); 1: all is well. */
__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void) {
  static int started;
  struct err e = {0};
  if (started++)
    return 1;
  injection.launches_watch = launches_watch;
  injection.records_write = records_write;
  process_begin();
  injection.focus.kernels = calloc(KERNELS_MAX, sizeof *injection.focus.kernels);
  injection.kernels = calloc(KERNELS_MAX, sizeof *injection.kernels);
  injection.pending = calloc(PENDING_MAX, sizeof *injection.pending);
  read_settings();
  if (!injection.folder || !injection.kernels || !injection.pending || !injection.focus.kernels)
    return 1;
  records_keep_earlier();
  if (injection.chosen_file)
    chosen_read(injection.chosen_file);
  if (cupti_load_alone(&injection.cupti, &e)) {
    inject_note("no kernel was recorded: %s", e.text);
  } else {
    load_driver();
    subscribe();
    injection.activity = activity_start();
  }
  atexit(at_exit);
  injection.dirty = true;
  records_write(false); /* the process is known, whatever becomes of it */
  thread_begin(flush_forever, NULL);
  return 1;
}
