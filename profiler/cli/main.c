/* nvfp4-prof: finds the command, reads its line, runs it. */
#include "base/shell.h"
#include "profiler/cli/cli.h"

#include "command_rows.h"
#include "profiler/cuda/library.h"
#include "version.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMANDS_MAX = 64 };

#define COMMAND_DECLARED(number, id) extern const struct command command_##id;
COMMAND_ROWS(COMMAND_DECLARED)

#define COMMAND_ELEMENT(number, id) &command_##id,
static const struct command *const commands[] = {COMMAND_ROWS(COMMAND_ELEMENT) NULL}; /* the first is the default */

static void help_add(struct text *out) {
  enum { START = 26, NAME = 13 };
  static const struct {
    const char *line, *what;
  } starts[] = {{"nvfp4-prof --variant all", "the ladders of NVFP4 GEMV kernels; without a GPU, the recorded run"},
                {"nvfp4-prof --kernel my.cu", "a kernel of your own"},
                {"nvfp4-prof attach -- ./app", "the kernels inside any program"}};
  text_printf(out,
              "nvfp4-prof %s: profiles CUDA kernels and explains what binds them and what each step gained\n\n"
              "usage: nvfp4-prof [profile] [--variant LIST] [OPTIONS]\n"
              "       nvfp4-prof COMMAND [OPTIONS]\n"
              "       nvfp4-prof COMMAND --help\n\nstart:\n",
              NVFP4_VERSION);
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    usage_row(out, START, starts[i].line, starts[i].what);
  text_add(out, "\ncommands:\n");
  for (const struct command *const *c = commands; *c; c++)
    usage_row(out, NAME, (*c)->name, (*c)->summary);
  text_add(
      out,
      "\nexit codes: 0 done, 1 a comparison failed, 2 usage or malformed input, 3 the machine lacks what was asked "
      "for, 4 some variants failed (the others are reported)\n");
}

/* A descriptor that the caller closed is filled so that it cannot be written: else the next file
 * that is opened becomes stdout. */
static void fill_closed(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
      _exit(EXIT_MACHINE);
}

/* A file that can be run, by its path or on PATH, is what `attach` is for. */
static bool is_program(const char *name) {
  char path[LIBRARY_PATH_MAX];
  return strchr(name, '/') ? access(name, X_OK) == 0 : program_on_path(path, name);
}

/* What takes such a file; NULL: nothing is known to. */
static const char *taker_of(const char *file) {
  static const struct {
    const char *ending, *command;
  } rows[] = {{".cu", "--kernel"},        {".cubin", "diagnose"}, {".ptx", "diagnose"},
              {".ncu-rep", "import ncu"}, {".json", "report"},    {".json.gz", "report"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (str_ends(file, rows[i].ending))
      return rows[i].command;
  return NULL;
}

static int unknown_command(const char *name) {
  const char *taker = taker_of(name);
  struct err e = {0};
  command_unknown(commands, name, &e);
  if (taker)
    cli_tell("nvfp4-prof: '%s' is a file; did you mean nvfp4-prof %s %s?\n", name, taker, name);
  else if (is_program(name) && !command_nearest(commands, name))
    cli_tell("nvfp4-prof: '%s' is a program: nvfp4-prof attach -- %s profiles it\n", name, name);
  else
    cli_tell("nvfp4-prof: %s\n", e.text);
  return EXIT_USAGE;
}

static int run_command(const struct command *c, char *typed, int argc, char **argv) {
  struct args a = {0};
  struct text help = {0};
  struct err e = {0};
  int rc = args_parse(&a, c, argc, argv, &e);
  a.commands = commands;
  a.typed = typed;
  if (!rc && args_has(&a, "color"))
    rc = cli_colour_set(args_get(&a, "color"), &e);
  if (!rc && a.help) {
    command_usage(c, &help);
    rc = cli_print_words(&help, &e);
  } else if (!rc) {
    rc = args_clash(&a, c->clashes, &e);
    rc = rc ? rc : c->run(&a, &e);
  }
  return rc < 0 ? cli_complain(c, &e) : rc;
}

static int dispatch(int argc, char **argv) {
  struct text text = {0};
  if (argc < 2) {
    struct text fit = {0};
    help_add(&text);
    text_fit(&fit, text_str(&text), cli_width());
    cli_tell("%s", text_str(&fit));
    text_release(&fit);
    text_release(&text);
    return EXIT_USAGE;
  }
  bool help = strcmp(argv[1], "help") == 0 && argc == 2;
  if (help || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    struct err e = {0};
    help_add(&text);
    return cli_print_words(&text, &e) ? cli_complain(commands[0], &e) : EXIT_DONE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    printf("nvfp4-prof %s (%s)\n", NVFP4_VERSION, NVFP4_GIT);
    return EXIT_DONE;
  }
  const struct command *const *c = commands;
  int skip = argv[1][0] != '-';
  while (skip && *c && strcmp((*c)->name, argv[1]) != 0)
    c++;
  if (!*c)
    return unknown_command(argv[1]);
  if ((*c)->failure)
    cli_memory_failure((*c)->failure);
  char *line = shell_line(argc - 1, argv + 1), *typed = line ? str_printf("nvfp4-prof %s", line) : NULL;
  int rc = run_command(*c, typed, argc - skip, argv + skip);
  free(line);
  free(typed);
  return rc;
}

int main(int argc, char **argv) {
  fill_closed();
  signal(SIGPIPE, SIG_IGN); /* a worker that died is a failed write, and said as one */
  signal(SIGXFSZ, SIG_IGN); /* so is a limit on a file's size */
  int rc = dispatch(argc, argv);
  struct err e = {0};
  if (!cli_flush(&e))
    return rc;
  int unprinted = cli_complain(commands[0], &e);
  return rc == EXIT_DONE || rc == EXIT_COMPARISON || rc == EXIT_VARIANTS ? unprinted : rc;
}
