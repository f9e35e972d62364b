/* Kernels that may allocate on the GPU, by the symbols of their module. */
#include "profiler/attach/inside/counting.h"

#include "injected.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { FIRST, KERNEL, CALLED, SYMBOLS };
enum { MACHINE_CUDA = 190 };

/* The symbols' names, their table and the sections' heads behind the file's own. */
struct module {
  Elf64_Ehdr head;
  Elf64_Shdr sections[2];
  Elf64_Sym symbols[SYMBOLS];
  char names[24]; /* "", "fill" at 1, what it calls at 8 */
};

static struct module module_of(const char *kernel, const char *calls) {
  struct module m = {.head = {.e_machine = MACHINE_CUDA,
                              .e_shoff = offsetof(struct module, sections),
                              .e_shentsize = sizeof(Elf64_Shdr),
                              .e_shnum = 2,
                              .e_shstrndx = 1}};
  memcpy(m.head.e_ident, ELFMAG, SELFMAG);
  m.head.e_ident[EI_CLASS] = ELFCLASS64;
  m.sections[0] = (Elf64_Shdr){
      .sh_type = SHT_SYMTAB, .sh_offset = offsetof(struct module, symbols), .sh_size = sizeof m.symbols, .sh_link = 1};
  m.sections[1] =
      (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct module, names), .sh_size = sizeof m.names};
  m.symbols[KERNEL] = (Elf64_Sym){.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 5};
  m.symbols[CALLED] = (Elf64_Sym){.st_name = 8, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
  snprintf(m.names + 1, 7, "%s", kernel);
  snprintf(m.names + 8, sizeof m.names - 8, "%s", calls);
  return m;
}

static bool allocates(const char *name) {
  struct kernel k = {.key = key_of(name, 1, 32)};
  allocating_ask(&k);
  return k.allocates;
}

static void test_told(void **state) {
  (void)state;
  struct module m = module_of("fill", "malloc");
  allocating_note(&m, sizeof m);
  assert_true(allocates("fill"));
  assert_false(allocates("malloc") || allocates("fil"));
  m = module_of("print", "vprintf");
  allocating_note(&m, sizeof m);
  assert_false(allocates("print"));
  m = module_of("own", "malloc");
  m.symbols[CALLED].st_shndx = 6; /* a function of its own */
  allocating_note(&m, sizeof m);
  assert_false(allocates("own"));
}

/* A file that is cut short, or that points out of itself, tells of none. */
static void test_broken(void **state) {
  (void)state;
  for (int what = 0; what < 7; what++) {
    struct module m = module_of("broken", "malloc");
    m.head.e_ident[0] = what == 0 ? 0 : m.head.e_ident[0];
    m.head.e_shoff += what == 1 ? sizeof m : 0;
    m.sections[0].sh_link = what == 2 ? 2 : 1;
    m.sections[0].sh_size += what == 3 ? sizeof m : 0;
    m.sections[1].sh_size += what == 4 ? 1 : 0;
    m.names[sizeof m.names - 1] = what == 5 ? 'x' : '\0';
    m.symbols[CALLED].st_name = what == 6 ? sizeof m.names : m.symbols[CALLED].st_name;
    allocating_note(&m, sizeof m);
    assert_false(allocates("broken"));
  }
  struct module m = module_of("broken", "malloc");
  for (size_t bytes = 0; bytes < sizeof m; bytes += 8)
    allocating_note(&m, bytes);
  assert_false(allocates("broken"));
}

/* A launch may be the one that loads the module: who is asked then is not replayed, and was to be by --replay. */
static void test_chosen(void **state) {
  (void)state;
  injection.replay = true;
  for (int may = 0; may < 2; may++) {
    struct kernel_key key = key_of(may ? "once" : "other", 1, 32);
    struct kernel *k = kernel_of(&key, 0);
    focus_of(k)->chosen = true;
    focus_of(k)->asked = 1;
    assert_true(kernel_is_chosen(k, true) && k->replay);
    struct module m = module_of("once", "malloc");
    allocating_note(&m, sizeof m);
    allocating_ask(k);
    assert_int_equal(k->allocates, may);
    assert_true(kernel_is_chosen(k, true));
    assert_int_equal(k->replay, !may);
  }
  injection.replay = false;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_told), cmocka_unit_test(test_broken),
                                     cmocka_unit_test(test_chosen)};
  return cmocka_run_group_tests(tests, tables_begin, NULL);
}
