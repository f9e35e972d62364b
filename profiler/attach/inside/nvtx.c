/* NVTX ranges: the program's NVTX loads this library too (NVTX_INJECTION64_PATH) and calls what is put into its tables.
 *
 * The tables' layout, ids and the attributes of an event are NVTX 3's, from nvtxDetail/nvtxTypes.h and nvToolsExt.h, which give the layout only together with
 * NVTX's own implementation; tests/cli/attach_ranges.sh comes here through them.
 */
#include "profiler/attach/inside/inject.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*nvtx_function)(void);

enum { TABLE_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };
enum { CORE_PUSH_EX = 8, CORE_PUSH_A = 9, CORE_PUSH_W = 10, CORE_POP = 11 };
enum { CORE2_PUSH_EX = 4, CORE2_POP = 5, CORE2_REGISTER_A = 10, CORE2_REGISTER_W = 11 };
enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE = 2, MESSAGE_REGISTERED = 3 };
enum { NAME_BYTES = 128, DEPTH_MAX = 32, NO_RANGE = -1 };

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
  const void *message; /* of MESSAGE_REGISTERED: what register_ascii or register_wide returned */
};

static __thread int stack[DEPTH_MAX];
static __thread int depth; /* may be more than the stack holds */

static atomic_bool in_use;

bool nvtx_in_use(void) {
  return atomic_load(&in_use);
}

/* A forked child has no launches, and its lock may be held for ever. */
static bool forked(void) {
  return injection.pid && injection.pid != getpid();
}

static int range_of(const char *name) {
  int found = NO_RANGE;
  if (forked())
    return found;
  pthread_mutex_lock(&injection.lock);
  for (size_t i = 0; i < injection.n_ranges && found < 0; i++)
    found = strcmp(injection.ranges[i].name, name) == 0 ? (int)i : NO_RANGE;
  if (found < 0 && injection.n_ranges < RANGES_MAX) {
    char *copy = str_copy(name);
    if (copy) {
      found = (int)injection.n_ranges;
      injection.ranges[injection.n_ranges++] = (struct range_record){.name = copy};
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

/* What is not ASCII becomes a question mark. */
static const char *narrow(char to[NAME_BYTES], const wchar_t *name) {
  size_t n = 0;
  for (; name && name[n] && n < NAME_BYTES - 1; n++)
    to[n] = name[n] < 128 ? (char)name[n] : '?';
  to[n] = 0;
  return to;
}

static int push_wide(const wchar_t *name) {
  char buffer[NAME_BYTES];
  return push(narrow(buffer, name));
}

static int push_event(const struct nvtx_event *event) {
  int32_t type = event ? event->message_type : 0;
  if (type == MESSAGE_UNICODE)
    return push_wide(event->message);
  return push(type == MESSAGE_ASCII || type == MESSAGE_REGISTERED ? event->message : NULL);
}

/* A registered string is known by its copy, which is kept: NVTX has no call to give it back.  CUB names its ranges so. */
struct registered {
  struct registered *next;
  char name[];
};

static struct registered *registered;

static const void *register_ascii(void *domain, const char *name) {
  size_t bytes = name ? strlen(name) + 1 : 0;
  struct registered *found;
  (void)domain;
  if (!name || forked())
    return NULL;
  pthread_mutex_lock(&injection.lock);
  for (found = registered; found && strcmp(found->name, name) != 0;)
    found = found->next;
  if (!found && (found = malloc(sizeof *found + bytes))) {
    memcpy(found->name, name, bytes);
    found->next = registered;
    registered = found;
  }
  pthread_mutex_unlock(&injection.lock);
  return found ? found->name : NULL;
}

static const void *register_wide(void *domain, const wchar_t *name) {
  char buffer[NAME_BYTES];
  return name ? register_ascii(domain, narrow(buffer, name)) : NULL;
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
  void (*watch)(void) = injection.launches_watch; /* NULL: CUDA has not started */
  if (watch)
    watch();
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
    put(table, n, CORE2_REGISTER_A, (nvtx_function)register_ascii);
    put(table, n, CORE2_REGISTER_W, (nvtx_function)register_wide);
  }
  return 1;
}
