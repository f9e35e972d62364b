/* NVTX ranges: the program's NVTX loads this library too (NVTX_INJECTION64_PATH) and calls what is put into its tables.
 *
 * The tables' layout, ids and the attributes of an event are NVTX 3's, from nvtxDetail/nvtxTypes.h and nvToolsExt.h, which give the layout only together with
 * NVTX's own implementation; tests/cli/attach_ranges.sh comes here through them.
 */
#include "profiler/inject/inject.h"

#include <stdatomic.h>
#include <string.h>

typedef void (*nvtx_function)(void);

enum { TABLE_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };
enum { CORE_PUSH_EX = 8, CORE_PUSH_A = 9, CORE_PUSH_W = 10, CORE_POP = 11, CORE2_PUSH_EX = 4, CORE2_POP = 5 };
enum { MESSAGE_ASCII = 1, DEPTH_MAX = 32, NO_RANGE = -1 };

struct nvtx_callbacks {
  size_t bytes;
  int (*module_functions)(int module, nvtx_function ***table, unsigned *n);
};

struct nvtx_event {
  uint16_t version, bytes;
  uint32_t category;
  int32_t colour_type;
  uint32_t colour;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
};

static __thread int stack[DEPTH_MAX];
static __thread int depth; /* may be more than the stack holds */

static atomic_bool in_use;

bool nvtx_in_use(void) {
  return atomic_load(&in_use);
}

static int range_of(const char *name) {
  int found = NO_RANGE;
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < injection.n_ranges && found < 0; i++)
    found = strcmp(injection.ranges[i].name, name) == 0 ? (int)i : NO_RANGE;
  if (found < 0 && injection.n_ranges < RANGES_MAX) {
    char *copy = str_copy(name);
    if (copy) {
      found = (int)injection.n_ranges;
      injection.ranges[injection.n_ranges++] = (struct range){.name = copy};
    }
  }
  pthread_mutex_unlock(&injection.lock);
  return found;
}

static int push(const char *name) {
  if (depth >= 0 && depth < DEPTH_MAX)
    stack[depth] = name ? range_of(name) : NO_RANGE;
  return depth++;
}

static int push_ascii(const char *name) {
  return push(name);
}

static int push_wide(const wchar_t *name) {
  char narrow[128];
  size_t n = 0;
  for (; name && name[n] && n < sizeof narrow - 1; n++)
    narrow[n] = name[n] < 128 ? (char)name[n] : '?';
  narrow[n] = 0;
  return push(narrow);
}

static int push_event(const struct nvtx_event *event) {
  return push(event && event->message_type == MESSAGE_ASCII ? event->message : NULL);
}

static int push_domain(void *domain, const struct nvtx_event *event) {
  (void)domain;
  return push_event(event);
}

static int pop(void) {
  return depth > 0 ? --depth : -1;
}

static int pop_domain(void *domain) {
  (void)domain;
  return pop();
}

static int top(void) {
  return depth < DEPTH_MAX ? depth : DEPTH_MAX;
}

int nvtx_current(void) {
  return depth > 0 ? stack[top() - 1] : NO_RANGE;
}

bool nvtx_within(const char *name) {
  bool found = false;
  pthread_mutex_lock(&injection.lock);
  for (int i = 0; i < top() && !found; i++)
    found = stack[i] >= 0 && strcmp(injection.ranges[stack[i]].name, name) == 0;
  pthread_mutex_unlock(&injection.lock);
  return found;
}

static void put(nvtx_function **table, unsigned n, unsigned id, nvtx_function function) {
  if (id < n && table[id])
    *table[id] = function;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t id));
int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t id)) {
  const struct nvtx_callbacks *c = export_table(TABLE_CALLBACKS);
  nvtx_function **table = NULL;
  unsigned n = 0;
  atomic_store(&in_use, true);
  launches_watch();
  if (!c || c->bytes < sizeof *c || !c->module_functions)
    return 0;
  if (c->module_functions(MODULE_CORE, &table, &n) && table) {
    put(table, n, CORE_PUSH_EX, (nvtx_function)push_event);
    put(table, n, CORE_PUSH_A, (nvtx_function)push_ascii);
    put(table, n, CORE_PUSH_W, (nvtx_function)push_wide);
    put(table, n, CORE_POP, (nvtx_function)pop);
  }
  if (c->module_functions(MODULE_CORE2, &table, &n) && table) {
    put(table, n, CORE2_PUSH_EX, (nvtx_function)push_domain);
    put(table, n, CORE2_POP, (nvtx_function)pop_domain);
  }
  return 1;
}
