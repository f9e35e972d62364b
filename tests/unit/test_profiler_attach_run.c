/* attach from its start to its run files: the program is a shell script, which leaves the parts that the injected library
 * would, and nvdisasm another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled_by_fake.h"
#include "profiler/attach/outside/attach.h"
#include "run/run.h"

#include <dirent.h>
#include <math.h>
#include <sys/stat.h>

#define HEAD(pid, launches, ns)                                                                                        \
  "nvfp4-prof-part\\t1\\nprocess\\t" pid "\\t\\t\\t\\t\\tn1\\ntotals\\t" launches "\\t" ns                             \
  "\\t0\\t0\\ndevice\\t0\\tGPU-x\\n"
#define KERNEL_OF(name, blocks, launches, ns)                                                                          \
  "kernel\\t" name "\\t0\\t" blocks "\\t1\\t1\\t128\\t1\\t1\\t1\\t1\\t1\\t40\\t16\\t32\\t8\\t4\\t" launches            \
  "\\t0\\t0\\t" ns "\\t7\\t7\\t0\\t0\\t\\n"
#define KERNEL(name, launches, ns) KERNEL_OF(name, "7", launches, ns)
#define END                        "end\\tcomplete\\n"
/* A line of the script that writes the part of a process. */
#define PART(pid, lines) "printf '" lines "' > $NVFP4_ATTACH_DIR/" pid ".part\n"

static struct err e;
static struct text told;
static struct attach_report report;
static int code;

static void tell(void *context, const char *sentence) {
  text_printf(context, "%s\n", sentence);
}

static const char *at(const char *name) {
  static char path[4][700];
  static size_t next;
  char *to = path[next++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", own_folder, name);
  return to;
}

static void clear(void) {
  text_release(&told);
  attach_report_release(&report);
  e = (struct err){0};
}

/* Runs the script with $FOLDER; what is not given in `more` is as the command line has it. */
static int attach_to(const char *script, const struct attach_options *more) {
  char *argv[] = {(char *)(size_t) "/bin/sh", (char *)(size_t) "-c", (char *)(size_t)script, NULL};
  struct attach_options o = more ? *more : (struct attach_options){.coverage = 0.95, .overhead = INFINITY};
  char out[700];
  snprintf(out, sizeof out, "%s", at("run.json"));
  clear();
  o.argv = o.argv ? o.argv : argv;
  o.out = o.out ? o.out : out;
  o.tool = o.git = o.command = "t";
  return attach_run(&o, &code, tell, &told, &report, &e);
}

static void says(const char *sentence) {
  if (!strstr(text_str(&told), sentence))
    fail_msg("it did not say '%s' but:\n%s%s", sentence, text_str(&told), e.text);
}

static struct run loaded(const char *name) {
  struct run run;
  struct err why = {0};
  if (run_load(&run, at(name), &why))
    fail_msg("%s", why.text);
  return run;
}

static char *content(const char *name) {
  char *text;
  size_t n;
  assert_int_equal(file_read(at(name), 1 << 20, &text, &n, &e), 0);
  return text;
}

/* Nothing of its own is left. */
static void nothing_is_left(void) {
  DIR *d = opendir(own_folder);
  for (struct dirent *entry; (entry = readdir(d));)
    if (strncmp(entry->d_name, "nvfp4-attach", 12) == 0)
      fail_msg("%s is left", entry->d_name);
  closedir(d);
}

/* --- one run --- */

/* 3 launches of 60 us in all; of the other kernel 4, two of which were counted, in every pass: 10 us for two, so 20. */
static void one_process_is_one_file(void **state) {
  (void)state;
  assert_int_equal(
      attach_to(PART("42", HEAD("42", "7", "80000") KERNEL("a", "3", "60000")
                               KERNEL("b", "4",
                                      "20000") "counted\\t2\\treplayed\\nmetric\\tx\\tinst\\ty\\t7\\t\\n" END) "exit 3",
                NULL),
      0);
  assert_int_equal(code, 3);
  assert_int_equal(report.n, 1);
  const struct attach_file *f = report.files;
  assert_string_equal(f->path, at("run.json"));
  assert_int_equal(f->pid, 42);
  assert_int_equal(f->launches, 7);
  assert_int_equal(f->kernels, 2);
  assert_int_equal(f->counted, 1);
  assert_float_equal(f->gpu_time_ns, 80e3, 0);
  assert_float_equal(f->counted_ns, 20e3, 0);
  assert_true(f->complete);
  says("/run.json: process 42: 7 launches of 2 kernels, 0.080 ms of GPU time; counters of 1 kernel cover 25.0 % of it");
  struct run run = loaded("run.json");
  assert_int_equal(run.n_results, 2);
  assert_string_equal(run.variants[0].id, "a");
  assert_false(run.partial);
  run_release(&run);
  nothing_is_left();
}

/* Where each rank is under an attach of its own, a sentence says whose it is. */
static void a_rank_says_which_it_is(void **state) {
  (void)state;
  setenv("RANK", "3", 1);
  setenv("WORLD_SIZE", "8", 1);
  assert_int_equal(attach_to("exit 0", NULL), 0);
  unsetenv("RANK");
  unsetenv("WORLD_SIZE");
  assert_int_equal(strncmp(text_str(&told), "rank 3: nothing was profiled: neither /bin/sh nor its", 53), 0);
}

/* What a script leaves, and what is said of it; the exit code is its own, or a shell's of the signal that ended it. */
static void what_is_left_is_told(void **state) {
  static const struct {
    const char *script;
    int code;
    size_t files;
    const char *says;
  } cases[] = {
      {"exit 7", 7, 0, "nothing was profiled: neither /bin/sh nor its children started CUDA"},
      {PART("42", HEAD("42", "0", "0") END), 0, 0, "/bin/sh launched no kernel: no run file was written"},
      {PART("42", HEAD("42", "0", "0") "note\\tone thing\\n" END), 0, 0, "process 42: one thing"},
      {PART("42", HEAD("42", "0", "0")), 0, 0, "process 42 ended before it wrote its launches"},
      {PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5")) "kill -9 $$", 137, 1,
       "/bin/sh was ended by signal 9 (Killed): what was recorded until then is kept"},
      {PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5")), 0, 1, "the process did not finish"},
      {"printf x > $NVFP4_ATTACH_DIR/42.cubin", 0, 0, "nothing was profiled"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(attach_to(cases[i].script, NULL), 0);
    assert_int_equal(code, cases[i].code);
    assert_int_equal(report.n, cases[i].files);
    says(cases[i].says);
    assert_int_equal(strstr(text_str(&told), "no run file was written") != NULL, i == 1 || i == 2);
    if (report.n)
      assert_false(report.files[0].complete);
  }
}

/* A part that cannot be read costs itself alone: the first is the error, the second is said. */
static void a_damaged_part_costs_itself(void **state) {
  (void)state;
  assert_int_equal(attach_to("echo x > $NVFP4_ATTACH_DIR/1.part; echo x > $NVFP4_ATTACH_DIR/2.part\n" PART(
                                 "42", HEAD("42", "1", "5") KERNEL("a", "1", "5") END),
                             NULL),
                   ERR_DATA);
  assert_int_equal(code, ATTACH_FAILED);
  assert_string_equal(e.text, "1.part:1: this version of nvfp4-prof does not know it");
  says("2.part:1: this version of nvfp4-prof does not know it");
  assert_int_equal(report.n, 1);
}

/* Two processes that launched kernels have the process in their names; one that only looked does not count. */
static void processes_have_files_of_their_own(void **state) {
  (void)state;
  assert_int_equal(attach_to(PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5") END)
                                 PART("43", HEAD("43", "1", "5") KERNEL("a", "1", "5") END),
                             NULL),
                   0);
  assert_int_equal(report.n, 2);
  assert_string_equal(report.files[0].path, at("run.42.json"));
  assert_string_equal(report.files[1].path, at("run.43.json"));
  unlink(at("run.json"));
  assert_int_equal(attach_to(PART("42", HEAD("42", "9", "5") KERNEL("a", "9", "5") END)
                                 PART("43", HEAD("43", "9", "5") KERNEL("a", "9", "5") END),
                             NULL),
                   0);
  assert_int_equal(report.n, 2);
  assert_string_equal(report.files[0].path, at("run.42.json"));
  unlink(at("run.42.json"));
  assert_int_equal(
      attach_to(PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5") END) PART("43", HEAD("43", "0", "0") END), NULL),
      0);
  assert_int_equal(report.n, 1);
  assert_string_equal(report.files[0].path, at("run.json"));
}

static void what_cannot_begin(void **state) {
  static char *absent[] = {(char *)"/nonexistent/program", NULL}, *folder[] = {(char *)"/", NULL};
  struct attach_options o = {.argv = absent};
  (void)state;
  assert_int_equal(attach_to(NULL, &o), ERR_IO);
  assert_int_equal(code, ATTACH_NOT_FOUND);
  assert_string_equal(e.text, "/nonexistent/program: No such file or directory");
  o.argv = folder;
  assert_int_equal(attach_to(NULL, &o), ERR_IO);
  assert_int_equal(code, ATTACH_CANNOT_RUN);
  /* Said before the program runs. */
  char *script = str_printf("touch %s", at("ran"));
  const struct attach_options nowhere = {.out = "/nonexistent/run.json"}, no_file = {.out = "/dev/null"};
  assert_int_equal(attach_to(script, &nowhere), ERR_IO);
  assert_int_equal(code, ATTACH_FAILED);
  assert_string_equal(e.text, "--out /nonexistent/run.json: /nonexistent: No such file or directory");
  assert_int_equal(attach_to(script, &no_file), ERR_IO);
  assert_string_equal(e.text, "--out /dev/null: cannot be written: it is not a regular file");
  setenv("TMPDIR", "/nonexistent", 1);
  assert_int_equal(attach_to(script, NULL), ERR_IO);
  setenv("TMPDIR", own_folder, 1);
  assert_non_null(strstr(e.text, "set TMPDIR to a folder that can be written"));
  assert_int_equal(code, ATTACH_FAILED);
  assert_false(file_exists(at("ran")));
  free(script);
}

/* What the options are to the injected library. */
static void the_program_is_told(void **state) {
  static const char show[] =
      "test -s $CUDA_INJECTION64_PATH && test $CUDA_INJECTION64_PATH = $NVTX_INJECTION64_PATH && "
      "test -d $NVFP4_ATTACH_TOOL && env | grep ^NVFP4_ATTACH_ | grep -v _DIR= | "
      "grep -v _TOOL= | sort | tr '\\n' ' ' > $TMPDIR/env";
  const struct attach_options usual = {.coverage = 0.95, .overhead = INFINITY, .window = -1, .follow = true},
                              all = {.kernel = "a*",
                                     .nvtx = "step",
                                     .nvtx_scope = "thread",
                                     .skip = 1,
                                     .count = 2,
                                     .coverage = 0.5,
                                     .overhead = 0.1,
                                     .window = 0,
                                     .top = 4,
                                     .replay = true,
                                     .split_passes = true,
                                     .by_range = true,
                                     .sampling_exponent = 15};
  static const char *const want[] = {
      "NVFP4_ATTACH_BY_RANGE=0 NVFP4_ATTACH_CHOSEN= NVFP4_ATTACH_COUNT=0 NVFP4_ATTACH_COVERAGE=95 "
      "NVFP4_ATTACH_FOLLOW=1 NVFP4_ATTACH_KERNEL= NVFP4_ATTACH_NVTX= NVFP4_ATTACH_NVTX_SCOPE= NVFP4_ATTACH_OVERHEAD= "
      "NVFP4_ATTACH_REPLAY=0 NVFP4_ATTACH_SAMPLE_ALL=0 NVFP4_ATTACH_SAMPLING=0 NVFP4_ATTACH_SKIP=0 NVFP4_ATTACH_SPLIT=0 NVFP4_ATTACH_TOP=0 ",
      "NVFP4_ATTACH_BY_RANGE=1 NVFP4_ATTACH_CHOSEN= NVFP4_ATTACH_COUNT=2 NVFP4_ATTACH_COVERAGE=50 "
      "NVFP4_ATTACH_FOLLOW=0 NVFP4_ATTACH_KERNEL=a* NVFP4_ATTACH_NVTX=step NVFP4_ATTACH_NVTX_SCOPE=thread "
      "NVFP4_ATTACH_OVERHEAD=10 NVFP4_ATTACH_REPLAY=1 NVFP4_ATTACH_SAMPLE_ALL=0 NVFP4_ATTACH_SAMPLING=15 NVFP4_ATTACH_SKIP=1 "
      "NVFP4_ATTACH_SPLIT=1 NVFP4_ATTACH_TOP=4 NVFP4_ATTACH_WINDOW=0 "};
  (void)state;
  setenv("NVFP4_ATTACH_WINDOW", "9", 1); /* which is not what was asked for */
  for (int i = 0; i < 2; i++) {
    assert_int_equal(attach_to(show, i ? &all : &usual), 0);
    assert_int_equal(code, 0);
    char *got = content("env");
    assert_string_equal(got, want[i]);
    free(got);
  }
  unsetenv("NVFP4_ATTACH_WINDOW");
}

/* What is sent to this process goes to the program, which may live on; what the terminal sends both does not end it. */
static void signals_are_passed_on(void **state) {
  (void)state;
  assert_int_equal(
      attach_to("trap 'exit 9' TERM; kill -INT $PPID; while :; do kill -TERM $PPID; sleep 0.05; done", NULL), 0);
  assert_int_equal(code, 9);
  assert_int_equal(
      attach_to("trap 'exit 8' HUP; kill -QUIT $PPID; while :; do kill -HUP $PPID; sleep 0.05; done", NULL), 0);
  assert_int_equal(code, 8);
}

static struct text heard;
static void running(bool runs) {
  text_add(&heard, runs ? "runs " : "ends ");
}

/* --- two runs --- */

/* The first times and ranks; the second counts what was chosen, and its times are the first's. */
static void two_runs_are_one_file(void **state) {
  static const char script[] =
      "if [ -z \"$NVFP4_ATTACH_CHOSEN\" ]; then [ $NVFP4_ATTACH_TOP$NVFP4_ATTACH_SAMPLING$NVFP4_ATTACH_SAMPLE_ALL = 0151 ]"
      " || exit 5\n" PART(
          "41",
          HEAD("41", "4", "100000") KERNEL("a", "2", "90000") "samples\\t40000\\t50000\\n" KERNEL("b", "2", "10000")
              END) "else [ $NVFP4_ATTACH_TOP$NVFP4_ATTACH_SAMPLING$NVFP4_ATTACH_SAMPLE_ALL = 1150 ] || exit 6\n"
                   "[ -e $NVFP4_ATTACH_DIR/41.part ] && exit 7; cp $NVFP4_ATTACH_CHOSEN $TMPDIR/chosen\n" PART(
                       "42", HEAD("42", "2", "777000")
                                 KERNEL("a", "2",
                                        "777000") "counted\\t2\\treplayed\\nmetric\\tx\\tinst\\ty\\t7\\t\\n" END) "fi";
  const struct attach_options o = {
      .two_runs = true, .coverage = 0.99, .overhead = INFINITY, .top = 1, .sampling_exponent = 15, .running = running};
  (void)state;
  assert_int_equal(attach_to(script, &o), 0);
  assert_int_equal(code, 0);
  char *chosen = content("chosen");
  assert_string_equal(chosen, "chosen\ta\t0\t7\t1\t1\t128\t1\t1\t32\t2\t90000\t0\n");
  free(chosen);
  assert_string_equal(text_str(&heard), "runs ends runs ends ");
  text_release(&heard);
  assert_int_equal(report.n, 1);
  struct run run = loaded("run.json");
  assert_int_equal(run.n_results, 1);
  assert_int_equal(run.results[0].timing.n, 2);
  assert_float_equal(run.results[0].timing.samples_ns[1], 50e3, 0);
  assert_true(run.results[0].metrics[0].present);
  assert_int_equal(run.process.launches, 4);
  says("ranked and timed in a first run, counted in a second");
  run_release(&run);
  nothing_is_left();
}

/* Where there is no second run, the first is kept, and why is said. */
static void no_second_run(void **state) {
  static const struct {
    const char *script, *says;
    int rc, code;
    size_t files;
  } cases[] = {
      {PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5")) "kill -9 $$",
       "the first run was ended by signal 9, so there was no second", 0, 137, 1},
      {PART("42", HEAD("42", "1", "5") KERNEL("ncclDevKernel", "1", "5") END),
       "the first run launched no kernel that can be counted, so there was no second", 0, 0, 1},
      {"echo x > $NVFP4_ATTACH_DIR/42.part",
       "the first run cannot be read, so there was no second: 42.part:1: this version", ERR_DATA, ATTACH_FAILED, 0},
      {PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5") END)
           PART("43", HEAD("43", "1", "5") KERNEL("a", "1", "5") END),
       "2 processes launched kernels: the times are from the second run", 0, 0, 2},
  };
  const struct attach_options o = {.two_runs = true, .coverage = 1, .overhead = INFINITY, .top = 2};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(attach_to(cases[i].script, &o), cases[i].rc);
    assert_int_equal(code, cases[i].code);
    says(cases[i].says);
    assert_int_equal(report.n, cases[i].files);
    assert_null(strstr(text_str(&told), "ranked and timed in a first run"));
  }
}

/* --- code --- */

#define FUNCTION(name, module) "function\\t" name "\\t" module "\\t1\\t9\\n"
/* The part comes whole, after the code that it speaks of. */
#define PART_BEHIND(lines)                                                                                             \
  "printf '" lines END "' > $NVFP4_ATTACH_DIR/x; mv $NVFP4_ATTACH_DIR/x $NVFP4_ATTACH_DIR/42.part\n"
#define LISTING                                                                                                        \
  "printf '\\t.section\\t.text.a,\"ax\",@progbits\\n\\t//## File \"'$TMPDIR'/a.cu\", line 2\\n"                        \
  "        /*0000*/   NOP ;\\n        /*0010*/   EXIT ;\\n'\n"

/* A cubin with the functions "b" and "a", of symbols 1 and 2, or without the latter. */
static void cubin_put(const char *name, bool both) {
  const unsigned char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  const Elf64_Sym symbols[] = {
      {0}, {.st_name = 1, .st_info = function, .st_shndx = 1}, {.st_name = 3, .st_info = function, .st_shndx = 2}};
  cubin_begin();
  section(".text.b", SHT_PROGBITS, symbols, 16);
  section(".text.a", SHT_PROGBITS, symbols, 16);
  section(".symtab", SHT_SYMTAB, symbols, (both ? 3 : 2) * sizeof *symbols);
  section(".strtab", SHT_STRTAB, "\0b\0a", 5);
  made_cubin.sections[3].sh_link = 4;
  cubin_end(7, 90);
  assert_int_equal(file_write(at(name), made_cubin.data, made_cubin.n, &e), 0);
}

/* nvdisasm is a script that lists what it was asked for; the program waits until it was started, which it is beside it. */
static void code_is_disassembled(void **state) {
  static const char program[] =
      "cp $TMPDIR/with $NVFP4_ATTACH_DIR/42.1.cubin; cp $TMPDIR/without $NVFP4_ATTACH_DIR/42.0.cubin\n"
      "cp $TMPDIR/with $NVFP4_ATTACH_DIR/7.2.cubin; cp $TMPDIR/with $NVFP4_ATTACH_DIR/42.txt\n" PART_BEHIND(
          HEAD("42", "1", "5") KERNEL("a", "1", "5")
              FUNCTION("a", "1")) "for i in $(seq 999); do [ -s $TMPDIR/log ] && exit 0; sleep 0.02; done; exit 1";
  static const struct {
    const char *script; /* of nvdisasm */
    int lines;          /* so often it was asked */
    const char *note;   /* NULL: the code is there */
  } cases[] = {
      {LISTING, 1, NULL},
      {"case $6 in *.alone) exit 1;; esac\n" LISTING, 2, NULL}, /* what is not understood alone is with the rest */
      {"case $6 in *.alone) exit 0;; esac\n" LISTING, 2, NULL},
      {"exit 1", 2, "failed: it printed no SASS"},
      {"echo '        /*0000*/   NOP ;'", 1, "printed no SASS for it"},
      {"kill -XCPU $$", 2, "failed: the disassembler exceeded its limit of CPU time (NVFP4_PROGRAM_LIMIT sets it)"},
  };
  const struct attach_options o = {.sass = true, .coverage = 1, .overhead = INFINITY};
  (void)state;
  cubin_put("with", true);
  cubin_put("without", false);
  assert_int_equal(file_write(at("a.cu"), "one\ntwo\n", 8, &e), 0);
  setenv("NVFP4_NVDISASM", at("nvdisasm"), 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *script = str_printf("#!/bin/sh\necho \"$*\" | sed s,$TMPDIR/nvfp4-attach-......,F, >> $TMPDIR/log\n%s\n",
                              cases[i].script);
    assert_int_equal(file_write(at("nvdisasm"), script, strlen(script), &e), 0);
    assert_int_equal(chmod(at("nvdisasm"), 0700), 0);
    free(script);
    unlink(at("log"));
    assert_int_equal(attach_to(program, &o), 0);
    assert_int_equal(code, 0);
    char *log = content("log");
    const char *want = "-gi -c -ndf -fun 2 F/42.1.cubin.2.alone\n-gi -c -ndf -fun 2 F/42.1.cubin\n";
    if (strncmp(log, want, cases[i].lines == 2 ? 100 : 40) != 0 || (cases[i].lines == 1 && strlen(log) != 40))
      fail_msg("case %zu: %s", i, log);
    free(log);
    struct run run = loaded("run.json");
    assert_int_equal(run.results[0].module, cases[i].note ? -1 : 0);
    if (cases[i].note)
      says(cases[i].note);
    if (!cases[i].note) {
      const struct run_kernel *k = run.modules[0].kernels;
      assert_string_equal(k->name, "a");
      assert_int_equal(k->n_sass, 2);
      assert_string_equal(k->sass[1].text, "EXIT");
      assert_int_equal(k->registers, 40);
      assert_int_equal(k->smem_static, 16);
      assert_int_equal(k->local_bytes, 8);
      assert_int_equal(k->spill_load_bytes, -1);
      assert_int_equal(run.n_sources, 1);
      assert_string_equal(run.sources[0].text, "one\ntwo\n");
    }
    run_release(&run);
    nothing_is_left();
  }
  unlink(at("a.cu"));
}

/* Lines of two kernels, one of which is launched with two geometries and read once: a source keeps its name where its text is not found, a relative name is
 * looked for where the program ran, and what turns out to have too few lines for the second
 * kernel is not the file. */
static void sources_of_lines(void **state) {
  static const char program[] =
      "cp $TMPDIR/both $NVFP4_ATTACH_DIR/42.1.cubin\n"
      "printf '" HEAD("42", "3", "12") "folders\\t%s\\t\\n" KERNEL("a", "1", "5") KERNEL("b", "1", "4")
          KERNEL_OF("a", "8", "1", "3") END "' $TMPDIR/work > $NVFP4_ATTACH_DIR/42.part\n";
  static const char listing[] = "#!/bin/sh\n"
                                "[ $5 = 2 ] && k=a n=2 || k=b n=3\n"
                                "printf '\\t.section\\t.text.'$k',\"ax\",@progbits\\n"
                                "\\t//## File \"/gone/b.cuh\", line 7 inlined at \"rel.cu\", line 2\\n"
                                "\\t//## File \"rel.cu\", line 2\\n        /*0000*/   NOP ;\\n"
                                "\\t//## File \"'$TMPDIR'/a.cu\", line '$n'\\n        /*0010*/   EXIT ;\\n'\n";
  static const struct { const char *name, *text; } want[] = {{"/gone/b.cuh", ""}, {"rel.cu", "1\n2\n"}, {"/a.cu", ""}};
  const struct attach_options o = {.sass = true, .coverage = 1, .overhead = INFINITY};
  (void)state;
  cubin_put("both", true);
  assert_int_equal(file_mkdirs(at("work"), &e), 0);
  assert_int_equal(file_write(at("work/rel.cu"), "1\n2\n", 4, &e), 0);
  assert_int_equal(file_write(at("a.cu"), "one\ntwo\n", 8, &e), 0);
  assert_int_equal(file_write(at("nvdisasm"), listing, sizeof listing - 1, &e), 0);
  assert_int_equal(chmod(at("nvdisasm"), 0700), 0);
  setenv("NVFP4_NVDISASM", at("nvdisasm"), 1);
  assert_int_equal(attach_to(program, &o), 0);
  struct run run = loaded("run.json");
  assert_int_equal(run.n_modules, 2);
  assert_int_equal(run.n_results, 3);
  for (size_t i = 0; i < run.n_results; i++)
    assert_int_equal(run.results[i].module, i % 2);
  assert_int_equal(run.n_sources, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_non_null(strstr(run.sources[i].name, want[i].name));
    assert_string_equal(run.sources[i].text, want[i].text);
  }
  for (size_t m = 0; m < 2; m++) {
    const struct run_instruction *code_of = run.modules[m].kernels[0].sass;
    assert_int_equal(code_of[0].n_lines, 2);
    assert_int_equal(code_of[0].lines[0].source, 0);
    assert_int_equal(code_of[0].lines[0].line, 7);
    assert_int_equal(code_of[0].lines[1].source, 1);
    assert_int_equal(code_of[1].lines[0].source, 2);
    assert_int_equal(code_of[1].lines[0].line, m ? 3 : 2);
  }
  run_release(&run);
  nothing_is_left();
  unlink(at("a.cu"));
}

/* Why there is no code is said once, of all kernels that it holds of. */
static void code_that_was_not_seen(void **state) {
  const struct attach_options o = {.sass = true, .coverage = 1, .overhead = INFINITY};
  static const char three[] = "cp $TMPDIR/without $NVFP4_ATTACH_DIR/42.0.cubin\n" PART_BEHIND(
      HEAD("42", "3", "15") KERNEL("a", "1", "6") KERNEL("c", "1", "5") KERNEL("d", "1", "4"));
  (void)state;
  setenv("NVFP4_NVDISASM", "/bin/true", 1);
  /* Files that are empty, and no cubin at all. */
  assert_int_equal(attach_to(": >$NVFP4_ATTACH_DIR/42.1.cubin; echo x >$NVFP4_ATTACH_DIR/42.2.cubin\n" PART_BEHIND(
                                 HEAD("42", "1", "6") KERNEL("a", "1", "6")),
                             &o),
                   0);
  says("no SASS of a: attach did not see the kernel's code being loaded");
  assert_int_equal(attach_to(three, &o), 0);
  says("no SASS of a and 2 more: attach did not see the kernel's code being loaded");
  assert_int_equal(attach_to(PART("42", HEAD("42", "1", "5") KERNEL("a", "1", "5") END), &o), 0);
  says("no SASS of a: attach did not see the kernel's code being loaded");
  setenv("NVFP4_NVDISASM", "/nonexistent/nvdisasm", 1);
  assert_int_equal(attach_to(three, &o), 0);
  says("no SASS of a and 2 more: NVFP4_NVDISASM: /nonexistent/nvdisasm: No such file or directory");
}

static int open_all(void **state) {
  if (own_open(state))
    return -1;
  setenv("TMPDIR", own_folder, 1);
  setenv("NVFP4_LIBCUDA", FAKES "/whole/libcuda.so.1", 1);
  return 0;
}

static int close_all(void **state) {
  clear();
  return own_close(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_process_is_one_file),
      cmocka_unit_test(a_rank_says_which_it_is),
      cmocka_unit_test(what_is_left_is_told),
      cmocka_unit_test(a_damaged_part_costs_itself),
      cmocka_unit_test(processes_have_files_of_their_own),
      cmocka_unit_test(what_cannot_begin),
      cmocka_unit_test(the_program_is_told),
      cmocka_unit_test(signals_are_passed_on),
      cmocka_unit_test(two_runs_are_one_file),
      cmocka_unit_test(no_second_run),
      cmocka_unit_test(code_is_disassembled),
      cmocka_unit_test(sources_of_lines),
      cmocka_unit_test(code_that_was_not_seen),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
