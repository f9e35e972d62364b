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
enum { CORE_START_EX = 4, CORE_START_A = 5, CORE_START_W = 6, CORE_END = 7 };
enum { CORE_PUSH_EX = 8, CORE_PUSH_A = 9, CORE_PUSH_W = 10, CORE_POP = 11 };
enum { CORE2_START_EX = 2, CORE2_END = 3, CORE2_PUSH_EX = 4, CORE2_POP = 5 };
enum { CORE2_REGISTER_A = 10, CORE2_REGISTER_W = 11, CORE2_CREATE_A = 12, CORE2_CREATE_W = 13 };
enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE = 2, MESSAGE_REGISTERED = 3 };
enum { NAME_BYTES = 128, DEPTH_MAX = 32, OPEN_MAX = 256, NO_RANGE = -1 };

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

/* A string that the program has registered, or a domain's name; kept, as NVTX has no call to give a string back.  CUB names its ranges so. */
struct kept {
  struct kept *next;
  char name[];
};

struct open_range {
  uint64_t id;
  const struct kept *domain; /* NULL: the program's own, the default */
  int range;                 /* NO_RANGE: it has no name, or found no room */
};

static __thread struct open_range stack[DEPTH_MAX]; /* what the thread has pushed */
static __thread int depth, beyond;                  /* beyond: pushes that found no room */

static struct { /* what is open in the process, in the order of its beginning */
  pthread_mutex_t
      lock; /* taken before the injection's, which is taken only where a name is new: it may be held for long */
  struct open_range all[OPEN_MAX];
  int n;
  uint64_t ids;
} open = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum scope { SCOPE_OWN_FIRST, SCOPE_THREAD, SCOPE_PROCESS };
static enum scope scope;

static atomic_bool in_use;

bool nvtx_in_use(void) {
  return atomic_load(&in_use);
}

/* The lock is held. */
static int range_named(const char *name) {
  for (size_t i = 0; i < injection.n_ranges; i++)
    if (strcmp(injection.ranges[i].name, name) == 0)
      return (int)i;
  char *copy = injection.n_ranges < RANGES_MAX ? str_copy(name) : NULL;
  if (!copy)
    return NO_RANGE;
  pthread_mutex_lock(&injection.lock);
  injection.ranges[injection.n_ranges] = (struct range_record){.name = copy};
  int made = (int)injection.n_ranges++;
  pthread_mutex_unlock(&injection.lock);
  return made;
}

/* A range of a domain is named DOMAIN@NAME, as ncu has it. */
static struct open_range range_open(const struct kept *domain, const char *name) {
  struct open_range r = {.domain = domain, .range = NO_RANGE};
  if (process_is_child())
    return r;
  char *whole = name && domain ? str_printf("%s@%s", domain->name, name) : NULL;
  pthread_mutex_lock(&open.lock);
  if (name)
    r.range = range_named(whole ? whole : name);
  r.id = ++open.ids;
  if (open.n < OPEN_MAX)
    open.all[open.n++] = r;
  pthread_mutex_unlock(&open.lock);
  free(whole);
  return r;
}

static void range_close(uint64_t id) {
  if (process_is_child())
    return;
  pthread_mutex_lock(&open.lock);
  int at = open.n;
  while (at > 0 && open.all[at - 1].id != id)
    at--;
  if (at > 0)
    memmove(&open.all[at - 1], &open.all[at], (size_t)(open.n-- - at) * sizeof open.all[0]);
  pthread_mutex_unlock(&open.lock);
}

/* One that finds no room is not opened: its pop would not know which to close. */
static int push(const struct kept *domain, const char *name) {
  if (depth < DEPTH_MAX)
    stack[depth++] = range_open(domain, name);
  else
    beyond++;
  return depth + beyond - 1;
}

/* The innermost of that domain. */
static int pop(const struct kept *domain) {
  int at = depth;
  if (beyond)
    return depth + --beyond;
  while (at > 0 && stack[at - 1].domain != domain)
    at--;
  if (at == 0)
    return -1;
  range_close(stack[at - 1].id);
  memmove(&stack[at - 1], &stack[at], (size_t)(depth-- - at) * sizeof stack[0]);
  return depth;
}

/* What is not ASCII becomes a question mark. */
static const char *narrow(char to[NAME_BYTES], const wchar_t *name) {
  size_t n = 0;
  for (; name && name[n] && n < NAME_BYTES - 1; n++)
    to[n] = name[n] < 128 ? (char)name[n] : '?';
  to[n] = 0;
  return to;
}

/* The name of an event; a wide one in the buffer. */
static const char *event_name(const struct nvtx_event *event, char buffer[NAME_BYTES]) {
  int32_t type = event ? event->message_type : 0;
  if (type == MESSAGE_UNICODE)
    return narrow(buffer, event->message);
  return type == MESSAGE_ASCII || type == MESSAGE_REGISTERED ? event->message : NULL;
}

/* --- the program's calls --- */

static int push_ascii(const char *name) {
  return push(NULL, name);
}

static int push_wide(const wchar_t *name) {
  char buffer[NAME_BYTES];
  return push(NULL, narrow(buffer, name));
}

static int push_domain(const struct kept *domain, const struct nvtx_event *event) {
  char buffer[NAME_BYTES];
  return push(domain, event_name(event, buffer));
}

static int push_event(const struct nvtx_event *event) {
  return push_domain(NULL, event);
}

static int pop_default(void) {
  return pop(NULL);
}

static uint64_t start_ascii(const char *name) {
  return range_open(NULL, name).id;
}

static uint64_t start_wide(const wchar_t *name) {
  char buffer[NAME_BYTES];
  return range_open(NULL, narrow(buffer, name)).id;
}

static uint64_t start_domain(const struct kept *domain, const struct nvtx_event *event) {
  char buffer[NAME_BYTES];
  return range_open(domain, event_name(event, buffer)).id;
}

static uint64_t start_event(const struct nvtx_event *event) {
  return start_domain(NULL, event);
}

static void end_domain(const struct kept *domain, uint64_t id) {
  (void)domain;
  range_close(id);
}

static const struct kept *keep(struct kept **list, const char *name) {
  size_t bytes = name ? strlen(name) + 1 : 0;
  struct kept *found;
  if (!name || process_is_child())
    return NULL;
  pthread_mutex_lock(&injection.lock);
  for (found = *list; found && strcmp(found->name, name) != 0;)
    found = found->next;
  if (!found && (found = malloc(sizeof *found + bytes))) {
    memcpy(found->name, name, bytes);
    found->next = *list;
    *list = found;
  }
  pthread_mutex_unlock(&injection.lock);
  return found;
}

static const void *register_ascii(const struct kept *domain, const char *name) {
  static struct kept *strings;
  const struct kept *found = keep(&strings, name);
  (void)domain;
  return found ? found->name : NULL;
}

static const void *register_wide(const struct kept *domain, const wchar_t *name) {
  char buffer[NAME_BYTES];
  return name ? register_ascii(domain, narrow(buffer, name)) : NULL;
}

static const struct kept *create_ascii(const char *name) {
  static struct kept *domains;
  return keep(&domains, name);
}

static const struct kept *create_wide(const wchar_t *name) {
  char buffer[NAME_BYTES];
  return name ? create_ascii(narrow(buffer, name)) : NULL;
}

/* --- where a launch stands --- */

/* Adds the innermost named range of the default domain, and that of the others. */
static void innermost(const struct open_range *ranges, int n, int16_t out[NVTX_RANGES]) {
  for (int i = n; i > 0; i--) {
    int16_t *to = &out[ranges[i - 1].domain != NULL];
    if (*to < 0 && ranges[i - 1].range >= 0)
      *to = (int16_t)ranges[i - 1].range;
  }
}

bool nvtx_current(int16_t out[NVTX_RANGES]) {
  out[0] = out[1] = NO_RANGE;
  if (!nvtx_in_use())
    return false;
  if (scope != SCOPE_PROCESS)
    innermost(stack, depth, out);
  if (scope == SCOPE_PROCESS || (scope == SCOPE_OWN_FIRST && depth == 0)) {
    pthread_mutex_lock(&open.lock);
    innermost(open.all, open.n, out);
    pthread_mutex_unlock(&open.lock);
  }
  return out[0] >= 0 || out[1] >= 0;
}

/* The name with its domain, or without it. */
static bool is_named(const struct open_range *r, const char *name) {
  if (r->range < 0)
    return false;
  const char *own = injection.ranges[r->range].name, *after = r->domain ? own + strlen(r->domain->name) + 1 : own;
  return strcmp(own, name) == 0 || strcmp(after, name) == 0;
}

bool nvtx_within(const char *name) {
  bool found = false, process = scope == SCOPE_PROCESS || (scope == SCOPE_OWN_FIRST && depth == 0);
  pthread_mutex_lock(&open.lock);
  for (int i = 0; i < depth && !found; i++)
    found = is_named(&stack[i], name);
  for (int i = 0; i < open.n && process && !found; i++)
    found = is_named(&open.all[i], name);
  pthread_mutex_unlock(&open.lock);
  return found;
}

static void scope_read(void) {
  const char *set = getenv("NVFP4_ATTACH_NVTX_SCOPE");
  scope = set && strcmp(set, "thread") == 0    ? SCOPE_THREAD
          : set && strcmp(set, "process") == 0 ? SCOPE_PROCESS
                                               : SCOPE_OWN_FIRST;
}

static void ranges_begin(void) {
  scope_read();
  if (atomic_exchange(&in_use, true))
    return;
  void (*watch)(void) = injection.launches_watch; /* NULL: CUDA has not started */
  if (watch)
    watch();
}

/* NVTX is a header of C: python/nvfp4_prof calls these instead. */
__attribute__((visibility("default"))) void nvfp4_attach_push(const char *name);
void nvfp4_attach_push(const char *name) {
  ranges_begin();
  push_ascii(name);
}

__attribute__((visibility("default"))) void nvfp4_attach_pop(void);
void nvfp4_attach_pop(void) {
  pop_default();
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
  ranges_begin();
  if (!c || c->bytes < sizeof *c || !c->module_functions)
    return 0;
  if (c->module_functions(MODULE_CORE, &table, &n) && table) {
    put(table, n, CORE_PUSH_EX, (nvtx_function)push_event);
    put(table, n, CORE_PUSH_A, (nvtx_function)push_ascii);
    put(table, n, CORE_PUSH_W, (nvtx_function)push_wide);
    put(table, n, CORE_POP, (nvtx_function)pop_default);
    put(table, n, CORE_START_EX, (nvtx_function)start_event);
    put(table, n, CORE_START_A, (nvtx_function)start_ascii);
    put(table, n, CORE_START_W, (nvtx_function)start_wide);
    put(table, n, CORE_END, (nvtx_function)range_close);
  }
  if (c->module_functions(MODULE_CORE2, &table, &n) && table) {
    put(table, n, CORE2_PUSH_EX, (nvtx_function)push_domain);
    put(table, n, CORE2_POP, (nvtx_function)pop);
    put(table, n, CORE2_START_EX, (nvtx_function)start_domain);
    put(table, n, CORE2_END, (nvtx_function)end_domain);
    put(table, n, CORE2_CREATE_A, (nvtx_function)create_ascii);
    put(table, n, CORE2_CREATE_W, (nvtx_function)create_wide);
    put(table, n, CORE2_REGISTER_A, (nvtx_function)register_ascii);
    put(table, n, CORE2_REGISTER_W, (nvtx_function)register_wide);
  }
  return 1;
}
