/* nvfp4-prof: the command table. */
#include "profiler/cli/cli.h"

#include "version.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
    {"profile", "[--variant LIST] [OPTIONS]", "profile rungs (the default command): check, time, count, report",
     profile_options_table, cmd_profile, NULL},
    {"list", "[variants|ladders|shapes|devices|metrics]", "what there is to run, and on what", list_options_table,
     cmd_list, NULL},
    {"sol", "[OPTIONS]", "the memory-bound speed of light of a device", sol_options_table, cmd_sol, NULL},
    {"report", "RUN.json [B.json] [OPTIONS]", "report a run that was made earlier or elsewhere; two: side by side",
     report_options_table, cmd_report, NULL},
    {"doctor", "[OPTIONS]", "what this machine has and lacks, with the remedy", doctor_options_table, cmd_doctor, NULL},
    {"diagnose", "[RUN] --variant X", "which bound binds, and which load each stall waits for", diagnose_options_table,
     cmd_diagnose, NULL},
    {"explain", "[RUN] [--ladder L] [A B]", "why each step got faster or slower", explain_options_table, cmd_explain,
     NULL},
    {"project", "[RUN] --to DEVICE", "the ladders' times on another chip, with intervals", project_options_table,
     cmd_project, NULL},
    {"diff", "A.json B.json", "what became slower, faster or wrong between two runs", diff_options_table, cmd_diff,
     NULL},
    {"ceilings", "[OPTIONS]", "measure this GPU's ceilings: bandwidth, latency, rates", ceilings_options_table,
     cmd_ceilings, NULL},
    {"history", "DIR|FILES...", "a metric over many runs, and where it stepped", history_options_table, cmd_history,
     NULL},
    {"tune", "--variant X", "search a kernel's parameters", tune_options_table, cmd_tune, NULL},
    {"mma", "[OPTIONS]", "every matrix instruction: native or emulated, its rate, its library's", mma_options_table,
     cmd_mma, NULL},
    {"new", "NAME [--problem KIND]", "start a kernel of your own: a commented file", new_options_table, cmd_new, NULL},
    {"attach", "[OPTIONS] -- CMD ARGS...", "profile kernels inside any program", attach_options_table, cmd_attach,
     NULL},
    {"import", "ncu FILE.csv... [OPTIONS]", "read Nsight Compute's output as a run", import_options_table, cmd_import,
     NULL},
    {"export", "RUN.json [OPTIONS]", "a run as a trace, folded stacks or CSV", export_options_table, cmd_export, NULL},
    {"help", "[COMMAND|--man|--completion bash]", "this text, a command's, the man page, completion",
     help_options_table, cmd_help, NULL},
    {"kit", "-o FILE.tar [OPTIONS]", "pack what a node with only a driver needs to profile", kit_options_table, cmd_kit,
     NULL},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct command *commands_all(size_t *n) {
  *n = COMMANDS;
  return commands;
}

static void print_help(FILE *out) {
  fprintf(out,
          "nvfp4-prof %s: profiles a ladder of NVFP4 batched-GEMV kernels and explains every step\n\n"
          "usage: nvfp4-prof --variant all            profile everything (without a GPU: analyse the recorded run)\n"
          "       nvfp4-prof COMMAND [OPTIONS]        nvfp4-prof COMMAND --help for its options\n\ncommands:\n",
          NVFP4_VERSION);
  for (int i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-9s %-44s %s%s%s%s\n", commands[i].name, commands[i].arguments, commands[i].summary,
            commands[i].unavailable ? " (" : "", commands[i].unavailable ? commands[i].unavailable : "",
            commands[i].unavailable ? ")" : "");
  fprintf(
      out,
      "\nexit codes: 0 done, 1 a comparison failed, 2 usage or malformed input, 3 the machine lacks what was asked for,\n"
      "            4 some variants failed (the others are reported)\n");
}

/* A descriptor that the caller closed is filled so that it cannot be written: else the next file that is opened becomes stdout. */
static void fill_closed(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
      _exit(EXIT_MACHINE);
}

static int fail(const struct err *e) {
  cli_progress_end();
  fprintf(stderr, "nvfp4-prof: %s\n", e->text);
  return exit_code_of(e);
}

static int unknown_command(const char *name) {
  const char *names[COMMANDS];
  for (int i = 0; i < COMMANDS; i++)
    names[i] = commands[i].name;
  const char *nearest = str_nearest(name, names, COMMANDS);
  fprintf(stderr, "nvfp4-prof: unknown command '%s'%s%s%s; nvfp4-prof --help lists them\n", name,
          nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
  return EXIT_USAGE;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return EXIT_USAGE;
  }
  bool help = strcmp(argv[1], "help") == 0 && argc == 2;
  if (help || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return EXIT_DONE;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("nvfp4-prof %s (%s)\n", NVFP4_VERSION, NVFP4_GIT);
    return EXIT_DONE;
  }
  const struct command *c = &commands[0];
  int skip = 0;
  if (argv[1][0] != '-') {
    skip = 1;
    c = NULL;
    for (int i = 0; i < COMMANDS && !c; i++)
      if (strcmp(commands[i].name, argv[1]) == 0)
        c = &commands[i];
    if (!c)
      return unknown_command(argv[1]);
  }
  if (c->unavailable) {
    fprintf(stderr, "nvfp4-prof: %s: %s in this version (%s)\n", c->name, c->unavailable, NVFP4_VERSION);
    return EXIT_MACHINE;
  }
  struct err e = {0};
  int result = c->run(c, argc - skip, argv + skip, &e);
  return result < 0 ? fail(&e) : result;
}

int main(int argc, char **argv) {
  fill_closed();
  signal(SIGPIPE, SIG_IGN); /* a worker that died is a failed write, and said as one */
  signal(SIGXFSZ, SIG_IGN); /* so is a limit on a file's size */
  int result = dispatch(argc, argv);
  struct err e = {0};
  /* Help and versions are printed without a look at the result. */
  return result == EXIT_DONE && cli_flush(&e) ? fail(&e) : result;
}
