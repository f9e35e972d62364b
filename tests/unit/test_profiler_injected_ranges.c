/* NVTX ranges, by the functions that the library puts into NVTX's tables: which launches stand in which. */
#include "injected.h"

#include <stdio.h>
#include <wchar.h>

typedef void (*nvtx_function)(void);
int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t id));
void nvfp4_attach_push(const char *name);
void nvfp4_attach_pop(void);

/* As NVTX has them (nvtxTypes.h): the ids of the core's functions, and of those of domains. */
enum { START_EX = 4, START_A, START_W, END, PUSH_EX, PUSH_A, PUSH_W, POP, CORES = 16 };
enum { D_START_EX = 2, D_END, D_PUSH_EX, D_POP, REGISTER_A = 10, REGISTER_W, CREATE_A, CREATE_W, CORES2 = 16 };
enum { ASCII = 1, UNICODE = 2, REGISTERED = 3 };

struct event {
  uint16_t version, bytes;
  uint32_t category;
  int32_t colour_type;
  uint32_t colour;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const void *message;
};

static nvtx_function core[CORES], core2[CORES2];
static nvtx_function *core_table[CORES], *core2_table[CORES2];
static unsigned n_core, n_core2;
static int watched;

static int functions(int module, nvtx_function ***table, unsigned *n) {
  *table = module == 1 ? core_table : module == 5 ? core2_table : NULL;
  *n = module == 1 ? n_core : n_core2;
  return *table != NULL;
}

static struct {
  size_t bytes;
  int (*functions)(int module, nvtx_function ***table, unsigned *n);
} callbacks = {sizeof callbacks, functions};

static const void *export(uint32_t id) {
  return id == 1 ? &callbacks : NULL;
}

static const void *export_none(uint32_t id) {
  (void)id;
  return NULL;
}

static void watch(void) {
  watched++;
}

#define CALL(at, type, ...) (((type)(at))(__VA_ARGS__))
static int push(const char *name) {
  return CALL(core[PUSH_A], int (*)(const char *), name);
}
static int pop(void) {
  return ((int (*)(void))core[POP])();
}
static uint64_t start(const char *name) {
  return CALL(core[START_A], uint64_t(*)(const char *), name);
}
static void end(uint64_t id) {
  CALL(core[END], void (*)(uint64_t), id);
}
static const void *domain(const char *name) {
  return CALL(core2[CREATE_A], const void *(*)(const char *), name);
}
static int push_in(const void *of, int32_t type, const void *message) {
  struct event event = {.message_type = type, .message = message};
  return CALL(core2[D_PUSH_EX], int (*)(const void *, const struct event *), of, &event);
}
static int pop_in(const void *of) {
  return CALL(core2[D_POP], int (*)(const void *), of);
}

/* The names of the ranges that a launch stands in now: the program's own, and a library's. */
static void stands_in(const char *own, const char *library) {
  int16_t in[NVTX_RANGES];
  bool any = nvtx_current(in);
  assert_int_equal(any, own || library);
  const char *const want[] = {own, library};
  for (int i = 0; i < NVTX_RANGES; i++)
    if (want[i]) {
      assert_in_range(in[i], 0, injection.n_ranges - 1);
      assert_string_equal(injection.ranges[in[i]].name, want[i]);
    } else {
      assert_int_equal(in[i], -1);
    }
}

static void scope(const char *name) {
  setenv("NVFP4_ATTACH_NVTX_SCOPE", name, 1);
  assert_int_equal(InitializeInjectionNvtx2(export_none), 0); /* which reads it */
}

static nvtx_function before(void) {
  static char none;
  return (nvtx_function)(uintptr_t)&none;
}

/* Only places that the tables have are filled, and no others. */
static void test_tables(void **state) {
  (void)state;
  for (int i = 0; i < CORES; i++) {
    core[i] = core2[i] = before();
    core_table[i] = &core[i];
    core2_table[i] = &core2[i];
  }
  assert_false(nvtx_in_use());
  stands_in(NULL, NULL);
  injection.launches_watch = watch;
  assert_int_equal(InitializeInjectionNvtx2(export_none), 0);
  assert_true(nvtx_in_use());
  assert_int_equal(watched, 1);
  callbacks.bytes--;
  assert_int_equal(InitializeInjectionNvtx2(export), 0);
  callbacks.bytes++;
  callbacks.functions = NULL;
  assert_int_equal(InitializeInjectionNvtx2(export), 0);
  callbacks.functions = functions;
  assert_int_equal(watched, 1); /* once is enough */
  n_core = PUSH_A + 1;
  core_table[START_A] = NULL;
  assert_int_equal(InitializeInjectionNvtx2(export), 1);
  assert_true(core[PUSH_A] != before() && core[PUSH_EX] != before());
  assert_true(core[PUSH_W] == before() && core[START_A] == before() && core[POP] == before());
  assert_true(core2[D_POP] == before());
  core_table[START_A] = &core[START_A];
  n_core = CORES, n_core2 = CORES2;
  assert_int_equal(InitializeInjectionNvtx2(export), 1);
  for (int i = 0; i < CORES; i++)
    assert_int_equal(core[i] != before(), i >= START_EX && i <= POP);
  for (int i = 0; i < CORES2; i++)
    assert_int_equal(core2[i] != before(), (i >= D_START_EX && i <= D_POP) || (i >= REGISTER_A && i <= CREATE_W));
}

static void test_push(void **state) {
  (void)state;
  assert_int_equal(pop(), -1);
  assert_int_equal(push("outer"), 0);
  stands_in("outer", NULL);
  assert_int_equal(push("inner"), 1);
  stands_in("inner", NULL);
  assert_int_equal(push(NULL), 2); /* without a name: the one around it */
  stands_in("inner", NULL);
  assert_true(nvtx_within("outer") && nvtx_within("inner"));
  assert_false(nvtx_within("inne"));
  assert_int_equal(pop(), 2);
  assert_int_equal(pop(), 1);
  stands_in("outer", NULL);
  assert_false(nvtx_within("inner"));
  assert_int_equal(pop(), 0);
  stands_in(NULL, NULL);
  nvfp4_attach_push("python");
  stands_in("python", NULL);
  nvfp4_attach_pop();
  stands_in(NULL, NULL);
}

static void test_domains(void **state) {
  (void)state;
  const void *lib = domain("LIB"), *other = domain("OTHER");
  assert_ptr_equal(lib, domain("LIB"));
  assert_ptr_not_equal(lib, other);
  assert_ptr_equal(lib, CALL(core2[CREATE_W], const void *(*)(const wchar_t *), L"LIB"));
  assert_null(domain(NULL));
  assert_null(CALL(core2[CREATE_W], const void *(*)(const wchar_t *), NULL));
  push("own");
  assert_int_equal(push_in(lib, ASCII, "sort"), 1);
  stands_in("own", "LIB@sort");
  assert_true(nvtx_within("sort") && nvtx_within("LIB@sort") && nvtx_within("own"));
  assert_false(nvtx_within("LIB"));
  assert_int_equal(pop_in(other), -1);
  assert_int_equal(pop(), 1); /* of its own domain, from below */
  stands_in(NULL, "LIB@sort");
  assert_int_equal(pop(), -1);
  assert_int_equal(pop_in(lib), 0);
  stands_in(NULL, NULL);
}

static void test_names(void **state) {
  (void)state;
  struct event wide = {.message_type = UNICODE,
                       .message = L"\x160"
                                  L"irok\x7f\x80"},
               none = {0};
  CALL(core[PUSH_EX], int (*)(const struct event *), &wide);
  stands_in("?irok\x7f?", NULL);
  pop();
  CALL(core[PUSH_EX], int (*)(const struct event *), &none);
  stands_in(NULL, NULL);
  pop();
  CALL(core[PUSH_EX], int (*)(const struct event *), NULL);
  stands_in(NULL, NULL);
  pop();
  CALL(core[PUSH_W], int (*)(const wchar_t *), L"wide");
  stands_in("wide", NULL);
  pop();
  wchar_t many[200];
  char cut[128];
  wmemset(many, L'x', 199);
  memset(cut, 'x', 127);
  many[199] = 0;
  cut[127] = 0;
  CALL(core[PUSH_W], int (*)(const wchar_t *), many);
  stands_in(cut, NULL);
  pop();
  const void *ascii = CALL(core2[REGISTER_A], const void *(*)(const void *, const char *), NULL, "kept"),
             *same = CALL(core2[REGISTER_W], const void *(*)(const void *, const wchar_t *), NULL, L"kept");
  assert_ptr_equal(ascii, same);
  assert_null(CALL(core2[REGISTER_A], const void *(*)(const void *, const char *), NULL, NULL));
  assert_null(CALL(core2[REGISTER_W], const void *(*)(const void *, const wchar_t *), NULL, NULL));
  push_in(NULL, REGISTERED, ascii);
  stands_in("kept", NULL);
  pop();
  push_in(NULL, 4, "of no known kind");
  stands_in(NULL, NULL);
  pop();
}

/* Ranges that were started belong to no thread; they are ended in any order. */
static void test_started(void **state) {
  (void)state;
  uint64_t one = start("one"), two = start("two");
  assert_int_equal(two, one + 1);
  stands_in("two", NULL);
  assert_true(nvtx_within("one"));
  uint64_t three = CALL(core[START_W], uint64_t(*)(const wchar_t *), L"three");
  stands_in("three", NULL);
  end(two);
  stands_in("three", NULL);
  end(two); /* once more: it is none any more */
  end(three);
  stands_in("one", NULL);
  push("pushed"); /* the thread's own counts first */
  stands_in("pushed", NULL);
  assert_false(nvtx_within("one"));
  pop();
  end(one);
  stands_in(NULL, NULL);
  struct event event = {.message_type = ASCII, .message = "event"};
  uint64_t id = CALL(core[START_EX], uint64_t(*)(const struct event *), &event);
  stands_in("event", NULL);
  CALL(core2[D_END], void (*)(const void *, uint64_t), NULL, id);
  id = CALL(core2[D_START_EX], uint64_t(*)(const void *, const struct event *), domain("LIB"), &event);
  stands_in(NULL, "LIB@event");
  assert_true(nvtx_within("event"));
  CALL(core2[D_END], void (*)(const void *, uint64_t), domain("LIB"), id);
  stands_in(NULL, NULL);
}

static void *push_elsewhere(void *context) {
  (void)context;
  push("elsewhere");
  return NULL;
}

static void test_scopes(void **state) {
  (void)state;
  pthread_t thread;
  scope("thread");
  uint64_t id = start("everywhere");
  stands_in(NULL, NULL);
  assert_false(nvtx_within("everywhere"));
  push("own");
  stands_in("own", NULL);
  assert_true(nvtx_within("own"));
  scope("process");
  assert_true(nvtx_within("everywhere"));
  pthread_create(&thread, NULL, push_elsewhere, NULL);
  pthread_join(thread, NULL);
  stands_in("elsewhere", NULL); /* the innermost of all threads' */
  scope("");
  stands_in("own", NULL);
  assert_false(nvtx_within("elsewhere"));
  pop();
  stands_in("elsewhere", NULL);
  assert_true(nvtx_within("elsewhere"));
  end(id + 2); /* the other thread's, whose number is known here */
  stands_in("everywhere", NULL);
  end(id);
  stands_in(NULL, NULL);
}

/* 32 pushes of a thread have a place; those beyond are counted, and popped first. */
static void test_deep(void **state) {
  (void)state;
  char name[16];
  for (int i = 0; i < 40; i++) {
    snprintf(name, sizeof name, "deep %d", i % 33);
    assert_int_equal(push(name), i);
  }
  stands_in("deep 31", NULL);
  for (int i = 39; i >= 32; i--)
    assert_int_equal(pop(), i);
  stands_in("deep 31", NULL);
  assert_int_equal(pop(), 31);
  stands_in("deep 30", NULL);
  for (int i = 30; i >= 0; i--)
    assert_int_equal(pop(), i);
  assert_int_equal(pop(), -1);
  stands_in(NULL, NULL); /* nor is any open in the process */
}

/* 256 are open at once, and there are 256 names. */
static void test_many(void **state) {
  (void)state;
  char name[16];
  uint64_t first = start("many 0"), id = first;
  for (int i = 1; i < 256; i++)
    id = start("many 0");
  stands_in("many 0", NULL);
  start("one too many");
  stands_in("many 0", NULL);
  end(id--);
  uint64_t last = start("it has room");
  stands_in("it has room", NULL);
  end(last);
  for (; id >= first; id--)
    end(id);
  stands_in(NULL, NULL);
  for (int i = 0; injection.n_ranges < RANGES_MAX; i++) {
    snprintf(name, sizeof name, "name %d", i);
    push(name);
    pop();
  }
  push("a name too many");
  stands_in(NULL, NULL);
  pop();
  push(name);
  stands_in(name, NULL);
  pop();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables), cmocka_unit_test(test_push),    cmocka_unit_test(test_domains),
      cmocka_unit_test(test_names),  cmocka_unit_test(test_started), cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_deep),   cmocka_unit_test(test_many),
  };
  unsetenv("NVFP4_ATTACH_NVTX_SCOPE");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
